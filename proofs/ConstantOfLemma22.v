(** wang/lemma-22-constant (chapter the-log-discount-still-decides), refuted by a pair of rankers: one has all
    relevant items in the upper half of the list, the other in the lower half. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import ZipfSeesTheTop SumsAndIntegrals EverythingTendsToOne IdealIsANumber LogPowers.
Open Scope R_scope.

(** The pseudo-expectation of NDCG under the log discount, with a proportion p of relevant items. *)
Definition pseudo_ndcg (p : R) (g : R -> R) (n : nat) : R := pseudo log_discount g n / F (INR n * p).
(** The integral of d(u) log^k(1/u) from 0 to 1. *)
Definition log_moment (k : nat) (d : R -> R) (a : R) : Prop :=
  filterlim (fun e => RInt (fun u => d u * (- ln u) ^ k) e 1) (at_right 0) (locally a).

(** ** The pair *)
Definition upper (u : R) : R := if Rle_dec u (/ 2) then 1 else 0.
Definition lower (u : R) : R := 1 - upper u.
(** A function that is one thing up to the middle, and another from there on. *)
Lemma two_halves (f f1 f2 : R -> R) a m b (I J : R) : a <= m <= b ->
  (forall x, a < x < m -> f x = f1 x) -> (forall x, m < x < b -> f x = f2 x) ->
  is_RInt f1 a m I -> is_RInt f2 m b J -> is_RInt f a b (I + J).
Proof.
  intros H E1 E2 A B; apply (is_RInt_Chasles (V := R_NormedModule) f a m b); [apply is_RInt_ext with f1|apply is_RInt_ext with f2];
    auto; intros x; rewrite Rmin_left, Rmax_right by lra; intro Hx; symmetry; auto.
Qed.
Ltac halves := intros x Hx; simpl; unfold lower, upper; destruct Rle_dec; lra.
Lemma constant_integral (c a b : R) : is_RInt (V := R_NormedModule) (fun _ => c) a b ((b - a) * c).
Proof. apply (is_RInt_const (V := R_NormedModule)). Qed.
Lemma halves_hold_half : is_RInt upper 0 1 (/ 2) /\ is_RInt lower 0 1 (/ 2).
Proof.
  split; [replace (/ 2) with ((/ 2 - 0) * 1 + (1 - / 2) * 0) by field;
          apply (two_halves _ (fun _ => 1) (fun _ => 0) 0 (/ 2) 1)|
          replace (/ 2) with ((/ 2 - 0) * 0 + (1 - / 2) * 1) by field;
          apply (two_halves _ (fun _ => 0) (fun _ => 1) 0 (/ 2) 1)];
    (lra || halves || apply constant_integral).
Qed.

(** ** Its log moments: 0, and log 2 *)
Lemma tends_to_0 : filterlim (fun e : R => e) (at_right 0) (locally 0).
Proof. intros Q [d Hd]; exists d; auto. Qed.
Lemma moment_0 : log_moment 0 (fun u => upper u - lower u) 0.
Proof.
  apply filterlim_ext_loc with Ropp.
  - exists (mkposreal (/ 2) ltac:(lra)); intros e He e0; change (Rabs (e - 0) < / 2) in He.
    rewrite Rminus_0_r, Rabs_pos_eq in He by lra; symmetry; apply is_RInt_unique.
    replace (- e) with ((/ 2 - e) * 1 + (1 - / 2) * -1) by field.
    apply (two_halves _ (fun _ => 1) (fun _ => -1) e (/ 2) 1); [lra|halves|halves|apply constant_integral|apply constant_integral].
  - apply (filterlim_comp _ _ _ _ Ropp _ (locally 0) _ tends_to_0); rewrite <- Ropp_0 at 2.
    apply (filterlim_opp (K := R_AbsRing) (V := R_NormedModule)).
Qed.
Lemma log_integral a b : 0 < a <= b -> is_RInt (fun u => - ln u) a b (by_parts 1 a - by_parts 1 b).
Proof.
  intro H; replace (by_parts 1 a - by_parts 1 b) with (opp (minus (by_parts 1 b) (by_parts 1 a)))
    by (unfold opp, minus, plus, opp; simpl; ring).
  apply (is_RInt_opp (V := R_NormedModule) ln), (is_RInt_derive (by_parts 1) ln); rewrite Rmin_left, Rmax_right by lra; intros x Hx.
  - assert (D := by_parts_derive 1 x ltac:(lra)); now rewrite pow_1 in D.
  - apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)); auto_derive; lra.
