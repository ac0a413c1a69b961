(** wang/claim-27 (chapter inside-the-proofs-i), for independent labels that are 1 with one probability and 0
    otherwise: for every ranking, the random ideal DCG may be replaced by the number F(np). *)
From Coq Require Import Reals List Permutation Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import Ranking SortedIsBest ZipfSeesTheTop SumsAndIntegrals EverythingTendsToOne.
From Companion Require Import FloorAndCeiling CoinTosses OrderStatistics.
Import ListNotations.
Open Scope R_scope.
Definition F (x : R) : R := paid_to log_discount x.

Lemma integral_between a b : 1 <= a <= b ->
  (b - a) * log_discount b <= F b - F a <= (b - a) * log_discount a.
Proof.
  destruct log_discount_tame as (C & D & N); intro H.
  assert (I : forall x y, 1 <= x <= y -> ex_RInt log_discount x y)
    by (intros; apply integrable; auto; intros; apply C; lra).
  assert (X : RInt log_discount 1 a + RInt log_discount a b = RInt log_discount 1 b)
    by (apply (RInt_Chasles (V := R_CompleteNormedModule)); apply I; lra).
  unfold F, paid_to; replace (RInt log_discount 1 b - RInt log_discount 1 a)
    with (RInt log_discount a b) by lra.
  assert (K : forall c, RInt (fun _ => c) a b = (b - a) * c)
    by (intro c; rewrite (RInt_const (V := R_CompleteNormedModule)); reflexivity).
  rewrite <- !K; split; apply RInt_le; try apply I; try apply ex_RInt_const; try lra;
    intros x Hx; apply D; lra.
Qed.
Lemma ideal_near_F M : (1 <= M)%nat -> Rabs (upto standard M - F (INR M)) <= / ln 2.
Proof.
  intro M1; destruct log_discount_tame as (C & D & N).
  assert (B := sum_near_integral log_discount (fun _ => 1) 1 0 C D N M M1
    ltac:(intros x _; split; [apply continuous_const|lra])
    ltac:(intros r x _ _; rewrite Rminus_eq_0, Rabs_R0; lra)).
  replace (log_discount 1) with (/ ln 2) in B by (unfold log_discount; do 2 f_equal; lra).
  replace (upto (fun r => 1 * log_discount (INR r)) M) with (upto standard M) in B
    by (apply upto_ext; intros r _; unfold standard, log_discount; ring).
  rewrite (RInt_ext _ log_discount) in B by (intros; apply Rmult_1_l); unfold F, paid_to; lra.
Qed.
(** Where the number of relevant items is near np, so is the ideal DCG near F(np), as a ratio. *)
Lemma ideal_is_nearly_a_number p T M : 0 < p <= 1 -> 4 <= T * p -> Rabs (INR M - T ^ 3 * p) <= T ^ 2 ->
  (1 <= M)%nat /\ 0 < F (T ^ 3 * p) /\
  Rabs (upto standard M - F (T ^ 3 * p)) / F (T ^ 3 * p) <= (6 * / ln 2 + 4) / p * / T.
