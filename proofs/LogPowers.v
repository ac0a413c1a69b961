(** wang/claim-28 (chapter inside-the-proofs-i): the integral of a power of the logarithm near 0 is small. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(** An antiderivative of log^k, by parts. *)
Fixpoint by_parts (k : nat) (x : R) : R :=
  match k with O => x | S j => x * ln x ^ S j - INR (S j) * by_parts j x end.
Fixpoint factor (k : nat) : R := match k with O => 1 | S j => 1 + INR (S j) * factor j end.
Lemma by_parts_derive k x : 0 < x -> is_derive (by_parts k) x (ln x ^ k).
Proof.
  intro x0; induction k as [|k IH]; cbn [by_parts].
  - apply (is_derive_ext (fun y => y)); [easy|]; apply (is_derive_id (K := R_AbsRing)).
  - assert (A : is_derive (fun y => y * ln y ^ S k) x (ln x ^ S k + INR (S k) * ln x ^ k)).
    { auto_derive; auto; change (match k with O => 1 | S _ => INR k + 1 end) with (INR (S k)).
      cbn [pow]; field; lra. }
    replace (ln x ^ S k) with (ln x ^ S k + INR (S k) * ln x ^ k - INR (S k) * ln x ^ k) by ring.
    apply (is_derive_minus (K := R_AbsRing) (V := R_NormedModule) _ _ _ _ _ A).
    apply (is_derive_scal (by_parts k) x (INR (S k)) _ IH).
Qed.
Lemma factor_pos k : 0 < factor k.
Proof.
  induction k as [|k IH]; cbn [factor]; [lra|]; assert (H := pos_INR (S k)); nra.
Qed.
Lemma by_parts_small k x : 0 < x -> ln x <= -1 -> Rabs (by_parts k x) <= factor k * (x * (- ln x) ^ k).
Proof.
  intros x0 L; assert (P : forall j, 1 <= (- ln x) ^ j) by (intro j; apply pow_R1_Rle; lra).
  induction k as [|k IH]; cbn [by_parts factor].
  - simpl; rewrite Rabs_pos_eq; lra.
  - assert (H := pos_INR (S k)); assert (F := factor_pos k).
    apply Rle_trans with (1 := Rabs_triang _ _); rewrite Rabs_Ropp, !Rabs_mult, (Rabs_pos_eq x) by lra.
    rewrite <- RPow_abs, (Rabs_left1 (ln x)), (Rabs_pos_eq (INR (S k))) by lra.
    rewrite Rmult_plus_distr_r, Rmult_1_l; apply Rplus_le_compat_l; rewrite Rmult_assoc.
    apply Rmult_le_compat_l; auto; apply Rle_trans with (1 := IH); apply Rmult_le_compat_l; [lra|].
    apply Rmult_le_compat_l; [lra|]; cbn [pow]; specialize (P k); nra.
Qed.
Lemma no_power_matters k : filterlim (fun x => x * (- ln x) ^ k) (at_right 0) (locally 0).
Proof.
  (* x = e^(-t), and t^k e^(-t) tends to 0: each factor t e^(-t/(k+1)) is bounded *)
  assert (B : forall t, 0 < t -> t ^ k * exp (- t) <= INR (S k) ^ S k * / t).
  { intros t t0; set (m := INR (S k)); assert (m0 : 0 < m) by (apply lt_0_INR; lia).
    assert (E : exp t = exp (t / m) ^ S k).
    { rewrite <- (Rpower_pow (S k)) by apply exp_pos; unfold Rpower; rewrite ln_exp; f_equal; fold m; field; lra. }
    assert (G : (t / m) ^ S k <= exp t).
    { rewrite E; apply pow_incr; split; [left; now apply Rdiv_lt_0_compat|].
      assert (X := exp_ineq1_le (t / m)); lra. }
    apply Rmult_le_reg_r with (t * exp t); [apply Rmult_lt_0_compat; auto; apply exp_pos|].
    rewrite exp_Ropp; replace (t ^ k * / exp t * (t * exp t)) with (t ^ S k)
      by (simpl; field; apply Rgt_not_eq, exp_pos).
    replace (m ^ S k * / t * (t * exp t)) with (m ^ S k * exp t) by (field; lra).
    replace (t ^ S k) with (m ^ S k * (t / m) ^ S k)
      by (rewrite <- Rpow_mult_distr; f_equal; field; lra).
    apply Rmult_le_compat_l; auto; left; now apply pow_lt. }
  intros Q [d Hd]; assert (d0 := cond_pos d); set (m := INR (S k) ^ S k).
  assert (m0 : 0 < m) by (apply pow_lt, lt_0_INR; lia).
  assert (T0 : 0 < Rmin (exp (- (m / d))) (exp (-1))) by (apply Rmin_pos; apply exp_pos).
  exists (mkposreal _ T0); intros x Hx x0; apply Hd.
  change (Rabs (x - 0) < Rmin (exp (- (m / d))) (exp (-1))) in Hx.
  rewrite Rminus_0_r, Rabs_pos_eq in Hx by lra.
  assert (L1 : ln x < - (m / d)).
  { rewrite <- (ln_exp (- (m / d))); apply ln_increasing; auto; assert (Z := Rmin_l (exp (- (m / d))) (exp (-1))); lra. }
  assert (md : 0 < m / d) by (now apply Rdiv_lt_0_compat).
  assert (X : x * (- ln x) ^ k <= m * / (- ln x)).
  { assert (Z := B (- ln x) ltac:(lra)); rewrite Ropp_involutive, exp_ln in Z by auto; fold m in Z; lra. }
  assert (Y : m * / (- ln x) < d).
  { apply Rmult_lt_reg_r with (- ln x); [lra|]; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply Rmult_lt_reg_l with (/ d); [now apply Rinv_0_lt_compat|].
    rewrite <- Rmult_assoc, Rinv_l by lra; unfold Rdiv in *; lra. }
  change (Rabs (x * (- ln x) ^ k - 0) < d); rewrite Rminus_0_r, Rabs_pos_eq; [lra|].
  apply Rmult_le_pos; [lra|]; apply pow_le; lra.
Qed.
Theorem claim_28 : forall k, exists C, forall n, (6 <= n)%nat -> exists J,
  filterlim (fun e => RInt (fun x => ln x ^ k) e (2 / INR n)) (at_right 0) (locally J)
  /\ Rabs J <= C * (ln (INR n) ^ k / INR n).
Proof.
  intro k; exists (2 * factor k); intros n n6; set (a := 2 / INR n).
  assert (N : 6 <= INR n) by (apply le_INR in n6; simpl in n6; lra).
  assert (a0 : 0 < a) by (apply Rdiv_lt_0_compat; lra).
  assert (l2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (la : ln a = ln 2 - ln (INR n)) by (unfold a, Rdiv; rewrite ln_mult, ln_Rinv; try lra; apply Rinv_0_lt_compat; lra).
  assert (e3 := exp_le_3).
  assert (l3 : 1 <= ln 3) by (rewrite <- (ln_exp 1); destruct e3 as [h|<-]; [left; apply ln_increasing; auto; apply exp_pos|lra]).
  assert (L : ln a <= -1).
  { assert (ln 6 <= ln (INR n)) by (destruct N as [h|<-]; [left; apply ln_increasing; lra|lra]).
    replace 6 with (2 * 3) in H by lra; rewrite ln_mult in H by lra; lra. }
  exists (by_parts k a); split.
  - apply filterlim_ext_loc with (fun e => by_parts k a - by_parts k e).
    + exists (mkposreal a a0); intros e He e0; symmetry.
      change (Rabs (e - 0) < a) in He; rewrite Rminus_0_r, Rabs_pos_eq in He by lra.
      apply is_RInt_unique, (is_RInt_derive (by_parts k) (fun x => ln x ^ k));
        rewrite Rmin_left, Rmax_right by lra; intros x Hx; [apply by_parts_derive; lra|].
      apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)); auto_derive; lra.
    + intros Q [d Hd].
      assert (d0 : 0 < d / factor k) by (apply Rdiv_lt_0_compat; [apply cond_pos|apply factor_pos]).
      destruct (no_power_matters k (ball 0 (mkposreal _ d0)) (locally_ball 0 _)) as [t Ht].
      assert (s0 : 0 < Rmin t (exp (-1))) by (apply Rmin_pos; [apply cond_pos|apply exp_pos]).
      exists (mkposreal _ s0); intros e He e0; apply Hd.
      change (Rabs (e - 0) < Rmin t (exp (-1))) in He.
      assert (He' := He); rewrite Rminus_0_r, Rabs_pos_eq in He' by lra.
      assert (Z1 := Rmin_l t (exp (-1))); assert (Z2 := Rmin_r t (exp (-1))).
      assert (Le : ln e <= -1) by (rewrite <- (ln_exp (-1)); left; apply ln_increasing; lra).
      specialize (Ht e ltac:(change (Rabs (e - 0) < t); lra) e0).
      change (Rabs (e * (- ln e) ^ k - 0) < d / factor k) in Ht; rewrite Rminus_0_r in Ht.
      rewrite Rabs_pos_eq in Ht by (apply Rmult_le_pos; [lra|apply pow_le; lra]).
      change (Rabs (by_parts k a - by_parts k e - by_parts k a) < d).
      replace (_ - _ - _) with (- by_parts k e) by ring; rewrite Rabs_Ropp.
      apply Rle_lt_trans with (1 := by_parts_small k e e0 Le).
      assert (F := factor_pos k); apply Rmult_lt_reg_l with (/ factor k); [now apply Rinv_0_lt_compat|].
      rewrite <- Rmult_assoc, Rinv_l by lra; unfold Rdiv in Ht; lra.
  - apply Rle_trans with (1 := by_parts_small k a a0 L).
    replace (2 * factor k * (ln (INR n) ^ k / INR n)) with (factor k * (a * ln (INR n) ^ k))
      by (unfold a; field; lra).
    apply Rmult_le_compat_l; [left; apply factor_pos|]; apply Rmult_le_compat_l; [lra|].
    apply pow_incr; lra.
Qed.