Qed.
Lemma moment_1 : log_moment 1 (fun u => upper u - lower u) (ln 2).
Proof.
  assert (L : ln (/ 2) = - ln 2) by (apply ln_Rinv; lra).
  apply filterlim_ext_loc with (fun e => ln 2 - (e * (- ln e) ^ 1 + e)).
  - exists (mkposreal (/ 2) ltac:(lra)); intros e He e0; change (Rabs (e - 0) < / 2) in He.
    rewrite Rminus_0_r, Rabs_pos_eq in He by lra; symmetry; apply is_RInt_unique.
    replace (ln 2 - (e * (- ln e) ^ 1 + e))
      with (by_parts 1 e - by_parts 1 (/ 2) + - (by_parts 1 (/ 2) - by_parts 1 1))
      by (simpl; rewrite L, ln_1; field).
    apply (two_halves _ (fun u => - ln u) (fun u => - - ln u) e (/ 2) 1); [lra|halves|halves|apply log_integral; lra|].
    apply (is_RInt_opp (V := R_NormedModule) (fun u => - ln u)), log_integral; lra.
  - assert (S := filterlim_comp_2 _ _ _ (no_power_matters 1) tends_to_0
      (filterlim_plus (K := R_AbsRing) (V := R_NormedModule) 0 0)).
    unfold plus in S; simpl plus in S; rewrite Rplus_0_r in S.
    assert (K : continuous (fun s : R => ln 2 - s) 0)
      by (apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)); auto_derive; auto).
    unfold continuous in K; rewrite Rminus_0_r in K; exact (filterlim_comp _ _ _ _ _ _ _ _ S K).
Qed.

(** ** The gap is larger than the constant allows *)
(** F(n) is smaller than 2 F(n/2): each item in the upper half has a larger discount than the item at twice its
    rank. *)
Lemma short_of_twice N : 2 <= N ->
  2 * ln (3 / 2) / ln (1 + N) * F (N / 2) - F 2 <= 2 * F (N / 2) - F N.
Proof.
  intro N2; destruct log_discount_tame as (C & _ & _); set (x := ln (1 + N)).
  assert (ex : forall a b, 1 <= a <= b -> ex_RInt log_discount a b)
    by (intros; apply integrable; auto; intros; apply C; lra).
  assert (Ch : F 2 + RInt log_discount 2 N = F N)
    by (apply (RInt_Chasles (V := R_CompleteNormedModule)); apply ex; lra).
  assert (S := is_RInt_comp_lin log_discount 2 0 1 (N / 2) (RInt log_discount 2 N)).
  replace (2 * 1 + 0) with 2 in S by ring; replace (2 * (N / 2) + 0) with N in S by field.
  specialize (S (RInt_correct (V := R_CompleteNormedModule) _ _ _ (ex 2 N ltac:(lra)))).
  assert (K := is_RInt_scal _ _ _ (2 - 2 * ln (3 / 2) / x) _
    (RInt_correct (V := R_CompleteNormedModule) _ _ _ (ex 1 (N / 2) ltac:(lra)))).
  change (RInt log_discount 1 (N / 2)) with (F (N / 2)) in K.
  enough (RInt log_discount 2 N <= (2 - 2 * ln (3 / 2) / x) * F (N / 2)) by lra.
  refine (is_RInt_le _ _ _ _ _ _ _ S K _); [lra|]; intros y Hy.
  unfold scal; simpl; unfold mult; simpl; unfold log_discount; rewrite Rplus_0_r.
  assert (ly : 0 < ln (1 + y)) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (l2 : ln (1 + y) + ln (3 / 2) <= ln (1 + 2 * y))
    by (rewrite <- ln_mult by lra; left; apply ln_increasing; lra).
  assert (l3 : 0 < ln (3 / 2)) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (lx : ln (1 + 2 * y) <= x) by (left; apply ln_increasing; lra).
  set (a := ln (1 + y)) in *; set (b := ln (1 + 2 * y)) in *; set (t := ln (3 / 2)) in *.
  assert (q : t * / x <= t * / b) by (apply Rmult_le_compat_l; [lra|apply Rinv_le_contravar; lra]).
  apply Rmult_le_reg_r with a; [lra|]; replace ((2 - 2 * t / x) * / a * a) with (2 * (1 - t * / x)) by (field; lra).
  apply Rle_trans with (2 * (1 - t * / b)); [|lra].
  replace (2 * (1 - t * / b)) with (2 * / b * (b - t)) by (field; lra).
  apply Rmult_le_compat_l; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|lra].
