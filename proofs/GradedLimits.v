(** wang/theorem-14 and wang/theorem-17 (chapter graded-relevance), the deterministic core: the sums of a graded
    list are the sums of its layers, "grade j or better". *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import ZipfSeesTheTop PowerSums.
Open Scope R_scope.

(** Layer j: its step to the next grade below, the probability of reaching it at each depth, the number of items
    that reach it, their proportion, and the integral of the probability against the discount. *)
Record layers := { step : nat -> R; chance : nat -> R -> R; reached : nat -> nat -> nat;
  share : nat -> R; paid : nat -> R }.
Definition settled (beta c : R) (L : layers) (j : nat) : Prop :=
  0 < step L j /\ curve (chance L j) /\ 0 < share L j <= 1 /\ (forall n, (reached L j n <= n)%nat) /\
  is_lim_seq (fun n => INR (reached L j n) / INR n) (share L j) /\
  from_0_to c beta (chance L j) (paid L j).
(** The mean grade at depth u: the sum of the steps, each times the probability of reaching it. *)
Definition mean_grade (L : layers) (m : nat) (u : R) : R := upto (fun j => step L j * chance L j u) m.

Lemma upto_exchange (f : nat -> nat -> R) m k :
  upto (fun r => upto (fun j => f j r) m) k = upto (fun j => upto (f j) k) m.
Proof.
  induction k as [|k IH]; cbn [upto].
  - induction m as [|m IH]; cbn [upto]; lra.
  - now rewrite IH, <- upto_plus.
Qed.
Lemma upto_lim (f : nat -> nat -> R) (l : nat -> R) m :
  (forall j, (1 <= j <= m)%nat -> is_lim_seq (f j) (l j)) ->
  is_lim_seq (fun n => upto (fun j => f j n) m) (upto l m).
Proof.
  induction m as [|m IH]; intro H; cbn [upto]; [apply is_lim_seq_const|].
  apply is_lim_seq_plus'; [apply IH; intros j Hj; apply H; lia|apply H; lia].
Qed.

Section Graded.
  Variable beta : R.
  Hypothesis between : 0 < beta < 1.
  Theorem theorem_17_core : forall L m (k : nat -> nat) c, (1 <= m)%nat -> 0 < c <= 1 ->
    (forall j, (1 <= j <= m)%nat -> settled beta c L j) ->
    (forall n, (k n <= n)%nat) -> is_lim_seq (fun n => INR (k n) / INR n) c ->
    is_lim_seq (fun n => upto (fun r => mean_grade L m (INR r / INR n) * power beta (INR r)) (k n)
      / upto (fun j => step L j * upto (fun r => power beta (INR r)) (Nat.min (k n) (reached L j n))) m)
      (upto (fun j => step L j * paid L j) m
       / upto (fun j => step L j * (Rpower (Rmin c (share L j)) (1 - beta) / (1 - beta))) m).
  Proof.
    intros L m k c m1 Hc H Hk Kc; apply ratio_of_sums with (beta := beta).
    - assert (P : forall j, (1 <= j <= m)%nat ->
        0 < step L j * (Rpower (Rmin c (share L j)) (1 - beta) / (1 - beta))).
      { intros j Hj; destruct (H j Hj) as (s & _); apply Rmult_lt_0_compat; auto.
        apply Rdiv_lt_0_compat; [apply exp_pos|lra]. }
      apply Rgt_not_eq; clear H; induction m as [|m IH]; [lia|]; cbn [upto].
      assert (P1 := P (S m) ltac:(lia)); destruct m as [|m]; [cbn [upto]; lra|].
      specialize (IH ltac:(lia) ltac:(intros j Hj; apply P; lia)); lra.
    - apply is_lim_seq_ext with (fun n => upto (fun j => step L j *
        (upto (fun r => chance L j (INR r / INR n) * power beta (INR r)) (k n) / Rpower (INR n) (1 - beta))) m).
      + intro n; unfold mean_grade.
        transitivity (/ Rpower (INR n) (1 - beta) * upto (fun r => upto (fun j =>
          step L j * (chance L j (INR r / INR n) * power beta (INR r))) m) (k n)).
        * rewrite upto_exchange, <- upto_scal; apply upto_ext; intros j _; rewrite upto_scal; unfold Rdiv; ring.
        * unfold Rdiv at 2; rewrite Rmult_comm; f_equal; apply upto_ext; intros r _.
          rewrite Rmult_comm, <- upto_scal; apply upto_ext; intros j _; unfold Rdiv; ring.
      + apply (upto_lim (fun j n => _)); intros j Hj; destruct (H j Hj) as (_ & G & _ & _ & _ & J).
        apply (is_lim_seq_scal_l _ (step L j) (paid L j)), power_sums_converge with c; auto.
    - apply is_lim_seq_ext with (fun n => upto (fun j => step L j * (upto (fun r => power beta (INR r))
        (Nat.min (k n) (reached L j n)) / Rpower (INR n) (1 - beta))) m).
      + intro n; unfold Rdiv at 2; rewrite Rmult_comm, <- upto_scal; apply upto_ext; intros j _; unfold Rdiv; ring.
      + apply (upto_lim (fun j n => _)); intros j Hj; destruct (H j Hj) as (_ & _ & S & M & Ms & _).
        apply (is_lim_seq_scal_l _ (step L j) (Rpower (Rmin c (share L j)) (1 - beta) / (1 - beta))).
        apply ideal_sums_converge; auto.
  Qed.
  (** Theorem 14: nothing is cut. *)
  Theorem theorem_14_core : forall L m, (1 <= m)%nat ->
    (forall j, (1 <= j <= m)%nat -> settled beta 1 L j) ->
    is_lim_seq (fun n => upto (fun r => mean_grade L m (INR r / INR n) * power beta (INR r)) n
      / upto (fun j => step L j * upto (fun r => power beta (INR r)) (reached L j n)) m)
      (upto (fun j => step L j * paid L j) m
       / upto (fun j => step L j * (Rpower (share L j) (1 - beta) / (1 - beta))) m).
  Proof.
    intros L m m1 H.
    assert (T := theorem_17_core L m (fun n => n) 1 m1 ltac:(lra) H (fun n => le_n n) all_of_all).
    assert (E : upto (fun j => step L j * (Rpower (Rmin 1 (share L j)) (1 - beta) / (1 - beta))) m
      = upto (fun j => step L j * (Rpower (share L j) (1 - beta) / (1 - beta))) m).
    { apply upto_ext; intros j Hj; destruct (H j Hj) as (_ & _ & S & _); rewrite Rmin_right; lra. }
    rewrite E in T; refine (is_lim_seq_ext _ _ _ _ T); intro n; f_equal.
    apply upto_ext; intros j Hj; destruct (H j Hj) as (_ & _ & _ & M & _); now rewrite Nat.min_r by apply M.
  Qed.
End Graded.
