(** theorem-rankdcg-chance and the last line of beyond/rankdcg-is-r-precision (chapter rankdcg): the mean over
    all n! orders, which is the expected value of a random order. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia Arith.
From Companion Require Import Ranking SortedIsBest LinearNdcg RankDCG RankdcgIsRPrecision AllOrders.
Import ListNotations.
Open Scope R_scope.
Notation sum := (sum_over (fun y => y)).
Definition mu (s : list nat) : R :=
  sum (map (fun x => INR (gain s x)) s) * sum (map (weight s) s) / INR (length s).
Lemma pays_are_weights (w : list R) u :
  pays (fun r => nth (r - 1) (u ++ w) 0) (S (length u)) (length w) = sum w.
Proof.
  revert u; induction w as [|x w IH]; intro u; simpl; auto.
  rewrite Nat.sub_0_r, nth_middle; f_equal.
  specialize (IH (u ++ [x])); rewrite app_length, <- app_assoc in IH; simpl in IH.
  now rewrite Nat.add_1_r in IH.
Qed.
Lemma mean_dcg' s : s <> [] -> mean (dcg' s) s = mu s.
Proof.
  intro ne; set (g := fun x => INR (gain s x)).
  assert (n1 : (1 <= length s)%nat) by (destruct s; [easy|simpl; lia]).
  transitivity (mean (pay g (discount_of s) 1) s).
  - unfold mean; f_equal; apply add_ext; intros o I; apply in_orders in I.
    rewrite dcg'_is_dcg by (now apply Permutation_length); unfold DCG.
    now rewrite pay_is_dcg.
  - rewrite mean_over_all_orders by auto; unfold mu, discount_of.
    assert (Q := pays_are_weights (map (weight s) s) []); rewrite map_length in Q.
    cbn [app length] in Q; rewrite Q.
    replace (gains g s) with (sum (map g s)).
    + fold g; assert (0 < INR (length s)) by (apply lt_0_INR; lia); field; lra.
    + symmetry; apply gains_are_a_sum.
Qed.
Theorem rankdcg_chance : forall s, falls s -> (2 <= distinct s)%nat ->
  mean (rankdcg s) s = (mu s - mindcg s) / (maxdcg s - mindcg s).
Proof.
  intros s F H; assert (D := min_lt_max s F H).
  assert (ne : s <> []) by (intros ->; simpl in H; unfold distinct in H; simpl in H; lia).
  rewrite <- (mean_dcg' s ne); unfold mean, rankdcg.
  set (d := maxdcg s - mindcg s).
  assert (N : INR (length (orders s)) <> 0) by (rewrite orders_number; apply INR_fact_neq_0).
  rewrite (add_ext _ (fun o => / d * dcg' s o + - (mindcg s / d))).
  - rewrite (add_plus (fun o => / d * dcg' s o) (fun _ => - (mindcg s / d))), add_scal, add_const.
    change (dcg' s) with (fun o => dcg' s o); field; split; auto; unfold d; lra.
  - intros o _; field; unfold d; lra.
Qed.

(** Two values: the proportion of the rarer one. *)
Theorem chance_of_two : forall hi lo m N, (lo < hi)%nat -> (0 < m)%nat -> (0 < N)%nat ->
  mean (rankdcg (two hi lo m N)) (two hi lo m N) = INR (Nat.min m N) / INR (m + N).
Proof.
  intros hi lo m N h hm hN.
  assert (F : falls (two hi lo m N)) by (now apply two_falls).
  assert (H := two_distinct hi lo m N h hm hN).
  rewrite rankdcg_chance by (auto; lia).
  assert (S : forall f, sum (map f (two hi lo m N)) = INR m * f hi + INR N * f lo).
  { intro f; unfold two; rewrite map_app.
    assert (A : forall (v k : nat), sum (map f (repeat v k)) = INR k * f v).
    { intros v k; induction k as [|k IH]; [simpl; ring|].
      change (repeat v (S k)) with (v :: repeat v k); rewrite S_INR; cbn [map sum_over]; rewrite IH; ring. }
    assert (B : forall a b, sum (a ++ b) = sum a + sum b) by (induction a; intro b; simpl; [lra|rewrite IHa; lra]).
    now rewrite B, !A. }
  unfold mu; rewrite !S, two_length.
  unfold maxdcg, mindcg.
  rewrite (dcg'_two hi lo m N h hm hN _ (Permutation_refl _)).
  rewrite (dcg'_two hi lo m N h hm hN (rev (two hi lo m N))) by (symmetry; apply Permutation_rev).
  rewrite found_best, found_worst by auto.
  unfold weight; rewrite gain_hi, gain_lo, block_hi, block_lo by auto.
  assert (Hm := lt_0_INR m hm); assert (HN := lt_0_INR N hN).
  rewrite plus_INR; simpl (INR 1); simpl (INR 2).
  destruct (le_lt_dec m N) as [c|c].
  - rewrite Nat.min_l by auto; replace (m - N)%nat with O by lia; simpl (INR 0); field; lra.
  - rewrite Nat.min_r by lia; rewrite minus_INR by lia; field; lra.
Qed.