Qed.
Lemma gap_of_the_pair n : (2 <= n)%nat -> pseudo_ndcg (/ 2) upper n - pseudo_ndcg (/ 2) lower n
  = (2 * F (INR n / 2) - F (INR n)) / F (INR n / 2).
Proof.
  intro Hn; apply le_INR in Hn; simpl in Hn; destruct log_discount_tame as (C & _ & _).
  set (N := INR n) in *; set (h := N / 2).
  assert (ex : forall a b, 1 <= a <= b -> is_RInt log_discount a b (RInt log_discount a b))
    by (intros; apply (RInt_correct (V := R_CompleteNormedModule)), integrable; auto; intros; apply C; lra).
  assert (Ch : F h + RInt log_discount h N = F N)
    by (apply (RInt_Chasles (V := R_CompleteNormedModule)); eexists; apply ex; unfold h; lra).
  assert (zero : forall a b, is_RInt (fun _ : R => 0) a b ((b - a) * 0)) by (intros; apply constant_integral).
  assert (side : forall x, (x < h -> upper (x / N) = 1) /\ (h < x -> upper (x / N) = 0)).
  { intro x; unfold upper, h; assert (E : x / N = / 2 + (x - N / 2) / N) by (field; lra).
    assert (i : 0 < / N) by (apply Rinv_0_lt_compat; lra).
    split; intro L; destruct Rle_dec as [d|d]; auto; exfalso; unfold Rdiv in *; nra. }
  assert (U : pseudo log_discount upper n = F h).
  { apply is_RInt_unique; fold N; replace (F h) with (F h + (N - h) * 0) by ring.
    apply (two_halves _ log_discount (fun _ => 0) 1 h N); auto; [unfold h; lra| | |apply ex; unfold h; lra];
      intros x Hx; destruct (side x) as [A B]; [rewrite A|rewrite B]; lra. }
  assert (L : pseudo log_discount lower n = F N - F h).
  { apply is_RInt_unique; fold N; replace (F N - F h) with ((h - 1) * 0 + RInt log_discount h N) by lra.
    apply (two_halves _ (fun _ => 0) log_discount 1 h N); auto; [unfold h; lra| | |apply ex; unfold h; lra];
      intros x Hx; unfold lower; destruct (side x) as [A B]; [rewrite A|rewrite B]; lra. }
  unfold pseudo_ndcg; rewrite U, L; fold N; change (N * / 2) with h; fold h; unfold Rdiv; ring.
Qed.
Lemma gap_is_large n : (8 <= n)%nat -> 2 * ln (3 / 2) + - (2 + 108 * F 2) * / ln (1 + INR n)
  <= ln (INR n) * (pseudo_ndcg (/ 2) upper n - pseudo_ndcg (/ 2) lower n).
