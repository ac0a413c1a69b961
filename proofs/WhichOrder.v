(** beyond/best-order-for-ndcg, beyond/likeliest-first (chapter which-order). *)
From Coq Require Import Reals List Permutation Lra.
From Companion Require Import Ranking SortedIsBest.
Import ListNotations.
Open Scope R_scope.
(** The expectation over outcomes with probabilities; an outcome may be the gains of all documents. *)
Fixpoint expect {A} (f : A -> R) (l : list (R * A)) : R :=
  match l with [] => 0 | (p, x) :: t => p * f x + expect f t end.
Definition expected_ndcg D (l : list (R * (nat -> R))) order := expect (fun y => NDCG D (map y order)) l.
Definition quotient D (l : list (R * (nat -> R))) docs i := expect (fun y => y i / IDCG D (map y docs)) l.
Lemma dcg_linear D p c y (q : nat -> R) order : forall r, dcg_from D r (map (fun i => p * (y i / c) + q i) order) =
  p * (dcg_from D r (map y order) / c) + dcg_from D r (map q order).
Proof. induction order as [|i t IH]; intro r; simpl; [|rewrite IH]; unfold Rdiv; ring. Qed.
Theorem expected_ndcg_is_a_dcg : forall D l docs order, Permutation docs order ->
  expected_ndcg D l order = DCG D (map (quotient D l docs) order).
Proof.
  intros D l docs order P; unfold expected_ndcg, quotient, NDCG, DCG; induction l as [|[p y] t IH]; simpl.
  - clear P; generalize 1%nat; induction order as [|i t IH]; intro r; simpl; [|rewrite <- IH]; ring.
  - rewrite dcg_linear, IH; unfold IDCG; now rewrite (sort_permuted _ _ (Permutation_map y P)).
Qed.
Theorem best_order : forall D l order best, nonincreasing D -> Permutation order best ->
  falling (map (quotient D l order) best) -> expected_ndcg D l order <= expected_ndcg D l best.
Proof.
  intros; rewrite 2 (expected_ndcg_is_a_dcg D l order); auto using sorted_is_best, Permutation_map.
Qed.
(** Two independent labels, 1 with the probabilities a and b, and l for the number of other relevant documents;
    g is 1 over the ideal DCG, by the number of relevant documents. *)
Definition quotient_of_first g a b l := expect (fun n => a * (1 - b) * g (S n) + a * b * g (S (S n))) l.
Theorem likeliest_first : forall g a b l, 0 < expect (fun n => g (S n)) l ->
  (quotient_of_first g b a l < quotient_of_first g a b l <-> b < a).
Proof.
  intros g a b l H; enough (quotient_of_first g a b l - quotient_of_first g b a l = (a - b) *
    expect (fun n => g (S n)) l) by (split; intro; nra).
  clear H; unfold quotient_of_first; induction l as [|[p n] t IH]; simpl; [|rewrite Rmult_plus_distr_l]; lra.
Qed.
