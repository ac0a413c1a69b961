(** rankdcg/formula, rankdcg/formula-corrected (chapter rankdcg). *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia Arith.
From Companion Require Import Ranking SortedIsBest.
Import ListNotations.
Open Scope R_scope.

(** ** Definitions *)
(** A reference is a list of natural numbers, the values, in falling order. *)
Definition falls (s : list nat) : Prop := StronglySorted ge s.
Definition distinct (l : list nat) : nat := length (nodup Nat.eq_dec l).
(** The lowest value has the gain 1, the next 2, and so on. *)
Definition gain (s : list nat) (v : nat) : nat := distinct (filter (fun x => x <=? v)%nat s).
(** The places of the highest value are block 1, those of the next block 2. *)
Definition block (s : list nat) (v : nat) : nat := distinct (filter (fun x => v <=? x)%nat s).
(** The gain at a rank is divided by the number of its block. *)
Definition weight (s : list nat) (v : nat) : R := / INR (block s v).
Fixpoint dot (g w : nat -> R) (o s : list nat) : R :=
  match o, s with
  | x :: o', v :: s' => g x * w v + dot g w o' s'
  | _, _ => 0
  end.
(** DCG' of an order [o] of the values of the reference [s]. *)
Definition dcg' (s o : list nat) : R :=
  dot (fun x => INR (gain s x)) (weight s) o s.
Definition maxdcg (s : list nat) : R := dcg' s s.
Definition mindcg (s : list nat) : R := dcg' s (rev s).
Definition printed (s o : list nat) : R :=
  (maxdcg s - dcg' s o) / (maxdcg s - mindcg s).
Definition rankdcg (s o : list nat) : R :=
  (dcg' s o - mindcg s) / (maxdcg s - mindcg s).

(** ** Gains rise, weights fall, strictly *)
Lemma distinct_lt l l' x : incl l l' -> ~ In x l -> In x l' -> (distinct l < distinct l')%nat.
Proof.
  intros I N H; unfold distinct.
  change (length (x :: nodup Nat.eq_dec l) <= length (nodup Nat.eq_dec l'))%nat.
  apply NoDup_incl_length.
  - constructor; [now rewrite nodup_In|apply NoDup_nodup].
  - intros z [<-|Hz]; rewrite nodup_In in *; auto.
Qed.
Lemma gain_lt s x y : In y s -> (x < y)%nat -> (gain s x < gain s y)%nat.
Proof.
  intros I H; unfold gain; apply distinct_lt with y.
  - intros z; rewrite !filter_In, !Nat.leb_le; intros []; split; auto; lia.
  - rewrite filter_In, Nat.leb_le; lia.
  - rewrite filter_In, Nat.leb_le; auto.
Qed.
Lemma block_lt s x y : In x s -> (x < y)%nat -> (block s y < block s x)%nat.
Proof.
  intros I H; unfold block; apply distinct_lt with x.
  - intros z; rewrite !filter_In, !Nat.leb_le; intros []; split; auto; lia.
  - rewrite filter_In, Nat.leb_le; lia.
  - rewrite filter_In, Nat.leb_le; auto.
Qed.
Lemma block_pos s x : In x s -> (0 < block s x)%nat.
Proof.
  intro I; apply Nat.le_lt_trans with (distinct []); [simpl; unfold distinct; simpl; lia|].
  unfold block; apply distinct_lt with x; [easy|easy|].
  rewrite filter_In, Nat.leb_le; auto.
Qed.
Lemma weight_lt s x y : In x s -> In y s -> (x < y)%nat -> weight s x < weight s y.
Proof.
  intros Ix Iy H; unfold weight; apply Rinv_lt_contravar.
  - apply Rmult_lt_0_compat; apply lt_0_INR, block_pos; auto.
  - apply lt_INR, block_lt; auto.
Qed.

(** ** Rearrangement, for lists of pairs: an item and its rank *)
Definition pairs := list (nat * nat).
Definition total (g w : nat -> R) (P : pairs) : R :=
  fold_right (fun p a => g (fst p) * w (snd p) + a) 0 P.
Lemma total_perm g w P Q : Permutation P Q -> total g w P = total g w Q. Proof. induction 1; simpl; lra. Qed.
Lemma dot_total g w o s : dot g w o s = total g w (combine o s).
Proof. revert s; induction o as [|x o IH]; intros [|v s]; simpl; auto; now rewrite IH. Qed.
Definition strict_on (s : list nat) (g : nat -> R) : Prop :=
  forall x y, In x s -> In y s -> (x < y)%nat -> g x < g y.

(** No item is worse than one in a lower place: the pairs agree. *)
Definition agree (P : pairs) : Prop :=
  forall p q, In p P -> In q P -> (snd p > snd q)%nat -> (fst p >= fst q)%nat.
(** No item is better than one in a higher place. *)
Definition oppose (P : pairs) : Prop :=
  forall p q, In p P -> In q P -> (snd p > snd q)%nat -> (fst p <= fst q)%nat.
Lemma falls_unique l l' : falls l -> falls l' -> Permutation l l' -> l = l'.
Proof. apply sorted_unique; intros; lia. Qed.

Lemma agree_perm P Q : Permutation P Q -> agree P -> agree Q.
Proof. intros H A p q Ip Iq; symmetry in H; apply A; eapply Permutation_in; eauto. Qed.
Lemma oppose_perm P Q : Permutation P Q -> oppose P -> oppose Q.
Proof. intros H A p q Ip Iq; symmetry in H; apply A; eapply Permutation_in; eauto. Qed.
Lemma split_pairs (P : pairs) : combine (map fst P) (map snd P) = P.
Proof. induction P as [|[x v] P IH]; simpl; congruence. Qed.
Lemma combine_parts (o s : list nat) : length o = length s ->
  map fst (combine o s) = o /\ map snd (combine o s) = s.
Proof.
  revert s; induction o as [|x o IH]; intros [|v s] H; try discriminate; simpl; auto.
  destruct (IH s ltac:(simpl in H; lia)) as [-> ->]; auto.
Qed.

(** Sort pairs by falling place; within one place by an order of the items. *)
Section SortPairs.
  Variable le : nat -> nat -> Prop.
  Hypothesis le_dec : forall x y, {le x y} + {le y x}.
  Hypothesis le_trans : forall x y z, le x y -> le y z -> le x z.
  Definition before (p q : nat * nat) : Prop :=
    (snd p > snd q)%nat \/ (snd p = snd q /\ le (fst p) (fst q)).
  Lemma before_dec p q : {before p q} + {before q p}.
  Proof.
    unfold before; destruct (lt_eq_lt_dec (snd p) (snd q)) as [[h|h]|h]; [right; auto| |left; auto].
    destruct (le_dec (fst p) (fst q)); [left|right]; auto.
  Qed.
  Lemma before_trans p q r : before p q -> before q r -> before p r.
  Proof. intros [A|[A A']] [B|[B B']]; [left; lia|left; lia|left; lia|right; split; [lia|eauto]]. Qed.
  Lemma sorted_pairs P : exists Q, Permutation Q P /\ StronglySorted before Q /\ falls (map snd Q).
  Proof.
    exists (isort before before_dec P); split; [apply isort_perm|].
    assert (S := isort_sorted before before_dec before_trans P); split; auto.
    induction S as [|p Q _ IH H]; simpl; constructor; auto.
    rewrite Forall_forall in *; intros z (q & <- & I)%in_map_iff; destruct (H q I); lia.
  Qed.
  Lemma sorted_order s o : falls s -> Permutation o s -> exists l, Permutation l s /\
    Permutation (combine o s) (combine l s) /\ StronglySorted before (combine l s).
  Proof.
    intros F P; destruct (combine_parts o s (Permutation_length P)) as [E1 E2].
    destruct (sorted_pairs (combine o s)) as (Q & PQ & S & FQ).
    assert (Q2 : map snd Q = s) by (apply falls_unique; auto; now rewrite PQ, E2).
    assert (C : combine (map fst Q) s = Q) by (rewrite <- Q2; apply split_pairs).
    exists (map fst Q); rewrite C; repeat split; auto; [now rewrite PQ, E1|now symmetry].
  Qed.
End SortPairs.
Lemma falls_rev_rise s : falls s -> StronglySorted le (rev s).
Proof.
  induction 1 as [|x t Ht IH Hx]; simpl; [constructor|].
  rewrite Forall_forall in Hx.
  assert (G : forall l, StronglySorted le l -> (forall z, In z l -> (z <= x)%nat) ->
    StronglySorted le (l ++ [x])).
  { induction 1 as [|y l Hl IHl Hy]; intro Z; simpl; [repeat constructor|].
    constructor; [apply IHl; intros; apply Z; now right|].
    rewrite Forall_forall in *; intros z Hz; apply in_app_iff in Hz as [Hz|[<-|[]]]; auto.
    apply Z; now left. }
  apply G; auto; intros z Hz; apply in_rev in Hz; specialize (Hx z Hz); lia.
Qed.

(** Orders that agree with the places are the sorted one, as pairs ... *)
Lemma agree_sorted s o : falls s -> Permutation o s -> agree (combine o s) ->
  Permutation (combine o s) (combine s s).
Proof.
  intros F P A; destruct (sorted_order ge (fun x y => le_ge_dec y x) ltac:(intros; lia) s o F P) as (l & Pl & Pc & S).
  apply (agree_perm _ _ Pc) in A; assert (l = s) as ->; auto.
  apply falls_unique; auto; rewrite <- (proj1 (combine_parts l s (Permutation_length Pl))); clear - S A.
  induction S as [|p Q _ IH H]; simpl; constructor; [apply IH; intros a b Ia Ib; apply A; now right|].
  rewrite Forall_forall in *; intros z (q & <- & I)%in_map_iff.
  destruct (H q I) as [h|h]; [apply (A p q); simpl; auto|lia].
Qed.

(** ... and those that oppose them are the reversed one. *)
Lemma oppose_reversed s o : falls s -> Permutation o s -> oppose (combine o s) ->
  Permutation (combine o s) (combine (rev s) s).
Proof.
  intros F P A; destruct (sorted_order le le_ge_dec ltac:(intros; lia) s o F P) as (l & Pl & Pc & S).
  apply (oppose_perm _ _ Pc) in A; assert (l = rev s) as ->; auto.
  apply (sorted_unique le); [intros; lia| |now apply falls_rev_rise|now rewrite <- Permutation_rev].
  rewrite <- (proj1 (combine_parts l s (Permutation_length Pl))); clear - S A.
  induction S as [|p Q _ IH H]; simpl; constructor; [apply IH; intros a b Ia Ib; apply A; now right|].
  rewrite Forall_forall in *; intros z (q & <- & I)%in_map_iff.
  destruct (H q I) as [h|h]; [apply (A p q); simpl; auto|apply h].
Qed.


(** ** The largest and the smallest DCG' *)
Lemma weight_nonneg s x : 0 <= weight s x.
Proof.
  unfold weight; destruct (block s x) as [|k]; [simpl; rewrite Rinv_0; lra|].
  left; apply Rinv_0_lt_compat, lt_0_INR; lia.
Qed.
Definition discount_of (s : list nat) : nat -> R :=
  fun r => nth (r - 1) (map (weight s) s) 0.
Lemma weights_fall s x y : In x s -> In y s -> (x >= y)%nat -> weight s y <= weight s x.
Proof.
  intros Ix Iy H; destruct (Nat.eq_dec x y) as [<-|]; [lra|].
  left; apply weight_lt; auto; lia.
Qed.
Lemma discount_of_nonincreasing s : falls s -> nonincreasing (discount_of s).
Proof.
  intros F r Hr; unfold discount_of; destruct r as [|r]; [lia|].
  replace (S (S r) - 1)%nat with (S r) by lia; replace (S r - 1)%nat with r by lia.
  destruct (le_lt_dec (length s) (S r)) as [h|h].
  - rewrite (nth_overflow _ _ (n := S r)) by (now rewrite map_length).
    destruct (le_lt_dec (length s) r) as [h'|h'].
    + rewrite nth_overflow by (now rewrite map_length); lra.
    + rewrite (nth_indep _ 0 (weight s 0)) by (now rewrite map_length).
      rewrite map_nth; apply weight_nonneg.
  - rewrite !(nth_indep _ 0 (weight s 0)) by (rewrite map_length; lia).
    rewrite !map_nth; apply weights_fall; try (apply nth_In; lia).
    clear Hr; revert r h; induction F as [|x t Ft IH Hx]; intros r h; [simpl in h; lia|].
    destruct r as [|r]; [|apply (IH r); simpl in h; lia].
    simpl; rewrite Forall_forall in Hx; apply Hx.
    destruct t; [simpl in h; lia|now left].
Qed.
Lemma dot_is_dcg g w (u v o : list nat) : length o = length v ->
  dot g w o v = dcg_from (fun r => nth (r - 1) (map w (u ++ v)) 0) (S (length u)) (map g o).
Proof.
  revert u v; induction o as [|x o IH]; intros u [|y v] H; try discriminate; auto.
  simpl dot; simpl map; simpl dcg_from; f_equal.
  - f_equal; simpl; rewrite Nat.sub_0_r, map_app, <- (map_length w u).
    cbn [map]; symmetry; apply nth_middle.
  - rewrite (IH (u ++ [y]) v) by (simpl in H; lia).
    rewrite app_length, <- app_assoc; simpl; now rewrite Nat.add_1_r.
Qed.
Lemma dcg'_is_dcg s o : length o = length s ->
  dcg' s o = DCG (discount_of s) (map (fun x => INR (gain s x)) o).
Proof. intro H; unfold dcg'; rewrite (dot_is_dcg _ _ [] s o H); reflexivity. Qed.
Lemma gains_le s x y : In y s -> (x <= y)%nat -> INR (gain s x) <= INR (gain s y).
Proof.
  intros I H; apply le_INR; destruct (Nat.eq_dec x y) as [->|]; auto.
  apply Nat.lt_le_incl, gain_lt; auto; lia.
Qed.
Lemma gains_falling s t : incl t s -> falls t -> falling (map (fun x => INR (gain s x)) t).
Proof.
  intros I F; induction F as [|x t Ft IH Hx]; simpl; constructor.
  - apply IH; intros z Hz; apply I; now right.
  - rewrite Forall_forall in *; intros z Hz; apply in_map_iff in Hz as (y & <- & Hy).
    apply Rle_ge, gains_le; [apply I; now left|apply Hx, Hy].
Qed.
Lemma gains_rising s t : incl t s -> StronglySorted le t ->
  rising (map (fun x => INR (gain s x)) t).
Proof.
  intros I F; induction F as [|x t Ft IH Hx]; simpl; constructor.
  - apply IH; intros z Hz; apply I; now right.
  - rewrite Forall_forall in *; intros z Hz; apply in_map_iff in Hz as (y & <- & Hy).
    apply gains_le; [apply I; now right|apply Hx, Hy].
Qed.
Lemma dcg'_max s o : falls s -> Permutation o s -> dcg' s o <= maxdcg s.
Proof.
  intros F P; unfold maxdcg; rewrite !dcg'_is_dcg by (auto using Permutation_length).
  apply sorted_is_best; auto using discount_of_nonincreasing, Permutation_map.
  apply gains_falling; auto; apply incl_refl.
Qed.
Lemma dcg'_min s o : falls s -> Permutation o s -> mindcg s <= dcg' s o.
Proof.
  intros F P; unfold mindcg.
  rewrite !dcg'_is_dcg by (try rewrite rev_length; auto using Permutation_length).
  apply reversed_is_worst; auto using discount_of_nonincreasing.
  - apply Permutation_map; apply Permutation_trans with s; auto; apply Permutation_rev.
  - apply gains_rising; auto using falls_rev_rise.
    intros z Hz; now apply in_rev.
Qed.

(** ** One exchange *)
Notation G s := (fun x => INR (gain s x)).
Lemma pairs_bounded s P : falls s ->
  Permutation (map fst P) s -> Permutation (map snd P) s ->
  mindcg s <= total (G s) (weight s) P <= maxdcg s.
Proof.
  intros F P1 P2.
  destruct (sorted_pairs le le_ge_dec ltac:(intros; lia) P) as (Q & PQ & _ & FQ).
  assert (Q2 : map snd Q = s) by (apply falls_unique; auto; now rewrite PQ).
  assert (Q1 : Permutation (map fst Q) s) by (now rewrite PQ).
  rewrite <- (total_perm _ _ _ _ PQ), <- (split_pairs Q), <- dot_total, Q2.
  split; [now apply dcg'_min|now apply dcg'_max].
Qed.
Lemma take_two (P : pairs) p q : In p P -> In q P -> p <> q ->
  exists R, Permutation P (p :: q :: R).
Proof.
  intros Ip Iq N; apply in_split in Ip as (A & B & ->).
  assert (I : In q (A ++ B)).
  { apply in_app_iff in Iq as [I|[I|I]]; apply in_app_iff; auto; congruence. }
  apply in_split in I as (C & D & E); exists (C ++ D).
  rewrite <- Permutation_middle; constructor; rewrite E.
  symmetry; apply Permutation_middle.
Qed.

(** If a better item is in a later block, exchanging the two gains ... *)
Lemma exchange_pairs s P p q : falls s ->
  Permutation (map fst P) s -> Permutation (map snd P) s ->
  In p P -> In q P -> (snd p > snd q)%nat ->
  mindcg s - (INR (gain s (fst q)) - INR (gain s (fst p))) * (weight s (snd p) - weight s (snd q))
   <= total (G s) (weight s) P <=
  maxdcg s - (INR (gain s (fst q)) - INR (gain s (fst p))) * (weight s (snd p) - weight s (snd q)).
Proof.
  intros F P1 P2 Ip Iq H.
  destruct (take_two P p q Ip Iq) as (R & E); [intros ->; lia|].
  set (P' := (fst q, snd p) :: (fst p, snd q) :: R).
  assert (B : mindcg s <= total (G s) (weight s) P' <= maxdcg s).
  { apply pairs_bounded; auto; simpl.
    - apply Permutation_trans with (map fst P); auto.
      rewrite (Permutation_map fst E); simpl; constructor.
    - apply Permutation_trans with (map snd P); auto.
      rewrite (Permutation_map snd E); reflexivity. }
  rewrite (total_perm _ _ _ _ E); simpl in *; lra.
Qed.
Lemma combine_perms (s o : list nat) : Permutation o s ->
  Permutation (map fst (combine o s)) s /\ Permutation (map snd (combine o s)) s.
Proof.
  intro P; destruct (combine_parts o s (Permutation_length P)) as [-> ->]; auto.
Qed.
Lemma in_parts (s o : list nat) p : Permutation o s -> In p (combine o s) -> In (fst p) s /\ In (snd p) s.
Proof.
  intros P I; destruct p as [x v]; split.
  - apply in_combine_l in I; now apply (Permutation_in _ P).
  - now apply in_combine_r in I.
Qed.
Lemma max_agrees s o : falls s -> Permutation o s -> dcg' s o = maxdcg s -> agree (combine o s).
Proof.
  intros F P E p q Ip Iq H; destruct (le_lt_dec (fst q) (fst p)) as [|h]; auto; exfalso.
  destruct (combine_perms s o P) as [P1 P2].
  destruct (in_parts s o p P Ip) as [Ip1 Ip2], (in_parts s o q P Iq) as [Iq1 Iq2].
  assert (B := exchange_pairs s _ p q F P1 P2 Ip Iq H).
  unfold dcg' in E; rewrite dot_total in E; rewrite E in B.
  assert (g := lt_INR _ _ (gain_lt s (fst p) (fst q) Iq1 h)).
  assert (w : weight s (snd q) < weight s (snd p)) by (apply weight_lt; auto).
  assert (0 < (INR (gain s (fst q)) - INR (gain s (fst p))) * (weight s (snd p) - weight s (snd q)))
    by (apply Rmult_lt_0_compat; lra). lra.
Qed.
Lemma min_opposes s o : falls s -> Permutation o s -> dcg' s o = mindcg s -> oppose (combine o s).
Proof.
  intros F P E p q Ip Iq H; destruct (le_lt_dec (fst p) (fst q)) as [|h]; auto; exfalso.
  destruct (combine_perms s o P) as [P1 P2].
  destruct (in_parts s o p P Ip) as [Ip1 Ip2], (in_parts s o q P Iq) as [Iq1 Iq2].
  assert (B := exchange_pairs s _ p q F P1 P2 Ip Iq H).
  unfold dcg' in E; rewrite dot_total in E; rewrite E in B.
  assert (g := lt_INR _ _ (gain_lt s (fst q) (fst p) Ip1 h)).
  assert (w : weight s (snd q) < weight s (snd p)) by (apply weight_lt; auto).
  assert (0 < (INR (gain s (fst p)) - INR (gain s (fst q))) * (weight s (snd p) - weight s (snd q)))
    by (apply Rmult_lt_0_compat; lra). lra.
Qed.

(** An order that agrees with the places of the sorted list is the sorted list. *)
Lemma agree_is_sorted s o : falls s -> Permutation o s -> agree (combine o s) -> o = s.
Proof.
  intros F P A; assert (E := agree_sorted s o F P A).
  assert (L := Permutation_length P).
  assert (D : forall x v, In (x, v) (combine o s) -> x = v).
  { intros x v I; apply (Permutation_in _ E) in I.
    clear - I; induction s as [|y t IH]; [easy|].
    destruct I as [[= <- <-]|I]; auto. }
  clear - L D; revert s L D; induction o as [|x o IH]; intros [|v s] L D; try discriminate; auto.
  f_equal; [apply D; now left|apply IH; [simpl in L; lia|intros; apply D; now right]].
Qed.

(** The order puts no item before a better one in a later block:
    "no item is better than an item in a later block". *)
Definition never_better_above (s o : list nat) : Prop :=
  forall p q, (p < length s)%nat -> (q < length s)%nat ->
  (block s (nth p s 0) < block s (nth q s 0))%nat -> (nth p o 0 <= nth q o 0)%nat.
Lemma block_order s x y : In x s -> In y s -> (block s x < block s y)%nat <-> (x > y)%nat.
Proof.
  intros Ix Iy; split; intro H.
  - destruct (lt_eq_lt_dec x y) as [[h|h]|h]; auto.
    + assert (B := block_lt s x y Ix h); lia.
    + subst; lia.
  - apply block_lt; auto.
Qed.
Lemma never_better_above_opposes s o : length o = length s ->
  never_better_above s o <-> oppose (combine o s).
Proof.
  intro L; split; intro H.
  - intros p q Ip Iq h.
    apply (In_nth _ _ (0, 0)%nat) in Ip as (i & Hi & <-).
    apply (In_nth _ _ (0, 0)%nat) in Iq as (j & Hj & <-).
    rewrite combine_length, L, Nat.min_id in Hi, Hj.
    rewrite !combine_nth in * by auto; simpl in *.
    apply H; auto; apply block_order; auto using nth_In.
  - intros p q Hp Hq h; apply block_order in h; auto using nth_In.
    assert (N : forall i, (i < length s)%nat -> In (nth i o 0, nth i s 0)%nat (combine o s)).
    { intros i Hi; rewrite <- combine_nth by auto; apply nth_In.
      rewrite combine_length, L, Nat.min_id; auto. }
    apply (H (nth p o 0, nth p s 0)%nat (nth q o 0, nth q s 0)%nat); auto.
Qed.
Lemma two_values s : (2 <= distinct s)%nat -> exists x y, In x s /\ In y s /\ (y < x)%nat.
Proof.
  unfold distinct; intro H.
  assert (N := NoDup_nodup Nat.eq_dec s).
  assert (I : forall z, In z (nodup Nat.eq_dec s) -> In z s) by (intro; apply nodup_In).
  destruct (nodup Nat.eq_dec s) as [|x [|y l]]; simpl in H; try lia.
  inversion_clear N as [|? ? Nx _].
  destruct (lt_eq_lt_dec x y) as [[h|h]|h].
  - exists y, x; intuition.
  - subst; exfalso; apply Nx; now left.
  - exists x, y; intuition.
Qed.
Lemma min_lt_max s : falls s -> (2 <= distinct s)%nat -> mindcg s < maxdcg s.
Proof.
  intros F H; assert (B := dcg'_max s (rev s) F (Permutation_sym (Permutation_rev s))).
  destruct B as [B|B]; [exact B|exfalso].
  assert (E : rev s = s).
  { apply agree_is_sorted; auto; [symmetry; apply Permutation_rev|].
    apply max_agrees; auto; symmetry; apply Permutation_rev. }
  destruct (two_values s H) as (x & y & Ix & Iy & h).
  assert (O : oppose (combine s s)).
  { apply min_opposes; auto. }
  assert (D : forall z, In z s -> In (z, z) (combine s s)).
  { clear; induction s; simpl; intuition; subst; auto. }
  specialize (O (x, x) (y, y) (D x Ix) (D y Iy) h); simpl in O; lia.
Qed.

(** ** rankdcg/formula-corrected *)
Theorem rankdcg_corrected : forall s o,
  falls s -> Permutation o s -> (2 <= distinct s)%nat ->
  (mindcg s <= dcg' s o <= maxdcg s) /\ mindcg s < maxdcg s /\
  0 <= rankdcg s o <= 1 /\
  (rankdcg s o = 1 <-> falls o) /\
  (rankdcg s o = 0 <-> never_better_above s o).
Proof.
  intros s o F P H.
  assert (D := min_lt_max s F H).
  assert (A := dcg'_max s o F P); assert (B := dcg'_min s o F P).
  assert (L := Permutation_length P).
  unfold rankdcg; set (d := maxdcg s - mindcg s).
  assert (Hd : 0 < d) by (unfold d; lra). assert (Hi := Rinv_0_lt_compat d Hd).
  assert (M : forall a b, a / d = b <-> a = b * d).
  { intros a b; unfold Rdiv; split; intro E.
    - rewrite <- E, Rmult_assoc, Rinv_l; lra.
    - rewrite E, Rmult_assoc, Rinv_r; lra. }
  repeat split; auto; try lra.
  - apply Rmult_le_pos; lra.
  - apply Rmult_le_reg_r with d; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; unfold d; lra.
  - rewrite M; unfold d; intro E.
    rewrite (agree_is_sorted s o F P); auto; apply max_agrees; auto; lra.
  - intro Fo; rewrite M; unfold d.
    rewrite (falls_unique o s Fo F P); unfold maxdcg; lra.
  - rewrite M; intro E; apply never_better_above_opposes; auto; apply min_opposes; auto; lra.
  - intro O; rewrite M; apply never_better_above_opposes in O; auto.
    assert (E := oppose_reversed s o F P O).
    unfold dcg' at 1; rewrite dot_total, (total_perm _ _ _ _ E), <- dot_total.
    unfold mindcg, dcg'; lra.
Qed.

(** ** rankdcg/formula: as printed, the perfect list gets 0 and the worst 1 *)
Theorem printed_is_upside_down : forall s, falls s -> (2 <= distinct s)%nat ->
  printed s s = 0 /\ printed s (rev s) = 1.
Proof.
  intros s F H; assert (D := min_lt_max s F H); unfold printed; split.
  - unfold maxdcg at 1; replace (dcg' s s - dcg' s s) with 0 by lra; unfold Rdiv; lra.
  - fold (mindcg s); field; lra.
Qed.
Theorem printed_formula_is_false :
  ~ (forall s, falls s -> (2 <= distinct s)%nat -> printed s s = 1).
Proof.
  intro C.
  assert (F : falls [1; 0]%nat) by (repeat constructor).
  destruct (printed_is_upside_down [1; 0]%nat F (le_n 2)) as [Z _].
  rewrite (C _ F (le_n 2)) in Z; lra.
Qed.