Proof.
  intro Hn; rewrite gap_of_the_pair by lia; apply le_INR in Hn; simpl in Hn.
  set (N := INR n) in *; set (x := ln (1 + N)); set (h := F (N / 2)).
  assert (S := short_of_twice N ltac:(lra)); fold x h in S.
  assert (x0 : 0 < x) by (unfold x; rewrite <- ln_1; apply ln_increasing; lra).
  assert (i0 : 0 < / x) by now apply Rinv_0_lt_compat.
  assert (l1 : x - 1 <= ln N).
  { unfold x; replace (1 + N) with (N * (1 + / N)) by (field; lra).
    assert (i : 0 < / N) by (apply Rinv_0_lt_compat; lra); rewrite ln_mult by lra.
    assert (Z := exp_ineq1_le (ln (1 + / N))); rewrite exp_ln in Z by lra.
    assert (/ N <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra); lra. }
  assert (l2 : ln N <= x) by (left; apply ln_increasing; lra).
  (* F(n/2) is more than x^2/108, since 1 + n = e^x >= (x/3)^3 *)
  assert (cube : x * x * x / 27 <= 1 + N).
  { replace (1 + N) with (exp (x / 3) * exp (x / 3) * exp (x / 3))
      by (rewrite <- !exp_plus; unfold x; replace (_ + _ + _) with (ln (1 + N)) by field; apply exp_ln; lra).
    assert (Z := exp_ineq1_le (x / 3)); assert (W : x / 3 <= exp (x / 3)) by lra.
    replace (x * x * x / 27) with (x / 3 * (x / 3) * (x / 3)) by field.
    repeat apply Rmult_le_compat; try lra; apply Rmult_le_pos; lra. }
  assert (hx : x * x / 108 <= h).
  { destruct (integral_between 1 (N / 2) ltac:(lra)) as [B _].
    assert (F1 : F 1 = 0) by apply (RInt_point (V := R_CompleteNormedModule)); rewrite F1, Rminus_0_r in B; fold h in B.
    apply Rle_trans with (2 := B), Rle_trans with ((1 + N) / 4 * / x).
    - replace (x * x / 108) with (x * x * x / 27 / 4 * / x) by (field; lra); apply Rmult_le_compat_r; lra.
    - apply Rmult_le_compat; try lra; apply Rinv_le_contravar;
        [rewrite <- ln_1|left]; apply ln_increasing; lra. }
  assert (h0 : 0 < h) by (assert (0 < x * x) by nra; lra); assert (j0 : 0 < / h) by now apply Rinv_0_lt_compat.
  assert (F2 : 0 <= F 2).
  { destruct (integral_between 1 2 ltac:(lra)) as [B _]; assert (F1 : F 1 = 0) by apply (RInt_point (V := R_CompleteNormedModule)).
    assert (0 < log_discount 2) by (apply Rinv_0_lt_compat; rewrite <- ln_1; apply ln_increasing; lra); lra. }
  assert (t0 : 0 < ln (3 / 2)) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (t1 : ln (3 / 2) <= 1) by (assert (Z := exp_ineq1_le (ln (3 / 2))); rewrite exp_ln in Z by lra; lra).
  assert (G : 2 * ln (3 / 2) * / x - F 2 * / h <= (2 * h - F N) / h).
  { apply Rmult_le_reg_r with h; auto; replace ((2 * h - F N) / h * h) with (2 * h - F N) by (field; lra).
    replace ((2 * ln (3 / 2) * / x - F 2 * / h) * h) with (2 * ln (3 / 2) / x * h - F 2) by (field; lra); lra. }
  assert (xh : x * / h <= 108 * / x).
  { apply Rmult_le_reg_r with (x * h); [nra|]; replace (x * / h * (x * h)) with (x * x) by (field; lra).
    replace (108 * / x * (x * h)) with (108 * h) by (field; lra); lra. }
  assert (lN : 0 <= ln N) by (rewrite <- ln_1; left; apply ln_increasing; lra).
  apply Rle_trans with (ln N * (2 * ln (3 / 2) * / x - F 2 * / h)); [|now apply Rmult_le_compat_l].
  assert (A : ln (3 / 2) * (1 - / x) <= ln (3 / 2) * (ln N * / x)).
  { apply Rmult_le_compat_l; [lra|]; replace (1 - / x) with ((x - 1) * / x) by (field; lra).
    apply Rmult_le_compat_r; lra. }
  assert (B : F 2 * (ln N * / h) <= F 2 * (108 * / x)).
  { apply Rmult_le_compat_l; auto; apply Rle_trans with (2 := xh), Rmult_le_compat_r; lra. }
  assert (ln (3 / 2) * / x <= 1 * / x) by (apply Rmult_le_compat_r; lra); lra.
