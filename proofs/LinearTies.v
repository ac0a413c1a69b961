(** linear/theorem-3 with scores, and linear/theorem-3-with-ties. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Companion Require Import Ranking SortedIsBest LinearNdcg.
Import ListNotations.
Open Scope R_scope.

(** An item has a score and a label. *)
Definition item := (R * R)%type.
Definition score (x : item) := fst x.
Definition label (x : item) := snd x.
Definition labels := map label.

(** A list that agrees with the scores: no item is above one with a larger score. *)
Definition by_score (L : list item) : Prop := StronglySorted (fun x z => score x >= score z) L.
Definition no_ties (L : list item) : Prop := NoDup (map score L).

(** The pair-wise loss, over all ordered pairs of items: [x] has the larger label,
    and [wrong] says when the scores get the pair wrong. *)
Fixpoint over (f : item -> R) (L : list item) : R :=
  match L with [] => 0 | x :: t => f x + over f t end.
Definition loss (wrong : R -> R -> bool) (L : list item) : R :=
  over (fun x => over (fun z =>
    if wrong (score x) (score z) then Rmax (label x - label z) 0 else 0) L) L.
Definition lt_b (a b : R) : bool := if Rlt_dec a b then true else false.
Definition le_b (a b : R) : bool := if Rle_dec a b then true else false.
Definition loss_lt := loss lt_b.   (* R_<  : pairs in the wrong order *)
Definition loss_le := loss le_b.   (* R_<= : and the tied pairs *)
Lemma over_perm f L L' : Permutation L L' -> over f L = over f L'. Proof. induction 1; simpl; lra. Qed.
Lemma over_ext f g L : (forall x, In x L -> f x = g x) -> over f L = over g L.
Proof. induction L as [|x t IH]; intro H; simpl; auto; rewrite H, IH; auto; [now intros; apply H; right|now left]. Qed.
Lemma over_plus f g L : over (fun x => f x + g x) L = over f L + over g L.
Proof. induction L; simpl; lra. Qed.
Lemma over_le f g L : (forall x, In x L -> f x <= g x) -> over f L <= over g L.
Proof.
  induction L as [|x t IH]; intro H; simpl; [lra|].
  assert (f x <= g x) by (apply H; now left).
  assert (over f t <= over g t) by (apply IH; intros; apply H; now right). lra.
Qed.
Lemma loss_perm w L L' : Permutation L L' -> loss w L = loss w L'.
Proof.
  intro P; unfold loss; rewrite (over_perm _ _ _ P).
  apply over_ext; intros; now apply over_perm.
Qed.
Definition cost (w : R -> R -> bool) (x z : item) : R :=
  if w (score x) (score z) then Rmax (label x - label z) 0 else 0.
Lemma loss_cons w x t : loss w (x :: t)
  = over (fun z => cost w x z + cost w z x) t + loss w t.
Proof.
  unfold loss; simpl; rewrite !over_plus; unfold cost.
  replace (if w (score x) (score x) then Rmax (label x - label x) 0 else 0) with 0.
  2: { destruct w; auto; rewrite Rmax_right; lra. }
  lra.
Qed.
Lemma pair_loss_cons x t : pair_loss (labels (x :: t))
  = over (fun z => Rmax (label z - label x) 0) t + pair_loss (labels t).
Proof.
  simpl; f_equal; unfold labels; induction t as [|z t IH]; simpl; [auto|now rewrite <- IH].
Qed.
Ltac cases := unfold cost, lt_b, le_b, Rmax;
  repeat (destruct Rlt_dec || destruct Rle_dec); try lra.

(** ** Between R_< and R_<=, whichever way the ties are broken *)
Lemma at_least L : by_score L -> loss_lt L <= pair_loss (labels L).
Proof.
  unfold loss_lt; induction 1 as [|x t Ht IH Hx]; [unfold loss; simpl; lra|].
  rewrite loss_cons, pair_loss_cons; rewrite Forall_forall in Hx.
  apply Rplus_le_compat; auto; apply over_le; intros z Hz; specialize (Hx z Hz); cases.
Qed.
Lemma at_most L : by_score L -> pair_loss (labels L) <= loss_le L.
Proof.
  unfold loss_le; induction 1 as [|x t Ht IH Hx]; [unfold loss; simpl; lra|].
  rewrite loss_cons, pair_loss_cons; rewrite Forall_forall in Hx.
  apply Rplus_le_compat; auto; apply over_le; intros z Hz; specialize (Hx z Hz); cases.
Qed.

(** Ties by falling labels, and by rising labels. *)
Definition kindly (x z : item) := score x > score z \/ (score x = score z /\ label x >= label z).
Definition harshly (x z : item) := score x > score z \/ (score x = score z /\ label x <= label z).
Lemma kindly_lt L : StronglySorted kindly L -> pair_loss (labels L) = loss_lt L.
Proof.
  unfold loss_lt; induction 1 as [|x t Ht IH Hx]; [reflexivity|].
  rewrite loss_cons, pair_loss_cons, IH; f_equal; rewrite Forall_forall in Hx.
  apply over_ext; intros z Hz; destruct (Hx z Hz); cases.
Qed.
Lemma harshly_le L : StronglySorted harshly L -> pair_loss (labels L) = loss_le L.
Proof.
  unfold loss_le; induction 1 as [|x t Ht IH Hx]; [reflexivity|].
  rewrite loss_cons, pair_loss_cons, IH; f_equal; rewrite Forall_forall in Hx.
  apply over_ext; intros z Hz; destruct (Hx z Hz); cases.
Qed.

Lemma kindly_dec x z : {kindly x z} + {kindly z x}.
Proof.
  unfold kindly; destruct (total_order_T (score x) (score z)) as [[h|h]|h].
  - right; lra.
  - destruct (Rle_dec (label z) (label x)); [left|right]; right; split; lra.
  - left; lra.
Qed.
Lemma harshly_dec x z : {harshly x z} + {harshly z x}.
Proof.
  unfold harshly; destruct (total_order_T (score x) (score z)) as [[h|h]|h].
  - right; lra.
  - destruct (Rle_dec (label x) (label z)); [left|right]; right; split; lra.
  - left; lra.
Qed.
Lemma sorted_impl (P Q : item -> item -> Prop) L : (forall x z, P x z -> Q x z) ->
  StronglySorted P L -> StronglySorted Q L.
Proof.
  intros I; induction 1 as [|x t Ht IH Hx]; constructor; auto.
  revert Hx; apply Forall_impl; auto.
Qed.
Definition error (items L : list item) : R := ldcg (sort (labels items)) - ldcg (labels L).
Lemma error_is_loss items L : Permutation L items -> error items L = pair_loss (labels L).
Proof.
  intro P; unfold error; rewrite <- (sort_permuted (labels L) (labels items)).
  - apply dcg_error_is_pair_loss.
  - now apply Permutation_map.
Qed.

(** ** linear/theorem-3-with-ties: the least and the largest error (the mean is not here) *)
Theorem identity_with_ties : forall items,
  (forall L, Permutation L items -> by_score L ->
     loss_lt items <= error items L <= loss_le items) /\
  (exists L, Permutation L items /\ by_score L /\ error items L = loss_lt items) /\
  (exists L, Permutation L items /\ by_score L /\ error items L = loss_le items).
Proof.
  intro items; split; [|split].
  - intros L P S; rewrite (error_is_loss items L P).
    unfold loss_lt, loss_le; rewrite <- !(loss_perm _ _ _ P).
    split; [now apply at_least|now apply at_most].
  - exists (isort kindly kindly_dec items).
    assert (P : Permutation (isort kindly kindly_dec items) items) by apply isort_perm.
    assert (S : StronglySorted kindly (isort kindly kindly_dec items))
      by (apply isort_sorted; unfold kindly; intros; lra).
    repeat split; auto.
    + revert S; apply sorted_impl; unfold kindly; intros; lra.
    + rewrite error_is_loss, kindly_lt by auto; now apply loss_perm.
  - exists (isort harshly harshly_dec items).
    assert (P : Permutation (isort harshly harshly_dec items) items) by apply isort_perm.
    assert (S : StronglySorted harshly (isort harshly harshly_dec items))
      by (apply isort_sorted; unfold harshly; intros; lra).
    repeat split; auto.
    + revert S; apply sorted_impl; unfold harshly; intros; lra.
    + rewrite error_is_loss, harshly_le by auto; now apply loss_perm.
Qed.

(** ** linear/theorem-3: without ties the error is the loss *)
Theorem identity_without_ties : forall items L,
  no_ties items -> Permutation L items -> by_score L ->
  error items L = loss_lt items.
Proof.
  intros items L N P S; rewrite (error_is_loss items L P).
  unfold loss_lt; rewrite <- (loss_perm _ _ _ P); apply kindly_lt.
  assert (N' : no_ties L) by (apply (Permutation_NoDup (Permutation_map score (Permutation_sym P))); auto).
  clear P N; induction S as [|x t Ht IH Hx]; constructor.
  - apply IH; now inversion N'.
  - inversion_clear N' as [|? ? Nx _]; rewrite Forall_forall in *; intros z Hz.
    left; specialize (Hx z Hz); destruct Hx as [h|h]; auto.
    exfalso; apply Nx; rewrite h; now apply in_map.
Qed.
