(** wang/theorem-10-any-ranking (chapter discounts-that-decay-too-fast), refuted by ranking items in order of
    arrival. Under a summable discount NDCG then CONVERGES, for every sequence of labels, so "theorem 10 holds
    for any ranking" is false. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import Ranking SortedIsBest SummableDiscounts.
Import ListNotations.
Open Scope R_scope.

(** The first n of an endless row of labels, in the order in which they came. *)
Definition first (y : nat -> R) (n : nat) : list R := map y (seq 0 n).
Lemma first_S y n : first y (S n) = first y n ++ [y n].
Proof. unfold first; rewrite seq_S, map_app; reflexivity. Qed.
Lemma dcg_snoc D l x r : dcg_from D r (l ++ [x]) = dcg_from D r l + x * D (r + length l)%nat.
Proof. rewrite dcg_app; simpl; ring. Qed.
Theorem arrival_order_converges : forall D y,
  nonincreasing D -> (forall r, 0 <= D r) -> 0 < D 1%nat -> ex_series (fun k => D (S k)) ->
  (forall i, 0 <= y i <= 1) -> (exists i, 0 < y i) ->
  exists L : R, is_lim_seq (fun n => NDCG D (first y n)) L.
Proof.
  intros D y HD D0 D1 ex Hy (i & yi); set (T := Series (fun k => D (S k))).
  assert (lab : forall n z, In z (first y n) -> 0 <= z <= 1).
  { intros n z I; unfold first in I; apply in_map_iff in I as (k & <- & _); apply Hy. }
  assert (slab : forall n z, In z (sort (first y n)) -> 0 <= z <= 1).
  { intros n z I; apply (lab n), (Permutation_in _ (sort_perm _)), I. }
  assert (up : forall n, DCG D (first y n) <= DCG D (first y (S n))).
  { intro n; rewrite first_S; unfold DCG; rewrite dcg_snoc.
    assert (0 <= y n * D (1 + length (first y n))%nat)
      by (apply Rmult_le_pos; [apply Hy|apply D0]). lra. }
  assert (iup : forall n, IDCG D (first y n) <= IDCG D (first y (S n))).
  { intro n; apply Rle_trans with (DCG D (sort (first y n) ++ [y n])).
    - unfold IDCG, DCG; rewrite dcg_snoc.
      assert (0 <= y n * D (1 + length (sort (first y n)))%nat)
        by (apply Rmult_le_pos; [apply Hy|apply D0]). lra.
    - apply (idcg_is_the_maximum D (first y (S n)) HD); rewrite first_S.
      apply Permutation_app_tail; symmetry; apply sort_perm. }
  assert (bound : forall n, DCG D (first y n) <= T)
    by (intro n; apply dcg_at_most_series; auto; apply lab).
  assert (ibound : forall n, IDCG D (first y n) <= T)
    by (intro n; apply dcg_at_most_series; auto; apply slab).
  destruct (ex_finite_lim_seq_incr (fun n => DCG D (first y n)) T up bound) as [A HA].
  destruct (ex_finite_lim_seq_incr (fun n => IDCG D (first y n)) T iup ibound) as [B HB].
  assert (B0 : 0 < B).
  { assert (P : 0 < IDCG D (first y (S i))).
    { apply Rlt_le_trans with (DCG D (y i :: first y i)).
      - unfold DCG; simpl.
        assert (0 < y i * D 1%nat) by (apply Rmult_lt_0_compat; auto).
        assert (0 <= dcg_from D 2 (first y i)) by (apply dcg_nonneg; auto; intros; now apply (lab i)).
        lra.
      - apply (idcg_is_the_maximum D (first y (S i)) HD); rewrite first_S.
        symmetry; apply Permutation_cons_append. }
    apply Rlt_le_trans with (1 := P).
    apply (is_lim_seq_incr_compare (fun n => IDCG D (first y n)) B HB iup). }
  exists (A / B); apply is_lim_seq_div'; auto; lra.
Qed.
Corollary theorem_10_needs_a_scoring_function : forall D,
  nonincreasing D -> (forall r, 0 <= D r) -> 0 < D 1%nat -> ex_series (fun k => D (S k)) ->
  ~ (forall ranking : nat -> list R,
       (forall n, length (ranking n) = n) ->
       (forall n z, In z (ranking n) -> z = 0 \/ z = 1) ->
       ~ exists L : R, is_lim_seq (fun n => NDCG D (ranking n)) L).
Proof.
  intros D HD D0 D1 ex C.
  apply (C (first (fun k => if Nat.even k then 1 else 0))).
  - intro n; unfold first; rewrite map_length; apply seq_length.
  - intros n z I; unfold first in I; apply in_map_iff in I as (k & <- & _).
    destruct (Nat.even k); auto.
  - apply arrival_order_converges; auto.
    + intro k; destruct (Nat.even k); lra.
    + exists O; simpl; lra.
Qed.
