(** A lemma for the theorems on summable discounts: no DCG exceeds the sum of all discounts. *)
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
