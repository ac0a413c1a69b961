(** proposition-gini (chapter linear-ndcg): linear NDCG in closed form, with ties, its smallest value and its
    mean; any items can be grouped by score, as linear/theorem-3-with-ties requires. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Companion Require Import Ranking SortedIsBest LinearNdcg LinearTies AllOrders LinearClosedForm.
From Companion Require Import LinearTiesMean.
Import ListNotations.
Open Scope R_scope.

(** ** Shelves *)
Lemma put_on_shelves x G : shelves G -> exists G', shelves G' /\ Permutation (concat G') (x :: concat G).
Proof.
  induction G as [|g H IH]; intro S.
  - exists [[x]]; repeat split; auto; [|now intros ? ? ? []].
    exists (score x); now intros z [<-|[]].
  - destruct S as ((s & T) & F & S); destruct (IH S) as (H' & S' & P); destruct g as [|z g].
    { exists H'; auto. }
    assert (Z : forall w, In w (concat H) -> s > score w)
      by (intros w I; rewrite <- (T z (or_introl eq_refl)); apply F; [now left|auto]).
    destruct (Rtotal_order (score x) s) as [h|[h|h]].
    + exists ((z :: g) :: H'); repeat split; auto; [now exists s| |].
      * intros y w Iy Iw; rewrite (T y Iy); apply (Permutation_in _ P) in Iw as [<-|Iw]; auto; lra.
      * cbn [concat]; rewrite P; symmetry; apply Permutation_middle.
    + exists ((x :: z :: g) :: H); repeat split; auto.
      * exists s; intros y [<-|I]; auto.
      * intros y w [<-|Iy] Iw; [specialize (Z w Iw); lra|now apply F].
    + exists ([x] :: (z :: g) :: H); repeat split; auto; [| |now exists s].
      * exists (score x); now intros y [<-|[]].
      * intros y w [<-|[]] Iw; cbn [concat] in Iw; apply in_app_or in Iw as [Iw|Iw].
        -- rewrite (T w Iw); lra.
        -- specialize (Z w Iw); lra.
Qed.
Theorem shelves_for_any_items : forall L : list item, exists G, shelves G /\ Permutation (concat G) L.
Proof.
  induction L as [|x L (G & S & P)]; [now exists []|].
  destruct (put_on_shelves x G S) as (G' & S' & P'); exists G'; split; auto.
  now rewrite P', P.
Qed.

(** ** The closed form *)
Definition gini (l : list R) : R := gaps l / ((INR (length l) - 1) * sum l).
(** The proportion of the gap that is in the right order, where a tied pair counts half. *)
Definition concordance (L : list item) : R := 1 - (loss_lt L + loss_le L) / 2 / gaps (labels L).
(** The mean of linear NDCG over all ways to break the ties. *)
Definition mean_lndcg (G : list (list item)) (L : list item) : R :=
  add (fun M => ldcg (labels M) / ldcg (sort (labels L))) (breaks G) / INR (length (breaks G)).
Lemma gaps_perm l m : Permutation l m -> gaps l = gaps m.
Proof.
  intro P; assert (A := pair_max_closed l); assert (B := pair_max_closed m).
  rewrite (pair_max_perm _ _ P), (Permutation_length P), (sum_over_perm _ _ _ P) in A; lra.
Qed.
Lemma breaks_positive G : 0 < INR (length (breaks G)).
Proof.
  induction G as [|g H IH]; [simpl; lra|]; rewrite breaks_number.
  apply Rmult_lt_0_compat; auto; apply lt_0_INR, lt_O_fact.
Qed.
Lemma add_over {A} (f : list A -> R) c L : add (fun M => f M / c) L = add f L / c.
Proof. induction L as [|M L IH]; simpl; [|rewrite IH]; unfold Rdiv; ring. Qed.
Lemma gini_of l : 2 <= INR (length l) -> 0 < sum l -> 0 < gaps l ->
  0 < (INR (length l) - 1) * sum l /\ ldcg (sort l) = (INR (length l) - 1) * sum l / 2 * (1 + gini l)
  /\ gaps l = (INR (length l) - 1) * sum l * gini l /\ 0 < gini l.
Proof.
  intros n2 s0 w0; assert (X : 0 < (INR (length l) - 1) * sum l) by (apply Rmult_lt_0_compat; lra).
  unfold gini; repeat split; auto; [rewrite ideal_closed| |apply Rdiv_lt_0_compat]; auto; field; split; lra.
Qed.
Theorem gini_with_ties : forall L G, shelves G -> Permutation (concat G) L ->
  2 <= INR (length L) -> 0 < sum (labels L) -> 0 < gaps (labels L) ->
  mean_lndcg G L
  = (1 + (2 * concordance L - 1) * gini (labels L)) / (1 + gini (labels L)).
Proof.
  intros L G S P n2 s0 w0; assert (M := mean_error_with_ties G S).
  replace (INR (length L)) with (INR (length (labels L))) in n2 by (unfold labels; now rewrite map_length).
  destruct (gini_of (labels L) n2 s0 w0) as (X & I & W & g0).
  unfold concordance, loss_lt, loss_le; rewrite <- !(loss_perm _ _ _ P).
  unfold loss_lt, loss_le in M; assert (b0 := breaks_positive G).
  assert (Pl : Permutation (labels (concat G)) (labels L)) by (now apply Permutation_map).
  rewrite (add_ext _ (fun K => ldcg (sort (labels L)) + -1 * ldcg (labels K))) in M
    by (intros; unfold error; rewrite (sort_permuted _ _ Pl); ring).
  rewrite (add_plus (fun _ => _) (fun K => -1 * ldcg (labels K))), add_const, add_scal in M.
  unfold mean_lndcg; rewrite add_over.
  replace (add (fun K => ldcg (labels K)) (breaks G)) with (INR (length (breaks G)) *
    (ldcg (sort (labels L)) - (loss lt_b (concat G) + loss le_b (concat G)) / 2))
    by (rewrite <- M; field; lra).
  rewrite I, W; field; repeat split; try lra; nra.
Qed.

(** ** The lowest value, and the rescaled form *)
Lemma loses_at_most_the_gaps l : pair_loss l <= gaps l.
Proof.
  induction l as [|y t IH]; simpl; [lra|]; apply Rplus_le_compat; auto; clear IH.
  induction t as [|z t IH]; simpl; [lra|]; apply Rplus_le_compat; auto.
  unfold Rmax, Rabs; destruct Rle_dec, Rcase_abs; lra.
Qed.
Lemma rising_loses_the_gaps l : rising l -> pair_loss l = gaps l.
Proof.
  induction 1 as [|y t _ IH H]; simpl; [lra|]; rewrite IH; f_equal; clear IH.
  induction H as [|z t h _ IH]; simpl; auto; rewrite IH, Rmax_left, Rabs_pos_eq; lra.
Qed.
Lemma rev_of_falling l : falling l -> rising (rev l).
Proof.
  induction 1 as [|y t _ IH H]; simpl; [constructor|].
  apply Forall_rev in H; revert H IH; generalize (rev t); clear; intros l F S.
  induction S as [|z l S IH Z]; simpl; [repeat constructor|].
  assert (h := Forall_inv F); constructor; [apply IH, (Forall_inv_tail F)|].
  apply Forall_app; split; auto; constructor; [lra|constructor].
Qed.
Definition lowest (l : list R) : R := ldcg (rev (sort l)).
Lemma lowest_of l : lowest l = ldcg (sort l) - gaps l.
Proof.
  assert (P : Permutation (rev (sort l)) l) by (rewrite <- Permutation_rev; apply sort_perm).
  assert (E := dcg_error_is_pair_loss (rev (sort l))).
  rewrite (sort_permuted _ _ P), rising_loses_the_gaps, (gaps_perm _ _ P) in E
    by (apply rev_of_falling, sort_falling).
  unfold lowest; lra.
Qed.
Theorem gini_lowest : forall l, 2 <= INR (length l) -> 0 < sum l -> 0 < gaps l ->
  (forall l', Permutation l l' -> lowest l <= ldcg l') /\
  lowest l / ldcg (sort l) = (1 - gini l) / (1 + gini l).
Proof.
  intros l n2 s0 w0; destruct (gini_of l n2 s0 w0) as (X & I & W & g0); split.
  - intros l' P; rewrite lowest_of, (gaps_perm _ _ P), (sort_permuted _ _ P).
    assert (A := dcg_error_is_pair_loss l'); assert (B := loses_at_most_the_gaps l'); lra.
  - rewrite lowest_of, I, W; field; split; nra.
Qed.
Theorem gini_rescaled : forall L G, shelves G -> Permutation (concat G) L ->
  2 <= INR (length L) -> 0 < sum (labels L) -> 0 < gaps (labels L) ->
  let worst := lowest (labels L) / ldcg (sort (labels L)) in
  (mean_lndcg G L - worst) / (1 - worst) = concordance L.
Proof.
  intros L G S P n2 s0 w0 worst; unfold worst.
  assert (n2' : 2 <= INR (length (labels L))) by (unfold labels; now rewrite map_length).
  destruct (gini_of (labels L) n2' s0 w0) as (_ & _ & _ & g0).
  rewrite (gini_with_ties L G), (proj2 (gini_lowest (labels L) n2' s0 w0)) by auto; field; lra.
Qed.

(** ** The mean over all orders *)
Theorem gini_mean : forall l, 2 <= INR (length l) -> 0 < sum l -> 0 < gaps l ->
  mean (fun o => ldcg o / ldcg (sort l)) l = 1 / (1 + gini l).
Proof.
  intros l n2 s0 w0; destruct (gini_of l n2 s0 w0) as (X & I & W & g0).
  assert (n1 : (1 <= length l)%nat) by (destruct l; [simpl in n2; lra|simpl; lia]).
  assert (M := mean_dcg (linear (length l)) l n1); rewrite pays_linear in M by lia.
  unfold mean in *; rewrite add_over.
  rewrite (add_ext ldcg (DCG (linear (length l)))).
  - replace (add (DCG (linear (length l))) (orders l) / ldcg (sort l) / INR (length (orders l))) with
      (add (DCG (linear (length l))) (orders l) / INR (length (orders l)) / ldcg (sort l))
      by (unfold Rdiv; ring).
    rewrite M, I; field; repeat split; nra.
  - intros o Io; apply in_orders in Io; rewrite ldcg_is_a_dcg, (Permutation_length Io); auto.
Qed.
