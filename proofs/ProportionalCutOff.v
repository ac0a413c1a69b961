(** wang/theorem-12 and wang/theorem-16 (chapters short-cutoffs, graded-relevance), the deterministic core:
    under the discount 1/log(1+r), if a list is cut at a proportion of its length, the limit depends only on the
    label mass above the cut. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import Ranking SortedIsBest EverythingTendsToOne FloorAndCeiling ZipfSeesTheTop.
Import ListNotations.
Open Scope R_scope.

Lemma factor_lim : is_lim_seq (fun n => let x := ln (1 + INR n) in x / (x - 2 * ln x)) 1.
Proof.
  apply is_lim_seq_ext_loc with (fun n => 1 + rate 0 1 (ln (1 + INR n))).
  - exists 1%nat; intros n Hn; assert (x0 := ln_pos n Hn); set (x := ln (1 + INR n)) in *.
    assert (xl := two_ln_lt x x0). assert (l2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
    unfold rate; field; repeat split; lra.
  - replace (Finite 1) with (Finite (1 + 0)) by (f_equal; lra).
    apply is_lim_seq_plus'; [apply is_lim_seq_const|].
    apply (is_lim_comp_seq (rate 0 1) _ p_infty 0); [apply rate_lim| |apply ln_n_lim].
    exists O; easy.
Qed.

(** Paid for the mass, and for nothing else. *)
Theorem log_dcg_is_mass : forall B (l : nat -> list R) (a : R), 0 <= B ->
  (forall n, (length (l n) <= n)%nat) ->
  (forall n y, In y (l n) -> 0 <= y <= B) ->
  is_lim_seq (fun n => sum (l n) / INR n) a ->
  is_lim_seq (fun n => DCG standard (l n) * ln (1 + INR n) / INR n) a.
Proof.
  intros B l a B0 L H A.
  apply is_lim_seq_le_le_loc with (u := fun n => sum (l n) / INR n)
    (w := fun n => 2 * B / ln 2 * / ln (1 + INR n)
                   + (let x := ln (1 + INR n) in x / (x - 2 * ln x)) * (sum (l n) / INR n)).
  - exists 1%nat; intros n Hn; apply (log_dcg_bounds B n (l n) B0 Hn (L n) (H n)).
  - exact A.
  - replace (Finite a) with (Finite (2 * B / ln 2 * 0 + 1 * a)) by (f_equal; ring).
    apply is_lim_seq_plus'.
    + apply (is_lim_seq_scal_l (fun n => / ln (1 + INR n)) (2 * B / ln 2) 0).
      replace (Finite 0) with (Rbar_inv p_infty) by reflexivity.
      apply is_lim_seq_inv; [apply ln_n_lim|easy].
    + apply is_lim_seq_mult'; [apply factor_lim|exact A].
Qed.

(** NDCG@k: both lists are cut. *)
Definition NDCG_at (k : nat) (l : list R) : R :=
  DCG standard (firstn k l) / DCG standard (firstn k (sort l)).

Theorem cut_off_limit : forall B (ranking : nat -> list R) (k : nat -> nat) (a b : R),
  0 <= B -> 0 < b ->
  (forall n, length (ranking n) = n) ->
  (forall n y, In y (ranking n) -> 0 <= y <= B) ->
  is_lim_seq (fun n => sum (firstn (k n) (ranking n)) / INR n) a ->
  is_lim_seq (fun n => sum (firstn (k n) (sort (ranking n))) / INR n) b ->
  is_lim_seq (fun n => NDCG_at (k n) (ranking n)) (a / b).
Proof.
  intros B l k a b B0 b0 L H A Bl.
  assert (In1 : forall j (m : list R) y, In y (firstn j m) -> In y m)
    by (intros j m y I; rewrite <- (firstn_skipn j m), in_app_iff; auto).
  assert (X : is_lim_seq (fun n => DCG standard (firstn (k n) (l n)) * ln (1 + INR n) / INR n) a).
  { apply (log_dcg_is_mass B (fun n => firstn (k n) (l n))); auto.
    - intro n; rewrite firstn_length, L; lia.
    - intros n y I; apply (H n), (In1 _ _ _ I). }
  assert (Y : is_lim_seq (fun n => DCG standard (firstn (k n) (sort (l n))) * ln (1 + INR n) / INR n) b).
  { apply (log_dcg_is_mass B (fun n => firstn (k n) (sort (l n)))); auto.
    - intro n; rewrite firstn_length, (Permutation_length (sort_perm (l n))), L; lia.
    - intros n y I; apply (H n), (Permutation_in _ (sort_perm (l n))), (In1 _ _ _ I). }
  assert (Z := is_lim_seq_div' _ _ _ _ X Y ltac:(lra)).
  apply is_lim_seq_spec in Y; destruct (Y (mkposreal b b0)) as [N HN]; simpl in HN.
  apply is_lim_seq_ext_loc with (2 := Z); exists (S N); intros n Hn.
  assert (h := HN n ltac:(lia)); apply Rabs_def2 in h.
  assert (n0 : 0 < INR n) by (apply lt_0_INR; lia). assert (x0 := ln_pos n ltac:(lia)).
  unfold NDCG_at; set (d := DCG standard (firstn (k n) (sort (l n)))) in *.
  assert (d <> 0) by (intros E; rewrite E in h; unfold Rdiv in h; rewrite !Rmult_0_l in h; lra).
  field; repeat split; auto; lra.
Qed.

(** ** Two grades: the denominator is min(c, p), as theorem 12 has it *)
Lemma sum_firstn_ideal k m q : sum (firstn k (repeat 1 m ++ repeat 0 q)) = INR (Nat.min k m).
Proof.
  revert k; induction m as [|m IH]; intros k.
  - rewrite Nat.min_0_r; simpl app; revert k; induction q as [|q IH]; intros [|k]; simpl; auto.
    rewrite IH; simpl; lra.
  - destruct k as [|k]; [auto|]. simpl firstn; cbn [sum]; rewrite IH.
    change (Nat.min (S k) (S m)) with (S (Nat.min k m)); rewrite S_INR; lra.
Qed.
Theorem theorem_12_core : forall (ranking : nat -> list R) (M k : nat -> nat) (a c p : R),
  0 < c -> 0 < p ->
  (forall n, (M n <= n)%nat /\ Permutation (ranking n) (repeat 1 (M n) ++ repeat 0 (n - M n))) ->
  is_lim_seq (fun n => INR (M n) / INR n) p ->
  is_lim_seq (fun n => INR (k n) / INR n) c ->
  is_lim_seq (fun n => sum (firstn (k n) (ranking n)) / INR n) a ->
  is_lim_seq (fun n => NDCG_at (k n) (ranking n)) (a / Rmin c p).
Proof.
  intros l M k a c p c0 p0 H HM Hk A.
  apply cut_off_limit with 1; auto; try lra.
  - now apply Rmin_pos.
  - intro n; destruct (H n) as [h P]; rewrite (Permutation_length P), app_length, !repeat_length; lia.
  - intros n y I; destruct (H n) as [h P]; apply (Permutation_in _ P), in_app_iff in I.
    destruct I as [I|I]; apply repeat_spec in I; lra.
  - apply is_lim_seq_ext with (2 := share_of_the_smaller k M c p Hk HM); intro n; destruct (H n) as [_ P].
    now rewrite <- (sort_unique _ _ P (falling_10 _ _)), sum_firstn_ideal.
Qed.
