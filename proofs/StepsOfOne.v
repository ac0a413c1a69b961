(** proposition-steps-of-one (chapter linear-ndcg): only the linear discount,
    up to a constant, makes the DCG error the pair-wise loss. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Companion Require Import Ranking SortedIsBest LinearNdcg.
Import ListNotations.
Open Scope R_scope.

(** [M] is the largest DCG over all orders of [l]. *)
Definition is_ideal (D : nat -> R) (l : list R) (M : R) : Prop :=
  (forall l', Permutation l l' -> DCG D l' <= M) /\
  (exists l', Permutation l l' /\ DCG D l' = M).
Definition error_is_loss_for (D : nat -> R) (l : list R) : Prop :=
  exists M, is_ideal D l M /\ M - DCG D l = pair_loss l.
Definition steps_of_one (D : nat -> R) (n : nat) : Prop :=
  forall i, (1 <= i < n)%nat -> D i - D (S i) = 1.

(** One relevant item, below [i] others and above [j]. *)
Definition spike (i j : nat) : list R := repeat 0 i ++ 1 :: repeat 0 j.
Lemma dcg_spike D r i j : dcg_from D r (spike i j) = D (r + i)%nat.
Proof.
  revert r; unfold spike; induction i as [|i IH]; intro r; simpl.
  - rewrite dcg_zeros, Nat.add_0_r; lra.
  - rewrite IH; replace (S r + i)%nat with (r + S i)%nat by lia; lra.
Qed.
Lemma loss_zeros k : pair_loss (repeat 0 k) = 0.
Proof.
  induction k as [|k IH]; simpl; [lra|rewrite IH].
  enough (sum_over (fun z => Rmax (z - 0) 0) (repeat 0 k) = 0) by lra.
  clear IH; induction k as [|k IH]; simpl; [lra|rewrite IH, Rmax_right; lra].
Qed.
Lemma loss_spike i j : pair_loss (spike i j) = INR i.
Proof.
  unfold spike; induction i as [|i IH].
  - simpl; rewrite loss_zeros.
    enough (sum_over (fun z => Rmax (z - 1) 0) (repeat 0 j) = 0) by lra.
    induction j as [|j IHj]; simpl; [lra|rewrite IHj, Rmax_right; lra].
  - change (repeat 0 (S i) ++ 1 :: repeat 0 j) with (0 :: repeat 0 i ++ 1 :: repeat 0 j).
    cbn [pair_loss]; rewrite IH, S_INR; clear IH.
    assert (Z : forall k, sum_over (fun z => Rmax (z - 0) 0) (repeat 0 k) = 0)
      by (induction k as [|k IHk]; simpl; [lra|rewrite IHk, Rmax_right; lra]).
    enough (sum_over (fun z => Rmax (z - 0) 0) (repeat 0 i ++ 1 :: repeat 0 j) = 1) by lra.
    induction i as [|i IHi]; simpl; [rewrite Z, Rmax_left; lra|rewrite IHi, Rmax_right; lra].
Qed.
Lemma spikes_perm i j i' j' : (i + j = i' + j')%nat -> Permutation (spike i j) (spike i' j').
Proof.
  intro H; unfold spike; rewrite <- !Permutation_middle, <- !repeat_app, H; reflexivity.
Qed.
Theorem steps_of_one_necessary : forall D n,
  (forall l, length l = n -> (forall y, In y l -> y = 0 \/ y = 1) -> error_is_loss_for D l) ->
  steps_of_one D n.
Proof.
  intros D n H i Hi.
  assert (L : forall a b, (S (a + b) = n)%nat -> error_is_loss_for D (spike a b)).
  { intros a b E; apply H.
    - unfold spike; rewrite app_length; simpl; rewrite !repeat_length; lia.
    - intros y I; apply in_app_iff in I as [I|[<-|I]]; auto; apply repeat_spec in I; auto. }
  destruct (L (i - 1) (n - i) ltac:(lia))%nat as (M & [A (l & P & E)] & X).
  destruct (L i (n - i - 1) ltac:(lia))%nat as (M' & [A' (l' & P' & E')] & X').
  assert (Q : Permutation (spike (i - 1) (n - i)) (spike i (n - i - 1))) by (apply spikes_perm; lia).
  assert (M = M') as <-.
  { apply Rle_antisym.
    - rewrite <- E; apply A'; apply Permutation_trans with (2 := P); now symmetry.
    - rewrite <- E'; apply A; now apply Permutation_trans with (2 := P'). }
  unfold DCG in *; rewrite dcg_spike, loss_spike in *.
  replace (1 + (i - 1))%nat with i in X by lia; simpl (1 + i)%nat in X'.
  rewrite minus_INR in X by lia; simpl (INR 1) in X; lra.
Qed.
Lemma linear_weights D n : steps_of_one D n -> forall i, (1 <= i <= n)%nat ->
  D i = INR n - INR i + D n.
Proof.
  intros H i [Hi Hn].
  remember (n - i)%nat as k eqn:E; revert i Hi Hn E; induction k as [|k IH]; intros i Hi Hn E.
  - replace i with n by lia; lra.
  - assert (s1 := H i ltac:(lia)); rewrite (IH (S i)) in s1 by lia; rewrite S_INR in s1; lra.
Qed.
Theorem steps_of_one_sufficient : forall D n, steps_of_one D n ->
  forall l, length l = n -> error_is_loss_for D l.
Proof.
  intros D n H l Ln; assert (W := linear_weights D n H).
  assert (E : forall m r, (1 <= r)%nat -> (r + length m = S n)%nat ->
     dcg_from D r m = ldcg m + D n * sum_over (fun y => y) m).
  { induction m as [|y t IH]; intros r Hr Lm; simpl; [ring|].
    simpl in Lm; rewrite IH by lia; rewrite W by lia.
    replace n with (r + length t)%nat at 1 by lia; rewrite plus_INR; ring. }
  assert (F : forall m, Permutation l m -> DCG D m = ldcg m + D n * sum_over (fun y => y) l).
  { intros m P; unfold DCG; rewrite E; [|lia|rewrite <- (Permutation_length P); lia].
    now rewrite (sum_over_perm _ _ _ P). }
  exists (ldcg (sort l) + D n * sum_over (fun y => y) l); split; [split|].
  - intros m P; rewrite (F m P); assert (X := ldcg_ideal l m P); lra.
  - exists (sort l); split; [symmetry; apply sort_perm|].
    apply F; symmetry; apply sort_perm.
  - rewrite (F l (Permutation_refl l)), <- dcg_error_is_pair_loss; ring.
Qed.