Proof.
  intros Hp Tp H; set (x := T ^ 3 * p) in *; destruct log_discount_tame as (_ & D & N).
  assert (T4 : 4 <= T) by nra; assert (l2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (x2 : T ^ 2 <= x / 4) by (unfold x; nra); assert (T2 : 16 <= T ^ 2) by nra.
  apply Rabs_le_between in H; assert (Mx : x / 2 <= INR M) by lra.
  assert (M1 : (1 <= M)%nat) by (apply INR_le; simpl; lra); split; auto.
  assert (lx : 0 < ln (1 + x)) by (rewrite <- ln_1; apply ln_increasing; lra).
  set (d := log_discount x); assert (Ed : d = / ln (1 + x)) by reflexivity.
  assert (d0 : 0 < d) by (rewrite Ed; now apply Rinv_0_lt_compat).
  assert (half : log_discount (x / 2) <= 2 * d).
  { rewrite Ed; unfold log_discount; replace (2 * / ln (1 + x)) with (/ (ln (1 + x) / 2)) by (field; lra).
    apply Rinv_le_contravar; [lra|]; apply Rmult_le_reg_r with 2; [lra|].
    replace (ln (1 + x) / 2 * 2) with (ln (1 + x)) by field.
    replace (ln (1 + x / 2) * 2) with (ln ((1 + x / 2) * (1 + x / 2))) by (rewrite ln_mult by lra; ring).
    left; apply ln_increasing; nra. }
  assert (FM : Rabs (F (INR M) - F x) <= T ^ 2 * (2 * d)).
  { apply Rle_trans with (Rabs (INR M - x) * log_discount (x / 2));
      [|apply Rmult_le_compat; auto; [apply Rabs_pos|apply N; lra|apply Rabs_le_between; lra]].
    destruct (Rle_dec (INR M) x) as [h|h].
    - destruct (integral_between (INR M) x ltac:(lra)) as [P Q].
      assert (Z := D (x / 2) (INR M) ltac:(lra)); assert (Z0 := N x ltac:(lra)).
      rewrite (Rabs_left1 (INR M - x)), (Rabs_left1 (F (INR M) - F x)) by nra; nra.
    - destruct (integral_between x (INR M) ltac:(lra)) as [P Q].
      assert (Z := D (x / 2) x ltac:(lra)); assert (Z0 := N (INR M) ltac:(lra)).
      rewrite (Rabs_pos_eq (INR M - x)), (Rabs_pos_eq (F (INR M) - F x)) by nra; nra. }
  assert (Fx : x / 2 * d <= F x).
  { destruct (integral_between 1 x ltac:(lra)) as [P _].
    assert (F1 : F 1 = 0) by apply (RInt_point (V := R_CompleteNormedModule)); fold d in P.
    assert (0 <= (x / 2 - 1) * d) by (apply Rmult_le_pos; lra); lra. }
  assert (F0 : 0 < F x) by (assert (0 < x / 2 * d) by (apply Rmult_lt_0_compat; lra); lra); split; auto.
  assert (lT : ln (1 + x) <= 3 * T).
  { assert (T1 : 4 * 16 <= T * (T * T)) by (apply Rmult_le_compat; nra).
    assert (xT : x <= T * (T * T)) by (unfold x; replace (T ^ 3) with (T * (T * T)) by ring; nra).
    apply Rle_trans with (ln (2 * (T * (T * T)))); [left; apply ln_increasing; lra|].
    rewrite !ln_mult by nra; assert (Z := exp_ineq1_le (ln T)); rewrite exp_ln in Z by lra.
    assert (ln 2 <= 1); [|lra]; assert (W := exp_ineq1_le (ln 2)); rewrite exp_ln in W by lra; lra. }
  apply Rle_trans with ((/ ln 2 + T ^ 2 * (2 * d)) / (x / 2 * d)).
  - apply Rmult_le_compat; [apply Rabs_pos|left; now apply Rinv_0_lt_compat| |apply Rinv_le_contravar; nra].
    replace (upto standard M - F x) with (upto standard M - F (INR M) + (F (INR M) - F x)) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _); assert (B := ideal_near_F M M1); lra.
  - replace ((/ ln 2 + T ^ 2 * (2 * d)) / (x / 2 * d)) with (2 * / ln 2 * ln (1 + x) / x + 4 * T ^ 2 / x)
      by (rewrite Ed; field; lra).
    assert (x0 : 0 < x) by lra; assert (i2 : 0 < / ln 2) by now apply Rinv_0_lt_compat.
    apply Rmult_le_reg_r with x; auto.
    replace ((2 * / ln 2 * ln (1 + x) / x + 4 * T ^ 2 / x) * x)
      with (2 * / ln 2 * ln (1 + x) + 4 * T ^ 2) by (field; lra).
    replace ((6 * / ln 2 + 4) / p * / T * x) with (6 * / ln 2 * T ^ 2 + 4 * T ^ 2)
      by (unfold x; field; lra).
    assert (/ ln 2 * ln (1 + x) <= / ln 2 * (3 * T ^ 2)) by (apply Rmult_le_compat_l; nra); lra.
Qed.

Lemma E_plus q f g : E q (fun l => f l + g l) = E q f + E q g.
Proof. revert f g; induction q as [|p t IH]; intros f g; simpl; auto; rewrite !IH; ring. Qed.
Lemma tosses_sorted n l : tosses n l -> exists M, (M <= n)%nat /\ sum l = INR M /\
  Permutation l (repeat 1 M ++ repeat 0 (n - M)).
Proof.
  revert l; induction n as [|n IH]; intros [|y l] [L T]; try discriminate L; [now exists O|].
  destruct (IH l) as (M & Mn & SM & P); [split; [now injection L|intros z Hz; apply T; now right]|].
  destruct (T y (or_introl eq_refl)) as [->| ->].
  - exists M; split; [lia|split; [simpl; lra|]]; rewrite Nat.sub_succ_l by lia; simpl repeat.
    apply Permutation_trans with (0 :: repeat 1 M ++ repeat 0 (n - M)); [now constructor|].
    apply Permutation_middle.
  - exists (S M); split; [lia|split; [simpl sum; rewrite S_INR; lra|]]; now constructor.
Qed.
Theorem claim_27_core : forall p, 0 < p <= 1 -> exists C, eventually (fun n =>
  forall ranking : list R -> list R, (forall l, Permutation (ranking l) l) ->
  P (repeat p n) (fun l => C * Rpower (INR n) (- / 3)
      < Rabs (NDCG standard (ranking l) - DCG standard (ranking l) / F (INR n * p))) (fun l => Rlt_dec _ _)
  <= 2 * exp (- 2 * Rpower (INR n) (/ 3))).
