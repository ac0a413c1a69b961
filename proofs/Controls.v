(** Controls: what each statement says without one of its conditions is FALSE.
    (As in the book's verdicts: the same rule has to reject the control.) *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Coquelicot Require Import Coquelicot.
From Companion Require Import Ranking SortedIsBest LinearNdcg RankDCG ZipfSeesTheTop.
From Companion Require Import LinearTies LinearClosedForm LinearTiesMean LinearMean SumsAndIntegrals.
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
