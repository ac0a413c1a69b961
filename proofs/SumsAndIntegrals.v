(** wang/claim-31 (chapter inside-the-proofs-i): a sum over ranks is close to the integral, for any discount
    that never increases. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import ZipfSeesTheTop.
Open Scope R_scope.

Section Near.
  Variables (D h : R -> R) (M eps : R).
  Hypothesis D_continuous : forall x, 1 <= x -> continuous D x.
  Hypothesis D_falls : forall x y, 1 <= x <= y -> D y <= D x.
  Hypothesis D_positive : forall x, 1 <= x -> 0 <= D x.
  Definition tame (k : nat) : Prop := forall x, 1 <= x <= INR k -> continuous h x /\ 0 <= h x <= M.
  Definition steady (k : nat) : Prop := forall r x, (1 <= r < k)%nat -> INR r <= x <= INR r + 1 ->
    Rabs (h x - h (INR r)) <= eps.
  Lemma integrable (f : R -> R) a b : 1 <= a <= b ->
    (forall x, a <= x <= b -> continuous f x) -> ex_RInt f a b.
  Proof.
    intros H C; apply (ex_RInt_continuous (V := R_CompleteNormedModule)).
    rewrite Rmin_left, Rmax_right by lra; auto.
  Qed.
  Lemma one_step k : (1 <= k)%nat -> tame (S k) -> steady (S k) ->
    Rabs (h (INR k) * D (INR k) - RInt (fun x => h x * D x) (INR k) (INR (S k)))
    <= M * (D (INR k) - D (INR (S k))) + eps * RInt D (INR k) (INR (S k)).
  Proof.
    intros k1 T St; assert (k1' := le_INR _ _ k1); simpl INR in k1'; rewrite S_INR in *.
    set (a := INR k) in *; assert (S1 : INR (S k) = a + 1) by apply S_INR.
    assert (C : forall x, a <= x <= a + 1 -> continuous h x /\ 0 <= h x <= M).
    { intros x Hx; apply T; rewrite S1; lra. }
    assert (ID : is_RInt D a (a + 1) (RInt D a (a + 1))).
    { apply (RInt_correct (V := R_CompleteNormedModule)), integrable; [lra|intros; apply D_continuous; lra]. }
    assert (IH : is_RInt (fun x => h x * D x) a (a + 1) (RInt (fun x => h x * D x) a (a + 1))).
    { apply (RInt_correct (V := R_CompleteNormedModule)), integrable; [lra|intros x Hx].
      apply (continuous_mult (K := R_AbsRing)); [apply C; lra|apply D_continuous; lra]. }
    assert (IC : forall c : R, is_RInt (V := R_NormedModule) (fun _ : R => c) a (a + 1) c).
    { intro c; assert (Z := is_RInt_const (V := R_NormedModule) a (a + 1) c).
      unfold scal in Z; simpl in Z; unfold mult in Z; simpl in Z.
      now replace ((a + 1 - a) * c) with c in Z by ring. }
    assert (I1 := is_RInt_minus _ _ _ _ _ _ (IC (h a * D a)) IH).
    assert (I2 := is_RInt_plus _ _ _ _ _ _ (IC (M * (D a - D (a + 1)))) (is_RInt_scal _ _ _ eps _ ID)).
    refine (norm_RInt_le _ _ _ _ _ _ _ _ I1 I2); [lra|]; intros x Hx.
    unfold minus, plus, opp, scal; simpl; unfold norm, mult; simpl; unfold abs; simpl.
    assert (A := St k x ltac:(lia) Hx); fold a in A.
    destruct (C a ltac:(lra)) as [_ Ha]; assert (P := D_positive x ltac:(lra)).
    assert (Q := D_falls a x ltac:(lra)); assert (Q' := D_falls x (a + 1) ltac:(lra)).
    replace (h a * D a + - (h x * D x)) with (h a * (D a - D x) + - ((h x - h a) * D x)) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _); rewrite Rabs_Ropp, !Rabs_mult.
    rewrite (Rabs_pos_eq (D x)), (Rabs_pos_eq (h a)), (Rabs_pos_eq (D a - D x)) by lra.
    apply Rplus_le_compat; [apply Rmult_le_compat; lra|apply Rmult_le_compat_r; lra].
  Qed.
  Theorem sum_near_integral k : (1 <= k)%nat -> tame k -> steady k ->
    Rabs (upto (fun r => h (INR r) * D (INR r)) k - RInt (fun x => h x * D x) 1 (INR k))
    <= eps * RInt D 1 (INR k) + M * D 1.
  Proof.
    intros k1 T St.
    enough (E : Rabs (upto (fun r => h (INR r) * D (INR r)) k - h (INR k) * D (INR k)
      - RInt (fun x => h x * D x) 1 (INR k)) <= eps * RInt D 1 (INR k) + M * (D 1 - D (INR k))).
    { assert (L := le_INR _ _ k1); simpl INR in L.
      destruct (T (INR k) ltac:(lra)) as [_ Hk]; assert (P := D_positive (INR k) L).
      assert (0 <= h (INR k) * D (INR k) <= M * D (INR k))
        by (split; [apply Rmult_le_pos|apply Rmult_le_compat_r]; lra).
      unfold Rabs in *; repeat destruct Rcase_abs; lra. }
    induction k1 as [|k k1 IH].
    - rewrite !RInt_point; unfold zero; cbn; unfold Rabs; destruct Rcase_abs; lra.
    - assert (Tk : tame k) by (intros x Hx; apply T; rewrite S_INR; lra).
      assert (Sk : steady k) by (intros r x Hr; apply St; lia).
      specialize (IH Tk Sk); assert (L := le_INR _ _ k1); simpl INR in L.
      assert (O := one_step k k1 T St); assert (L' : INR (S k) = INR k + 1) by apply S_INR.
      assert (CD : RInt D 1 (INR k) + RInt D (INR k) (INR (S k)) = RInt D 1 (INR (S k))).
      { apply (RInt_Chasles (V := R_CompleteNormedModule)); apply integrable; try lra;
          intros; apply D_continuous; lra. }
      assert (CH : RInt (fun x => h x * D x) 1 (INR k) + RInt (fun x => h x * D x) (INR k) (INR (S k))
        = RInt (fun x => h x * D x) 1 (INR (S k))).
      { apply (RInt_Chasles (V := R_CompleteNormedModule)); apply integrable; try lra; intros x Hx;
          (apply (continuous_mult (K := R_AbsRing)); [apply T|apply D_continuous]; lra). }
      rewrite <- CD, <- CH; cbn [upto].
      replace (upto (fun r => h (INR r) * D (INR r)) k) with
        (upto (fun r => h (INR r) * D (INR r)) k - h (INR k) * D (INR k) + h (INR k) * D (INR k)) by ring.
      unfold Rabs in *; repeat destruct Rcase_abs; lra.
  Qed.
End Near.

(** ** Claim 31 *)
Definition log_discount (x : R) : R := / ln (1 + x).
Definition paid_to (D : R -> R) (t : R) : R := RInt D 1 t.
Definition pseudo (D g : R -> R) (n : nat) : R := RInt (fun x => g (x / INR n) * D x) 1 (INR n).
Lemma log_discount_tame : (forall x, 1 <= x -> continuous log_discount x) /\
  (forall x y, 1 <= x <= y -> log_discount y <= log_discount x) /\ (forall x, 1 <= x -> 0 <= log_discount x).
Proof.
  assert (P : forall x, 1 <= x -> 0 < ln (1 + x)) by (intros; rewrite <- ln_1; apply ln_increasing; lra).
  repeat split.
  - intros x Hx; apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)).
    unfold log_discount; auto_derive; split; [lra|split; auto]; apply Rgt_not_eq, P, Hx.
  - intros x y [Hx [h|<-]]; [|lra]; apply Rinv_le_contravar; [now apply P|left; apply ln_increasing; lra].
  - intros x Hx; left; apply Rinv_0_lt_compat, P, Hx.
Qed.
Definition hoelder (g : R -> R) (C alpha : R) : Prop := forall u v, 0 <= u <= 1 -> 0 <= v <= 1 -> u < v ->
  Rabs (g u - g v) <= C * Rpower (v - u) alpha.

(** Outside [0, 1] a curve goes on with the values of the ends. *)
Definition clamp (u : R) : R := Rmax 0 (Rmin 1 u).
Lemma clamp_01 u : 0 <= clamp u <= 1. Proof. unfold clamp, Rmax, Rmin; repeat destruct Rle_dec; lra. Qed.
Lemma clamp_id u : 0 <= u <= 1 -> clamp u = u.
Proof. unfold clamp, Rmax, Rmin; repeat destruct Rle_dec; lra. Qed.
Lemma clamp_near u v : Rabs (clamp u - clamp v) <= Rabs (u - v).
Proof. unfold clamp, Rmax, Rmin, Rabs; repeat destruct Rle_dec; repeat destruct Rcase_abs; lra. Qed.
Lemma hoelder_near g C alpha t u v : hoelder g C alpha -> 0 <= C -> 0 < alpha -> 0 < t ->
  0 <= u <= 1 -> 0 <= v <= 1 -> Rabs (u - v) <= t -> Rabs (g u - g v) <= C * Rpower t alpha.
Proof.
  intros H C0 a0 t0 Hu Hv.
  assert (W : forall u v, 0 <= u <= 1 -> 0 <= v <= 1 -> u < v -> v - u <= t ->
    Rabs (g u - g v) <= C * Rpower t alpha).
  { clear u v Hu Hv; intros u v Hu Hv L Ht; apply Rle_trans with (1 := H u v Hu Hv L).
    apply Rmult_le_compat_l; auto; apply Rle_Rpower_l; lra. }
  destruct (Rtotal_order u v) as [h|[h|h]]; intro Ht.
  - apply W; auto; unfold Rabs in Ht; destruct Rcase_abs; lra.
  - subst; rewrite Rminus_eq_0, Rabs_R0; apply Rmult_le_pos; auto; left; apply exp_pos.
  - rewrite Rabs_minus_sym; apply W; auto; unfold Rabs in Ht; destruct Rcase_abs; lra.
Qed.
Lemma hoelder_continuous g C alpha x : hoelder g C alpha -> 0 <= C -> 0 < alpha ->
  continuous (fun u => g (clamp u)) x.
Proof.
  intros H C0 a0; apply continuity_pt_filterlim; intros e e0.
  set (t := Rpower (e / 2 / (C + 1)) (/ alpha)).
  assert (t0 : 0 < t) by apply exp_pos.
  assert (E : 0 < e / 2 / (C + 1)) by (repeat apply Rdiv_lt_0_compat; lra).
  exists t; split; auto; intros y [_ Hy]; simpl in *; unfold R_dist in *.
  apply Rle_lt_trans with (C * Rpower t alpha).
  - apply hoelder_near; auto using clamp_01; apply Rle_trans with (1 := clamp_near y x); lra.
  - unfold t; rewrite Rpower_mult, Rinv_l, Rpower_1 by lra.
    replace (C * (e / 2 / (C + 1))) with (e / 2 * (1 - / (C + 1))) by (field; lra).
    assert (0 < / (C + 1)) by (apply Rinv_0_lt_compat; lra); nra.
Qed.
Theorem claim_31 : forall g C alpha n, (1 <= n)%nat -> 0 < alpha -> 0 <= C ->
  (forall u, 0 <= u <= 1 -> 0 <= g u <= 1) -> hoelder g C alpha ->
  Rabs (upto (fun r => g (INR r / INR n) * log_discount (INR r)) n - pseudo log_discount g n)
  <= C * Rpower (INR n) (- alpha / 3) * paid_to log_discount (INR n)
     + log_discount 1 + Rabs (Derive log_discount 1).
Proof.
  intros g C alpha n Hn a0 C0 G H; destruct log_discount_tame as (S1 & S2 & S3).
  assert (n1 := le_INR _ _ Hn); simpl INR in n1.
  set (h := fun x => g (clamp (x / INR n))).
  assert (I : forall x, 0 <= x <= INR n -> 0 <= x / INR n <= 1).
  { intros x Hx; split; [apply Rdiv_le_0_compat; lra|apply Rmult_le_reg_r with (INR n); [lra|]].
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  assert (T : tame h 1 n).
  { intros x Hx; split; [|apply G, clamp_01].
    apply (continuous_comp (fun y => y / INR n) (fun u => g (clamp u)));
      [|now apply hoelder_continuous with C alpha].
    apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)); auto_derive; lra. }
  assert (St : steady h (C * Rpower (INR n) (- alpha / 3)) n).
  { intros r x Hr Hx; assert (L := le_INR (S r) n ltac:(lia)); rewrite S_INR in L.
    assert (r0 := pos_INR r); unfold h; rewrite !clamp_id by (apply I; lra).
    apply Rle_trans with (C * Rpower (/ INR n) alpha).
    - assert (0 < / INR n) by (apply Rinv_0_lt_compat; lra).
      apply hoelder_near; auto; try (apply I; lra); [].
      replace (x / INR n - INR r / INR n) with ((x - INR r) * / INR n) by (field; lra).
      rewrite Rabs_pos_eq by (apply Rmult_le_pos; lra).
      rewrite <- (Rmult_1_l (/ INR n)) at 2; apply Rmult_le_compat_r; lra.
    - apply Rmult_le_compat_l; auto; unfold Rpower; rewrite ln_Rinv by lra.
      assert (0 <= ln (INR n))
        by (rewrite <- ln_1; destruct n1 as [n1|<-]; [left; apply ln_increasing|]; lra).
      assert (E : alpha * - ln (INR n) <= - alpha / 3 * ln (INR n)) by nra.
      destruct E as [E|E]; [left; now apply exp_increasing|rewrite E; lra]. }
  assert (B := sum_near_integral log_discount h 1 _ S1 S2 S3 n Hn T St).
  assert (same : forall x, 0 <= x <= INR n -> h x = g (x / INR n))
    by (intros; unfold h; rewrite clamp_id; auto).
  replace (upto (fun r => g (INR r / INR n) * log_discount (INR r)) n)
    with (upto (fun r => h (INR r) * log_discount (INR r)) n).
  - unfold pseudo; rewrite (RInt_ext _ (fun x => h x * log_discount x)).
    + assert (X := Rabs_pos (Derive log_discount 1)); unfold paid_to; lra.
    + intros x; rewrite Rmin_left, Rmax_right by lra; intro Hx; rewrite same; lra.
  - apply upto_ext; intros r Hr; rewrite same; auto; split; [apply pos_INR|apply le_INR; lia].
Qed.
