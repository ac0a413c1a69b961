(** beyond/rankdcg-is-r-precision (chapter rankdcg). *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia Arith.
From Companion Require Import Ranking SortedIsBest RankDCG.
Import ListNotations.
Open Scope R_scope.
Notation count := (count_occ Nat.eq_dec).
Lemma distinct_of l v : NoDup v -> (forall z, In z l <-> In z v) -> distinct l = length v.
Proof.
  intros N H; unfold distinct; apply Nat.le_antisymm.
  - apply NoDup_incl_length; [apply NoDup_nodup|].
    intros z Hz; apply H; now apply nodup_In in Hz.
  - apply NoDup_incl_length; auto. intros z Hz; apply nodup_In, H, Hz.
Qed.
Lemma dot_app g w o1 o2 s1 s2 : length o1 = length s1 ->
  dot g w (o1 ++ o2) (s1 ++ s2) = dot g w o1 s1 + dot g w o2 s2.
Proof.
  revert s1; induction o1 as [|x o IH]; intros [|v s] H; try discriminate; simpl; [lra|].
  rewrite IH; [lra|simpl in H; lia].
Qed.
Lemma dot_repeat g w hi lo v o : hi <> lo -> (forall x, In x o -> x = hi \/ x = lo) ->
  dot g w o (repeat v (length o))
  = w v * (g hi * INR (count o hi) + g lo * (INR (length o) - INR (count o hi))).
Proof.
  intro N; induction o as [|x o IH]; intro H; [simpl; ring|].
  simpl dot; rewrite IH by (intros; apply H; now right).
  destruct (H x (or_introl eq_refl)) as [-> | ->].
  - rewrite count_occ_cons_eq by auto; simpl length; rewrite !S_INR; ring.
  - rewrite count_occ_cons_neq by auto; simpl length; rewrite !S_INR; ring.
Qed.
Lemma count_firstn_repeat (v w : nat) k n :
  count (firstn k (repeat v n)) w = if Nat.eq_dec v w then Nat.min k n else O.
Proof.
  revert k; induction n as [|n IH]; intros [|k]; simpl; destruct (Nat.eq_dec v w); auto;
  rewrite ?IH; destruct (Nat.eq_dec v w); congruence || auto.
Qed.
Lemma repeats_fall hi lo m N : (lo < hi)%nat -> falls (repeat hi m ++ repeat lo N).
Proof. intro H; apply sorted_blocks; lia. Qed.

Section TwoValues.
  Variables (hi lo m N : nat).
  Hypothesis values : (lo < hi)%nat.
  Hypothesis some : (0 < m)%nat.
  Hypothesis others : (0 < N)%nat.
  (** The reference: [m] relevant items, then [N] others. *)
  Definition two := repeat hi m ++ repeat lo N.
  Lemma in_two z : In z two <-> z = hi \/ z = lo.
  Proof.
    unfold two; rewrite in_app_iff; split.
    - intros [I|I]; apply repeat_spec in I; auto.
    - intros [-> | ->]; [left; destruct m|right; destruct N]; try lia; now left.
  Qed.
  Lemma two_falls : falls two. Proof. now apply repeats_fall. Qed.
  Lemma nodup2 : NoDup [hi; lo].
  Proof. constructor; [intros [h|[]]; lia|]. constructor; [easy|constructor]. Qed.
  Lemma nodup1 (v : nat) : NoDup [v]. Proof. constructor; [easy|constructor]. Qed.
  Lemma two_distinct : distinct two = 2%nat.
  Proof. apply (distinct_of _ [hi; lo] nodup2); intro z; rewrite in_two; simpl; intuition. Qed.
  Ltac values := intro z; rewrite filter_In, in_two, Nat.leb_le; simpl; intuition lia.
  Lemma gain_hi : gain two hi = 2%nat. Proof. apply (distinct_of _ [hi; lo] nodup2); values. Qed.
  Lemma gain_lo : gain two lo = 1%nat. Proof. apply (distinct_of _ [lo] (nodup1 lo)); values. Qed.
  Lemma block_hi : block two hi = 1%nat. Proof. apply (distinct_of _ [hi] (nodup1 hi)); values. Qed.
  Lemma block_lo : block two lo = 2%nat. Proof. apply (distinct_of _ [hi; lo] nodup2); values. Qed.

  (** Relevant items among the first [m] places. *)
  Definition found (o : list nat) : nat := count (firstn m o) hi.
  Lemma two_length : length two = (m + N)%nat.
  Proof. unfold two; rewrite app_length, !repeat_length; auto. Qed.
  Lemma two_count : count two hi = m.
  Proof.
    unfold two; rewrite count_occ_app.
    rewrite <- (firstn_all (repeat hi m)), <- (firstn_all (repeat lo N)), !count_firstn_repeat.
    rewrite !repeat_length; do 2 destruct Nat.eq_dec; try lia.
  Qed.
  Lemma dcg'_two o : Permutation o two ->
    dcg' two o = (3 * INR m + INR N + INR (found o)) / 2.
  Proof.
    intro P; unfold dcg'; assert (L := Permutation_length P); rewrite two_length in L.
    assert (I : forall x, In x o -> x = hi \/ x = lo)
      by (intros x Hx; apply in_two, (Permutation_in _ P), Hx).
    assert (C : (count (firstn m o) hi + count (skipn m o) hi = m)%nat).
    { rewrite <- count_occ_app, firstn_skipn, (proj1 (Permutation_count_occ Nat.eq_dec _ _) P).
      apply two_count. }
    assert (L1 : length (firstn m o) = m) by (rewrite firstn_length; lia).
    assert (L2 : length (skipn m o) = N) by (rewrite skipn_length; lia).
    assert (A : forall v k p, length p = k -> incl p o ->
      dot (fun x => INR (gain two x)) (weight two) p (repeat v k)
      = weight two v * (INR (gain two hi) * INR (count p hi)
                        + INR (gain two lo) * (INR k - INR (count p hi)))).
    { intros v k p <- J.
      apply (dot_repeat (fun x => INR (gain two x)) (weight two) hi lo); [lia|auto]. }
    replace (dot _ _ o two) with (dot (fun x => INR (gain two x)) (weight two)
      (firstn m o ++ skipn m o) (repeat hi m ++ repeat lo N)) by (now rewrite firstn_skipn).
    rewrite dot_app by (now rewrite L1, repeat_length).
    rewrite (A hi m), (A lo N); auto;
      try (intros x Hx; rewrite <- (firstn_skipn m o), in_app_iff; auto).
    rewrite gain_hi, gain_lo; unfold weight; rewrite block_hi, block_lo.
    unfold found; apply (f_equal INR) in C; rewrite plus_INR in C.
    replace (INR (count (skipn m o) hi)) with (INR m - INR (count (firstn m o) hi)) by lra.
    simpl (INR 1); simpl (INR 2); field.
  Qed.
  Lemma found_best : found two = m.
  Proof.
    unfold found, two; rewrite firstn_app, repeat_length, Nat.sub_diag; simpl.
    rewrite app_nil_r, count_firstn_repeat; destruct Nat.eq_dec; lia.
  Qed.
  Lemma found_worst : found (rev two) = (m - N)%nat.
  Proof.
    unfold found, two; rewrite rev_app_distr, !rev_of_repeat, firstn_app, repeat_length, count_occ_app.
    rewrite !count_firstn_repeat; do 2 destruct Nat.eq_dec; lia.
  Qed.
  Theorem rankdcg_is_r_precision : forall o, Permutation o two ->
    rankdcg two o = 1 - (INR m - INR (found o)) / INR (Nat.min m N).
  Proof.
    intros o P; unfold rankdcg, maxdcg, mindcg.
    rewrite (dcg'_two o P), (dcg'_two two (Permutation_refl _)).
    rewrite (dcg'_two (rev two)) by (symmetry; apply Permutation_rev).
    rewrite found_best, found_worst.
    assert (Hm := lt_0_INR m some); assert (HN := lt_0_INR N others).
    destruct (le_lt_dec m N) as [h|h].
    - rewrite Nat.min_l by auto; replace (m - N)%nat with O by lia; simpl INR; field; lra.
    - rewrite Nat.min_r by lia; rewrite minus_INR by lia; field; lra.
  Qed.

  (** If at most half of the items are relevant: R-precision, the proportion of hits. *)
  Corollary r_precision : (m <= N)%nat -> forall o, Permutation o two ->
    rankdcg two o = INR (found o) / INR m.
  Proof.
    intros h o P; rewrite rankdcg_is_r_precision, Nat.min_l by auto.
    assert (Hm := lt_0_INR m some); field; lra.
  Qed.
  (** Seen from the bottom: more relevant items than others. *)
  Corollary from_the_bottom : (N <= m)%nat -> forall o, Permutation o two ->
    rankdcg two o = INR (count (skipn m o) lo) / INR N.
  Proof.
    intros h o P; rewrite rankdcg_is_r_precision, Nat.min_r by auto.
    assert (L := Permutation_length P); rewrite two_length in L.
    assert (C : (count (firstn m o) hi + count (skipn m o) hi = m)%nat).
    { rewrite <- count_occ_app, firstn_skipn, (proj1 (Permutation_count_occ Nat.eq_dec _ _) P).
      apply two_count. }
    assert (D : (count (skipn m o) hi + count (skipn m o) lo = N)%nat).
    { assert (E : length (skipn m o) = N) by (rewrite skipn_length; lia).
      rewrite <- E; clear E C.
      assert (I : forall x, In x (skipn m o) -> x = hi \/ x = lo).
      { intros x Hx; apply in_two, (Permutation_in _ P).
        rewrite <- (firstn_skipn m o), in_app_iff; auto. }
      induction (skipn m o) as [|x t IH]; [reflexivity|].
      specialize (IH (fun z Hz => I z (or_intror Hz))).
      destruct (I x (or_introl eq_refl)) as [-> | ->].
      - rewrite count_occ_cons_eq, count_occ_cons_neq by lia; simpl; lia.
      - rewrite count_occ_cons_neq, count_occ_cons_eq by lia; simpl; lia. }
    unfold found; apply (f_equal INR) in C; apply (f_equal INR) in D; rewrite plus_INR in C, D.
    assert (HN := lt_0_INR N others); apply Rmult_eq_reg_r with (INR N); [|lra].
    unfold Rdiv; rewrite Rmult_minus_distr_r, !Rmult_assoc, Rinv_l by lra; lra.
  Qed.
End TwoValues.
