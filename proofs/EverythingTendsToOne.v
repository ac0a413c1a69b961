(** wang/theorem-4 and wang/theorem-4-any-ranking (chapter everything-tends-to-one):
    the deterministic core. With the discount 1/log(1+r) the NDCG of ANY ranking of
    labels in [0, B] with a mean of at least p > 0 tends to 1. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import Ranking SortedIsBest.
Import ListNotations.
Open Scope R_scope.
Fixpoint sum (l : list R) : R := match l with [] => 0 | y :: t => y + sum t end.
Lemma sum_app l l' : sum (l ++ l') = sum l + sum l'. Proof. induction l; simpl; lra. Qed.
Lemma sum_perm l l' : Permutation l l' -> sum l = sum l'. Proof. induction 1; simpl; lra. Qed.
Lemma sum_nonneg l : (forall y, In y l -> 0 <= y) -> 0 <= sum l.
Proof.
  induction l as [|x t IH]; intro H; simpl; [lra|].
  assert (0 <= x) by (apply H; now left).
  assert (0 <= sum t) by (apply IH; intros; apply H; now right). lra.
Qed.
Lemma sum_le l B : (forall y, In y l -> y <= B) -> sum l <= B * INR (length l).
Proof.
  induction l as [|x t IH]; intro H; [simpl; lra|].
  change (length (x :: t)) with (S (length t)); rewrite S_INR; simpl sum.
  assert (x <= B) by (apply H; now left).
  assert (sum t <= B * INR (length t)) by (apply IH; intros; apply H; now right). lra.
Qed.

