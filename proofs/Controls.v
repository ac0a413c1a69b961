(** Controls: what each statement says without one of its conditions is FALSE.
    (As in the book's verdicts: the same rule has to reject the control.) *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import Ranking SortedIsBest LinearNdcg RankDCG ZipfSeesTheTop LinearTies.
From Companion Require Import LinearClosedForm LinearTiesMean LinearMean SumsAndIntegrals PowerSums.
Import ListNotations.
Open Scope R_scope.

(** sorted_is_best without "the discount never increases". *)
Theorem control_definition_1 :
  ~ (forall D l s, Permutation l s -> falling s -> DCG D l <= DCG D s).
Proof.
  intro C; specialize (C INR [0; 1] [1; 0] (perm_swap _ _ _)).
  unfold DCG in C; simpl in C.
  assert (F : falling [1; 0]) by (repeat constructor; lra).
  specialize (C F); lra.
Qed.

(** linear/theorem-3 without the factor b - a: count each misordered pair once. *)
Fixpoint misordered (l : list R) : R :=
  match l with
  | [] => 0
  | y :: t => sum_over (fun z => if Rlt_dec y z then 1 else 0) t + misordered t
  end.
Theorem control_linear_theorem_3 : ~ (forall l, ldcg (sort l) - ldcg l = misordered l).
Proof.
  intro C; specialize (C [0; 2]); simpl in C.
  destruct (Rle_dec 2 0), (Rlt_dec 0 2); simpl in C; lra.
Qed.

(** linear/lemma-1 with "at most q" for the exchanges is false with one q too few. *)
Theorem control_linear_lemma_1 :
  ~ (forall l m q, count_occ Bool.bool_dec l true = m -> count_occ Bool.bool_dec l false = q ->
       steps 0 (ideal_row m q) l).
Proof.
  intro C; specialize (C [false; true] 1%nat 1%nat eq_refl eq_refl).
  inversion C.
Qed.

(** rankdcg/formula-corrected without "at least two different values": then 0/0. *)
Theorem control_rankdcg : ~ (forall s, falls s -> mindcg s < maxdcg s).
Proof.
  intro C; specialize (C [1%nat] ltac:(repeat constructor)).
  unfold mindcg, maxdcg in C; simpl in C; lra.
Qed.

(** proposition-gini with tied pairs not counted at all: two tied items of the labels 1 and 0. *)
Theorem control_gini :
  ~ (forall L G, shelves G -> Permutation (concat G) L ->
       2 <= INR (length L) -> 0 < sum (labels L) -> 0 < gaps (labels L) ->
       let C := 1 - loss_lt L / gaps (labels L) in
       mean_lndcg G L = (1 + (2 * C - 1) * gini (labels L)) / (1 + gini (labels L))).
Proof.
  intro H; set (L := [(0, 1); (0, 0)] : list item).
  assert (T : tied L) by (exists 0; intros x [<-|[<-|[]]]; reflexivity).
  assert (g1 : gaps (labels L) = 1) by (unfold L, label; cbn; unfold Rabs; destruct Rcase_abs; lra).
  assert (s1 : sum (labels L) = 1) by (unfold L, label; cbn; lra).
  assert (S : shelves [L]) by (repeat split; auto; intros x z _ []).
  assert (n2 : 2 <= INR (length L)) by (cbn; lra).
  specialize (H L [L] S (Permutation_refl _) n2 ltac:(lra) ltac:(lra)).
  rewrite (gini_with_ties L [L] S (Permutation_refl _) n2 ltac:(lra) ltac:(lra)) in H.
  unfold concordance in H; rewrite (tied_lt L T), (tied_le L T), g1 in H.
  unfold gini in H; rewrite g1, s1 in H; cbn in H; lra.
Qed.

(** wang/claim-31 without the two terms for the first rank: one item, and the curve that is 1. *)
Theorem control_claim_31 :
  ~ (forall g C alpha n, (1 <= n)%nat -> 0 < alpha -> 0 <= C ->
       (forall u, 0 <= u <= 1 -> 0 <= g u <= 1) -> hoelder g C alpha ->
       Rabs (upto (fun r => g (INR r / INR n) * log_discount (INR r)) n - pseudo log_discount g n)
       <= C * Rpower (INR n) (- alpha / 3) * paid_to log_discount (INR n)).
Proof.
  intro H; specialize (H (fun _ => 1) 0 1 1%nat (le_n 1) ltac:(lra) ltac:(lra)).
  assert (A : hoelder (fun _ => 1) 0 1) by (intros u v _ _ _; rewrite Rminus_eq_0, Rabs_R0; lra).
  specialize (H ltac:(intros; lra) A); unfold pseudo, paid_to in H; cbn [upto INR] in H; rewrite !RInt_point in H.
  assert (P : 0 < log_discount 1) by (apply Rinv_0_lt_compat; rewrite <- ln_1; apply ln_increasing; lra).
  change (@zero _) with 0 in H; unfold Rabs in H; destruct Rcase_abs in H; lra.
Qed.

(** wang/theorem-7 without the factor 1 - beta: every item is relevant, and NDCG is 1. *)
Theorem control_theorem_7 :
  ~ (forall beta g (M : nat -> nat) p J, 0 < beta < 1 -> 0 < p <= 1 -> curve g ->
       (forall n, (M n <= n)%nat) -> is_lim_seq (fun n => INR (M n) / INR n) p -> from_0_to 1 beta g J ->
       is_lim_seq (fun n => upto (fun r => g (INR r / INR n) * power beta (INR r)) n
         / upto (fun r => power beta (INR r)) (M n)) (1 / Rpower p (1 - beta) * J)).
Proof.
  intro H; assert (b : 0 < / 2 < 1) by lra; assert (G : curve (fun _ => 1))
    by (intros u _; split; [apply continuous_const|lra]); assert (A := all_ones _ b 1 ltac:(lra)).
  assert (X := H (/ 2) _ (fun n => n) 1 _ b ltac:(lra) G le_n all_of_all A).
  assert (Y := theorem_7_core _ b _ (fun n => n) 1 _ ltac:(lra) G le_n all_of_all A).
  apply is_lim_seq_unique in X, Y; rewrite X in Y; injection Y.
  unfold Rpower; rewrite ln_1, Rmult_0_r, exp_0; lra.
Qed.

(** wang/theorem-13 without "a share p of the items is relevant". *)
Theorem control_theorem_13 :
  ~ (forall beta g (k M : nat -> nat) c p J, 0 < beta < 1 -> 0 < c <= 1 -> 0 < p <= 1 -> curve g ->
       (forall n, (k n <= n)%nat /\ (M n <= n)%nat) -> is_lim_seq (fun n => INR (k n) / INR n) c ->
       from_0_to c beta g J ->
       is_lim_seq (fun n => upto (fun r => g (INR r / INR n) * power beta (INR r)) (k n)
         / upto (fun r => power beta (INR r)) (Nat.min (k n) (M n)))
         ((1 - beta) / Rpower (Rmin c p) (1 - beta) * J)).
Proof.
  intro H; assert (b : 0 < / 2 < 1) by lra; assert (G : curve (fun _ => 1))
    by (intros u _; split; [apply continuous_const|lra]); assert (A := all_ones _ b 1 ltac:(lra)).
  assert (X := fun p Hp => H (/ 2) _ (fun n => n) (fun n => n) 1 p _ b ltac:(lra) Hp G
    (fun n => conj (le_n n) (le_n n)) all_of_all A).
  assert (Y := X (/ 4) ltac:(lra)); specialize (X 1 ltac:(lra)); apply is_lim_seq_unique in X, Y.
  rewrite X in Y; rewrite !Rmin_right in Y by lra; injection Y.
  unfold Rpower; rewrite ln_1, Rmult_0_r, exp_0.
  assert (L : 0 < ln 4) by (rewrite <- ln_1; apply ln_increasing; lra); rewrite ln_Rinv by lra.
  assert (E : exp ((1 - / 2) * - ln 4) < 1)
    by (apply Rlt_le_trans with (exp 0); [apply exp_increasing|rewrite exp_0]; lra).
  assert (P := exp_pos ((1 - / 2) * - ln 4)); apply Rinv_lt_contravar in E; [|lra].
  rewrite Rinv_1 in E; lra.
Qed.
