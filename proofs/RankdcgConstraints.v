(** rankdcg/constraint-2 and rankdcg/constraint-3 (chapter rankdcg), for the corrected RankDCG. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia Arith.
From Companion Require Import Ranking SortedIsBest RankDCG RankdcgIsRPrecision.
Import ListNotations.
Open Scope R_scope.

(** ** Constraint 2: only the order of the values counts *)
Section Relabel.
  Variables (h : nat -> nat) (s : list nat).
  (** [h] keeps the order of the values of the reference; elsewhere it may be anything. *)
  Hypothesis h_rises : forall x y, In x s -> In y s -> (x < y)%nat -> (h x < h y)%nat.
  Lemma h_le x y : In x s -> In y s -> (h x <=? h y)%nat = (x <=? y)%nat.
  Proof.
    intros Ix Iy; destruct (Nat.leb_spec x y) as [L|L]; destruct (Nat.leb_spec (h x) (h y)) as [M|M]; auto.
    - destruct (Nat.eq_dec x y) as [->|]; [lia|]. specialize (h_rises x y Ix Iy); lia.
    - specialize (h_rises y x Iy Ix L); lia.
  Qed.
  Lemma h_inj x y : In x s -> In y s -> h x = h y -> x = y.
  Proof.
    intros Ix Iy E; destruct (lt_eq_lt_dec x y) as [[L|L]|L]; auto; apply h_rises in L; auto; lia.
  Qed.
  Lemma nodup_map l : incl l s -> NoDup l -> NoDup (map h l).
  Proof.
    intros I N; induction N as [|x l Nx N IH]; simpl; constructor.
    - intro J; apply in_map_iff in J as (y & E & J); apply h_inj in E; [congruence| |].
      + apply I; now right.
      + apply I; now left.
    - apply IH; intros z Hz; apply I; now right.
  Qed.
  Lemma distinct_map l : incl l s -> distinct (map h l) = distinct l.
  Proof.
    intro I; rewrite (distinct_of (map h l) (map h (nodup Nat.eq_dec l))).
    - apply map_length.
    - apply nodup_map; [|apply NoDup_nodup]; intros z Hz; apply I; now apply nodup_In in Hz.
    - intro z; rewrite !in_map_iff; split; intros (x & E & J); exists x; split; auto;
      apply nodup_In in J || apply nodup_In; auto.
  Qed.
  Lemma filter_map p q l : (forall x, In x l -> p (h x) = q x) -> filter p (map h l) = map h (filter q l).
  Proof.
    induction l as [|x t IH]; intro E; simpl; auto.
    rewrite (E x) by (now left); rewrite IH by (intros; apply E; now right).
    destruct (q x); reflexivity.
  Qed.
  Lemma gain_map v : In v s -> gain (map h s) (h v) = gain s v.
  Proof.
    intro I; unfold gain; rewrite (filter_map _ (fun x => x <=? v)%nat).
    - apply distinct_map; intros z Hz; now apply filter_In in Hz.
    - intros x Ix; now apply h_le.
  Qed.
  Lemma weight_map v : In v s -> weight (map h s) (h v) = weight s v.
  Proof.
    intro I; unfold weight, block; rewrite (filter_map _ (fun x => v <=? x)%nat).
    - rewrite distinct_map; auto; intros z Hz; now apply filter_In in Hz.
    - intros x Ix; now apply h_le.
  Qed.
  Lemma dcg'_map o : incl o s -> dcg' (map h s) (map h o) = dcg' s o.
  Proof.
    unfold dcg'.
    assert (G : forall o t, incl o s -> incl t s ->
      dot (fun x => INR (gain (map h s) x)) (weight (map h s)) (map h o) (map h t)
      = dot (fun x => INR (gain s x)) (weight s) o t).
    { clear o; induction o as [|x o IH]; intros [|v t] Io It; simpl; auto.
      rewrite IH, gain_map, weight_map; auto.
      - apply It; now left.
      - apply Io; now left.
      - intros z Hz; apply Io; now right.
      - intros z Hz; apply It; now right. }
    intro I; apply G; auto; apply incl_refl.
  Qed.
  Theorem only_the_order_counts : forall o, Permutation o s ->
    rankdcg (map h s) (map h o) = rankdcg s o.
  Proof.
    intros o P; unfold rankdcg, maxdcg, mindcg; rewrite <- map_rev.
    assert (A : incl o s) by (intros z Hz; now apply (Permutation_in _ P)).
    assert (B : incl (rev s) s) by (intros z Hz; now apply in_rev).
    rewrite (dcg'_map o A), (dcg'_map _ B), (dcg'_map s (incl_refl s)); reflexivity.
  Qed.
End Relabel.

(** ** Constraint 3: the higher up, the more an exchange of neighbours costs *)
Section TopFirst.
  Variables (s : list nat) (hi lo : nat).
  Hypothesis hi_in : In hi s.
  Hypothesis lo_in : In lo s.
  Hypothesis gap : (lo < hi)%nat.
  Hypothesis neighbours : forall z, In z s -> (z <= lo)%nat \/ (hi <= z)%nat.
  Lemma gain_next : gain s hi = S (gain s lo).
  Proof.
    unfold gain at 1; rewrite (distinct_of _ (hi :: nodup Nat.eq_dec (filter (fun x => x <=? lo)%nat s))).
    - reflexivity.
    - constructor; [|apply NoDup_nodup]. rewrite nodup_In, filter_In, Nat.leb_le; lia.
    - intro z; simpl; rewrite nodup_In, !filter_In, !Nat.leb_le; split.
      + intros [I L]; destruct (neighbours z I); [right; auto|left; lia].
      + intros [<-|[I L]]; split; auto; lia.
  Qed.
  Lemma block_next : block s lo = S (block s hi).
  Proof.
    unfold block at 1; rewrite (distinct_of _ (lo :: nodup Nat.eq_dec (filter (fun x => hi <=? x)%nat s))).
    - reflexivity.
    - constructor; [|apply NoDup_nodup]. rewrite nodup_In, filter_In, Nat.leb_le; lia.
    - intro z; simpl; rewrite nodup_In, !filter_In, !Nat.leb_le; split.
      + intros [I L]; destruct (neighbours z I); [left; lia|right; auto].
      + intros [<-|[I L]]; split; auto; lia.
  Qed.

  (** The last item of the value [hi] and the first of the value [lo] change places. *)
  Theorem cost_of_a_slip : forall A B, s = A ++ hi :: lo :: B ->
    maxdcg s - dcg' s (A ++ lo :: hi :: B) = / (INR (block s hi) * INR (S (block s hi))).
  Proof.
    intros A B E; unfold maxdcg, dcg'.
    set (g := fun x => INR (gain s x)); set (w := weight s).
    assert (C : dot g w s s - dot g w (A ++ lo :: hi :: B) s = (g hi - g lo) * (w hi - w lo)).
    { replace (dot g w s s) with (dot g w (A ++ hi :: lo :: B) (A ++ hi :: lo :: B)) by (now rewrite <- E).
      replace (dot g w (A ++ lo :: hi :: B) s)
        with (dot g w (A ++ lo :: hi :: B) (A ++ hi :: lo :: B)) by (now rewrite <- E).
      rewrite !dot_app by reflexivity; simpl; ring. }
    rewrite C; unfold g, w, weight; rewrite gain_next, block_next, !S_INR.
    assert (P : 0 < INR (block s hi)) by (apply lt_0_INR, block_pos, hi_in).
    field; lra.
  Qed.
End TopFirst.

(** The higher up, the more it costs: of two slips the one between higher values takes more of the
    RankDCG, [hi lo] being the upper pair of neighbours and [hi' lo'] the lower one. *)
Corollary higher_slips_cost_more : forall s hi lo hi' lo' A B A' B',
  falls s -> (2 <= distinct s)%nat -> (lo < hi)%nat -> (lo' < hi')%nat -> (hi' < hi)%nat ->
  (forall z, In z s -> (z <= lo)%nat \/ (hi <= z)%nat) ->
  (forall z, In z s -> (z <= lo')%nat \/ (hi' <= z)%nat) ->
  s = A ++ hi :: lo :: B -> s = A' ++ hi' :: lo' :: B' ->
  1 - rankdcg s (A' ++ lo' :: hi' :: B') < 1 - rankdcg s (A ++ lo :: hi :: B).
Proof.
  intros s hi lo hi' lo' A B A' B' F H l l' h N N' E E'.
  assert (D := min_lt_max s F H).
  assert (I : In hi s) by (rewrite E, in_app_iff; simpl; auto).
  assert (J : In lo s) by (rewrite E, in_app_iff; simpl; auto).
  assert (I' : In hi' s) by (rewrite E', in_app_iff; simpl; auto).
  assert (J' : In lo' s) by (rewrite E', in_app_iff; simpl; auto).
  assert (C := cost_of_a_slip s hi lo I J l N A B E).
  assert (C' := cost_of_a_slip s hi' lo' I' J' l' N' A' B' E').
  assert (b := block_lt s hi' hi I' h). assert (p := block_pos s hi I).
  assert (K : / (INR (block s hi') * INR (S (block s hi'))) < / (INR (block s hi) * INR (S (block s hi)))).
  { apply lt_INR in b; assert (q := lt_0_INR _ p); rewrite !S_INR.
    apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; apply Rmult_lt_0_compat; lra|].
    apply Rmult_le_0_lt_compat; lra. }
  assert (d : 0 < / (maxdcg s - mindcg s)) by (apply Rinv_0_lt_compat; lra).
  assert (R : forall o, 1 - rankdcg s o = (maxdcg s - dcg' s o) * / (maxdcg s - mindcg s))
    by (intro o; unfold rankdcg; field; lra).
  rewrite !R; apply Rmult_lt_compat_r; auto; lra.
Qed.

(** ** Constraint 4: for every reference the worst order has RankDCG 0 and the best has 1 *)
Theorem the_range_is_attained : forall s, falls s -> (2 <= distinct s)%nat ->
  rankdcg s (rev s) = 0 /\ rankdcg s s = 1 /\
  forall o, Permutation o s -> rankdcg s (rev s) <= rankdcg s o <= rankdcg s s.
Proof.
  intros s F H; assert (D := min_lt_max s F H).
  assert (Z : rankdcg s (rev s) = 0) by (unfold rankdcg; fold (mindcg s); field; lra).
  assert (O : rankdcg s s = 1) by (unfold rankdcg; fold (maxdcg s); field; lra).
  repeat split; auto; rewrite ?Z, ?O; apply (rankdcg_corrected s o F); auto.
Qed.

(** ** Constraint 1: an order with all higher values above all lower ones has RankDCG 1, regardless of ties *)
Theorem ties_do_no_harm : forall s o, falls s -> (2 <= distinct s)%nat -> Permutation o s ->
  (forall i j, (i < j < length o)%nat -> (nth j o 0 <= nth i o 0)%nat) -> rankdcg s o = 1.
Proof.
  intros s o F H P Up; apply rankdcg_corrected; auto; clear P.
  induction o as [|x t IH]; constructor.
  - apply IH; intros i j Hij; apply (Up (S i) (S j)); simpl; lia.
  - apply Forall_forall; intros z Hz; apply (In_nth _ _ 0%nat) in Hz as (k & Hk & <-).
    apply (Up 0%nat (S k)); simpl; lia.
Qed.
