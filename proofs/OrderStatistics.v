(** wang/claim-26 (chapter inside-the-proofs-i): ranks are close to their expected depths, by Hoeffding's
    inequality for independent trials. *)
From Coq Require Import Reals List Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import Ranking SortedIsBest EverythingTendsToOne CoinTosses.
Open Scope R_scope.

Lemma grows_from_0 (f df : R -> R) x : 0 <= x -> f 0 = 0 ->
  (forall y, 0 <= y <= x -> is_derive f y (df y) /\ 0 <= df y) -> 0 <= f x.
Proof.
  intros x0 f0 H; destruct (MVT_gen f 0 x df) as (c & Hc & E); rewrite Rmin_left, Rmax_right in * by lra.
  - intros y Hy; apply H; lra.
  - intros y Hy; apply continuity_pt_filterlim, (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)).
    exists (df y); apply H; lra.
  - destruct (H c ltac:(lra)) as [_ P]; nra.
Qed.
(** Hoeffding's lemma: the moment generating function of one trial grows no faster than that of the normal
    distribution with variance 1/4. *)
Lemma hoeffding_right p x : 0 <= p <= 1 -> 0 <= x -> 1 - p + p * exp x <= exp (p * x + x ^ 2 / 8).
Proof.
  intros Hp x0; assert (ge1 : forall y, 0 <= y -> 1 <= 1 - p + p * exp y).
  { intros y y0; assert (Z := exp_ineq1_le y); nra. }
  assert (slope : forall y, 0 <= y -> 0 <= p + y / 4 - p * exp y / (1 - p + p * exp y)).
  { intros y y0; apply (grows_from_0 (fun y => p + y / 4 - p * exp y / (1 - p + p * exp y))
      (fun y => / 4 - p * exp y * (1 - p) / (1 - p + p * exp y) ^ 2)); auto.
    - rewrite exp_0; field; lra.
    - intros z Hz; assert (G := ge1 z ltac:(lra)); split.
      + auto_derive; [lra|field; lra].
      + set (b := p * exp z) in *; replace (/ 4 - b * (1 - p) / (1 - p + b) ^ 2)
          with ((1 - p - b) ^ 2 / (4 * (1 - p + b) ^ 2)) by (field; lra).
        apply Rmult_le_pos; [apply pow2_ge_0|left; apply Rinv_0_lt_compat; nra]. }
  assert (F : 0 <= p * x + x ^ 2 / 8 - ln (1 - p + p * exp x)).
  { apply (grows_from_0 (fun x => p * x + x ^ 2 / 8 - ln (1 - p + p * exp x))
      (fun y => p + y / 4 - p * exp y / (1 - p + p * exp y))); auto.
    - rewrite exp_0; replace (1 - p + p * 1) with 1 by ring; rewrite ln_1; field.
    - intros y Hy; assert (G := ge1 y ltac:(lra)); split; [auto_derive; [lra|field; lra]|apply slope; lra]. }
  assert (G := ge1 x x0); rewrite <- (exp_ln (1 - p + p * exp x)) by lra.
  destruct F as [F|F]; [left; apply exp_increasing; lra|right; f_equal; lra].
Qed.
Lemma hoeffding p x : 0 <= p <= 1 -> 1 - p + p * exp x <= exp (p * x + x ^ 2 / 8).
Proof.
  intro Hp; destruct (Rle_dec 0 x) as [h|h]; [now apply hoeffding_right|].
  assert (B := hoeffding_right (1 - p) (- x) ltac:(lra) ltac:(lra)).
  apply Rmult_le_compat_l with (r := exp x) in B; [|left; apply exp_pos].
  rewrite <- exp_plus in B; rewrite exp_Ropp in B; assert (X := exp_pos x).
  replace (exp x * (1 - (1 - p) + (1 - p) * / exp x)) with (1 - p + p * exp x) in B by (field; lra).
  apply Rle_trans with (1 := B); right; f_equal; field.
Qed.
(** The number of successes in n trials rarely deviates by n t or more, on either side (side = 1 or -1). *)
Theorem few_stray : forall p n side t, 0 <= p <= 1 -> 0 <= t -> side ^ 2 = 1 ->
  P (repeat p n) (fun l => INR n * t <= side * (sum l - INR n * p)) (fun l => Rle_dec _ _)
  <= exp (- 2 * INR n * t ^ 2).
