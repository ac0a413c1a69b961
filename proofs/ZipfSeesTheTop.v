(** wang/theorem-9 (chapter the-zipfian-border), the deterministic core: with the discount 1/r and the labels
    replaced by their probabilities g(r/n), the ratio tends to the limit of g at depth 0. *)
From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.
Fixpoint upto (f : nat -> R) (n : nat) : R :=
  match n with O => 0 | S m => upto f m + f (S m) end.
Definition H (n : nat) : R := upto (fun r => / INR r) n.
Definition zdcg (g : R -> R) (n : nat) : R := upto (fun r => g (INR r / INR n) / INR r) n.
Lemma H_above_ln n : ln (1 + INR n) <= H n.
Proof.
  unfold H; induction n as [|n IH]; cbn [upto]; [simpl; rewrite Rplus_0_r, ln_1; lra|].
  assert (P : 0 < 1 + INR n) by (assert (X := pos_INR n); lra).
  rewrite !S_INR in *; replace (1 + (INR n + 1)) with ((1 + INR n) * (1 + / (1 + INR n))) by (field; lra).
  assert (Q : 0 < / (1 + INR n)) by (now apply Rinv_0_lt_compat).
  rewrite ln_mult by lra.
  assert (E := exp_ineq1_le (ln (1 + / (1 + INR n)))); rewrite exp_ln in E by lra.
  replace (/ (INR n + 1)) with (/ (1 + INR n)) by (f_equal; ring). lra.
Qed.
Lemma H_infinite : is_lim_seq H p_infty.
Proof.
  apply is_lim_seq_le_p_loc with (fun n => ln (1 + INR n)).
  - exists O; intros; apply H_above_ln.
  - apply (is_lim_comp_seq ln (fun n => 1 + INR n) p_infty p_infty).
    + apply is_lim_ln_p.
    + exists O; easy.
    + apply is_lim_seq_plus with 1 p_infty; [apply is_lim_seq_const|apply is_lim_seq_INR|easy].
Qed.
Lemma H_pos n : (1 <= n)%nat -> 0 < H n.
Proof.
  intro h; apply Rlt_le_trans with (2 := H_above_ln n).
  rewrite <- ln_1; apply ln_increasing; [lra|]; assert (0 < INR n) by (apply lt_0_INR; lia); lra.
Qed.
Lemma upto_plus f g n : upto (fun r => f r + g r) n = upto f n + upto g n.
Proof. induction n; simpl; lra. Qed.
Lemma upto_scal a f n : upto (fun r => a * f r) n = a * upto f n.
Proof. induction n as [|n IH]; simpl; [ring|rewrite IH; ring]. Qed.
Lemma upto_const a n : upto (fun _ => a) n = a * INR n.
Proof. induction n as [|n IH]; cbn [upto]; [simpl; ring|rewrite IH, S_INR; ring]. Qed.
Lemma upto_le f g n : (forall r, (1 <= r <= n)%nat -> f r <= g r) -> upto f n <= upto g n.
Proof.
  induction n as [|n IH]; intro h; simpl; [lra|].
  assert (f (S n) <= g (S n)) by (apply h; lia).
  assert (upto f n <= upto g n) by (apply IH; intros; apply h; lia). lra.
Qed.
Lemma upto_ext f g n : (forall r, (1 <= r <= n)%nat -> f r = g r) -> upto f n = upto g n.
Proof. intro h; apply Rle_antisym; apply upto_le; intros r Hr; rewrite h; auto; lra. Qed.
Lemma upto_abs f n : Rabs (upto f n) <= upto (fun r => Rabs (f r)) n.
Proof.
  induction n as [|n IH]; simpl; [rewrite Rabs_R0; lra|].
  apply Rle_trans with (1 := Rabs_triang _ _); lra.
Qed.

(** The one inequality: what is near the top costs e/r, what is not costs K/n. *)
Lemma close_to_the_top g q B d e n : 0 < d -> 0 < e ->
  (forall u, 0 <= u <= 1 -> Rabs (g u) <= B) ->
  (forall u, 0 < u < d -> Rabs (g u - q) <= e) -> (1 <= n)%nat ->
  Rabs (zdcg g n - q * H n) <= e * H n + (B + Rabs q) / d.
