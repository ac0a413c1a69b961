(** wang/definition-1 (chapter scoring-a-ranking): the sorted list is best. For a discount that never increases,
    no order of the labels has a larger DCG than the decreasing one, or a smaller DCG than the increasing one. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Companion Require Import Ranking.
Import ListNotations.
Open Scope R_scope.
Lemma insert_gains D x l r : (1 <= r)%nat -> nonincreasing D ->
  dcg_from D r (x :: l) <= dcg_from D r (insert x l).
Proof.
  intros Hr HD; revert r Hr; induction l as [|y t IH]; intros r Hr; simpl; [lra|].
  destruct (Rle_dec y x) as [h|h]; simpl; [lra|].
  specialize (IH (S r) ltac:(lia)); simpl in IH; specialize (HD r Hr).
  assert (0 <= (y - x) * (D r - D (S r))) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma sort_gains D l r : (1 <= r)%nat -> nonincreasing D ->
  dcg_from D r l <= dcg_from D r (sort l).
Proof.
  intros Hr HD; revert r Hr; induction l as [|x t IH]; intros r Hr; simpl; [lra|].
  apply Rle_trans with (dcg_from D r (x :: sort t)).
  - simpl; specialize (IH (S r) ltac:(lia)); lra.
  - now apply insert_gains.
Qed.
Lemma dcg_opp D l r : dcg_from D r (map Ropp l) = - dcg_from D r l.
Proof. revert r; induction l as [|x t IH]; intro r; simpl; [lra|rewrite IH; lra]. Qed.
Lemma rising_opp l : rising l -> falling (map Ropp l).
Proof.
  induction 1 as [|x t Ht IH Hx]; simpl; constructor; auto.
  rewrite Forall_forall in *; intros z Hz.
  apply in_map_iff in Hz as (w & <- & Hw); specialize (Hx _ Hw); lra.
Qed.

(** ** The rearrangement inequality *)
Theorem sorted_is_best : forall D l s,
  nonincreasing D -> Permutation l s -> falling s -> DCG D l <= DCG D s.
Proof.
  intros D l s HD P H; rewrite (sort_unique l s P H).
  now apply sort_gains.
Qed.
Theorem reversed_is_worst : forall D l s,
  nonincreasing D -> Permutation l s -> rising s -> DCG D s <= DCG D l.
Proof.
  intros D l s HD P H.
  assert (X := sorted_is_best D (map Ropp l) (map Ropp s) HD
                 (Permutation_map Ropp P) (rising_opp s H)).
  unfold DCG in *; rewrite !dcg_opp in X; lra.
Qed.

(** The ideal DCG of the book is the largest DCG over all orders. *)
Theorem idcg_is_the_maximum : forall D l, nonincreasing D ->
  (forall l', Permutation l l' -> DCG D l' <= IDCG D l) /\
  (exists l', Permutation l l' /\ DCG D l' = IDCG D l).
Proof.
  intros D l HD; split.
  - intros l' P; apply sorted_is_best; auto using sort_falling.
    apply Permutation_trans with l; [now symmetry|symmetry; apply sort_perm].
  - exists (sort l); split; [symmetry; apply sort_perm|reflexivity].
Qed.

(** ** If the discount decreases strictly, nothing else is best *)
Lemma insert_gains_strict D x l r : (1 <= r)%nat -> decreasing D ->
  dcg_from D r (insert x l) <= dcg_from D r (x :: l) -> insert x l = x :: l.
Proof.
  intros Hr HD; destruct l as [|y t]; simpl; auto.
  destruct (Rle_dec y x) as [h|h]; auto; intro E; exfalso.
  assert (ND : nonincreasing D) by (intros k Hk; apply Rlt_le, HD, Hk).
  assert (G := insert_gains D x t (S r) ltac:(lia) ND); simpl in *; specialize (HD r Hr).
  assert (0 < (y - x) * (D r - D (S r))) by (apply Rmult_lt_0_compat; lra). lra.
Qed.
Lemma sort_gains_strict D l r : (1 <= r)%nat -> decreasing D ->
  dcg_from D r (sort l) <= dcg_from D r l -> sort l = l.
Proof.
  intros Hr HD.
  assert (ND : nonincreasing D) by (intros k Hk; apply Rlt_le, HD, Hk).
  revert r Hr; induction l as [|x t IH]; intros r Hr; simpl; auto; intro E.
  assert (G := insert_gains D x (sort t) r Hr ND); simpl in G.
  assert (G' := sort_gains D t (S r) ltac:(lia) ND).
  assert (S : sort t = t) by (apply (IH (S r)); [lia|lra]).
  rewrite S in *; apply (insert_gains_strict D x t r); auto; simpl; lra.
Qed.
Theorem best_iff_sorted : forall D l, decreasing D ->
  DCG D l = IDCG D l <-> falling l.
Proof.
  intros D l HD; split; intro H.
  - rewrite <- (sort_gains_strict D l 1); auto using sort_falling.
    unfold IDCG, DCG in H; lra.
  - unfold IDCG; now rewrite sort_of_falling.
Qed.

(** ** NDCG lies in [0, 1] *)
Lemma dcg_nonneg D l r : (forall k, 0 <= D k) -> (forall y, In y l -> 0 <= y) ->
  0 <= dcg_from D r l.
Proof.
  intro HD; revert r; induction l as [|x t IH]; intros r H; simpl; [lra|].
  assert (0 <= x * D r) by (apply Rmult_le_pos; [apply H; now left|apply HD]).
  assert (0 <= dcg_from D (S r) t) by (apply IH; intros; apply H; now right). lra.
Qed.
Theorem ndcg_between_0_and_1 : forall D l,
  nonincreasing D -> (forall r, 0 <= D r) -> 0 < D 1%nat ->
  (forall y, In y l -> 0 <= y) -> (exists y, In y l /\ 0 < y) ->
  0 <= NDCG D l <= 1.
Proof.
  intros D l HD D0 D1 H (y & Iy & Hy).
  assert (P : 0 < IDCG D l).
  { unfold IDCG, DCG; assert (F := sort_falling l).
    apply (Permutation_in _ (Permutation_sym (sort_perm l))) in Iy.
    assert (N : forall z, In z (sort l) -> 0 <= z)
      by (intros z Hz; apply H, (Permutation_in _ (sort_perm l)), Hz).
    destruct (sort l) as [|x t]; [easy|]; simpl.
    apply StronglySorted_inv in F as [_ F]; rewrite Forall_forall in F.
    assert (0 < x) by (destruct Iy as [->|I]; [lra|specialize (F _ I); lra]).
    assert (0 < x * D 1%nat) by (apply Rmult_lt_0_compat; lra).
    assert (0 <= dcg_from D 2 t) by (apply dcg_nonneg; auto; intros; apply N; now right).
    lra. }
  assert (L : DCG D l <= IDCG D l) by (apply (idcg_is_the_maximum D l HD); auto).
  assert (Z : 0 <= DCG D l) by (now apply dcg_nonneg).
  unfold NDCG; split.
  - apply Rmult_le_pos; [lra|]; left; now apply Rinv_0_lt_compat.
  - apply Rmult_le_reg_r with (IDCG D l); auto; unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l; lra.
Qed.
