(** The deterministic cores of wang/theorem-7 (chapter polynomial-discounts-keep-the-difference) and
    wang/theorem-13 (chapter short-cutoffs): labels are replaced by their probabilities g(r/n). *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import ZipfSeesTheTop SumsAndIntegrals.
Open Scope R_scope.
Definition power (beta x : R) : R := Rpower x (- beta).
Definition curve (g : R -> R) : Prop := forall u, 0 <= u <= 1 -> continuous g u /\ 0 <= g u <= 1.
(** The integral of g(u) u^(-beta) from 0 to c. *)
Definition from_0_to (c beta : R) (g : R -> R) (J : R) : Prop :=
  filterlim (fun e => RInt (fun u => g u * power beta u) e c) (at_right 0) (locally J).

Section Power.
  Variable beta : R.
  Hypothesis between : 0 < beta < 1.
  Lemma power_continuous x : 0 < x -> continuous (power beta) x.
  Proof.
    intro H; apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)).
    unfold power, Rpower; auto_derive; auto.
  Qed.
  Lemma power_falls x y : 0 < x <= y -> power beta y <= power beta x.
  Proof.
    intros [x0 [h|<-]]; [|lra]; left; apply exp_increasing; assert (L := ln_increasing x y x0 h); nra.
  Qed.
  Lemma power_primitive x : 0 < x -> is_derive (fun y => Rpower y (1 - beta) / (1 - beta)) x (power beta x).
  Proof.
    intro H; unfold power, Rpower; auto_derive; [lra|].
    replace ((1 - beta) * ln x) with (ln x + - beta * ln x) by ring.
    rewrite exp_plus, exp_ln by lra; field; lra.
  Qed.
  Lemma power_integral k : 1 <= k -> RInt (power beta) 1 k <= Rpower k (1 - beta) / (1 - beta).
  Proof.
    intro H; set (f := fun x => Rpower x (1 - beta) / (1 - beta)).
    rewrite (is_RInt_unique _ _ _ (f k - f 1)).
    - assert (0 < f 1) by (apply Rdiv_lt_0_compat; [apply exp_pos|lra]); unfold f in *; lra.
    - apply (is_RInt_derive f (power beta)); rewrite Rmin_left, Rmax_right by lra; intros x Hx;
        [apply power_primitive|apply power_continuous]; lra.
  Qed.
  Lemma integral_in_depths g n k : (1 <= k <= n)%nat -> curve g ->
    RInt (fun x => g (x / INR n) * power beta x) 1 (INR k)
    = Rpower (INR n) (1 - beta) * RInt (fun u => g u * power beta u) (/ INR n) (INR k / INR n).
  Proof.
    intros Hk G; set (N := INR n); set (P := Rpower N (1 - beta)).
    assert (k1 : 1 <= INR k) by (apply (le_INR 1); lia).
    assert (kn : INR k <= N) by (apply le_INR; lia).
    assert (i0 : 0 < / N) by (apply Rinv_0_lt_compat; lra).
    assert (I : forall x, 0 <= x <= N -> 0 <= x / N <= 1)
      by (intros; unfold Rdiv; rewrite <- (Rinv_r N) by lra; split; nra).
    symmetry; rewrite <- (Rmult_1_l (/ N)) at 1; fold (Rdiv 1 N).
    assert (X : ex_RInt (fun u => g u * power beta u) (1 / N) (INR k / N)).
    { apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros u Hu.
      assert (L : 1 / N <= INR k / N) by (unfold Rdiv; nra).
      rewrite Rmin_left, Rmax_right in Hu by auto; assert (Y := I (INR k) ltac:(lra)).
      assert (0 < 1 / N) by (unfold Rdiv; lra).
      apply (continuous_mult (K := R_AbsRing)); [apply G|apply power_continuous]; lra. }
    assert (Z := is_RInt_comp_lin (fun u => g u * power beta u) (/ N) 0 1 (INR k)
      (RInt (fun u => g u * power beta u) (1 / N) (INR k / N))).
    replace (/ N * 1 + 0) with (1 / N) in Z by (field; lra).
    replace (/ N * INR k + 0) with (INR k / N) in Z by (field; lra).
    specialize (Z (RInt_correct _ _ _ X)); apply (is_RInt_scal _ _ _ P) in Z.
    symmetry; apply is_RInt_unique; refine (is_RInt_ext _ _ _ _ _ _ Z).
    intros x; rewrite Rmin_left, Rmax_right by lra; intro Hx; unfold scal; simpl; unfold mult; simpl.
    replace (/ N * x + 0) with (x / N) by (field; lra); unfold P, power, Rdiv, Rpower.
    rewrite ln_mult, ln_Rinv by lra.
    replace (- beta * (ln x + - ln N)) with (ln N + - beta * ln x + - ((1 - beta) * ln N)) by ring.
    rewrite !exp_plus, exp_Ropp, exp_ln by lra; field; repeat split; try lra; apply Rgt_not_eq, exp_pos.
  Qed.
  Lemma sum_near_power_integral g n k eps : (1 <= k <= n)%nat -> curve g -> 0 <= eps ->
    (forall u v, 0 <= u <= 1 -> 0 <= v <= 1 -> Rabs (u - v) <= / INR n -> Rabs (g u - g v) <= eps) ->
    Rabs (upto (fun r => g (INR r / INR n) * power beta (INR r)) k / Rpower (INR n) (1 - beta)
      - RInt (fun u => g u * power beta u) (/ INR n) (INR k / INR n))
    <= eps / (1 - beta) + / Rpower (INR n) (1 - beta).
  Proof.
    intros Hk G e0 U; set (N := INR n); set (P := Rpower N (1 - beta)).
    assert (k1 : 1 <= INR k) by (apply (le_INR 1); lia).
    assert (kn : INR k <= N) by (apply le_INR; lia); assert (P0 : 0 < P) by apply exp_pos.
    assert (i0 : 0 < / N) by (apply Rinv_0_lt_compat; lra).
    assert (I : forall x, 0 <= x <= N -> 0 <= x / N <= 1)
      by (intros; unfold Rdiv; rewrite <- (Rinv_r N) by lra; split; nra).
    set (h := fun x => g (x / N)).
    assert (T : tame h 1 k).
    { intros x Hx; destruct (G (x / N) ltac:(apply I; lra)) as [C B]; split; auto.
      apply (continuous_comp (fun y => y / N) g); auto.
      apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)); auto_derive; lra. }
    assert (St : steady h eps k).
    { intros r x Hr Hx; assert (L := le_INR (S r) k ltac:(lia)); rewrite S_INR in L.
      assert (r0 := pos_INR r); apply U; try (apply I; lra); [].
      replace (x / N - INR r / N) with ((x - INR r) * / N) by (field; lra).
      rewrite Rabs_pos_eq by (apply Rmult_le_pos; lra); fold N; nra. }
    assert (B := sum_near_integral (power beta) h 1 eps ltac:(intros; apply power_continuous; lra)
      ltac:(intros; apply power_falls; lra) ltac:(intros; left; apply exp_pos) k ltac:(lia) T St).
    assert (O : power beta 1 = 1) by (unfold power, Rpower; rewrite ln_1, Rmult_0_r; apply exp_0).
    assert (Q := power_integral (INR k) k1); rewrite O in B.
    assert (KP : Rpower (INR k) (1 - beta) <= P) by (apply Rle_Rpower_l; lra).
    assert (E := integral_in_depths g n k Hk G); fold N P in E.
    change (RInt (fun x => h x * power beta x) 1 (INR k)
      = P * RInt (fun u => g u * power beta u) (/ N) (INR k / N)) in E.
    rewrite E in B; apply Rmult_le_reg_r with P; auto.
    rewrite <- (Rabs_pos_eq P) at 2 by lra; rewrite <- Rabs_mult.
    replace ((_ / P - _) * P) with (upto (fun r => h (INR r) * power beta (INR r)) k
      - P * RInt (fun u => g u * power beta u) (/ N) (INR k / N)) by (unfold h; field; lra).
    apply Rle_trans with (1 := B); replace ((eps / (1 - beta) + / P) * P)
      with (eps * (P / (1 - beta)) + 1 * 1) by (field; split; lra).
    apply Rplus_le_compat_r, Rmult_le_compat_l; auto; apply Rle_trans with (1 := Q).
    apply Rmult_le_compat_r; auto; left; apply Rinv_0_lt_compat; lra.
  Qed.
  Theorem power_sums_converge g (k : nat -> nat) c J : 0 < c <= 1 -> curve g ->
    (forall n, (k n <= n)%nat) -> is_lim_seq (fun n => INR (k n) / INR n) c -> from_0_to c beta g J ->
    is_lim_seq (fun n => upto (fun r => g (INR r / INR n) * power beta (INR r)) (k n)
      / Rpower (INR n) (1 - beta)) J.
  Proof.
    intros Hc G Hk Kc HJ.
    assert (N0 : is_lim_seq (fun n => / INR n) 0)
      by (apply (is_lim_seq_inv _ p_infty); [apply is_lim_seq_INR|easy]).
    assert (P0 : is_lim_seq (fun n => / Rpower (INR n) (1 - beta)) 0).
    { apply (is_lim_seq_inv _ p_infty); [|easy].
      apply (is_lim_comp_seq exp (fun n => (1 - beta) * ln (INR n)) p_infty p_infty);
        [apply is_lim_exp_p|now exists O|].
      assert (L : is_lim_seq (fun n => ln (INR n)) p_infty)
        by (apply (is_lim_comp_seq ln _ p_infty); [apply is_lim_ln_p|now exists O|apply is_lim_seq_INR]).
      apply (is_lim_seq_scal_l _ (1 - beta)) in L; simpl in L; destruct Rle_dec as [h|h] in L; [|lra].
      destruct (Rle_lt_or_eq_dec 0 (1 - beta) h); [exact L|lra]. }
    (* from 1/n to c, and from k/n to c *)
    assert (A : is_lim_seq (fun n => RInt (fun u => g u * power beta u) (/ INR n) c) J).
    { apply (filterlim_comp _ _ _ (fun n => / INR n) (fun e => RInt (fun u => g u * power beta u) e c)
        _ (at_right 0)); auto.
      intros Q [d Hd]; apply is_lim_seq_spec in N0; destruct (N0 d) as [m Hm]; exists (S m); intros n Hn.
      apply Hd; [apply Hm; lia|apply Rinv_0_lt_compat, lt_0_INR; lia]. }
    set (B := fun n => 2 / c * Rabs (c - INR (k n) / INR n)).
    assert (B0 : is_lim_seq B 0).
    { replace (Finite 0) with (Rbar_mult (2 / c) (Rabs (c - c)))
        by (simpl; f_equal; rewrite Rminus_eq_0, Rabs_R0; ring).
      apply is_lim_seq_scal_l, (is_lim_seq_abs _ (Finite (c - c))), is_lim_seq_minus'; auto.
      apply is_lim_seq_const. }
    assert (near : forall e, 0 < e -> eventually (fun n => Rabs (
      upto (fun r => g (INR r / INR n) * power beta (INR r)) (k n) / Rpower (INR n) (1 - beta)
      - RInt (fun u => g u * power beta u) (/ INR n) c)
      <= e / (1 - beta) + / Rpower (INR n) (1 - beta) + B n)).
    { intros e e0; destruct (Heine_cor2 (f := g) (a := 0) (b := 1)
        ltac:(intros u Hu; apply continuity_pt_filterlim, G, Hu) (mkposreal e e0)) as [d Hd].
      assert (L1 := N0); apply is_lim_seq_spec in L1; destruct (L1 d) as [m1 M1].
      assert (L2 := Kc); apply is_lim_seq_spec in L2.
      destruct (L2 (mkposreal (c / 2) ltac:(lra))) as [m2 M2]; simpl in M2.
      exists (S (max m1 m2)); intros n Hn; specialize (M1 n ltac:(lia)); specialize (M2 n ltac:(lia)).
      assert (n0 : 0 < INR n) by (apply lt_0_INR; lia); apply Rabs_def2 in M2.
      assert (i0 : 0 < / INR n) by (apply Rinv_0_lt_compat; lra).
      rewrite Rminus_0_r, Rabs_pos_eq in M1 by lra.
      assert (k1 : (1 <= k n)%nat)
        by (destruct (k n); [unfold Rdiv in M2; simpl in M2; rewrite Rmult_0_l in M2; lra|lia]).
      assert (kn := le_INR _ _ (Hk n)); assert (k1' := le_INR _ _ k1); simpl INR in k1'.
      assert (q1 : / INR n <= INR (k n) / INR n <= 1).
      { split; [unfold Rdiv; nra|]; apply Rmult_le_reg_r with (INR n); auto.
        unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
      assert (E := sum_near_power_integral g n (k n) e (conj k1 (Hk n)) G ltac:(lra)
        ltac:(intros u v Hu Hv Huv; left; apply Hd; lra)).
      set (q := INR (k n) / INR n) in *; set (f := fun u => g u * power beta u) in *.
      assert (ex : forall a b, 0 < a <= 1 -> 0 < b <= 1 -> ex_RInt f a b).
      { intros a b Ha Hb; apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros u Hu.
        assert (0 < u <= 1) by (revert Hu; unfold Rmin, Rmax; destruct Rle_dec; lra).
        apply (continuous_mult (K := R_AbsRing)); [apply G|apply power_continuous]; lra. }
      assert (Ch := RInt_Chasles (V := R_CompleteNormedModule) f (/ INR n) c q
        ltac:(apply ex; lra) ltac:(apply ex; lra)); unfold plus in Ch; simpl in Ch.
      assert (Z : Rabs (RInt f c q) <= Rabs (q - c) * (2 / c)).
      { refine (norm_RInt_le_const_abs f c q _ _ _ (RInt_correct _ _ _ (ex c q _ _))); try lra; [].
        intros u Hu; assert (U : c / 2 <= u <= 1) by (revert Hu; unfold Rmin, Rmax; destruct Rle_dec; lra).
        unfold norm; simpl; unfold abs; simpl; destruct (G u ltac:(lra)) as [_ Gu].
        assert (W : 0 < power beta u) by apply exp_pos.
        assert (V : power beta u <= 2 / c).
        { apply Rle_trans with (1 := power_falls (c / 2) u ltac:(lra)).
          replace (2 / c) with (/ (c / 2)) by (field; lra).
          rewrite <- (Rpower_1 (/ (c / 2))) by (apply Rinv_0_lt_compat; lra).
          unfold power, Rpower; rewrite ln_Rinv by lra.
          assert (ln (c / 2) <= 0) by (rewrite <- ln_1; left; apply ln_increasing; lra).
          destruct (Req_dec (- beta * ln (c / 2)) (1 * - ln (c / 2))) as [->|]; [lra|].
          left; apply exp_increasing; nra. }
        unfold f; rewrite Rabs_pos_eq by (apply Rmult_le_pos; lra); nra. }
      rewrite <- Ch in E; unfold B; fold q; rewrite (Rabs_minus_sym c q).
      match goal with |- Rabs (?s - ?i) <= _ =>
        replace (s - i) with ((s - (i + RInt f c q)) + RInt f c q) by ring end.
      apply Rle_trans with (1 := Rabs_triang _ _); lra. }
    apply is_lim_seq_spec; intros [e e0]; simpl.
    apply is_lim_seq_spec in A, B0, P0; set (t := mkposreal (e / 4) ltac:(lra)).
    destruct (A t) as [a Ha], (B0 t) as [b Hb], (P0 t) as [p Hp]; simpl in *.
    destruct (near (e / 4 * (1 - beta)) ltac:(nra)) as [m Hm].
    exists (a + b + p + m)%nat; intros n Hn; specialize (Ha n ltac:(lia)); specialize (Hb n ltac:(lia)).
    specialize (Hp n ltac:(lia)); specialize (Hm n ltac:(lia)); unfold Rdiv in Hm at 3.
    rewrite Rmult_assoc, Rinv_r, Rmult_1_r in Hm by lra.
    unfold Rabs in *; repeat destruct Rcase_abs; lra.
  Qed.
End Power.

Lemma all_of_all : is_lim_seq (fun n => INR n / INR n) 1.
Proof.
  apply is_lim_seq_ext_loc with (fun _ => 1); [|apply is_lim_seq_const].
  exists 1%nat; intros n Hn; field; apply not_0_INR; lia.
Qed.

Section Limits.
  Variable beta : R.
  Hypothesis between : 0 < beta < 1.

  (** The ideal list: the integral of u^(-beta) from 0 to c. *)
  Lemma all_ones c : 0 < c -> from_0_to c beta (fun _ => 1) (Rpower c (1 - beta) / (1 - beta)).
  Proof.
    intro c0; set (f := fun x => Rpower x (1 - beta) / (1 - beta)).
    intros Q [d Hd]; set (t := Rpower (d * (1 - beta)) (/ (1 - beta))).
    assert (d0 := cond_pos d); assert (t0 : 0 < Rmin c t) by (apply Rmin_glb_lt; [auto|apply exp_pos]).
    exists (mkposreal _ t0); intros e He e0; apply Hd.
    assert (B : e < c /\ e < t).
    { change (Rabs (e - 0) < Rmin c t) in He; rewrite Rminus_0_r, Rabs_pos_eq in He by lra.
      assert (X := Rmin_l c t); assert (Y := Rmin_r c t); lra. }
    rewrite (is_RInt_unique _ _ _ (f c - f e)).
    - change (Rabs (f c - f e - f c) < d); replace (f c - f e - f c) with (- f e) by ring.
      rewrite Rabs_Ropp, Rabs_pos_eq by (left; apply Rdiv_lt_0_compat; [apply exp_pos|lra]).
      apply Rmult_lt_reg_r with (1 - beta); [lra|].
      unfold f, Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply Rlt_le_trans with (Rpower t (1 - beta)); [apply Rlt_Rpower_l; lra|].
      unfold t; rewrite Rpower_mult, Rinv_l, Rpower_1 by nra; lra.
    - apply (is_RInt_ext (power beta)); [intros x _; symmetry; apply Rmult_1_l|].
      apply (is_RInt_derive f (power beta)); rewrite Rmin_left, Rmax_right by lra; intros x Hx;
        [apply power_primitive|apply power_continuous]; lra.
  Qed.
  (** The ideal list cut at k, if M of its items are relevant. *)
  Lemma ideal_sums_converge (k M : nat -> nat) c p : 0 < c <= 1 -> 0 < p <= 1 ->
    (forall n, (k n <= n)%nat /\ (M n <= n)%nat) ->
    is_lim_seq (fun n => INR (k n) / INR n) c -> is_lim_seq (fun n => INR (M n) / INR n) p ->
    is_lim_seq (fun n => upto (fun r => power beta (INR r)) (Nat.min (k n) (M n)) / Rpower (INR n) (1 - beta))
      (Rpower (Rmin c p) (1 - beta) / (1 - beta)).
  Proof.
    intros Hc Hp L Kc Mp; set (m := fun n => Nat.min (k n) (M n)).
    assert (m0 : 0 < Rmin c p <= 1) by (unfold Rmin; destruct Rle_dec; lra).
    assert (Mm := share_of_the_smaller k M c p Kc Mp).
    assert (ones : curve (fun _ => 1)) by (intros u _; split; [apply continuous_const|lra]).
    assert (B := power_sums_converge beta between (fun _ => 1) m _ _ m0 ones
      ltac:(intro n; unfold m; destruct (L n); lia) Mm (all_ones _ (proj1 m0))).
    refine (is_lim_seq_ext _ _ _ _ B); intro n; f_equal; apply upto_ext; intros; ring.
  Qed.
  Lemma ratio_of_sums X Y (a b : R) : b <> 0 -> is_lim_seq (fun n => X n / Rpower (INR n) (1 - beta)) a ->
    is_lim_seq (fun n => Y n / Rpower (INR n) (1 - beta)) b -> is_lim_seq (fun n => X n / Y n) (a / b).
  Proof.
    intros b0 A B; refine (is_lim_seq_ext _ _ _ _ (is_lim_seq_div' _ _ _ _ A B b0)); intro n; cbv beta.
    assert (Z0 : 0 < Rpower (INR n) (1 - beta)) by apply exp_pos.
    unfold Rdiv; rewrite Rinv_mult, Rinv_inv.
    transitivity (X n * / Y n * (/ Rpower (INR n) (1 - beta) * Rpower (INR n) (1 - beta))); [ring|].
    rewrite Rinv_l; lra.
  Qed.
  Theorem theorem_13_core : forall g (k M : nat -> nat) c p J, 0 < c <= 1 -> 0 < p <= 1 -> curve g ->
    (forall n, (k n <= n)%nat /\ (M n <= n)%nat) ->
    is_lim_seq (fun n => INR (k n) / INR n) c -> is_lim_seq (fun n => INR (M n) / INR n) p ->
    from_0_to c beta g J ->
    is_lim_seq (fun n => upto (fun r => g (INR r / INR n) * power beta (INR r)) (k n)
      / upto (fun r => power beta (INR r)) (Nat.min (k n) (M n)))
      ((1 - beta) / Rpower (Rmin c p) (1 - beta) * J).
  Proof.
    intros g k M c p J Hc Hp G L Kc Mp HJ; set (q := Rpower (Rmin c p) (1 - beta)).
    assert (q0 : 0 < q) by apply exp_pos.
    replace (Finite ((1 - beta) / q * J)) with (Finite (J / (q / (1 - beta)))) by (f_equal; field; lra).
    apply ratio_of_sums; [apply Rgt_not_eq, Rdiv_lt_0_compat; lra| |now apply ideal_sums_converge].
    exact (power_sums_converge beta between g k c J Hc G (fun n => proj1 (L n)) Kc HJ).
  Qed.

  (** Theorem 7: nothing is cut. *)
  Theorem theorem_7_core : forall g (M : nat -> nat) p J, 0 < p <= 1 -> curve g ->
    (forall n, (M n <= n)%nat) -> is_lim_seq (fun n => INR (M n) / INR n) p -> from_0_to 1 beta g J ->
    is_lim_seq (fun n => upto (fun r => g (INR r / INR n) * power beta (INR r)) n
      / upto (fun r => power beta (INR r)) (M n)) ((1 - beta) / Rpower p (1 - beta) * J).
  Proof.
    intros g M p J Hp G L Mp HJ.
    assert (T := theorem_13_core g (fun n => n) M 1 p J ltac:(lra) Hp G (fun n => conj (le_n n) (L n))).
    rewrite Rmin_right in T by lra; refine (is_lim_seq_ext _ _ _ _ (T _ Mp HJ)).
    - intro n; now rewrite Nat.min_r by apply L.
    - apply all_of_all.
  Qed.
End Limits.