Qed.

Lemma fades a c u : is_lim_seq u p_infty -> is_lim_seq (fun n => a + c * / u n) a.
Proof.
  intro U; replace (Finite a) with (Finite (a + c * 0)) by (f_equal; ring).
  apply is_lim_seq_plus'; [apply is_lim_seq_const|].
  apply (is_lim_seq_scal_l _ c 0), (is_lim_seq_inv _ p_infty); easy.
Qed.

(** ** The constant is not the log moment *)
Theorem lemma_22_has_another_constant :
  ~ (forall g0 g1 p K a, (forall u, 0 <= u <= 1 -> 0 <= g0 u <= 1 /\ 0 <= g1 u <= 1) ->
       0 < p < 1 -> is_RInt g0 0 1 p -> is_RInt g1 0 1 p ->
       (forall k, (k < K)%nat -> log_moment k (fun u => g0 u - g1 u) 0) ->
       log_moment K (fun u => g0 u - g1 u) a -> a <> 0 ->
       exists C, eventually (fun n =>
         Rabs (pseudo_ndcg p g0 n - pseudo_ndcg p g1 n - a / ln (INR n) ^ K) <= C / ln (INR n) ^ S K)).
Proof.
  intro H; assert (l2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  destruct halves_hold_half as [U L].
  destruct (H upper lower (/ 2) 1%nat (ln 2)) as [C [m Hm]]; auto; try lra.
  - intros u _; unfold lower, upper; destruct Rle_dec; lra.
  - intros k Hk; replace k with O by lia; apply moment_0.
  - apply moment_1.
  - assert (X : Rbar_le (2 * ln (3 / 2)) (ln 2)).
    { apply is_lim_seq_le_loc with (fun n => 2 * ln (3 / 2) + - (2 + 108 * F 2) * / ln (1 + INR n))
        (fun n => ln 2 + C * / ln (INR n)).
      - exists (max m 8); intros n Hn; specialize (Hm n ltac:(lia)); apply Rle_trans with (1 := gap_is_large n ltac:(lia)).
        assert (N := le_INR 8 n ltac:(lia)); simpl in N.
        assert (lN : 0 < ln (INR n)) by (rewrite <- ln_1; apply ln_increasing; lra).
        set (gap := pseudo_ndcg _ _ _ - pseudo_ndcg _ _ _) in *; set (x := ln (INR n)) in *.
        apply Rabs_le_between in Hm; destruct Hm as [_ Hm]; rewrite pow_1 in Hm.
        apply Rmult_le_compat_l with (r := x) in Hm; [|lra].
        replace (x * (C / x ^ 2)) with (C * / x) in Hm by (field; lra).
        replace (x * (gap - ln 2 / x)) with (x * gap - ln 2) in Hm by (field; lra); lra.
      - apply fades, ln_n_lim.
      - apply fades, (is_lim_comp_seq ln _ p_infty); [apply is_lim_ln_p|now exists O|apply is_lim_seq_INR]. }
    simpl in X; assert (Y : ln (9 / 4) <= ln 2).
    { replace (9 / 4) with (3 / 2 * (3 / 2)) by lra; rewrite ln_mult by lra; lra. }
    assert (ln 2 < ln (9 / 4)) by (apply ln_increasing; lra); lra.
Qed.
