(** beyond/affine-discounts (chapter which-discounts-are-feasible): the discounts D and a D + b put all full
    lists in the same order. *)
From Coq Require Import Reals List Permutation Lra.
From Companion Require Import Ranking.
Import ListNotations.
Open Scope R_scope.
Fixpoint total_label (l : list R) : R := match l with [] => 0 | y :: t => y + total_label t end.
Lemma affine a b D r l : dcg_from (fun k => a * D k + b) r l = a * dcg_from D r l + b * total_label l.
Proof. revert r; induction l as [|y t IH]; intro r; simpl; [ring|rewrite IH; ring]. Qed.
Lemma total_label_perm l l' : Permutation l l' -> total_label l = total_label l'.
Proof. induction 1; simpl; lra. Qed.
Theorem affine_discounts : forall a b D f0 f1, Permutation f0 f1 ->
  DCG (fun k => a * D k + b) f0 - DCG (fun k => a * D k + b) f1
  = a * (DCG D f0 - DCG D f1).
Proof.
  intros a b D f0 f1 P; unfold DCG; rewrite !affine, (total_label_perm _ _ P); ring.
Qed.
Corollary same_winner : forall a b D f0 f1, 0 < a -> Permutation f0 f1 ->
  DCG (fun k => a * D k + b) f0 > DCG (fun k => a * D k + b) f1 <-> DCG D f0 > DCG D f1.
Proof.
  intros a b D f0 f1 A P; assert (E := affine_discounts a b D f0 f1 P).
  split; intro H.
  - assert (0 < a * (DCG D f0 - DCG D f1)) by lra.
    destruct (Rle_dec (DCG D f0) (DCG D f1)); [|lra].
    assert (0 <= a * (DCG D f1 - DCG D f0)) by (apply Rmult_le_pos; lra); lra.
  - assert (0 < a * (DCG D f0 - DCG D f1)) by (apply Rmult_lt_0_compat; lra); lra.
Qed.

(** Who is ahead by NDCG: both lists have the same ideal. *)
Corollary same_winner_by_ndcg : forall a b D f0 f1, 0 < a -> Permutation f0 f1 ->
  0 < IDCG D f0 -> 0 < IDCG (fun k => a * D k + b) f0 ->
  NDCG (fun k => a * D k + b) f0 > NDCG (fun k => a * D k + b) f1 <-> NDCG D f0 > NDCG D f1.
Proof.
  assert (Q : forall I x y, 0 < I -> (x / I > y / I <-> x > y)).
  { intros I x y I0; assert (J := Rinv_0_lt_compat I I0); unfold Rdiv; split; intro H.
    - apply Rmult_lt_reg_r with (/ I); lra.
    - apply Rmult_lt_compat_r; lra. }
  intros a b D f0 f1 A P I0 J0; unfold NDCG.
  replace (IDCG D f1) with (IDCG D f0) by (unfold IDCG; now rewrite (sort_permuted _ _ P)).
  replace (IDCG (fun k => a * D k + b) f1) with (IDCG (fun k => a * D k + b) f0)
    by (unfold IDCG; now rewrite (sort_permuted _ _ P)).
  rewrite !Q by auto; now apply same_winner.
Qed.

(** Ties that are averaged: the mean of the DCG over the lists [F] that a ranker leaves open. *)
Fixpoint total_dcg (D : nat -> R) (F : list (list R)) : R :=
  match F with [] => 0 | f :: G => DCG D f + total_dcg D G end.
Definition mean_dcg_of (D : nat -> R) (F : list (list R)) : R := total_dcg D F / INR (length F).
Lemma affine_mean a b D l F : F <> [] -> (forall f, In f F -> Permutation l f) ->
  mean_dcg_of (fun k => a * D k + b) F = a * mean_dcg_of D F + b * total_label l.
Proof.
  intros ne H; unfold mean_dcg_of.
  assert (E : total_dcg (fun k => a * D k + b) F = a * total_dcg D F + b * total_label l * INR (length F)).
  { clear ne; induction F as [|f G IH]; [simpl; ring|].
    change (length (f :: G)) with (S (length G)); rewrite S_INR; cbn [total_dcg].
    rewrite IH by (intros; apply H; now right); unfold DCG; rewrite affine.
    rewrite (total_label_perm l f) by (apply H; now left); ring. }
  rewrite E; field; destruct F as [|f G]; [easy|].
  change (length (f :: G)) with (S (length G)); rewrite S_INR; assert (X := pos_INR (length G)); lra.
Qed.
Theorem averaged_ties : forall a b D l F0 F1, F0 <> [] -> F1 <> [] ->
  (forall f, In f F0 -> Permutation l f) -> (forall f, In f F1 -> Permutation l f) ->
  mean_dcg_of (fun k => a * D k + b) F0 - mean_dcg_of (fun k => a * D k + b) F1
  = a * (mean_dcg_of D F0 - mean_dcg_of D F1).
Proof.
  intros a b D l F0 F1 n0 n1 H0 H1.
  rewrite (affine_mean a b D l F0 n0 H0), (affine_mean a b D l F1 n1 H1); ring.
Qed.
