(** The deterministic cores of two refutations: wang/remark-3-3 (chapter cutoffs-that-cannot-see): a cut-off
    ignores everything below the cut; wang/feasible-discounts (chapter which-discounts-are-feasible): a discount
    that is constant from rank k+1 to rank n compares two rankers by their first k labels alone. *)
From Coq Require Import Reals List Permutation Lra Lia.
From Companion Require Import Ranking AffineDiscounts.
Import ListNotations.
Open Scope R_scope.
Definition cut (k : nat) (D : nat -> R) : nat -> R := fun r => if (r <=? k)%nat then D r else 0.
Lemma nothing_below D r n l : (forall i, (n < i)%nat -> D i = 0) -> (n < r)%nat -> dcg_from D r l = 0.
Proof.
  intro H; revert r; induction l as [|y t IH]; intros r Hr; simpl; auto.
  rewrite H, IH by lia; lra.
Qed.
Lemma only_the_top D k l : (forall i, (k < i)%nat -> D i = 0) -> DCG D l = DCG D (firstn k l).
Proof.
  intro H; unfold DCG.
  enough (G : forall l r j, (r + j = S k)%nat -> dcg_from D r l = dcg_from D r (firstn j l))
    by (now apply G).
  clear l; induction l as [|y t IH]; intros r j E; [now rewrite firstn_nil|].
  destruct j as [|j]; simpl firstn.
  - rewrite (nothing_below D r k) by (auto; lia); reflexivity.
  - simpl; f_equal; apply IH; lia.
Qed.
Theorem cut_off_is_blind_below : forall k D f0 f1,
  firstn k f0 = firstn k f1 -> DCG (cut k D) f0 = DCG (cut k D) f1.
Proof.
  intros k D f0 f1 E.
  assert (Z : forall i, (k < i)%nat -> cut k D i = 0)
    by (intros i Hi; unfold cut; destruct (Nat.leb_spec i k); [lia|reflexivity]).
  now rewrite (only_the_top _ k f0), (only_the_top _ k f1), E.
Qed.
Lemma dcg_ext D E r l : (forall i, (r <= i < r + length l)%nat -> D i = E i) ->
  dcg_from D r l = dcg_from E r l.
Proof.
  revert r; induction l as [|y t IH]; intros r H; simpl; auto.
  rewrite H by (simpl; lia); f_equal; apply IH; intros; apply H; simpl; lia.
Qed.
Theorem flat_discount_is_blind_below : forall k n c D f0 f1,
  (forall r, (k < r <= n)%nat -> D r = c) ->
  length f0 = n -> Permutation f0 f1 -> firstn k f0 = firstn k f1 -> DCG D f0 = DCG D f1.
Proof.
  intros k n c D f0 f1 H L P E.
  assert (L1 : length f1 = n) by (rewrite <- (Permutation_length P); auto).
  set (D' := cut k (fun r => D r - c)).
  assert (X : forall l, length l = n -> DCG D l = DCG (fun r => 1 * D' r + c) l).
  { intros l Ll; unfold DCG; apply dcg_ext; intros i Hi; unfold D', cut.
    destruct (Nat.leb_spec i k); [ring|rewrite H by lia; ring]. }
  assert (A := affine_discounts 1 c D' f0 f1 P).
  rewrite (X f0 L), (X f1 L1).
  assert (Z : DCG D' f0 = DCG D' f1) by (now apply cut_off_is_blind_below).
  rewrite Z in A; lra.
Qed.