Proof.
  intros p Hp; exists ((6 * / ln 2 + 4) / p).
  destruct (nfloor_ex ((4 / p) ^ 3) ltac:(apply pow_le; left; apply Rdiv_lt_0_compat; lra)) as [m [_ Hm]].
  exists (S m); intros n Hn ranking HP; apply le_INR in Hn; rewrite S_INR in Hn.
  assert (q0 : 4 <= 4 / p) by (apply Rmult_le_reg_r with p; [lra|]; replace (4 / p * p) with 4 by (field; lra); lra).
  assert (n64 : 1 <= INR n) by (assert (64 <= (4 / p) ^ 3) by (replace 64 with (4 ^ 3) by ring; apply pow_incr; lra); lra).
  assert (n1 : (1 <= n)%nat) by (apply INR_le; simpl; lra).
  set (T := Rpower (INR n) (/ 3)); assert (T0 : 0 < T) by apply exp_pos.
  assert (T3 : T ^ 3 = INR n).
  { unfold T; rewrite <- Rpower_pow, Rpower_mult by apply exp_pos.
    replace (/ 3 * INR 3) with 1 by (simpl; field); apply Rpower_1; lra. }
  assert (iT : Rpower (INR n) (- / 3) = / T) by apply Rpower_Ropp.
  assert (Tp : 4 <= T * p).
  { apply Rmult_le_reg_r with (/ p); [apply Rinv_0_lt_compat; lra|].
    rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra; fold (4 / p).
    destruct (Rle_lt_dec (4 / p) T) as [h|h]; auto; exfalso.
    assert (T ^ 3 <= (4 / p) ^ 3) by (apply pow_incr; lra); lra. }
  assert (sq : - 2 * INR n * stray n ^ 2 = - 2 * T) by (rewrite Rmult_assoc, stray_squared; auto).
  assert (nw : INR n * stray n = T ^ 2) by (unfold stray; rewrite iT, <- T3; field; lra).
  rewrite iT; apply Rle_trans with
    (P (repeat p n) (fun l => INR n * stray n <= 1 * (sum l - INR n * p)) (fun l => Rle_dec _ _)
     + P (repeat p n) (fun l => INR n * stray n <= -1 * (sum l - INR n * p)) (fun l => Rle_dec _ _)).
  2: { assert (s0 : 0 <= stray n) by (left; apply exp_pos).
       assert (A := few_stray p n 1 (stray n) ltac:(lra) s0 ltac:(ring)).
       assert (B := few_stray p n (-1) (stray n) ltac:(lra) s0 ltac:(ring)); rewrite sq in A, B; lra. }
  unfold P; rewrite <- E_plus; apply E_le; [lra|]; intros l Hl.
  destruct (tosses_sorted n l Hl) as (M & Mn & SM & PM); rewrite SM, nw.
  destruct (Rlt_dec _ _) as [bad|]; [|destruct Rle_dec, Rle_dec; lra].
  destruct (Rle_dec (T ^ 2) (1 * _)); [destruct Rle_dec; lra|]; destruct Rle_dec; [lra|exfalso].
  destruct (ideal_is_nearly_a_number p T M Hp Tp ltac:(rewrite T3; apply Rabs_le_between; lra)) as (M1 & F0 & B).
  rewrite T3 in F0, B; apply (Rlt_not_le _ _ bad), Rle_trans with (2 := B).
  set (G := F (INR n * p)) in *; set (U := upto standard M) in *.
  assert (I : IDCG standard (ranking l) = U).
  { unfold IDCG; rewrite <- (sort_unique (ranking l) (repeat 1 M ++ repeat 0 (n - M)));
      [|apply Permutation_trans with l; auto|apply falling_10].
    unfold DCG; rewrite dcg_app, dcg_zeros, dcg_ones, Rplus_0_r; unfold U; simpl plus.
    generalize M; clear; induction M as [|M IH]; simpl in *; lra. }
  assert (U0 : 0 < U).
  { assert (first : 0 < standard 1) by (apply Rinv_0_lt_compat, ln_pos; lia).
    unfold U; clear - M1 first; induction M1 as [|M _ IH]; cbn [upto]; [lra|].
    assert (Z := standard_nonneg (S M)); lra. }
  destruct (ndcg_between_0_and_1 standard (ranking l)) as [N0 N1]; auto using standard_falls, standard_nonneg.
  - apply Rinv_0_lt_compat, ln_pos; lia.
  - intros y Iy; apply (Permutation_in _ (HP l)) in Iy; destruct Hl as [_ Y]; destruct (Y y Iy); lra.
  - exists 1; split; [|lra]; apply (Permutation_in _ (Permutation_sym (HP l))).
    apply (Permutation_in _ (Permutation_sym PM)), in_or_app; left; destruct M; [lia|now left].
  - unfold NDCG in *; rewrite I in *; set (d := DCG standard (ranking l)) in *.
    replace (d / U - d / G) with (- (d / U * ((U - G) * / G))) by (field; lra).
    assert (i0 : 0 < / G) by now apply Rinv_0_lt_compat.
    rewrite Rabs_Ropp, !Rabs_mult, (Rabs_pos_eq (d / U)), (Rabs_pos_eq (/ G)) by lra.
    rewrite <- (Rmult_1_l (Rabs (U - G) / G)); apply Rmult_le_compat_r; auto.
    apply Rmult_le_pos; [apply Rabs_pos|lra].
Qed.
