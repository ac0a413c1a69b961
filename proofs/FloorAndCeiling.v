(** wang/theorem-4-any-ranking (chapter everything-tends-to-one), eq-squeeze: with M relevant items of n, the
    DCG of every ranking is at least the sum of the M smallest discounts and at most the sum of the M largest. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Companion Require Import Ranking SortedIsBest.
Import ListNotations.
Open Scope R_scope.

(** S n = D(1) + ... + D(n) *)
Fixpoint partial (D : nat -> R) (n : nat) : R :=
  match n with O => 0 | S m => partial D m + D (S m) end.
Lemma dcg_ones D r k : dcg_from D (S r) (repeat 1 k) = partial D (r + k) - partial D r.
Proof.
  revert r; induction k as [|k IH]; intro r; simpl; [rewrite Nat.add_0_r; lra|].
  rewrite IH; replace (r + S k)%nat with (S r + k)%nat by lia; simpl; lra.
Qed.
Lemma rising_01 q m : rising (repeat 0 q ++ repeat 1 m). Proof. apply sorted_blocks; lra. Qed.
Lemma falling_10 m q : falling (repeat 1 m ++ repeat 0 q). Proof. apply sorted_blocks; lra. Qed.
Theorem floor_and_ceiling : forall D l m q, nonincreasing D ->
  Permutation l (repeat 1 m ++ repeat 0 q) ->
  partial D (m + q) - partial D q <= DCG D l <= partial D m.
Proof.
  intros D l m q HD P; split.
  - replace (partial D (m + q) - partial D q) with (DCG D (repeat 0 q ++ repeat 1 m)).
    + apply reversed_is_worst; auto using rising_01.
      apply Permutation_trans with (1 := P), Permutation_app_comm.
    + unfold DCG; rewrite dcg_app, dcg_zeros, repeat_length, dcg_ones.
      replace (q + m)%nat with (m + q)%nat by lia; lra.
  - replace (partial D m) with (DCG D (repeat 1 m ++ repeat 0 q)).
    + apply sorted_is_best; auto using falling_10.
    + unfold DCG; rewrite dcg_app, dcg_zeros, dcg_ones; simpl; lra.
Qed.