Proof.
  intros d0 e0 HB Hq Hn; unfold zdcg, H.
  assert (N : 0 < INR n) by (apply lt_0_INR; lia).
  replace (upto (fun r => g (INR r / INR n) / INR r) n - q * upto (fun r => / INR r) n)
    with (upto (fun r => g (INR r / INR n) / INR r + - q * / INR r) n)
    by (rewrite upto_plus, upto_scal; ring).
  apply Rle_trans with (1 := upto_abs _ _).
  apply Rle_trans with (upto (fun r => e * / INR r + (B + Rabs q) / d / INR n) n).
  - apply upto_le; intros r [r1 rn].
    assert (R0 : 0 < INR r) by (apply lt_0_INR; lia).
    assert (R1 : INR r <= INR n) by (apply le_INR; lia).
    assert (I := Rinv_0_lt_compat _ R0). assert (J := Rinv_0_lt_compat _ N).
    replace (g (INR r / INR n) / INR r + - q * / INR r)
      with ((g (INR r / INR n) - q) * / INR r) by (unfold Rdiv; ring).
    rewrite Rabs_mult, (Rabs_pos_eq (/ INR r)) by lra.
    set (u := INR r / INR n).
    assert (U : 0 < u <= 1).
    { unfold u; split; [now apply Rdiv_lt_0_compat|].
      apply Rmult_le_reg_r with (INR n); auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
    assert (G := HB u ltac:(lra)). assert (Q := Rabs_pos q). assert (GP := Rabs_pos (g u)).
    destruct (Rlt_dec u d) as [h|h].
    + assert (X := Hq u ltac:(lra)).
      assert (Rabs (g u - q) * / INR r <= e * / INR r) by (apply Rmult_le_compat_r; lra).
      assert (0 <= (B + Rabs q) / d / INR n).
      { apply Rmult_le_pos; [apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]|lra]. }
      lra.
    + assert (X : Rabs (g u - q) <= B + Rabs q).
      { apply Rle_trans with (1 := Rabs_triang _ _); rewrite Rabs_Ropp; lra. }
      assert (Y : / INR r <= / d / INR n).
      { unfold Rdiv; rewrite <- Rinv_mult; apply Rinv_le_contravar; [now apply Rmult_lt_0_compat|].
        assert (d <= u) by lra. unfold u in *.
        apply Rle_trans with (INR r / INR n * INR n); [apply Rmult_le_compat_r; lra|].
        unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
      assert (Rabs (g u - q) * / INR r <= (B + Rabs q) * (/ d / INR n)).
      { apply Rmult_le_compat; try lra; apply Rabs_pos. }
      assert (0 < e * / INR r) by (now apply Rmult_lt_0_compat).
      replace ((B + Rabs q) / d / INR n) with ((B + Rabs q) * (/ d / INR n)) by (unfold Rdiv; ring).
      lra.
  - rewrite upto_plus, upto_scal, upto_const; apply Req_le; f_equal; field; lra.
Qed.
Lemma zdcg_over_H g q B :
  (forall u, 0 <= u <= 1 -> Rabs (g u) <= B) ->
  (forall e, 0 < e -> exists d, 0 < d /\ forall u, 0 < u < d -> Rabs (g u - q) <= e) ->
  is_lim_seq (fun n => zdcg g n / H n) q.
Proof.
  intros HB Hq; apply is_lim_seq_spec; intros [e e0]; simpl.
  destruct (Hq (e / 3) ltac:(lra)) as (d & d0 & Hd).
  set (K := (B + Rabs q) / d).
  assert (L := H_infinite); apply is_lim_seq_spec in L.
  destruct (L (3 * Rabs K / e)) as [N HN]; exists (S N); intros n Hn.
  assert (h := HN n ltac:(lia)). assert (P := H_pos n ltac:(lia)).
  assert (C := close_to_the_top g q B d (e / 3) n d0 ltac:(lra) HB Hd ltac:(lia)); fold K in C.
  replace (zdcg g n / H n - q) with ((zdcg g n - q * H n) / H n) by (field; lra).
  unfold Rdiv at 1; rewrite Rabs_mult, (Rabs_pos_eq (/ H n)) by (left; now apply Rinv_0_lt_compat).
  apply Rmult_lt_reg_r with (H n); auto.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  assert (X : Rabs K < e / 3 * H n).
  { apply Rmult_lt_reg_r with (3 / e); [apply Rdiv_lt_0_compat; lra|].
    replace (e / 3 * H n * (3 / e)) with (H n) by (field; lra).
    replace (Rabs K * (3 / e)) with (3 * Rabs K / e) by (field; lra); auto. }
  assert (Y := Rle_abs K). assert (0 < e / 3 * H n) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

(** The ideal list stops at M, a proportion of the items, without effect on the limit of the harmonic sum. *)
Lemma H_share p M : 0 < p -> eventually (fun n => (M n <= n)%nat /\ p * INR n <= INR (M n)) ->
  is_lim_seq (fun n => H n / H (M n)) 1.
Proof.
  intros p0 [N0 HM].
  assert (D : forall m n, (1 <= m <= n)%nat -> 0 <= H n - H m <= (INR n - INR m) / INR m).
  { intros m n [m1 mn]; assert (P : 0 < INR m) by (apply lt_0_INR; lia).
    induction mn as [|n mn IH]; [unfold Rminus, Rdiv; rewrite !Rplus_opp_r; lra|].
    unfold H in *; cbn [upto]; rewrite S_INR.
    assert (Q : INR m <= INR n) by (now apply le_INR).
    assert (R : 0 < / (INR n + 1)) by (apply Rinv_0_lt_compat; lra).
    assert (S : / (INR n + 1) <= / INR m) by (apply Rinv_le_contravar; lra).
    replace ((INR n + 1 - INR m) / INR m) with ((INR n - INR m) / INR m + / INR m) by (field; lra).
    lra. }
  apply is_lim_seq_spec; intros [e e0]; simpl.
  assert (L := H_infinite); apply is_lim_seq_spec in L.
  destruct (L (/ p + / p / e)) as [N HN]; exists (S (N + N0)); intros n Hn.
  destruct (HM n ltac:(lia)) as [M1 M2].
  assert (Nn : 0 < INR n) by (apply lt_0_INR; lia).
  assert (M0 : 0 < INR (M n)) by (apply Rlt_le_trans with (2 := M2); now apply Rmult_lt_0_compat).
  assert (M3 : (1 <= M n)%nat) by (destruct (M n); [simpl in M0; lra|lia]).
  destruct (D (M n) n ltac:(lia)) as [D1 D2].
  assert (ip : 0 < / p) by (now apply Rinv_0_lt_compat).
  assert (D3 : (INR n - INR (M n)) / INR (M n) <= / p).
  { apply Rmult_le_reg_r with (INR (M n)); auto.
    replace ((INR n - INR (M n)) / INR (M n) * INR (M n)) with (INR n - INR (M n)) by (field; lra).
    apply Rmult_le_reg_l with p; auto; rewrite <- Rmult_assoc, Rinv_r by lra.
    assert (0 <= p * INR (M n)) by (left; now apply Rmult_lt_0_compat). lra. }
  assert (h := HN n ltac:(lia)). assert (P := H_pos (M n) M3).
  assert (ie : 0 < / p / e) by (now apply Rdiv_lt_0_compat).
  replace (H n / H (M n) - 1) with ((H n - H (M n)) / H (M n)) by (field; lra).
  rewrite Rabs_pos_eq by (apply Rmult_le_pos; [lra|left; now apply Rinv_0_lt_compat]).
  apply Rmult_lt_reg_r with (H (M n)); auto.
  replace ((H n - H (M n)) / H (M n) * H (M n)) with (H n - H (M n)) by (field; lra).
  apply Rle_lt_trans with (/ p); [lra|].
  replace (/ p) with (e * (/ p / e)) by (field; lra).
  apply Rmult_lt_compat_l; auto; lra.
Qed.
(** The smaller of two proportions of the items. *)
Lemma share_of_the_smaller (k M : nat -> nat) (c p : R) : is_lim_seq (fun n => INR (k n) / INR n) c ->
  is_lim_seq (fun n => INR (M n) / INR n) p -> is_lim_seq (fun n => INR (Nat.min (k n) (M n)) / INR n) (Rmin c p).
Proof.
  assert (E : forall a b, Rmin a b = (a + b - Rabs (a - b)) * / 2)
    by (intros; unfold Rmin, Rabs; destruct Rle_dec, Rcase_abs; lra).
  intros Kc Mp; rewrite E; apply is_lim_seq_ext_loc with (fun n => (INR (k n) / INR n + INR (M n) / INR n
    - Rabs (INR (k n) / INR n - INR (M n) / INR n)) * / 2).
  - exists 1%nat; intros n Hn; rewrite <- E; unfold Rdiv.
    assert (0 < / INR n) by (apply Rinv_0_lt_compat, lt_0_INR; lia).
    unfold Rmin; destruct (le_lt_dec (k n) (M n)) as [h|h].
    + rewrite Nat.min_l by auto; apply le_INR in h; destruct Rle_dec; nra.
    + rewrite Nat.min_r by lia; apply lt_INR in h; destruct Rle_dec; nra.
  - apply (is_lim_seq_scal_r _ (/ 2) (c + p - Rabs (c - p))), is_lim_seq_minus'; [now apply is_lim_seq_plus'|].
    apply (is_lim_seq_abs _ (Finite (c - p))); now apply is_lim_seq_minus'.
