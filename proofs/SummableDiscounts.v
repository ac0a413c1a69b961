(** wang/theorem-10-convergence (chapter discounts-that-decay-too-fast): the deterministic core.
    Under a summable discount the first two labels keep their weight at every length. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import Ranking SortedIsBest.
Import ListNotations.
Open Scope R_scope.
Lemma dcg_at_most_series D l : (forall r, 0 <= D r) -> ex_series (fun k => D (S k)) ->
  (forall y, In y l -> 0 <= y <= 1) -> DCG D l <= Series (fun k => D (S k)).
Proof.
  intros D0 ex H.
  assert (A : forall r, dcg_from D r l <= sum_n_m D r (r + length l)).
  { induction l as [|x t IH]; intro r; simpl.
    - rewrite Nat.add_0_r, sum_n_n; apply D0.
    - replace (r + S (length t))%nat with (S r + length t)%nat by lia.
      rewrite (sum_Sn_m D r) by lia.
      specialize (IH (fun y Hy => H y (or_intror Hy)) (S r)).
      assert (0 <= x <= 1) by (apply H; now left).
      assert (x * D r <= 1 * D r) by (apply Rmult_le_compat_r; [apply D0|lra]).
      change plus with Rplus; lra. }
  apply Rle_trans with (1 := A 1%nat).
  assert (B : sum_n_m D 1 (1 + length l) = sum_n (fun k => D (S k)) (length l))
    by (unfold sum_n; rewrite sum_n_m_S; reflexivity).
  rewrite B.
  assert (L := Series_correct _ ex); unfold is_series in L.
  apply (is_lim_seq_incr_compare (sum_n (fun k => D (S k)))); auto.
  intro n; rewrite sum_Sn; change plus with Rplus; assert (X := D0 (S (S n))); lra.
Qed.
Theorem first_labels_keep_their_weight : forall D,
  nonincreasing D -> (forall r, 0 <= D r) -> D 2%nat < D 1%nat ->
  ex_series (fun k => D (S k)) ->
  exists c, 0 < c /\ forall tail, (forall y, In y tail -> 0 <= y <= 1) ->
    c <= NDCG D (1 :: 0 :: tail) - NDCG D (0 :: 1 :: tail).
Proof.
  intros D HD D0 D12 ex; set (T := Series (fun k => D (S k))).
  assert (bound : forall l, (forall y, In y l -> 0 <= y <= 1) -> DCG D l <= T)
    by (intros; now apply dcg_at_most_series).
  assert (D1 : 0 < D 1%nat) by (assert (X := D0 2%nat); lra).
  assert (T0 : 0 < T).
  { assert (X := bound [1] ltac:(intros y [<-|[]]; lra)); unfold DCG in X; simpl in X; lra. }
  exists ((D 1%nat - D 2%nat) / T); split; [apply Rdiv_lt_0_compat; lra|].
  intros tail H; set (a := 1 :: 0 :: tail); set (b := 0 :: 1 :: tail).
  assert (Ha : forall y, In y a -> 0 <= y <= 1)
    by (intros y [<-|[<-|I]]; try lra; now apply H).
  assert (P : Permutation b a) by constructor.
  unfold NDCG; replace (IDCG D b) with (IDCG D a) by (unfold IDCG; now rewrite (sort_permuted _ _ P)).
  assert (I1 : IDCG D a <= T).
  { apply bound; intros y Hy; apply Ha, (Permutation_in _ (sort_perm a)), Hy. }
  assert (I0 : 0 < IDCG D a).
  { apply Rlt_le_trans with (DCG D a); [|apply (idcg_is_the_maximum D a HD); auto].
    unfold DCG, a; simpl.
    assert (0 <= dcg_from D 3 tail) by (apply dcg_nonneg; auto; intros; now apply H). lra. }
  replace (DCG D a / IDCG D a - DCG D b / IDCG D a)
    with ((D 1%nat - D 2%nat) / IDCG D a) by (unfold DCG, a, b; simpl; field; unfold a in I0; lra).
  apply Rmult_le_compat_l; [lra|]; now apply Rinv_le_contravar.
Qed.

(** So the limit, if there is one, still depends on the first two labels. *)
Corollary no_common_limit : forall D,
  nonincreasing D -> (forall r, 0 <= D r) -> D 2%nat < D 1%nat ->
  ex_series (fun k => D (S k)) ->
  forall tail : nat -> list R, (forall n y, In y (tail n) -> 0 <= y <= 1) ->
  ~ exists L : R, is_lim_seq (fun n => NDCG D (1 :: 0 :: tail n)) L /\
                  is_lim_seq (fun n => NDCG D (0 :: 1 :: tail n)) L.
Proof.
  intros D HD D0 D12 ex tail H (L & A & B).
  destruct (first_labels_keep_their_weight D HD D0 D12 ex) as (c & c0 & W).
  assert (M := is_lim_seq_minus' _ _ L L A B); replace (L - L) with 0 in M by lra.
  assert (X : Rbar_le c 0).
  { apply (is_lim_seq_le (fun _ => c)
      (fun n => NDCG D (1 :: 0 :: tail n) - NDCG D (0 :: 1 :: tail n))); auto.
    - intro n; apply W, H.
    - apply is_lim_seq_const. }
  simpl in X; lra.
Qed.