Proof.
  intros p n side t Hp t0 S; unfold P; set (x := 4 * t * side).
  set (a := exp (- x * (INR n * p) - 4 * t * (INR n * t))).
  apply Rle_trans with (E (repeat p n) (fun l => a * exp (- (- x) * sum l))).
  - apply E_le; auto; intros l _; unfold a; rewrite <- exp_plus; destruct Rle_dec as [h|h];
      [|left; apply exp_pos].
    rewrite <- exp_0 at 1; replace (- x * (INR n * p) - 4 * t * (INR n * t) + - - x * sum l)
      with (4 * t * (side * (sum l - INR n * p) - INR n * t)) by (unfold x; ring).
    assert (Q : 0 <= 4 * t * (side * (sum l - INR n * p) - INR n * t)) by (apply Rmult_le_pos; lra).
    destruct Q as [Q|<-]; [left; now apply exp_increasing|lra].
  - rewrite E_scal, E_exp, Ropp_involutive.
    assert (H := hoeffding p x Hp); apply Rle_trans with (a * exp (p * x + x ^ 2 / 8) ^ n).
    + apply Rmult_le_compat_l; [left; apply exp_pos|]; apply pow_incr; split; auto.
      assert (X := exp_pos x); nra.
    + rewrite <- Rpower_pow by apply exp_pos; unfold Rpower, a; rewrite ln_exp, <- exp_plus.
      right; f_equal; unfold x; replace ((4 * t * side) ^ 2) with (16 * t ^ 2 * side ^ 2) by ring.
      rewrite S; field.
Qed.

(** The n-th part of a third root: n w^2 = n^(1/3). *)
Definition stray (n : nat) : R := Rpower (INR n) (- / 3).
Lemma stray_squared n : (1 <= n)%nat -> INR n * stray n ^ 2 = Rpower (INR n) (/ 3).
Proof.
  intro n1; apply le_INR in n1; simpl INR in n1; unfold stray; rewrite <- Rpower_pow by apply exp_pos.
  rewrite Rpower_mult; rewrite <- (Rpower_1 (INR n)) at 1 by lra; rewrite <- Rpower_plus; f_equal.
  simpl; field.
Qed.
(** Rank r lies below depth u if fewer than r of the n items lie above u, each with probability u. *)
Theorem claim_26_core : forall n r, (1 <= r <= n)%nat ->
  (INR r / INR n + stray n <= 1 ->
     P (repeat (INR r / INR n + stray n) n) (fun l => sum l < INR r) (fun l => Rlt_dec _ _)
     <= exp (- 2 * Rpower (INR n) (/ 3))) /\
  (0 <= INR r / INR n - stray n ->
     P (repeat (INR r / INR n - stray n) n) (fun l => INR r <= sum l) (fun l => Rle_dec _ _)
     <= exp (- 2 * Rpower (INR n) (/ 3))).
Proof.
  intros n r Hr; assert (n0 : 0 < INR n) by (apply lt_0_INR; lia).
  assert (r1 := le_INR r n ltac:(lia)); assert (r0 := pos_INR r); assert (s0 : 0 < stray n) by apply exp_pos.
  assert (q : 0 <= INR r / INR n <= 1).
  { split; [apply Rmult_le_pos; [auto|left; now apply Rinv_0_lt_compat]|].
    apply Rmult_le_reg_r with (INR n); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  assert (R' : INR n * (INR r / INR n) = INR r) by (field; lra).
  rewrite <- stray_squared by lia; split; intro H.
  - replace (-2 * (INR n * stray n ^ 2)) with (-2 * INR n * stray n ^ 2) by ring.
    refine (Rle_trans _ _ _ _ (few_stray (INR r / INR n + stray n) n (-1) (stray n) ltac:(lra) ltac:(lra) ltac:(ring))).
    unfold P; apply E_le; [lra|]; intros l _; destruct Rlt_dec, Rle_dec; lra.
  - replace (-2 * (INR n * stray n ^ 2)) with (-2 * INR n * stray n ^ 2) by ring.
    refine (Rle_trans _ _ _ _ (few_stray (INR r / INR n - stray n) n 1 (stray n) ltac:(lra) ltac:(lra) ltac:(ring))).
    unfold P; apply E_le; [lra|]; intros l _; destruct (Rle_dec (INR r) (sum l)), Rle_dec; lra.
Qed.
