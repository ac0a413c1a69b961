(** wang/theorem-10-convergence and deck/beta-above-1 (chapter discounts-that-decay-too-fast): under a summable
    discount, such as a steep power of the rank, NDCG does not converge if labels are independent and uncertain,
    and a ranker and its reverse are not consistently distinguished. *)
From Coq Require Import Reals List Permutation Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import Ranking SortedIsBest EverythingTendsToOne CoinTosses SummableDiscounts.
From Companion Require Import FloorAndCeiling PowerSums.
Import ListNotations.
Open Scope R_scope.

(** ** Tosses whose first and last rows are given *)
Definition in_doubt (delta : R) (q : list R) : Prop := forall p, In p q -> delta <= p <= 1 - delta.
Lemma E_app a b f : E (a ++ b) f = E a (fun l => E b (fun m => f (l ++ m))).
Proof. revert f; induction a as [|p a IH]; intro f; simpl; auto; now rewrite !IH. Qed.
Lemma E_const q c : E q (fun _ => c) = c.
Proof. induction q as [|p q IH]; simpl; auto; rewrite IH; ring. Qed.
(** Each list of k outcomes has a probability of at least delta^k. *)
Lemma one_row delta q w f : 0 <= delta -> in_doubt delta q -> tosses (length q) w ->
  (forall l, 0 <= f l) -> delta ^ length q * f w <= E q f.
Proof.
  intro d0; revert w f; induction q as [|p q IH]; intros w f Q [L T] F.
  - destruct w; [simpl; lra|discriminate L].
  - destruct w as [|y w]; [discriminate L|]; assert (Hp := Q p (or_introl eq_refl)).
    assert (Q' : in_doubt delta q) by (intros r I; apply Q; now right).
    assert (I : forall x, delta ^ length q * f (x :: w) <= E q (fun l => f (x :: l)) /\ 0 <= E q (fun l => f (x :: l))).
    { intro x; assert (T' : tosses (length q) w) by (split; [now injection L|intros z I; apply T; now right]).
      assert (A := IH w (fun l => f (x :: l)) Q' T' (fun l => F _)); split; auto.
      apply Rle_trans with (2 := A), Rmult_le_pos; [now apply pow_le|apply F]. }
    destruct (I 1) as [A A0], (I 0) as [B B0]; simpl.
    destruct (T y (or_introl eq_refl)) as [->| ->]; nra.
Qed.
Lemma first_and_last delta m w w' q (A : list R -> Prop) dec : 0 <= delta -> in_doubt delta q -> (m + m <= length q)%nat ->
  tosses m w -> tosses m w' -> (forall n y, tosses n y -> A (w ++ y ++ w')) ->
  delta ^ m * delta ^ m <= P q A dec.
