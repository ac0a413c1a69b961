(** beyond/safe-lead (chapter judged-and-sampled): how far unjudged results can change a lead in DCG. *)
From Coq Require Import Reals List Lra.
Import ListNotations.
Open Scope R_scope.
(** Of each unjudged document: [d], its discount on A's page minus that on B's; [y], its label (0 where none is given). *)
Fixpoint added (d y : list R) : R := match d, y with x :: t, l :: m => l * x + added t m | _, _ => 0 end.
Fixpoint at_risk (d : list R) : R := match d with [] => 0 | x :: t => Rmax (- x) 0 + at_risk t end.

Theorem safe_lead : forall d h, at_risk d < h <-> forall y, Forall (fun l => 0 <= l <= 1) y -> 0 < h + added d y.
Proof.
  induction d as [|x t I]; intro h; simpl; [split; [intros; lra|intro L; specialize (L [] (Forall_nil _)); lra]|].
  specialize (I (h - Rmax (- x) 0)); revert I; unfold Rmax; destruct (Rle_dec (- x) 0) as [N|N]; intros [I J].
  all: split; [intros L [|l m] F; [specialize (I ltac:(lra) [] (Forall_nil _)); destruct t; simpl in *; lra|]|intro L].
  1, 3: inversion F; subst; specialize (I ltac:(lra) m ltac:(assumption)); nra.
  1: enough (at_risk t < h - 0) by lra; apply J; intros y F; specialize (L (0 :: y) ltac:(constructor; [lra|exact F])).
  2: enough (at_risk t < h - - x) by lra; apply J; intros y F; specialize (L (1 :: y) ltac:(constructor; [lra|exact F])).
  all: simpl in L; lra.
Qed.
