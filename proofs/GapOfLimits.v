(** wang/lemma-33 (chapter when-limits-tie): if the limits agree, the values of the curves at depth 0 keep the
    pseudo-expectations apart. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import PowerSums.
Open Scope R_scope.

(** The pseudo-expectation of NDCG under the discount r^(-beta), with a proportion p of relevant items. *)
Definition pseudo_expectation (beta p : R) (g : R -> R) (n : nat) : R :=
  RInt (fun x => g (x / INR n) * power beta x) 1 (INR n) / RInt (power beta) 1 (INR n * p).

Section Gap.
  Variable beta : R.
  Hypothesis between : 0 < beta < 1.
  Lemma integrable_gap g a b : (forall u, 0 <= u <= 1 -> continuous g u) -> 0 < a <= b -> b <= 1 ->
    ex_RInt (fun u => g u * power beta u) a b.
  Proof.
    intros C H b1; apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros u.
    rewrite Rmin_left, Rmax_right by lra; intro Hu.
    apply (continuous_mult (K := R_AbsRing)); [apply C|apply power_continuous]; lra.
  Qed.
  (** If the total is 0 and the function is at least d down to depth c, the part below c compensates for it. *)
  Lemma top_decides g c d : (forall u, 0 <= u <= 1 -> continuous g u) -> 0 < c <= 1 -> 0 < d ->
    (forall u, 0 < u < c -> d <= g u) -> from_0_to 1 beta g 0 ->
    RInt (fun u => g u * power beta u) c 1 <= - (d * (Rpower c (1 - beta) / (1 - beta))).
  Proof.
    intros C Hc d0 H Z; set (X := RInt _ c 1); set (F := Rpower c (1 - beta) / (1 - beta)).
    destruct (Rle_lt_dec X (- (d * F))) as [h|h]; auto; exfalso; set (t := X + d * F).
    assert (t0 : 0 < t / 2) by (unfold t; lra).
    assert (s0 : 0 < t / 2 / d) by (now apply Rdiv_lt_0_compat).
    assert (A := Z (ball 0 (mkposreal _ t0)) (locally_ball 0 _)).
    assert (B := all_ones beta between c (proj1 Hc) (ball F (mkposreal _ s0)) (locally_ball F _)).
    assert (E : at_right 0 (fun e => 0 < e < c)).
    { exists (mkposreal c (proj1 Hc)); intros e He e0; change (Rabs (e - 0) < c) in He.
      rewrite Rminus_0_r, Rabs_pos_eq in He; lra. }
    destruct (filter_ex (F := at_right 0) (fun e => 0 < e < c
      /\ Rabs (RInt (fun u => g u * power beta u) e 1 - 0) < t / 2
      /\ Rabs (RInt (fun u => 1 * power beta u) e c - F) < t / 2 / d)) as [e [He [Ae Be]]];
      [apply filter_and; [exact E|apply filter_and; [exact A|exact B]]|].
    apply Rabs_def2 in Ae; apply Rabs_def2 in Be.
    assert (I : d * RInt (fun u => 1 * power beta u) e c <= RInt (fun u => g u * power beta u) e c).
    { assert (O : forall u, 0 <= u <= 1 -> continuous (fun _ : R => 1) u)
        by (intros u _; apply continuous_const).
      assert (J := integrable_gap _ e c O ltac:(lra) ltac:(lra)).
      assert (K := RInt_scal (V := R_CompleteNormedModule) _ e c d J).
      apply Rle_trans with (1 := Req_le _ _ (eq_sym K)), RInt_le; [lra|apply (ex_RInt_scal _ _ _ d J)|apply integrable_gap; auto; lra|].
      intros u Hu; unfold scal; simpl; unfold mult; simpl; rewrite Rmult_1_l.
      apply Rmult_le_compat_r; [left; apply exp_pos|apply H; lra]. }
    assert (S := RInt_Chasles (V := R_CompleteNormedModule) (fun u => g u * power beta u) e c 1
      ltac:(apply integrable_gap; auto; lra) ltac:(apply integrable_gap; auto; lra)).
    unfold plus in S; simpl in S; fold X in S.
    assert (d * (t / 2 / d) = t / 2) by (field; lra); unfold t in *; nra.
  Qed.
  Lemma gap p (g0 g1 : R -> R) : 0 < p <= 1 -> curve g0 -> curve g1 ->
    from_0_to 1 beta (fun u => g0 u - g1 u) 0 -> g1 0 < g0 0 ->
    eventually (fun n => (g0 0 - g1 0) / (2 * Rpower (INR n * p) (1 - beta))
      <= pseudo_expectation beta p g1 n - pseudo_expectation beta p g0 n).
  Proof.
    intros Hp G0 G1 Z L; set (d := (g0 0 - g1 0) / 2); assert (d0 : 0 < d) by (unfold d; lra).
    assert (C : forall u, 0 <= u <= 1 -> continuous (fun u => g0 u - g1 u) u)
      by (intros u Hu; apply (continuous_minus (K := R_AbsRing) (V := R_NormedModule)); [apply G0|apply G1]; auto).
    destruct (C 0 ltac:(lra) (ball (g0 0 - g1 0) (mkposreal d d0)) (locally_ball _ _)) as [r Hr].
    destruct (nfloor_ex (/ r + / p) ltac:(assert (0 < / r) by (apply Rinv_0_lt_compat, cond_pos);
      assert (0 < / p) by (apply Rinv_0_lt_compat; lra); lra)) as [m Hm].
    exists (S m); intros n Hn; apply le_INR in Hn; rewrite S_INR in Hn.
    assert (r0 := cond_pos r); assert (ir : 0 < / r) by (now apply Rinv_0_lt_compat).
    assert (ip : 1 <= / p) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
    assert (n0 : 0 < INR n) by lra; assert (i0 : 0 < / INR n) by (now apply Rinv_0_lt_compat).
    assert (inr : / INR n < r) by (rewrite <- (Rinv_inv r); apply Rinv_lt_contravar; nra).
    assert (np : 1 < INR n * p).
    { apply Rmult_lt_reg_r with (/ p); [lra|]; rewrite Rmult_assoc, Rinv_r; lra. }
    assert (n1 : (1 <= n <= n)%nat) by (split; [apply INR_le; simpl; lra|lia]).
    set (F := RInt (power beta) 1 (INR n * p)).
    assert (HF : F = (Rpower (INR n * p) (1 - beta) - 1) / (1 - beta)).
    { set (f := fun x => Rpower x (1 - beta) / (1 - beta)); unfold F.
      assert (O : Rpower 1 (1 - beta) = 1) by (unfold Rpower; now rewrite ln_1, Rmult_0_r, exp_0).
      replace ((Rpower (INR n * p) (1 - beta) - 1) / (1 - beta)) with (f (INR n * p) - f 1)
        by (unfold f; rewrite O; field; lra).
      apply is_RInt_unique, (is_RInt_derive f (power beta)); rewrite Rmin_left, Rmax_right by lra;
        intros x Hx; [apply power_primitive|apply power_continuous]; lra. }
    assert (Q : 1 < Rpower (INR n * p) (1 - beta)).
    { rewrite <- exp_0 at 1; apply exp_increasing, Rmult_lt_0_compat; [lra|].
      rewrite <- ln_1; apply ln_increasing; lra. }
    assert (F0 : 0 < F) by (rewrite HF; apply Rdiv_lt_0_compat; lra).
    set (P := Rpower (INR n) (1 - beta)); assert (P0 : 0 < P) by apply exp_pos.
    unfold pseudo_expectation; fold F; rewrite !integral_in_depths by auto; fold P.
    replace (INR n / INR n) with 1 by (field; lra).
    assert (T := top_decides (fun u => g0 u - g1 u) (/ INR n) d C
      ltac:(split; auto; rewrite <- Rinv_1; apply Rinv_le_contravar; lra) d0
      ltac:(intros u Hu; specialize (Hr u ltac:(change (Rabs (u - 0) < r); rewrite Rminus_0_r, Rabs_pos_eq; lra));
        change (Rabs (g0 u - g1 u - (g0 0 - g1 0)) < d) in Hr; apply Rabs_def2 in Hr; unfold d in *; lra) Z).
    assert (S : RInt (fun u => (g0 u - g1 u) * power beta u) (/ INR n) 1
      = RInt (fun u => g0 u * power beta u) (/ INR n) 1 - RInt (fun u => g1 u * power beta u) (/ INR n) 1).
    { rewrite <- (RInt_minus (V := R_CompleteNormedModule)) by
        (apply integrable_gap; [intros u Hu; now apply G0 || now apply G1|split; auto|lra];
         rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
      apply RInt_ext; intros u _; unfold minus, plus, opp; simpl; ring. }
    cbv beta in T; rewrite S in T; replace (Rpower (/ INR n) (1 - beta)) with (/ P) in T
      by (unfold P, Rpower; rewrite ln_Rinv by auto; rewrite <- exp_Ropp; f_equal; ring).
    apply Rle_trans with (d / (1 - beta) / F).
    - replace ((g0 0 - g1 0) / (2 * Rpower (INR n * p) (1 - beta)))
        with (d / (1 - beta) / (Rpower (INR n * p) (1 - beta) / (1 - beta))) by (unfold d; field; lra).
      apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra|]; apply Rinv_le_contravar; auto.
      rewrite HF; apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat|]; lra.
    - replace (_ / F - _ / F) with (P * (RInt (fun u => g1 u * power beta u) (/ INR n) 1
        - RInt (fun u => g0 u * power beta u) (/ INR n) 1) / F) by (field; lra).
      apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|].
      apply Rmult_le_reg_l with (/ P); [now apply Rinv_0_lt_compat|].
      rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l by lra.
      replace (/ P * (d / (1 - beta))) with (d * (/ P / (1 - beta))) by (field; lra); lra.
  Qed.
  Theorem lemma_33 : forall p (g0 g1 : R -> R), 0 < p <= 1 -> curve g0 -> curve g1 ->
    from_0_to 1 beta (fun u => g0 u - g1 u) 0 -> g0 0 <> g1 0 ->
    eventually (fun n => Rabs (g0 0 - g1 0) / (2 * Rpower (INR n * p) (1 - beta))
      <= Rabs (pseudo_expectation beta p g0 n - pseudo_expectation beta p g1 n)).
  Proof.
    intros p g0 g1 Hp G0 G1 Z N; destruct (Rtotal_order (g0 0) (g1 0)) as [L|[L|L]]; [|easy|].
    - assert (Z' : from_0_to 1 beta (fun u => g1 u - g0 u) 0).
      { unfold from_0_to; rewrite <- Ropp_0 at 2.
        apply filterlim_ext_loc with (fun e => - RInt (fun u => (g0 u - g1 u) * power beta u) e 1).
        - exists (mkposreal 1 Rlt_0_1); intros e He e0; change (Rabs (e - 0) < 1) in He.
          rewrite Rminus_0_r, Rabs_pos_eq in He by lra.
          rewrite <- (RInt_opp (V := R_CompleteNormedModule)).
          + apply RInt_ext; intros u _; unfold opp; simpl; ring.
          + apply integrable_gap; try lra; intros u Hu.
            apply (continuous_minus (K := R_AbsRing) (V := R_NormedModule)); [apply G0|apply G1]; auto.
        - apply (filterlim_comp _ _ _ _ Ropp _ (locally 0) _ Z).
          apply (filterlim_opp (K := R_AbsRing) (V := R_NormedModule)). }
      destruct (gap p g1 g0 Hp G1 G0 Z' L) as [m Hm]; exists m; intros n Hn; specialize (Hm n Hn).
      rewrite Rabs_left1 by lra; rewrite Ropp_minus_distr.
      apply Rle_trans with (1 := Hm), Rle_abs.
    - destruct (gap p g0 g1 Hp G0 G1 Z L) as [m Hm]; exists m; intros n Hn; specialize (Hm n Hn).
      rewrite Rabs_pos_eq by lra; rewrite Rabs_minus_sym; apply Rle_trans with (1 := Hm), Rle_abs.
  Qed.
End Gap.