Proof.
  intros d0 Q L W W' H; set (r := skipn m q); set (k := (length r - m)%nat).
  set (a := firstn m q); set (b := firstn k r); set (c := skipn k r).
  assert (S : q = a ++ b ++ c) by (unfold a, b, c, r; now rewrite !firstn_skipn).
  assert (lr : length r = (length q - m)%nat) by apply skipn_length.
  assert (la : length a = m) by (unfold a; rewrite firstn_length; lia).
  assert (lc : length c = m) by (unfold c, k; rewrite skipn_length; lia).
  assert (part : forall t, incl t q -> in_doubt delta t) by (intros t I p J; auto).
  assert (unit : forall t, incl t q -> forall p, In p t -> 0 <= p <= 1)
    by (intros t I p J; specialize (Q p (I p J)); lra).
  rewrite S in part, unit |- *; unfold P; rewrite E_app.
  assert (ind : forall l, 0 <= (if dec l then 1 else 0)) by (intro l; destruct dec; lra).
  assert (Ia : incl a (a ++ b ++ c)) by (apply incl_appl, incl_refl).
  assert (Ib : incl b (a ++ b ++ c)) by (apply incl_appr, incl_appl, incl_refl).
  assert (Ic : incl c (a ++ b ++ c)) by (apply incl_appr, incl_appr, incl_refl).
  assert (X := one_row delta a w (fun l => E (b ++ c) (fun m => if dec (l ++ m) then 1 else 0)) d0 (part a Ia)).
  rewrite la in X; refine (Rle_trans _ _ _ _ (X W _)).
  2: { intro l; apply Rle_trans with (E (b ++ c) (fun _ => 0)); [rewrite E_const; lra|].
       apply E_mono; [apply (unit (b ++ c)), incl_appr, incl_refl|intros; apply ind]. }
  apply Rmult_le_compat_l; [now apply pow_le|]; rewrite E_app, <- (E_const b (_ ^ _)).
  apply E_mono; [now apply unit|]; intros y Y.
  assert (Z := one_row delta c w' (fun m => if dec (w ++ y ++ m) then 1 else 0) d0 (part c Ic)).
  rewrite lc in Z; apply Rle_trans with (2 := Z W' ltac:(auto)).
  destruct dec as [|n]; [lra|exfalso; eapply n, H, Y].
Qed.

(** ** The two ends decide *)
Section Summable.
  Variable D : nat -> R.
  Hypothesis D_falls : nonincreasing D.
  Hypothesis D_positive : forall r, 0 <= D r.
  Hypothesis D_first : 0 < D 1%nat.
  Hypothesis D_summable : ex_series (fun k => D (S k)).
  Let T := Series (fun k => D (S k)).
  Lemma row_labels n l : tosses n l -> forall y, In y l -> 0 <= y <= 1.
  Proof. intros [_ H] y I; destruct (H y I); lra. Qed.
  Lemma enough_ranks : exists m, 3 / 4 * T <= partial D m /\ 0 < partial D m.
  Proof.
    assert (L := Series_correct _ D_summable); fold T in L; unfold is_series in L.
    assert (sums : forall m, sum_n (fun k => D (S k)) m = partial D (S m)).
    { induction m as [|m IH]; [rewrite sum_O; simpl; ring|]; rewrite sum_Sn, IH; reflexivity. }
    assert (up : forall m, D 1%nat <= partial D (S m))
      by (induction m as [|m IH]; simpl in *; [lra|assert (X := D_positive (S (S m))); lra]).
    assert (T0 : 0 < T).
    { apply Rlt_le_trans with (1 := D_first); rewrite <- (Rplus_0_l (D 1%nat)).
      change (0 + D 1%nat) with (partial D 1); rewrite <- (sums O).
      apply (is_lim_seq_incr_compare (sum_n (fun k => D (S k)))); auto.
      intro n; rewrite sum_Sn; change plus with Rplus; assert (X := D_positive (S (S n))); lra. }
    destruct (L (ball T (mkposreal (T / 4) ltac:(lra))) (locally_ball T _)) as [m Hm].
    specialize (Hm m (le_n m)); rewrite sums in Hm; exists (S m); specialize (up m).
    change (Rabs (partial D (S m) - T) < T / 4) in Hm; apply Rabs_def2 in Hm; lra.
  Qed.
  Lemma ends_decide m n y : 3 / 4 * T <= partial D m -> 0 < partial D m -> tosses n y ->
    let l := repeat 1 m ++ y ++ repeat 0 m in 3 / 4 <= NDCG D l /\ NDCG D (rev l) <= 1 / 3.
  Proof.
    intros E0 m0 Y l; assert (ones : forall k, DCG D (repeat 1 k) = partial D k)
      by (intro k; unfold DCG; rewrite dcg_ones; simpl; lra).
    assert (labels : forall z, In z l -> 0 <= z <= 1).
    { intros z I; unfold l in I; rewrite !in_app_iff in I; destruct I as [I|[I|I]];
        [apply repeat_spec in I; lra|now apply (row_labels n y)|apply repeat_spec in I; lra]. }
    assert (low : partial D m <= DCG D l).
    { rewrite <- ones; unfold l, DCG; rewrite dcg_app.
      assert (0 <= dcg_from D (1 + length (repeat 1 m)) (y ++ repeat 0 m)); [|lra].
      apply dcg_nonneg; auto; intros z I; apply labels, in_or_app; auto. }
    assert (high : DCG D (rev l) <= T - partial D m).
    { assert (B : DCG D (repeat 1 m ++ rev y ++ repeat 1 m) <= T).
      { apply dcg_at_most_series; auto; intros z I; rewrite !in_app_iff, <- in_rev in I.
        destruct I as [I|[I|I]]; [apply repeat_spec in I; lra|now apply (row_labels n y)|apply repeat_spec in I; lra]. }
      unfold l, DCG in *; rewrite !rev_app_distr, <- app_assoc.
      rewrite !rev_of_repeat, !dcg_app, !repeat_length in *; rewrite dcg_zeros, dcg_ones in *; simpl in *; lra. }
    assert (I1 : IDCG D l <= T).
    { apply dcg_at_most_series; auto; intros z I; apply labels, (Permutation_in _ (sort_perm l)), I. }
    assert (I0 : DCG D l <= IDCG D l) by (apply (idcg_is_the_maximum D l D_falls); auto).
    unfold NDCG; replace (IDCG D (rev l)) with (IDCG D l)
      by (unfold IDCG; now rewrite (sort_permuted _ _ (Permutation_rev l))).
    assert (q : forall x, x / IDCG D l * IDCG D l = x) by (intro x; field; lra).
    split; apply Rmult_le_reg_r with (IDCG D l); rewrite ?q; lra.
  Qed.
End Summable.

(** The probabilities q are in the order of the first ranker; the second has the reverse order. *)
Theorem neither_wins_nor_settles : forall D delta, nonincreasing D -> (forall r, 0 <= D r) -> 0 < D 1%nat ->
  ex_series (fun k => D (S k)) -> 0 < delta ->
  exists c N, 0 < c /\ forall q, (N <= length q)%nat -> in_doubt delta q ->
  let value := NDCG D in
  c <= P q (fun l => value (rev l) < value l) (fun l => Rlt_dec _ _) /\
  c <= P q (fun l => value l < value (rev l)) (fun l => Rlt_dec _ _) /\
  c <= P q (fun l => 3 / 4 <= value l) (fun l => Rle_dec _ _) /\
  c <= P q (fun l => value l <= 1 / 3) (fun l => Rle_dec _ _).
Proof.
  intros D delta falls pos D1 sums d0; destruct (enough_ranks D pos D1 sums) as (m & T & m0).
  assert (ends := fun n y => ends_decide D falls pos sums m n y T m0).
  exists (delta ^ m * delta ^ m), (m + m)%nat; split; [apply Rmult_lt_0_compat; now apply pow_lt|].
  intros q L Q value.
  assert (row : forall x, x = 0 \/ x = 1 -> tosses m (repeat x m))
    by (intros x X; split; [apply repeat_length|intros y ->%repeat_spec; auto]).
  assert (turned : forall n y, tosses n y -> let l := repeat 0 m ++ y ++ repeat 1 m in
    3 / 4 <= value (rev l) /\ value l <= 1 / 3).
  { intros n y [Ly Y] l; assert (R : rev l = repeat 1 m ++ rev y ++ repeat 0 m)
      by (unfold l; rewrite !rev_app_distr, <- app_assoc, !rev_of_repeat; reflexivity).
    destruct (ends n (rev y)) as [A B]; [split; [now rewrite rev_length|intros z I; now apply Y, in_rev]|].
    rewrite <- R, rev_involutive in *; auto. }
  assert (up := fun A dec => first_and_last delta m (repeat 1 m) (repeat 0 m) q A dec ltac:(lra) Q L ltac:(auto) ltac:(auto)).
  assert (down := fun A dec => first_and_last delta m (repeat 0 m) (repeat 1 m) q A dec ltac:(lra) Q L ltac:(auto) ltac:(auto)).
  repeat split; [apply up|apply down|apply up|apply down]; intros n y Y;
    destruct (ends n y Y), (turned n y Y); unfold value in *; lra.
Qed.

(** ** Powers of the rank *)
Definition steep (beta : R) (r : nat) : R := power beta (INR r).
Lemma steep_falls beta : 0 < beta -> nonincreasing (steep beta).
Proof.
  intros b r Hr; apply le_INR in Hr; simpl in Hr; unfold steep, power; rewrite !Rpower_Ropp.
  apply Rinv_le_contravar; [apply exp_pos|]; apply Rle_Rpower_l; rewrite ?S_INR; lra.
Qed.
(** The tail of the discounts is less than x^(1 - beta)/(beta - 1), which decreases at each rank by more than
    its discount. *)
Lemma steep_is_summable beta : 1 < beta -> ex_series (fun k => steep beta (S k)).
Proof.
  intro b; set (f := fun k => Rpower (INR k) (1 - beta) / (beta - 1)).
  assert (step : forall k, (1 <= k)%nat -> steep beta (S k) <= f k - f (S k)).
  { intros k k1; apply le_INR in k1; simpl in k1; unfold f, steep, power, Rpower; rewrite S_INR.
    set (x := INR k) in *; set (y := x + 1); assert (y0 : 0 < y) by (unfold y; lra).
    assert (A := exp_ineq1_le ((1 - beta) * (ln x - ln y))).
    assert (B : ln x - ln y <= - / y).
    { assert (Z := exp_ineq1_le (ln x + - ln y)).
      rewrite exp_plus, exp_Ropp, !exp_ln in Z by lra; replace (x * / y) with (1 - / y) in Z by (unfold y; field; lra); lra. }
    set (d := exp (- beta * ln y)); assert (d0 : 0 < d) by apply exp_pos.
    assert (Ey : exp ((1 - beta) * ln y) = y * d)
      by (unfold d; rewrite <- (exp_ln y) at 2 by auto; rewrite <- exp_plus; f_equal; ring).
    assert (Ex : exp ((1 - beta) * ln x) = exp ((1 - beta) * (ln x - ln y)) * (y * d))
      by (rewrite <- Ey, <- exp_plus; f_equal; ring).
    rewrite Ex, Ey; set (e := exp ((1 - beta) * (ln x - ln y))) in *.
    apply Rmult_le_reg_r with (beta - 1); [lra|].
    replace ((e * (y * d) / (beta - 1) - y * d / (beta - 1)) * (beta - 1)) with ((e - 1) * y * d) by (field; lra).
    assert (C : (beta - 1) * / y <= e - 1) by nra.
    apply Rmult_le_compat_r with (r := y) in C; [|lra].
    rewrite Rmult_assoc, Rinv_l in C by lra; nra. }
  assert (sums : forall n, sum_n (fun k => steep beta (S k)) n <= steep beta 1 + f 1%nat - f (S n)).
  { induction n as [|n IH]; [rewrite sum_O; lra|].
    rewrite sum_Sn; change plus with Rplus; assert (S := step (S n) ltac:(lia)); lra. }
  destruct (ex_finite_lim_seq_incr (sum_n (fun k => steep beta (S k))) (steep beta 1 + f 1%nat)) as [l Hl];
    [| |now exists l].
  - intro n; rewrite sum_Sn; change plus with Rplus.
    assert (0 < steep beta (S (S n))) by apply exp_pos; lra.
  - intro n; apply Rle_trans with (1 := sums n).
    assert (0 < f (S n)) by (apply Rdiv_lt_0_compat; [apply exp_pos|lra]); lra.
Qed.

Theorem steep_powers : forall beta delta, 1 < beta -> 0 < delta ->
  exists c N, 0 < c /\ forall q, (N <= length q)%nat -> in_doubt delta q ->
  let value := NDCG (steep beta) in
  c <= P q (fun l => value (rev l) < value l) (fun l => Rlt_dec _ _) /\
  c <= P q (fun l => value l < value (rev l)) (fun l => Rlt_dec _ _) /\
  c <= P q (fun l => 3 / 4 <= value l) (fun l => Rle_dec _ _) /\
  c <= P q (fun l => value l <= 1 / 3) (fun l => Rle_dec _ _).
Proof.
  intros beta delta b d0; apply neither_wins_nor_settles; auto using steep_is_summable.
  - apply steep_falls; lra.
  - intro; left; apply exp_pos.
  - apply exp_pos.
Qed.
