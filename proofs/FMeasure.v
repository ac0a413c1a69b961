(** rankdcg/definition-f (chapter classical-metrics): F is twice the number of hits over the number of retrieved
    items plus the number of relevant items. *)
From Coq Require Import Reals Lra.
Open Scope R_scope.
Definition precision (h k : nat) : R := INR h / INR k.
Definition recall (h m : nat) : R := INR h / INR m.
Definition F_measure (p r : R) : R := 2 * (p * r / (p + r)).

Theorem f_measure_of_counts : forall h k m, (0 < h)%nat -> (0 < k)%nat -> (0 < m)%nat ->
  F_measure (precision h k) (recall h m) = 2 * INR h / (INR k + INR m).
Proof.
  intros h k m Hh Hk Hm; apply lt_0_INR in Hh, Hk, Hm.
  unfold F_measure, precision, recall.
  replace (INR h / INR k + INR h / INR m) with (INR h * (INR k + INR m) / (INR k * INR m)) by (field; lra).
  field; repeat split; lra.
Qed.