Section AnyDiscount.
  Variable D : nat -> R.
  Hypothesis D_falls : nonincreasing D.
  Hypothesis D_nonneg : forall r, 0 <= D r.
  Lemma D_le r s : (1 <= r <= s)%nat -> D s <= D r.
  Proof.
    intros [Hr Hs]; induction Hs as [|s Hs IH]; [lra|].
    apply Rle_trans with (D s); auto; apply D_falls; lia.
  Qed.

  (** The contribution of each item lies between the smallest and the largest discount. *)
  Lemma dcg_lower r n l : (1 <= r)%nat -> (r + length l <= S n)%nat ->
    (forall y, In y l -> 0 <= y) -> D n * sum l <= dcg_from D r l.
  Proof.
    revert r; induction l as [|x t IH]; intros r Hr Hn H; simpl; [lra|].
    simpl in Hn.
    assert (D n * sum t <= dcg_from D (S r) t) by (apply IH; try lia; intros; apply H; now right).
    assert (D n <= D r) by (apply D_le; lia).
    assert (0 <= x) by (apply H; now left).
    assert (x * D n <= x * D r) by (now apply Rmult_le_compat_l). lra.
  Qed.
  Lemma dcg_upper r l : (1 <= r)%nat -> (forall y, In y l -> 0 <= y) ->
    dcg_from D r l <= D r * sum l.
  Proof.
    revert r; induction l as [|x t IH]; intros r Hr H; simpl; [lra|].
    assert (N : forall y, In y t -> 0 <= y) by (intros; apply H; now right).
    assert (I := IH (S r) ltac:(lia) N); assert (S0 := sum_nonneg t N).
    assert (D (S r) <= D r) by now apply D_falls.
    assert (D (S r) * sum t <= D r * sum t) by (now apply Rmult_le_compat_r). lra.
  Qed.

  (** Split any list at rank k: items above contribute at most B D(1) each, items below at most D(k+1) per unit
      of label. *)
  Lemma dcg_split k l B : 0 <= B -> (forall y, In y l -> 0 <= y <= B) ->
    DCG D l <= B * INR k * D 1%nat + D (S k) * sum l.
  Proof.
    intros B0 H; unfold DCG.
    assert (Hf : forall y, In y (firstn k l) -> 0 <= y <= B)
      by (intros y Hy; apply H; rewrite <- (firstn_skipn k l), in_app_iff; auto).
    assert (Hs : forall y, In y (skipn k l) -> 0 <= y <= B)
      by (intros y Hy; apply H; rewrite <- (firstn_skipn k l), in_app_iff; auto).
    assert (F : dcg_from D 1 (firstn k l) <= B * INR k * D 1%nat).
    { apply Rle_trans with (D 1%nat * sum (firstn k l)).
      - apply dcg_upper; auto; intros y Hy; now apply Hf.
      - assert (X := sum_le (firstn k l) B ltac:(intros y Hy; now apply Hf)).
        assert (Y : INR (length (firstn k l)) <= INR k)
          by (apply le_INR; rewrite firstn_length; lia).
        assert (B * INR (length (firstn k l)) <= B * INR k) by (now apply Rmult_le_compat_l).
        rewrite (Rmult_comm _ (D 1%nat)); apply Rmult_le_compat_l; auto; lra. }
    assert (Z : dcg_from D (1 + length (firstn k l)) (skipn k l) <= D (S k) * sum l).
    { assert (S1 : 0 <= sum (firstn k l)) by (apply sum_nonneg; intros y Hy; now apply Hf).
      assert (S2 : 0 <= sum (skipn k l)) by (apply sum_nonneg; intros y Hy; now apply Hs).
      assert (S3 : sum l = sum (firstn k l) + sum (skipn k l))
        by (rewrite <- sum_app; now rewrite firstn_skipn).
      assert (S4 : D (S k) * sum (skipn k l) <= D (S k) * sum l)
        by (apply Rmult_le_compat_l; auto; lra).
      destruct (le_lt_dec k (length l)) as [h|h].
      - replace (1 + length (firstn k l))%nat with (S k) by (rewrite firstn_length; lia).
        apply Rle_trans with (2 := S4), dcg_upper; [lia|]; intros y Hy; now apply Hs.
      - rewrite (skipn_all2 l) by lia; simpl; apply Rmult_le_pos; auto; lra. }
    rewrite <- (firstn_skipn k l) at 1; rewrite dcg_app; lra.
  Qed.

  (** The squeeze, for any discount that never increases and any ranking. *)
  Theorem squeeze : forall l B k, 0 <= B -> (forall y, In y l -> 0 <= y <= B) ->
    D (length l) * sum l <= DCG D l /\
    DCG D l <= IDCG D l /\
    IDCG D l <= B * INR k * D 1%nat + D (S k) * sum l.
  Proof.
    intros l B k B0 H; repeat split.
    - apply dcg_lower; auto with arith; intros y Hy; now apply H.
    - now apply (idcg_is_the_maximum D l D_falls).
    - rewrite <- (sum_perm _ _ (sort_perm l)); apply dcg_split; auto.
      intros y Hy; apply H, (Permutation_in _ (sort_perm l)), Hy.
  Qed.
End AnyDiscount.

(** ** The standard discount *)
Definition standard (r : nat) : R := / ln (1 + INR r).
Lemma ln_pos r : (1 <= r)%nat -> 0 < ln (1 + INR r).
Proof.
  intro H; rewrite <- ln_1; apply ln_increasing; [lra|].
  assert (0 < INR r) by (apply lt_0_INR; lia); lra.
Qed.
Lemma standard_falls : nonincreasing standard.
Proof.
  intros r Hr; unfold standard; apply Rinv_le_contravar; [now apply ln_pos|].
  assert (0 < INR r) by (apply lt_0_INR; lia).
  rewrite S_INR; left; apply ln_increasing; lra.
Qed.
Lemma standard_nonneg r : 0 <= standard r.
Proof.
  unfold standard; destruct r as [|r].
  - simpl; rewrite Rplus_0_r, ln_1, Rinv_0; lra.
  - left; apply Rinv_0_lt_compat, ln_pos; lia.
