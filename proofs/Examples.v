(** The formal definitions on lists of the book: the package has to give the same numbers. *)
From Coq Require Import Reals List Lra.
From Companion Require Import Ranking RankDCG LinearNdcg.
Import ListNotations.
Open Scope R_scope.

Definition zipf (r : nat) : R := / INR r.
Definition geometric (r : nat) : R := / 2 ^ r.

Ltac cases := repeat (simpl; match goal with |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b); try lra end).
Ltac compute_ndcg := unfold NDCG, IDCG, DCG, zipf, geometric; cases; simpl; lra.
Ltac compute_linear := cases; simpl; lra.

(** Rank [r] is paid 1/r. *)
Example zipf_two_grades : NDCG zipf [0; 1; 1] = 5 / 9.
Proof. compute_ndcg. Qed.
Example zipf_grades : NDCG zipf [1; 3; 0; 2] = 18 / 26.
Proof. compute_ndcg. Qed.
(** Rank [r] is paid 1/2^r. *)
Example geometric_grades : NDCG geometric [1; 3; 0; 2] = 22 / 34.
Proof. compute_ndcg. Qed.
(** Position [i] of [n] is paid n - i. *)
Example linear_two_grades : ldcg [0; 1; 0; 1; 1] / ldcg (sort [0; 1; 0; 1; 1]) = 4 / 9.
Proof. compute_linear. Qed.
Example linear_grades : ldcg [1; 3; 0; 2] / ldcg (sort [1; 3; 0; 2]) = 9 / 14.
Proof. compute_linear. Qed.
