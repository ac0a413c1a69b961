(** wang/theorem-4 (chapter everything-tends-to-one) for independent labels that are 1 with one probability and
    0 otherwise: except with probability e^(-cn), EVERY ranking of the n items, even one that depends on the
    labels, has an NDCG within rate(n) of 1. The bounds can be summed over n. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import Ranking SortedIsBest EverythingTendsToOne.
Import ListNotations.
Open Scope R_scope.

(** The mean over independent labels: each is 1 with its probability in q, and 0 otherwise. *)
Fixpoint E (q : list R) (f : list R -> R) : R :=
  match q with
  | [] => f []
  | p :: t => p * E t (fun l => f (1 :: l)) + (1 - p) * E t (fun l => f (0 :: l))
  end.
(** The probability of an event; [repeat p n] are n labels with the same probability. *)
Definition P (q : list R) (A : list R -> Prop) (dec : forall l, {A l} + {~ A l}) : R :=
  E q (fun l => if dec l then 1 else 0).

(** A list of outcomes. *)
Definition tosses (n : nat) (l : list R) : Prop :=
  length l = n /\ forall y, In y l -> y = 0 \/ y = 1.
Lemma E_mono q f g : (forall p, In p q -> 0 <= p <= 1) ->
  (forall l, tosses (length q) l -> f l <= g l) -> E q f <= E q g.
Proof.
  revert f g; induction q as [|p t IH]; intros f g Hq H; simpl.
  - apply H; split; [auto|easy].
  - assert (Hp := Hq p (or_introl eq_refl)).
    assert (T : forall x, x = 0 \/ x = 1 -> E t (fun l => f (x :: l)) <= E t (fun l => g (x :: l))).
    { intros x Hx; apply IH; [intros; apply Hq; now right|]; intros l [L1 L2]; apply H.
      split; [simpl; auto|intros y [<-|I]; auto]. }
    apply Rplus_le_compat; apply Rmult_le_compat_l; auto; lra.
Qed.
Lemma E_le p n f g : 0 <= p <= 1 -> (forall l, tosses n l -> f l <= g l) ->
  E (repeat p n) f <= E (repeat p n) g.
Proof. intros Hp H; apply E_mono; [now intros r ->%repeat_spec|now rewrite repeat_length]. Qed.
Lemma E_scal q a f : E q (fun l => a * f l) = a * E q f.
Proof. revert f; induction q as [|p t IH]; intro f; simpl; auto; rewrite !IH; ring. Qed.

(** The moment generating function of the number of relevant items. *)
Lemma E_exp p n t : E (repeat p n) (fun l => exp (- t * sum l)) = (1 - p + p * exp (- t)) ^ n.
Proof.
  induction n as [|n IH]; simpl.
  - replace (- t * 0) with 0 by ring; apply exp_0.
  - assert (X : forall x f, E (repeat p n) (fun l => exp (- t * (x + f l))) =
      exp (- t * x) * E (repeat p n) (fun l => exp (- t * f l))).
    { intros x f; rewrite <- E_scal; f_equal.
      apply FunctionalExtensionality.functional_extensionality; intro l.
      rewrite <- exp_plus; f_equal; ring. }
    rewrite (X 1 sum), (X 0 sum), IH.
    replace (- t * 0) with 0 by ring; rewrite exp_0.
    replace (- t * 1) with (- t) by ring; ring.
Qed.

(** Seldom is less than half of the expected number relevant. *)
Lemma few_relevant p n : 0 < p <= 1 ->
  P (repeat p n) (fun l => sum l < p / 2 * INR n) (fun l => Rlt_dec _ _)
  <= exp (- (p * (1 - ln 2) / 2) * INR n).
Proof.
  intro Hp; unfold P.
  set (c := p / 2 * INR n).
  apply Rle_trans with (E (repeat p n) (fun l => exp (ln 2 * c) * exp (- ln 2 * sum l))).
  - apply E_le; [lra|]; intros l _; destruct (Rlt_dec (sum l) c) as [h|h].
    + rewrite <- exp_plus, <- exp_0; assert (L : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
      assert (M : 0 < ln 2 * (c - sum l)) by (apply Rmult_lt_0_compat; lra).
      left; apply exp_increasing; lra.
    + left; rewrite <- exp_plus; apply exp_pos.
  - rewrite E_scal, E_exp, exp_Ropp, exp_ln by lra.
    replace (1 - p + p * / 2) with (1 + - (p / 2)) by field.
    apply Rle_trans with (exp (ln 2 * c) * exp (- (p / 2)) ^ n).
    + apply Rmult_le_compat_l; [left; apply exp_pos|].
      apply pow_incr; split; [lra|apply exp_ineq1_le].
    + rewrite <- Rpower_pow by apply exp_pos; unfold Rpower; rewrite ln_exp, <- exp_plus.
      apply Req_le; f_equal; unfold c; field.
Qed.

(** ** Theorem 4 at every n, for all rankings at once *)
Theorem theorem_4_at_every_n : forall p n (ranking : list R -> list R),
  0 < p <= 1 -> (1 <= n)%nat ->
  (forall l, Permutation (ranking l) l) ->
  P (repeat p n) (fun l => NDCG standard (ranking l) < 1 - rate 1 (p / 2) (ln (1 + INR n)))
        (fun l => Rlt_dec _ _)
  <= exp (- (p * (1 - ln 2) / 2) * INR n).
Proof.
  intros p n ranking Hp Hn HP.
  apply Rle_trans with (2 := few_relevant p n Hp); unfold P.
  apply E_le; [lra|]; intros l [L T].
  destruct (Rlt_dec (sum l) (p / 2 * INR n)) as [h|h]; [destruct Rlt_dec; lra|].
  destruct Rlt_dec as [bad|]; [exfalso|lra].
  assert (L' : length (ranking l) = n) by (rewrite (Permutation_length (HP l)); auto).
  assert (X := ndcg_near_1 1 (p / 2) (ranking l)); rewrite L' in X.
  apply (Rlt_not_le _ _ bad); apply X; try lra.
  - intro Z; rewrite Z in L'; simpl in L'; lia.
  - intros y Hy; apply (Permutation_in _ (HP l)) in Hy; destruct (T y Hy); lra.
  - rewrite (sum_perm _ _ (HP l)); lra.
Qed.

(** The bounds can be summed, which is what the first lemma of Borel and Cantelli asks for. *)
Theorem bounds_are_summable : forall p, 0 < p -> ex_series (fun n => exp (- (p * (1 - ln 2) / 2) * INR n)).
Proof.
  intros p p0; apply ex_series_ext with (fun n => exp (- (p * (1 - ln 2) / 2)) ^ n).
  - intro n; rewrite <- Rpower_pow by apply exp_pos; unfold Rpower; rewrite ln_exp; f_equal; ring.
  - apply ex_series_geom; rewrite Rabs_pos_eq by (left; apply exp_pos).
    apply Rlt_le_trans with (exp 0); [apply exp_increasing|rewrite exp_0; lra].
    assert (B : ln 2 < 1).
    { rewrite <- (ln_exp 1); apply ln_increasing; [lra|].
      assert (X := exp_ineq1 1 ltac:(lra)); lra. }
    assert (Y : 0 < p * (1 - ln 2)) by (apply Rmult_lt_0_compat; lra).
    lra.
Qed.

(** Hence convergence in probability. *)
Theorem theorem_4_in_probability : forall p (ranking : list R -> list R) eps,
  0 < p <= 1 -> (forall l, Permutation (ranking l) l) -> 0 < eps ->
  is_lim_seq (fun n => P (repeat p n) (fun l => NDCG standard (ranking l) < 1 - eps) (fun l => Rlt_dec _ _)) 0.
Proof.
  intros p ranking eps Hp HP e0.
  assert (R0 : is_lim_seq (fun n => rate 1 (p / 2) (ln (1 + INR n))) 0).
  { apply (is_lim_comp_seq (rate 1 (p / 2)) _ p_infty 0); [apply rate_lim| |apply ln_n_lim].
    exists O; easy. }
  apply is_lim_seq_spec in R0; destruct (R0 (mkposreal eps e0)) as [N HN]; simpl in HN.
  apply is_lim_seq_le_le_loc with (u := fun _ => 0)
    (w := fun n => exp (- (p * (1 - ln 2) / 2) * INR n)).
  - exists (S N); intros n Hn; split.
    + unfold P; apply Rle_trans with (E (repeat p n) (fun _ => 0 * 1)).
      * rewrite E_scal; lra.
      * apply E_le; [lra|]; intros l _; destruct Rlt_dec; lra.
    + apply Rle_trans with (2 := theorem_4_at_every_n p n ranking Hp ltac:(lia) HP).
      unfold P; apply E_le; [lra|]; intros l _.
      assert (h := HN n ltac:(lia)); rewrite Rminus_0_r in h; apply Rabs_def2 in h.
      destruct (Rlt_dec (NDCG standard (ranking l)) (1 - eps)); destruct Rlt_dec; lra.
  - apply is_lim_seq_const.
  - apply ex_series_lim_0, bounds_are_summable; lra.
Qed.