Qed.
Lemma two_ln_lt x : 0 < x -> 2 * ln x < x.
Proof.
  intro H.
  assert (E : ln x = ln 2 + ln (x / 2)) by (rewrite <- ln_mult by lra; f_equal; field).
  assert (A : ln (x / 2) <= x / 2 - 1).
  { assert (X := exp_ineq1_le (ln (x / 2))); rewrite exp_ln in X by lra; lra. }
  assert (B : ln 2 < 1).
  { rewrite <- (ln_exp 1); apply ln_increasing; [lra|].
    assert (X := exp_ineq1 1 ltac:(lra)); lra. }
  lra.
Qed.

(** How far from 1 an NDCG can be, as a function of x = log(1+n). *)
Definition rate (B p x : R) : R :=
  2 * B / (p * ln 2) * / x + 2 * ln x / (x - 2 * ln x).

(** DCG log(1+n) / n lies between the mass per item and a little more: split at about n / log^2 n. *)
Lemma log_dcg_bounds B n l : 0 <= B -> (1 <= n)%nat -> (length l <= n)%nat ->
  (forall y, In y l -> 0 <= y <= B) ->
  let x := ln (1 + INR n) in
  sum l / INR n <= DCG standard l * x / INR n
  <= 2 * B / ln 2 * / x + x / (x - 2 * ln x) * (sum l / INR n).
Proof.
  intros B0 n1 Ln H x.
  assert (n0 : 1 <= INR n) by (apply (le_INR 1); auto).
  assert (x0 : 0 < x) by (now apply ln_pos).
  assert (xl := two_ln_lt x x0).
  assert (l2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (s0 : 0 <= sum l) by (apply sum_nonneg; intros y Hy; now apply H).
  assert (in0 : 0 < / INR n) by (apply Rinv_0_lt_compat; lra).
  split.
  - assert (A : standard n * sum l <= DCG standard l).
    { apply dcg_lower; auto using standard_falls; try lia; intros y Hy; now apply H. }
    change (standard n) with (/ x) in A.
    apply Rmult_le_compat_r; [lra|].
    apply Rle_trans with (/ x * sum l * x); [right; field; lra|apply Rmult_le_compat_r; lra].
  - set (v := (1 + INR n) / x ^ 2).
    assert (x2 : 0 < x ^ 2) by (apply pow_lt; auto).
    assert (v0 : 0 < v) by (apply Rdiv_lt_0_compat; lra).
    destruct (nfloor_ex v ltac:(lra)) as (k & k1 & k2).
    assert (U := dcg_split standard standard_falls standard_nonneg k l B B0 H).
    assert (kx : INR k * x <= 2 * INR n / x).
    { apply Rle_trans with (v * x); [now apply Rmult_le_compat_r; [lra|]|].
      unfold v; replace ((1 + INR n) / x ^ 2 * x) with ((1 + INR n) / x) by (field; lra).
      apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|lra]. }
    assert (dk : standard (S k) <= / (x - 2 * ln x)).
    { unfold standard; apply Rinv_le_contravar; [lra|].
      replace (x - 2 * ln x) with (ln v).
      - left; apply ln_increasing; auto; rewrite S_INR; lra.
      - unfold v, Rdiv; rewrite ln_mult, ln_Rinv by (auto using Rinv_0_lt_compat; lra).
        replace (x ^ 2) with (x * x) by ring; rewrite ln_mult by lra; fold x; ring. }
    assert (d1 : standard 1 = / ln 2) by (unfold standard; simpl; do 2 f_equal; lra).
    rewrite d1 in U.
    apply Rle_trans with ((B * INR k * / ln 2 + / (x - 2 * ln x) * sum l) * x * / INR n).
    + apply Rmult_le_compat_r; [lra|]; apply Rmult_le_compat_r; [lra|].
      apply Rle_trans with (1 := U), Rplus_le_compat_l, Rmult_le_compat_r; auto.
    + replace ((B * INR k * / ln 2 + / (x - 2 * ln x) * sum l) * x * / INR n)
        with (B * / ln 2 * / INR n * (INR k * x) + x / (x - 2 * ln x) * (sum l / INR n)) by (field; lra).
      apply Rplus_le_compat_r.
      replace (2 * B / ln 2 * / x) with (B * / ln 2 * / INR n * (2 * INR n / x)) by (field; lra).
      apply Rmult_le_compat_l; auto.
      repeat apply Rmult_le_pos; auto; left; auto using Rinv_0_lt_compat.
