(** wang/theorem-4-signed-labels (chapter everything-tends-to-one), refuted:
    without y >= 0 the deterministic core of theorem 4 is false. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import Ranking SortedIsBest EverythingTendsToOne.
Import ListNotations.
Open Scope R_scope.

(** Labels 1 and -1 in equal numbers, all the good ones at the bottom. *)
Definition upside_down (n : nat) : list R := repeat (-1) n ++ repeat 1 n.
Lemma falling_rows m k : falling (repeat 1 m ++ repeat (-1) k).
Proof.
  induction m as [|m IH]; simpl.
  - induction k; simpl; constructor; auto; apply Forall_forall.
    intros z Hz; apply repeat_spec in Hz; lra.
  - constructor; auto; apply Forall_forall; intros z Hz.
    apply in_app_iff in Hz as [Hz|Hz]; apply repeat_spec in Hz; lra.
Qed.
Lemma falling_ideal n : falling (repeat 1 n ++ repeat (-1) n). Proof. apply falling_rows. Qed.
Lemma map_opp_repeat x n : map Ropp (repeat x n) = repeat (- x) n. Proof. induction n; simpl; congruence. Qed.
Lemma standard_strict : decreasing standard.
Proof.
  intros r Hr; unfold standard; assert (0 < INR r) by (apply lt_0_INR; lia).
  apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; apply ln_pos; lia|].
  rewrite S_INR; apply ln_increasing; lra.
Qed.
Theorem upside_down_scores_minus_1 : forall n, (1 <= n)%nat ->
  NDCG standard (upside_down n) = -1.
Proof.
  intros n Hn; unfold NDCG, IDCG.
  assert (P : Permutation (upside_down n) (repeat 1 n ++ repeat (-1) n))
    by apply Permutation_app_comm.
  rewrite <- (sort_unique _ _ P (falling_ideal n)).
  set (best := repeat 1 n ++ repeat (-1) n).
  assert (E : upside_down n = map Ropp best).
  { unfold upside_down, best; rewrite map_app, !map_opp_repeat.
    f_equal; f_equal; lra. }
  assert (O : DCG standard (upside_down n) = - DCG standard best)
    by (unfold DCG; rewrite E; apply dcg_opp).
  assert (N : DCG standard best <> 0).
  { intro Z. assert (Q : DCG standard (upside_down n) = IDCG standard (upside_down n)).
    { rewrite O, Z; unfold IDCG; rewrite <- (sort_unique _ _ P (falling_ideal n)).
      fold best; lra. }
    apply best_iff_sorted in Q; [|apply standard_strict].
    destruct n as [|n]; [lia|]; unfold upside_down in Q; simpl in Q.
    apply StronglySorted_inv in Q as [_ Q]; rewrite Forall_forall in Q.
    specialize (Q 1 ltac:(rewrite !in_app_iff; right; now left)); lra. }
  rewrite O; field; auto.
Qed.
Theorem labels_must_not_be_negative :
  ~ (forall (ranking : nat -> list R),
       (forall n, length (ranking n) = (2 * n)%nat) ->
       (forall n y, In y (ranking n) -> y = 1 \/ y = -1) ->
       is_lim_seq (fun n => NDCG standard (ranking n)) 1).
Proof.
  intro C; specialize (C upside_down).
  assert (L : is_lim_seq (fun n => NDCG standard (upside_down n)) 1).
  { apply C.
    - intro n; unfold upside_down; rewrite app_length, !repeat_length; lia.
    - intros n y I; apply in_app_iff in I as [I|I]; apply repeat_spec in I; auto. }
  assert (L' : is_lim_seq (fun n => NDCG standard (upside_down n)) (-1)).
  { apply is_lim_seq_ext_loc with (fun _ => -1); [|apply is_lim_seq_const].
    exists 1%nat; intros n Hn; now rewrite upside_down_scores_minus_1. }
  apply is_lim_seq_unique in L; apply is_lim_seq_unique in L'; rewrite L in L'.
  injection L'; lra.
Qed.
