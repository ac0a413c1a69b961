(** chapter when-limits-tie, "Why only constant curves are so smooth". *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

Theorem hoelder_above_1_is_constant : forall (f : R -> R) (a b C alpha : R),
  1 < alpha ->
  (forall x y, a <= x <= b -> a <= y <= b -> x < y ->
     Rabs (f x - f y) <= C * Rpower (y - x) alpha) ->
  forall x y, a <= x <= b -> a <= y <= b -> f x = f y.
Proof.
  intros f a b C alpha Ha H.
  set (q := 2 * Rpower (/ 2) alpha).
  assert (Hq : 0 < q < 1).
  { unfold q; split; [apply Rmult_lt_0_compat; [lra|apply exp_pos]|].
    apply Rmult_lt_reg_l with (/ 2); [lra|].
    rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l, Rmult_1_r by lra.
    rewrite <- (Rpower_1 (/ 2)) at 2 by lra; unfold Rpower; apply exp_increasing.
    assert (ln (/ 2) < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
    replace (1 * ln (/ 2)) with (ln (/ 2)) by ring.
    apply Ropp_lt_cancel; replace (- (alpha * ln (/ 2))) with (alpha * (- ln (/ 2))) by ring.
    rewrite <- (Rmult_1_l (- ln (/ 2))) at 1; apply Rmult_lt_compat_r; lra. }
  (* halve the interval k times *)
  assert (K : forall k x y, a <= x <= b -> a <= y <= b -> x < y ->
     Rabs (f x - f y) <= C * Rpower (y - x) alpha * q ^ k).
  { induction k as [|k IH]; intros x y Hx Hy L; simpl; [rewrite Rmult_1_r; auto|].
    set (z := (x + y) / 2).
    assert (A := IH x z Hx ltac:(unfold z; lra) ltac:(unfold z; lra)).
    assert (B := IH z y ltac:(unfold z; lra) Hy ltac:(unfold z; lra)).
    replace (z - x) with ((y - x) * / 2) in A by (unfold z; field).
    replace (y - z) with ((y - x) * / 2) in B by (unfold z; field).
    rewrite <- Rpower_mult_distr in A, B by lra.
    replace (f x - f y) with ((f x - f z) + (f z - f y)) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _); unfold q in *.
    replace (C * Rpower (y - x) alpha * (2 * Rpower (/ 2) alpha * (2 * Rpower (/ 2) alpha) ^ k))
     with (2 * (C * (Rpower (y - x) alpha * Rpower (/ 2) alpha) * (2 * Rpower (/ 2) alpha) ^ k))
     by ring. lra. }
  assert (E : forall x y, a <= x <= b -> a <= y <= b -> x < y -> f x = f y).
  { intros x y Hx Hy L.
    assert (Z : Rabs (f x - f y) <= 0).
    { set (c := C * Rpower (y - x) alpha).
      assert (T : is_lim_seq (fun k => c * q ^ k) (c * 0)).
      { apply (is_lim_seq_scal_l (fun k => q ^ k) c 0), is_lim_seq_geom.
        rewrite Rabs_pos_eq; lra. }
      rewrite Rmult_0_r in T.
      apply (is_lim_seq_le (fun _ => Rabs (f x - f y)) (fun k => c * q ^ k)
               (Rabs (f x - f y)) 0); auto using is_lim_seq_const.
      intro k; now apply K. }
    assert (N := Rabs_pos (f x - f y)).
    assert (Rabs (f x - f y) = 0) by lra.
    destruct (Req_dec (f x - f y) 0) as [|n]; [lra|].
    now apply Rabs_no_R0 in n. }
  intros x y Hx Hy; destruct (Rtotal_order x y) as [h|[h|h]].
  - now apply E.
  - now rewrite h.
  - symmetry; now apply E.
Qed.