Qed.
Theorem ndcg_near_1 : forall B p l, 0 <= B -> 0 < p -> l <> [] ->
  (forall y, In y l -> 0 <= y <= B) -> p * INR (length l) <= sum l ->
  1 - rate B p (ln (1 + INR (length l))) <= NDCG standard l <= 1.
Proof.
  intros B p l B0 p0 ne H Y; set (n := length l) in *.
  assert (n1 : (1 <= n)%nat) by (unfold n; destruct l; [easy|simpl; lia]).
  assert (n0 : 1 <= INR n) by (apply (le_INR 1); auto); assert (i0 : 0 < / INR n) by (apply Rinv_0_lt_compat; lra).
  assert (x0 := ln_pos n n1); assert (P := sort_perm l).
  destruct (log_dcg_bounds B n l B0 n1 (le_n _) H) as [low _].
  destruct (log_dcg_bounds B n (sort l) B0 n1 ltac:(now rewrite (Permutation_length P))
    ltac:(intros y I; now apply H, (Permutation_in _ P))) as [_ high].
  set (x := ln (1 + INR n)) in *; rewrite (sum_perm _ _ P) in high; fold (IDCG standard l) in high.
  assert (xl := two_ln_lt x x0); assert (l2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (ix : 0 < / x) by now apply Rinv_0_lt_compat.
  assert (DI : DCG standard l <= IDCG standard l) by (now apply (idcg_is_the_maximum _ l standard_falls)).
  set (m := sum l / INR n) in *; assert (mp : p <= m).
  { apply Rmult_le_reg_r with (INR n); [lra|]; unfold m, Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  set (d := DCG standard l) in *; set (i := IDCG standard l) in *.
  assert (d0 : 0 < d).
  { apply Rmult_lt_reg_r with (x * / INR n); [now apply Rmult_lt_0_compat|]; unfold Rdiv in low; lra. }
  unfold NDCG; fold d i; set (e := rate B p x).
  (* IDCG <= DCG (1 + rate) *)
  assert (U : i <= d * (1 + e)).
  { apply Rmult_le_reg_r with (x * / INR n); [now apply Rmult_lt_0_compat|].
    apply Rle_trans with (m * (1 + e)); [apply Rle_trans with (2 * B / ln 2 * / x + x / (x - 2 * ln x) * m); [unfold Rdiv in *; lra|]|].
    - replace (m * (1 + e)) with (2 * B / ln 2 * / x * (m * / p) + x / (x - 2 * ln x) * m)
        by (unfold e, rate; field; repeat split; lra).
      apply Rplus_le_compat_r; rewrite <- (Rmult_1_r (2 * B / ln 2 * / x)) at 1; apply Rmult_le_compat_l.
      + apply Rmult_le_pos; [apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]|lra].
      + apply Rmult_le_reg_r with p; auto; rewrite Rmult_assoc, Rinv_l; lra.
    - assert (e0 : 0 <= 1 + e).
      { replace (1 + e) with (2 * B / (p * ln 2) * / x + x / (x - 2 * ln x)) by (unfold e, rate; field; lra).
        assert (q : 0 < / (p * ln 2)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
        apply Rplus_le_le_0_compat; [repeat apply Rmult_le_pos; lra|left; apply Rdiv_lt_0_compat; lra]. }
      unfold Rdiv in low; replace (d * (1 + e) * (x * / INR n)) with (d * x * / INR n * (1 + e)) by ring.
      now apply Rmult_le_compat_r. }
  assert (i1 : 0 < i) by lra; split; apply Rmult_le_reg_r with i; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; try lra; [].
  destruct (Rle_dec 1 e) as [h|h]; [assert (0 <= (e - 1) * i) by (apply Rmult_le_pos; lra); lra|].
  apply Rle_trans with ((1 - e) * (d * (1 + e))); [apply Rmult_le_compat_l; lra|].
  assert (0 <= d * (e * e)) by (apply Rmult_le_pos; [lra|apply Rle_0_sqr]); lra.
Qed.

(** ** The rate tends to 0 *)
Lemma rate_lim B p : is_lim (rate B p) p_infty 0.
Proof.
  apply (is_lim_ext_loc (fun x => 2 * B / (p * ln 2) * / x
           + 2 * (ln x / x) * / (1 - 2 * (ln x / x)))).
  { exists 0; intros x Hx; unfold rate; assert (xl := two_ln_lt x Hx).
    f_equal; field; lra. }
  replace (Finite 0) with (Finite (0 + 0)) by (f_equal; lra).
  apply is_lim_plus'.
  - replace (Finite 0) with (Rbar_mult (2 * B / (p * ln 2)) 0) by (simpl; f_equal; lra).
    apply is_lim_scal_l.
    replace (Finite 0) with (Rbar_inv p_infty) by reflexivity.
    apply is_lim_inv; [apply is_lim_id|easy].
  - assert (L := is_lim_div_ln_p).
    assert (L2 : is_lim (fun x => 2 * (ln x / x)) p_infty 0).
    { replace (Finite 0) with (Rbar_mult 2 0) by (simpl; f_equal; lra).
      now apply is_lim_scal_l. }
    replace (Finite 0) with (Rbar_mult 0 (/ (1 - 0))) by (simpl; f_equal; lra).
    apply is_lim_mult; [exact L2| |easy].
    change (Finite (/ (1 - 0))) with (Rbar_inv (1 - 0)).
    apply is_lim_inv; [|simpl; intro E; injection E; lra].
    apply is_lim_minus'; [apply is_lim_const|exact L2].
Qed.
Lemma ln_n_lim : is_lim_seq (fun n => ln (1 + INR n)) p_infty.
Proof.
  apply (is_lim_comp_seq ln (fun n => 1 + INR n) p_infty p_infty).
  - apply is_lim_ln_p.
  - exists O; easy.
  - apply is_lim_seq_plus with 1 p_infty; [apply is_lim_seq_const|apply is_lim_seq_INR|easy].
Qed.

(** ** Theorem 4, the deterministic core *)
Theorem everything_tends_to_one : forall (B p : R) (ranking : nat -> list R),
  0 <= B -> 0 < p ->
  (forall n, length (ranking n) = n) ->
  (forall n y, In y (ranking n) -> 0 <= y <= B) ->
  eventually (fun n => p * INR n <= sum (ranking n)) ->
  is_lim_seq (fun n => NDCG standard (ranking n)) 1.
Proof.
  intros B p l B0 p0 L H Y.
  apply is_lim_seq_le_le_loc with
    (u := fun n => 1 - rate B p (ln (1 + INR n))) (w := fun _ => 1).
  - destruct Y as [N Y]; exists (S N); intros n Hn.
    assert (X := ndcg_near_1 B p (l n) B0 p0); rewrite L in X; apply X.
    + intro E; specialize (L n); rewrite E in L; simpl in L; lia.
    + apply H.
    + apply Y; lia.
  - replace (Finite 1) with (Finite (1 - 0)) by (f_equal; lra).
    apply is_lim_seq_minus'; [apply is_lim_seq_const|].
    apply (is_lim_comp_seq (rate B p) _ p_infty 0); [apply rate_lim| |apply ln_n_lim].
    exists O; easy.
  - apply is_lim_seq_const.
Qed.
