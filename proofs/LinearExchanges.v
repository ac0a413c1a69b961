(** linear/theorem-2, linear/figure-2 and linear/figure-3 (chapter linear-ndcg): the exchanges of the ideal row
    by position, and lists with the numbers of the two examples. *)
From Coq Require Import Reals List Permutation Lra Lia.
From Companion Require Import Ranking LinearNdcg LinearTies.
Import ListNotations.
Open Scope R_scope.

(** In a row with a relevant item at place [i] and another one at place [m + j], the two change
    places: the DCG falls and the loss rises by the same m + j - i. *)
Theorem exchange_of_places : forall A B C m i j,
  i = S (length A) -> (m + j = S (length A + S (length B)))%nat ->
  let before := A ++ 1 :: B ++ 0 :: C in
  let after := A ++ 0 :: B ++ 1 :: C in
  ldcg before - ldcg after = INR (m + j) - INR i /\
  pair_loss after - pair_loss before = INR (m + j) - INR i.
Proof.
  intros A B C m i j -> -> before after; unfold before, after.
  rewrite exchange, exchange_loss, !S_INR, plus_INR, S_INR; lra.
Qed.

(** Two grades: ideal DCG 12, DCG 8, loss 4. *)
Definition has_numbers (l : list R) (ideal dcg loss : R) : Prop :=
  ldcg (sort l) = ideal /\ ldcg l = dcg /\ pair_loss l = loss.
Ltac numbers := repeat split; repeat (simpl; unfold Rmax;
  match goal with |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b); try lra end); simpl; lra.

Theorem two_grades_12_8_4 : exists l,
  (forall y, In y l -> y = 0 \/ y = 1) /\ has_numbers l 12 8 4.
Proof.
  exists [1; 0; 0; 1; 1; 0]; split; [|numbers].
  simpl; intuition; subst; auto.
Qed.

(** More than two grades: ideal DCG 21, DCG 18, loss 3. *)
Theorem three_grades_21_18_3 : exists l,
  (forall y, In y l -> y = 0 \/ y = 1 \/ y = 2) /\
  (In 0 l /\ In 1 l /\ In 2 l) /\ has_numbers l 21 18 3.
Proof.
  exists [2; 1; 0; 2; 0; 0]; split; [|split; [|numbers]].
  - simpl; intuition; subst; auto.
  - simpl; auto 10.
Qed.
