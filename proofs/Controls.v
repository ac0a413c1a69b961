(** Controls: each statement is FALSE without one of its conditions. (As in the book's verdicts, the same rule
    has to reject the control.) *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import EverythingTendsToOne CoinTosses ReversedPair BlindBelow StepsOfOne SafeLead.
From Companion Require Import Ranking SortedIsBest LinearNdcg RankDCG RankdcgIsRPrecision ZipfSeesTheTop.
From Companion Require Import MeanOfRatios LinearTies LinearClosedForm LinearTiesMean LinearMean SumsAndIntegrals PowerSums.
Import ListNotations.
Open Scope R_scope.

(** sorted_is_best without "the discount never increases". *)
Theorem control_definition_1 :
  ~ (forall D l s, Permutation l s -> falling s -> DCG D l <= DCG D s).
Proof.
  intro C; specialize (C INR [0; 1] [1; 0] (perm_swap _ _ _)).
  unfold DCG in C; simpl in C.
  assert (F : falling [1; 0]) by (repeat constructor; lra).
  specialize (C F); lra.
Qed.

(** linear/theorem-3 without the factor b - a: count each misordered pair once. *)
Fixpoint misordered (l : list R) : R :=
  match l with
  | [] => 0
  | y :: t => sum_over (fun z => if Rlt_dec y z then 1 else 0) t + misordered t
  end.
Theorem control_linear_theorem_3 : ~ (forall l, ldcg (sort l) - ldcg l = misordered l).
Proof.
  intro C; specialize (C [0; 2]); simpl in C.
  destruct (Rle_dec 2 0), (Rlt_dec 0 2); simpl in C; lra.
Qed.

(** linear/lemma-1 with "at most q" for the exchanges is false with one q too few. *)
Theorem control_linear_lemma_1 :
  ~ (forall l m q, count_occ Bool.bool_dec l true = m -> count_occ Bool.bool_dec l false = q ->
       steps 0 (ideal_row m q) l).
Proof.
  intro C; specialize (C [false; true] 1%nat 1%nat eq_refl eq_refl).
  inversion C.
Qed.

(** rankdcg/formula-corrected without "at least two different values": then 0/0. *)
Theorem control_rankdcg : ~ (forall s, falls s -> mindcg s < maxdcg s).
Proof.
  intro C; specialize (C [1%nat] ltac:(repeat constructor)).
  unfold mindcg, maxdcg in C; simpl in C; lra.
Qed.

(** proposition-gini with tied pairs not counted at all: two tied items of the labels 1 and 0. *)
Theorem control_gini :
  ~ (forall L G, shelves G -> Permutation (concat G) L ->
       2 <= INR (length L) -> 0 < sum (labels L) -> 0 < gaps (labels L) ->
       let C := 1 - loss_lt L / gaps (labels L) in
       mean_lndcg G L = (1 + (2 * C - 1) * gini (labels L)) / (1 + gini (labels L))).
Proof.
  intro H; set (L := [(0, 1); (0, 0)] : list item).
  assert (T : tied L) by (exists 0; intros x [<-|[<-|[]]]; reflexivity).
  assert (g1 : gaps (labels L) = 1) by (unfold L, label; cbn; unfold Rabs; destruct Rcase_abs; lra).
  assert (s1 : sum (labels L) = 1) by (unfold L, label; cbn; lra).
  assert (S : shelves [L]) by (repeat split; auto; intros x z _ []).
  assert (n2 : 2 <= INR (length L)) by (cbn; lra).
  specialize (H L [L] S (Permutation_refl _) n2 ltac:(lra) ltac:(lra)).
  rewrite (gini_with_ties L [L] S (Permutation_refl _) n2 ltac:(lra) ltac:(lra)) in H.
  unfold concordance in H; rewrite (tied_lt L T), (tied_le L T), g1 in H.
  unfold gini in H; rewrite g1, s1 in H; cbn in H; lra.
Qed.

(** wang/claim-31 without the two terms for the first rank: one item, and the curve that is 1. *)
Theorem control_claim_31 :
  ~ (forall g C alpha n, (1 <= n)%nat -> 0 < alpha -> 0 <= C ->
       (forall u, 0 <= u <= 1 -> 0 <= g u <= 1) -> hoelder g C alpha ->
       Rabs (upto (fun r => g (INR r / INR n) * log_discount (INR r)) n - pseudo log_discount g n)
       <= C * Rpower (INR n) (- alpha / 3) * paid_to log_discount (INR n)).
Proof.
  intro H; specialize (H (fun _ => 1) 0 1 1%nat (le_n 1) ltac:(lra) ltac:(lra)).
  assert (A : hoelder (fun _ => 1) 0 1) by (intros u v _ _ _; rewrite Rminus_eq_0, Rabs_R0; lra).
  specialize (H ltac:(intros; lra) A); unfold pseudo, paid_to in H; cbn [upto INR] in H; rewrite !RInt_point in H.
  assert (P : 0 < log_discount 1) by (apply Rinv_0_lt_compat; rewrite <- ln_1; apply ln_increasing; lra).
  change (@zero _) with 0 in H; unfold Rabs in H; destruct Rcase_abs in H; lra.
Qed.

(** wang/theorem-7 without the factor 1 - beta: every item is relevant, and NDCG is 1. *)
Theorem control_theorem_7 :
  ~ (forall beta g (M : nat -> nat) p J, 0 < beta < 1 -> 0 < p <= 1 -> curve g ->
       (forall n, (M n <= n)%nat) -> is_lim_seq (fun n => INR (M n) / INR n) p -> from_0_to 1 beta g J ->
       is_lim_seq (fun n => upto (fun r => g (INR r / INR n) * power beta (INR r)) n
         / upto (fun r => power beta (INR r)) (M n)) (1 / Rpower p (1 - beta) * J)).
Proof.
  intro H; assert (b : 0 < / 2 < 1) by lra; assert (G : curve (fun _ => 1))
    by (intros u _; split; [apply continuous_const|lra]); assert (A := all_ones _ b 1 ltac:(lra)).
  assert (X := H (/ 2) _ (fun n => n) 1 _ b ltac:(lra) G le_n all_of_all A).
  assert (Y := theorem_7_core _ b _ (fun n => n) 1 _ ltac:(lra) G le_n all_of_all A).
  apply is_lim_seq_unique in X, Y; rewrite X in Y; injection Y.
  unfold Rpower; rewrite ln_1, Rmult_0_r, exp_0; lra.
Qed.

(** wang/theorem-13 without "a proportion p of the items is relevant". *)
Theorem control_theorem_13 :
  ~ (forall beta g (k M : nat -> nat) c p J, 0 < beta < 1 -> 0 < c <= 1 -> 0 < p <= 1 -> curve g ->
       (forall n, (k n <= n)%nat /\ (M n <= n)%nat) -> is_lim_seq (fun n => INR (k n) / INR n) c ->
       from_0_to c beta g J ->
       is_lim_seq (fun n => upto (fun r => g (INR r / INR n) * power beta (INR r)) (k n)
         / upto (fun r => power beta (INR r)) (Nat.min (k n) (M n)))
         ((1 - beta) / Rpower (Rmin c p) (1 - beta) * J)).
Proof.
  intro H; assert (b : 0 < / 2 < 1) by lra; assert (G : curve (fun _ => 1))
    by (intros u _; split; [apply continuous_const|lra]); assert (A := all_ones _ b 1 ltac:(lra)).
  assert (X := fun p Hp => H (/ 2) _ (fun n => n) (fun n => n) 1 p _ b ltac:(lra) Hp G
    (fun n => conj (le_n n) (le_n n)) all_of_all A).
  assert (Y := X (/ 4) ltac:(lra)); specialize (X 1 ltac:(lra)); apply is_lim_seq_unique in X, Y.
  rewrite X in Y; rewrite !Rmin_right in Y by lra; injection Y.
  unfold Rpower; rewrite ln_1, Rmult_0_r, exp_0.
  assert (L : 0 < ln 4) by (rewrite <- ln_1; apply ln_increasing; lra); rewrite ln_Rinv by lra.
  assert (E : exp ((1 - / 2) * - ln 4) < 1)
    by (apply Rlt_le_trans with (exp 0); [apply exp_increasing|rewrite exp_0]; lra).
  assert (P := exp_pos ((1 - / 2) * - ln 4)); apply Rinv_lt_contravar in E; [|lra].
  rewrite Rinv_1 in E; lra.
Qed.

(** wang/invariance for D + 1 in the place of aD. *)
Theorem control_invariance : ~ (forall D l, NDCG (fun r => D r + 1) l = NDCG D l).
Proof.
  intro C; specialize (C (fun r => / INR r) [0; 1]).
  unfold NDCG, IDCG, DCG in C; simpl in C; destruct (Rle_dec 1 0); simpl in C; lra.
Qed.

(** wang/theorem-4-any-ranking without "the mean stays at least p": one item in n, in the last place. *)
Theorem control_theorem_4 : ~ (forall ranking : nat -> list R,
  (forall n, length (ranking n) = S n) -> (forall n y, In y (ranking n) -> 0 <= y <= 1) ->
  (forall n, In 1 (ranking n)) -> is_lim_seq (fun n => NDCG standard (ranking n)) 1).
Proof.
  intro C; assert (L := C (fun n => spike n 0)); assert (Z : is_lim_seq (fun n => NDCG standard (spike n 0)) 0).
  { apply is_lim_seq_ext with (fun n => 0 + ln 2 * / ln (1 + INR (S n))).
    - intro n; unfold NDCG, IDCG; rewrite <- (sort_unique (spike n 0) (spike 0 n)).
      + unfold DCG; rewrite !dcg_spike; change (standard (1 + 0)) with (/ ln (1 + 1)).
        change (standard (1 + n)) with (/ ln (1 + INR (S n))); replace (1 + 1) with 2 by ring.
        assert (0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
        assert (X := ln_pos (S n) ltac:(lia)); field; lra.
      + apply spikes_perm; lia.
      + apply (sorted_blocks Rge 1 0 1 n); lra.
    - replace (Finite 0) with (Finite (0 + ln 2 * 0)) by (f_equal; ring).
      apply is_lim_seq_plus'; [apply is_lim_seq_const|].
      apply (is_lim_seq_scal_l _ (ln 2) 0), (is_lim_seq_inv _ p_infty); [|easy].
      apply (is_lim_seq_incr_1 (fun n => ln (1 + INR n))), ln_n_lim. }
  assert (X : is_lim_seq (fun n => NDCG standard (spike n 0)) 1).
  { apply L; unfold spike; intro n; [rewrite app_length, repeat_length; simpl; lia| |apply in_or_app; right; now left].
    intros y [->%repeat_spec|[<-|[]]]%in_app_iff; lra. }
  apply is_lim_seq_unique in X, Z; rewrite X in Z; injection Z; lra.
Qed.

Lemma sure n f : E (repeat 1 n) f = f (repeat 1 n).
Proof. revert f; induction n as [|n IH]; intro f; simpl; auto; rewrite !IH; ring. Qed.
(** deck/beta-above-1 without uncertainty: if every label is 1, the list is equal to its reverse. *)
Theorem control_beta_above_1 :
  ~ (forall beta delta, 1 < beta -> 0 <= delta -> exists c N, 0 < c /\ forall q,
       (N <= length q)%nat -> in_doubt delta q ->
       c <= P q (fun l => NDCG (steep beta) (rev l) < NDCG (steep beta) l) (fun l => Rlt_dec _ _)).
Proof.
  intro C; destruct (C 2 0 ltac:(lra) ltac:(lra)) as (c & N & c0 & H); clear C.
  specialize (H (repeat 1 N) ltac:(rewrite repeat_length; auto) ltac:(intros p ->%repeat_spec; lra)).
  unfold P in H; rewrite sure in H; destruct Rlt_dec as [h|]; [rewrite rev_of_repeat in h|]; lra.
Qed.

(** wang/remark-3-3 with a cut one rank below what agrees. *)
Theorem control_remark_3_3 :
  ~ (forall k D f0 f1, firstn k f0 = firstn k f1 -> DCG (cut (S k) D) f0 = DCG (cut (S k) D) f1).
Proof. intro C; specialize (C O (fun _ => 1) [1] [0] eq_refl); unfold DCG, cut in C; simpl in C; lra. Qed.

(** wang/feasible-discounts with a discount that is flat only from one rank further down. *)
Theorem control_feasible_discounts : ~ (forall k n c D f0 f1, (forall r, (S k < r <= n)%nat -> D r = c) ->
  length f0 = n -> Permutation f0 f1 -> firstn k f0 = firstn k f1 -> DCG D f0 = DCG D f1).
Proof.
  intro C; specialize (C O 2%nat 0 (fun r => if (r =? 1)%nat then 1 else 0) [1; 0] [0; 1]).
  unfold DCG in C; simpl in C; enough (1 * 1 + (0 * 0 + 0) = 0 * 1 + (1 * 0 + 0)) by lra; apply C; auto.
  - intros r Hr; now replace r with 2%nat by lia.
  - constructor.
Qed.

(** beyond/affine-discounts without "a > 0". *)
Theorem control_affine_discounts : ~ (forall a b D f0 f1, Permutation f0 f1 ->
  DCG (fun k => a * D k + b) f0 > DCG (fun k => a * D k + b) f1 <-> DCG D f0 > DCG D f1).
Proof.
  intro C; specialize (C (-1) 0 INR [0; 1] [1; 0] (perm_swap _ _ _)).
  unfold DCG in C; simpl in C; destruct C as [_ C]; lra.
Qed.

(** rankdcg/constraint-2 for relabellings that make two values one: 1, 2, 0 becomes the perfect 1, 1, 0. *)
Theorem control_constraint_2 : ~ (forall h s, (forall x y, In x s -> In y s -> (x < y)%nat -> (h x <= h y)%nat) ->
  forall o, Permutation o s -> rankdcg (map h s) (map h o) = rankdcg s o).
Proof.
  intro C; specialize (C (Nat.min 1) [2; 1; 0]%nat ltac:(intros; lia) [1; 2; 0]%nat (perm_swap _ _ _)).
  unfold rankdcg, maxdcg, mindcg, dcg', weight, gain, block, distinct in C; simpl in C; lra.
Qed.

(** beyond/rankdcg-is-r-precision, its second clause without "at most half of the items are relevant". *)
Theorem control_r_precision : ~ (forall hi lo m N, (lo < hi)%nat -> (0 < m)%nat -> (0 < N)%nat ->
  forall o, Permutation o (two hi lo m N) -> rankdcg (two hi lo m N) o = INR (found hi m o) / INR m).
Proof.
  intro C; assert (P : Permutation [1; 0; 1]%nat (two 1 0 2 1)) by (do 2 constructor).
  assert (X := C 1%nat 0%nat 2%nat 1%nat ltac:(lia) ltac:(lia) ltac:(lia) _ P).
  rewrite (rankdcg_is_r_precision 1 0 2 1) in X by (auto; lia); unfold found in X; simpl in X; lra.
Qed.

(** wang/theorem-8-2, its condition, with the exponent 1: the straight line. *)
Theorem control_theorem_8_2 : ~ (forall (f : R -> R) a b C alpha, 1 <= alpha ->
  (forall x y, a <= x <= b -> a <= y <= b -> x < y -> Rabs (f x - f y) <= C * Rpower (y - x) alpha) ->
  forall x y, a <= x <= b -> a <= y <= b -> f x = f y).
Proof.
  intro H; assert (X : 0 = 1); [|lra].
  apply (H (fun x => x) 0 1 1 1); try lra; intros x y _ _ h.
  rewrite Rpower_1, Rabs_minus_sym, Rabs_pos_eq by lra; lra.
Qed.

(** proposition-steps-of-one for steps of two. *)
Theorem control_steps_of_one : ~ (forall D n, (forall i, (1 <= i < n)%nat -> D i - D (S i) = 2) ->
  forall l, length l = n -> error_is_loss_for D l).
Proof.
  intro C; assert (S := steps_of_one_necessary (fun i => - 2 * INR i) 2
    ltac:(intros l L _; apply (C _ 2%nat); auto; intros; rewrite S_INR; lra) 1%nat ltac:(lia)); simpl in S; lra.
Qed.

(** linear/equation-1 with m (m + 1) / 2 for m (m - 1) / 2. *)
Theorem control_linear_equation_1 :
  ~ (forall m q, ldcg (repeat 1 m ++ repeat 0 q) = INR m * INR q + INR m * (INR m + 1) / 2).
Proof. intro C; specialize (C 1%nat O); simpl in C; lra. Qed.

(** beyond/mean-of-ratios without the covariance. *)
Theorem control_mean_of_ratios :
  ~ (forall q, q <> [] -> MeanOfRatios.mean ratio q = MeanOfRatios.mean lead q * MeanOfRatios.mean inverse q).
Proof.
  intro C; specialize (C [(2 / 3, 3 / 2); (- 1 / 2, 1)] ltac:(discriminate)).
  unfold MeanOfRatios.mean, ratio, lead, inverse in C; simpl in C; lra.
Qed.

(** beyond/safe-lead with the measured lead alone. *)
Theorem control_lead : ~ (forall d h, 0 < h <-> forall y, List.Forall (fun l => 0 <= l <= 1) y -> 0 < h + added d y).
Proof. intro C; assert (L := proj1 (C [-1] 1) ltac:(lra) [1] ltac:(repeat constructor; lra)); simpl in L; lra. Qed.
