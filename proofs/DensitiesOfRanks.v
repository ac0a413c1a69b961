(** wang/claim-24 (chapter inside-the-proofs-i): the Beta densities of the depths
    of rank 1, ..., n add up to n. *)
From Coq Require Import Reals Lra Lia.
Open Scope R_scope.

(** The density of the depth of rank r among n items. *)
Definition beta (n r : nat) (u : R) : R :=
  INR n * C (n - 1) (r - 1) * u ^ (r - 1) * (1 - u) ^ (n - r).

Theorem bumps_add_up : forall n u, (1 <= n)%nat ->
  sum_f_R0 (fun i => beta n (S i) u) (n - 1) = INR n.
Proof.
  intros n u Hn.
  rewrite (sum_eq _ (fun i => C (n - 1) i * u ^ i * (1 - u) ^ (n - 1 - i) * INR n)).
  - rewrite <- scal_sum, <- binomial.
    replace (u + (1 - u)) with 1 by ring; rewrite pow1; ring.
  - intros i Hi; unfold beta.
    replace (S i - 1)%nat with i by lia; replace (n - S i)%nat with (n - 1 - i)%nat by lia; ring.
Qed.
