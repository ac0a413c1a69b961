(** wang/theorem-11 (chapter short-cutoffs), the deterministic core: with a cut-off k = o(n) and the labels
    replaced by their probabilities g(r/n), NDCG@k tends to the limit of g at depth 0, under any discount. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import ZipfSeesTheTop.
Open Scope R_scope.

Theorem short_cut_off_sees_the_top : forall (D : nat -> R) (g : R -> R) (q p : R) (k M : nat -> nat),
  0 < p -> (forall r, 0 <= D r) -> 0 < D 1%nat ->
  (forall e, 0 < e -> exists d, 0 < d /\ forall u, 0 < u < d -> Rabs (g u - q) <= e) ->
  (forall n, (1 <= k n)%nat) ->
  is_lim_seq (fun n => INR (k n) / INR n) 0 ->
  eventually (fun n => p * INR n <= INR (M n)) ->
  is_lim_seq (fun n => upto (fun r => D r * g (INR r / INR n)) (k n) / upto D (Nat.min (k n) (M n))) q.
Proof.
  intros D g q p k M p0 D0 D1 Hq Hk Lk [N0 HM].
  assert (S0 : forall m, (1 <= m)%nat -> 0 < upto D m).
  { induction m as [|m IH]; intro h; [lia|]; cbn [upto].
    destruct m as [|m]; [simpl; lra|]; assert (X := IH ltac:(lia)); assert (Y := D0 (S (S m))); lra. }
  apply is_lim_seq_spec; intros [e e0]; simpl.
  destruct (Hq (e / 2) ltac:(lra)) as (d & d0 & Hd).
  assert (m0 : 0 < Rmin d p) by (now apply Rmin_pos).
  apply is_lim_seq_spec in Lk; destruct (Lk (mkposreal _ m0)) as [N HN]; simpl in HN.
  exists (S (N + N0)); intros n Hn.
  assert (n0 : 0 < INR n) by (apply lt_0_INR; lia).
  assert (h := HN n ltac:(lia)); rewrite Rminus_0_r in h; apply Rabs_def2 in h; destruct h as [h _].
  assert (hd : INR (k n) / INR n < d) by (apply Rlt_le_trans with (1 := h), Rmin_l).
  assert (hp : INR (k n) / INR n < p) by (apply Rlt_le_trans with (1 := h), Rmin_r).
  assert (kM : (k n <= M n)%nat).
  { apply INR_le; apply Rle_trans with (2 := HM n ltac:(lia)).
    apply Rmult_lt_compat_r with (r := INR n) in hp; auto.
    replace (INR (k n) / INR n * INR n) with (INR (k n)) in hp by (field; lra); lra. }
  rewrite Nat.min_l by auto; set (s := upto D (k n)).
  assert (s0 : 0 < s) by (apply S0, Hk).
  replace (upto (fun r => D r * g (INR r / INR n)) (k n) / s - q)
    with (upto (fun r => D r * g (INR r / INR n) + - q * D r) (k n) / s)
    by (rewrite upto_plus, upto_scal; fold s; field; lra).
  unfold Rdiv at 1; rewrite Rabs_mult, (Rabs_pos_eq (/ s)) by (left; now apply Rinv_0_lt_compat).
  apply Rle_lt_trans with (e / 2); [|lra].
  apply Rmult_le_reg_r with s; auto; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rle_trans with (1 := upto_abs _ _); unfold s; rewrite <- upto_scal.
  apply upto_le; intros r [r1 rk].
  replace (D r * g (INR r / INR n) + - q * D r) with ((g (INR r / INR n) - q) * D r) by ring.
  rewrite Rabs_mult, (Rabs_pos_eq (D r)) by auto; apply Rmult_le_compat_r; auto.
  assert (r0 : 0 < INR r) by (apply lt_0_INR; lia).
  apply Hd; split; [now apply Rdiv_lt_0_compat|].
  apply Rle_lt_trans with (2 := hd), Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat|now apply le_INR].
Qed.
