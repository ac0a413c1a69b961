(** wang/lemma-3 (chapter a-population-of-items), refuted: the canonical version of a
    constant ranking function is not uniform. X is uniform on [0, 1]; probabilities of
    sets of x are integrals of their indicators. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.
Definition indicator_le (a b : R) : R := if Rle_dec a b then 1 else 0.
(** canonical f x = P (f X <= f x) *)
Definition canonical (f : R -> R) (x : R) : R := RInt (fun t => indicator_le (f t) (f x)) 0 1.
(** Z is uniform on [0, 1]: P (Z X <= u) = u *)
Definition uniform (Z : R -> R) : Prop :=
  forall u, 0 <= u <= 1 -> RInt (fun x => indicator_le (Z x) u) 0 1 = u.
Lemma canonical_of_constant c x : canonical (fun _ => c) x = 1.
Proof.
  unfold canonical, indicator_le; rewrite (RInt_ext _ (fun _ => 1)).
  - rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring.
  - intros t _; destruct Rle_dec; lra.
Qed.
Theorem lemma_3_is_false : ~ uniform (canonical (fun _ => 0)).
Proof.
  intro C; specialize (C (1 / 2) ltac:(lra)).
  rewrite (RInt_ext _ (fun _ => 0)) in C.
  - rewrite RInt_const in C; unfold scal in C; simpl in C; unfold mult in C; simpl in C; lra.
  - intros t _; rewrite canonical_of_constant; unfold indicator_le; destruct Rle_dec; lra.
Qed.
