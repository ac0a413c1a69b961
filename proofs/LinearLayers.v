(** linear/theorem-1 (chapter linear-ndcg): the loss of scored items, tied or not, is the sum over [k] of the
    losses of the two-grade lists in which a label is 1 if it is above [k]. *)
From Coq Require Import Reals List Permutation Lra Lia.
From Companion Require Import Ranking LinearNdcg LinearTies.
Import ListNotations.
Open Scope R_scope.

(** Items with whole labels, and the same items with the labels above [k] read as 1. *)
Definition graded (L : list (R * nat)) : list item := map (fun x => (fst x, INR (snd x))) L.
Definition split_at (k : nat) (L : list (R * nat)) : list item :=
  map (fun x => (fst x, layer k (snd x))) L.

(** A sum over items, written over their (score, label) pairs. *)
Fixpoint each (f : R * nat -> R) (L : list (R * nat)) : R :=
  match L with [] => 0 | x :: t => f x + each f t end.
Lemma over_is_each h f L : over f (map h L) = each (fun x => f (h x)) L.
Proof. induction L as [|x t IH]; simpl; auto; now rewrite IH. Qed.
Lemma each_ext f g L : (forall x, In x L -> f x = g x) -> each f L = each g L.
Proof.
  induction L as [|x t IH]; intro H; simpl; auto.
  rewrite (H x), IH; auto; [intros; apply H; now right|now left].
Qed.
Lemma each_sum_below (f : nat -> R * nat -> R) n L :
  each (fun x => sum_below (fun k => f k x) n) L = sum_below (fun k => each (f k) L) n.
Proof.
  induction L as [|x t IH]; simpl.
  - induction n; simpl; lra.
  - rewrite IH; symmetry; apply (sum_below_plus (fun k => f k x) (fun k => each (f k) t)).
Qed.
Theorem loss_is_sum_of_bipartite_losses : forall wrong top L,
  (forall x, In x L -> (snd x <= top)%nat) ->
  loss wrong (graded L) = sum_below (fun k => loss wrong (split_at k L)) top.
Proof.
  intros wrong top L H; unfold loss, graded, split_at.
  rewrite over_is_each.
  assert (E : forall k, over (fun x => over (fun z => if wrong (score x) (score z)
      then Rmax (label x - label z) 0 else 0) (map (fun x => (fst x, layer k (snd x))) L))
      (map (fun x => (fst x, layer k (snd x))) L)
    = each (fun x => each (fun z => if wrong (fst x) (fst z)
        then Rmax (layer k (snd x) - layer k (snd z)) 0 else 0) L) L).
  { intro k; rewrite over_is_each; apply each_ext; intros x _; now rewrite over_is_each. }
  transitivity (sum_below (fun k => each (fun x => each (fun z => if wrong (fst x) (fst z)
        then Rmax (layer k (snd x) - layer k (snd z)) 0 else 0) L) L) top).
  2: { clear H; induction top as [|n IH]; simpl; [auto|rewrite IH, E; auto]. }
  rewrite <- each_sum_below; apply each_ext; intros x Ix.
  rewrite over_is_each, <- each_sum_below; apply each_ext; intros z Iz; simpl.
  unfold score, label; simpl; destruct (wrong (fst x) (fst z)).
  - apply gap_in_layers; auto.
  - clear; induction top; simpl; lra.
Qed.