Qed.
Theorem zipf_sees_the_top : forall g q B p M, 0 < p ->
  (forall u, 0 <= u <= 1 -> Rabs (g u) <= B) ->
  (forall e, 0 < e -> exists d, 0 < d /\ forall u, 0 < u < d -> Rabs (g u - q) <= e) ->
  eventually (fun n => (M n <= n)%nat /\ p * INR n <= INR (M n)) ->
  is_lim_seq (fun n => zdcg g n / H (M n)) q.
Proof.
  intros g q B p M p0 HB Hq HM.
  apply is_lim_seq_ext_loc with (fun n => (zdcg g n / H n) * (H n / H (M n))).
  - destruct HM as [N HM]; exists (S N); intros n Hn; destruct (HM n ltac:(lia)) as [M1 M2].
    assert (Nn : 0 < INR n) by (apply lt_0_INR; lia).
    assert (M0 : 0 < INR (M n)) by (apply Rlt_le_trans with (2 := M2); now apply Rmult_lt_0_compat).
    assert (M3 : (1 <= M n)%nat) by (destruct (M n); [simpl in M0; lra|lia]).
    assert (X := H_pos n ltac:(lia)). assert (Y := H_pos (M n) M3). field; lra.
  - replace (Finite q) with (Finite (q * 1)) by (f_equal; ring).
    apply is_lim_seq_mult'; [now apply zdcg_over_H with B|now apply H_share with p].
Qed.
