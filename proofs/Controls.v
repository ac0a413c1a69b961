(** Controls: what each statement says without one of its conditions is FALSE.
    (As in the book's verdicts: the same rule has to reject the control.) *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Companion Require Import Ranking SortedIsBest LinearNdcg RankDCG.
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
