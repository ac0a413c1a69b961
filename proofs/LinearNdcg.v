(** linear/theorem-1, theorem-2, theorem-3, lemma-1: linear NDCG. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia Arith.
From Companion Require Import Ranking SortedIsBest.
Import ListNotations.
Open Scope R_scope.

(** Position [i] of [n] has the discount [n - i], the number of items below it. *)
Fixpoint ldcg (l : list R) : R :=
  match l with [] => 0 | y :: t => y * INR (length t) + ldcg t end.

(** It is the DCG with the discount [D i = n - i]. *)
Definition linear (n : nat) : nat -> R := fun i => INR n - INR i.
Lemma ldcg_from n r l : (r + length l = S n)%nat ->
  dcg_from (linear n) r l = ldcg l.
Proof.
  revert r; induction l as [|y t IH]; intros r H; simpl; auto.
  simpl in H; rewrite IH by lia; unfold linear.
  replace n with (r + length t)%nat by lia; rewrite plus_INR; ring.
Qed.
Lemma ldcg_is_a_dcg l : ldcg l = DCG (linear (length l)) l. Proof. unfold DCG; now rewrite ldcg_from. Qed.

(** The pair-wise loss of a list without ties: each pair in the wrong order,
    the smaller label above the larger, costs the gap of its labels. *)
Fixpoint sum_over (f : R -> R) (l : list R) : R :=
  match l with [] => 0 | y :: t => f y + sum_over f t end.
Fixpoint pair_loss (l : list R) : R :=
  match l with
  | [] => 0
  | y :: t => sum_over (fun z => Rmax (z - y) 0) t + pair_loss t
  end.
(** The largest possible contribution of the pairs: the larger label of each. *)
Fixpoint pair_max (l : list R) : R :=
  match l with
  | [] => 0
  | y :: t => sum_over (fun z => Rmax z y) t + pair_max t
  end.
Lemma sum_over_perm f l l' : Permutation l l' -> sum_over f l = sum_over f l'.
Proof. induction 1; simpl; lra. Qed.
Lemma pair_max_perm l l' : Permutation l l' -> pair_max l = pair_max l'.
Proof.
  induction 1; simpl; try lra.
  - rewrite IHPermutation; now rewrite (sum_over_perm _ l l').
  - rewrite (Rmax_comm x y); lra.
Qed.
Lemma row_identity y t :
  y * INR (length t) + sum_over (fun z => Rmax (z - y) 0) t
  = sum_over (fun z => Rmax z y) t.
Proof.
  induction t as [|z t IH]; [simpl; lra|].
  change (length (z :: t)) with (S (length t)); rewrite S_INR; simpl sum_over.
  rewrite <- IH; unfold Rmax; do 2 destruct Rle_dec; lra.
Qed.

(** The proof in one line: pair by pair, what is earned and what is lost
    make up the larger label. *)
Lemma earned_plus_lost l : ldcg l + pair_loss l = pair_max l.
Proof.
  induction l as [|y t IH]; simpl; [lra|].
  rewrite <- row_identity, <- IH; lra.
Qed.
Lemma falling_loses_nothing l : falling l -> pair_loss l = 0.
Proof.
  induction 1 as [|y t Ht IH Hy]; simpl; auto; rewrite IH; clear IH Ht.
  rewrite Rplus_0_r; induction Hy as [|z t Hz Hy IH]; simpl; auto.
  rewrite IH, Rmax_right; lra.
Qed.

(** ** Theorem 3: the DCG error is the pair-wise loss, for any real labels *)
Theorem dcg_error_is_pair_loss : forall l,
  ldcg (sort l) - ldcg l = pair_loss l.
Proof.
  intro l.
  assert (A := earned_plus_lost l). assert (B := earned_plus_lost (sort l)).
  rewrite (falling_loses_nothing _ (sort_falling l)) in B.
  rewrite (pair_max_perm _ _ (sort_perm l)) in B. lra.
Qed.
Lemma pair_loss_nonneg l : 0 <= pair_loss l.
Proof.
  induction l as [|y t IH]; simpl; [lra|].
  enough (0 <= sum_over (fun z => Rmax (z - y) 0) t) by lra.
  clear IH; induction t as [|z t IH]; simpl; [lra|]. 
  assert (H := Rmax_r (z - y) 0); lra.
Qed.

(** The sorted list is the ideal one here, too. *)
Theorem ldcg_ideal : forall l l', Permutation l l' -> ldcg l' <= ldcg (sort l).
Proof.
  intros l l' P; rewrite (sort_permuted _ _ P).
  assert (A := dcg_error_is_pair_loss l'); assert (B := pair_loss_nonneg l'); lra.
Qed.

(** ** Theorem 1: the loss is a sum of bipartite losses *)
Definition layer (k : nat) (x : nat) : R := if (k <? x)%nat then 1 else 0.
Fixpoint sum_below (f : nat -> R) (n : nat) : R :=
  match n with O => 0 | S m => sum_below f m + f m end.
Lemma sum_below_plus f g n :
  sum_below (fun k => f k + g k) n = sum_below f n + sum_below g n. Proof. induction n; simpl; lra. Qed.
(** The layers below n count a label up to n. *)
Lemma gap_below a b n : sum_below (fun k => Rmax (layer k b - layer k a) 0) n
  = Rmax (INR (Nat.min b n) - INR (Nat.min a n)) 0.
Proof.
  induction n as [|n IH]; cbn [sum_below]; [rewrite !Nat.min_0_r, Rminus_eq_0, Rmax_left; lra|].
  rewrite IH; unfold layer; assert (S1 := S_INR n).
  assert (E : forall x, INR (Nat.min x (S n)) = INR (Nat.min x n) + (if (n <? x)%nat then 1 else 0)
    /\ INR (Nat.min x n) <= INR n /\ ((n <? x)%nat = true -> INR (Nat.min x n) = INR n)).
  { intro x; repeat split; [|apply le_INR; lia|]; destruct (Nat.ltb_spec n x); try discriminate.
    - rewrite !Nat.min_r by lia; lra.
    - rewrite !Nat.min_l by lia; lra.
    - intros _; now rewrite Nat.min_r by lia. }
  destruct (E a) as (A & A' & A''), (E b) as (B & B' & B''); rewrite A, B.
  destruct (n <? a)%nat, (n <? b)%nat; unfold Rmax; repeat destruct Rle_dec;
    try rewrite (A'' eq_refl) in *; try rewrite (B'' eq_refl) in *; lra.
Qed.
Lemma gap_in_layers a b n : (a <= n)%nat -> (b <= n)%nat ->
  Rmax (INR b - INR a) 0 = sum_below (fun k => Rmax (layer k b - layer k a) 0) n.
Proof. intros Ha Hb; now rewrite gap_below, !Nat.min_l. Qed.

(** ** Theorem 2: an exchange lowers the DCG and raises the loss by the same amount *)
Lemma ldcg_app l1 l2 : ldcg (l1 ++ l2)
  = ldcg l1 + INR (length l2) * sum_over (fun y => y) l1 + ldcg l2.
Proof.
  induction l1 as [|y t IH]; simpl; [ring|].
  rewrite IH, app_length, plus_INR; ring.
Qed.
Theorem exchange : forall A B C (hi lo : R),
  ldcg (A ++ hi :: B ++ lo :: C) - ldcg (A ++ lo :: B ++ hi :: C)
  = (hi - lo) * INR (S (length B)).
Proof.
  intros; rewrite !ldcg_app; simpl ldcg; rewrite !ldcg_app; simpl ldcg.
  simpl length; rewrite !app_length; simpl length.
  rewrite !S_INR, !plus_INR, !S_INR; ring.
Qed.
Theorem exchange_loss : forall A B C (hi lo : R),
  pair_loss (A ++ lo :: B ++ hi :: C) - pair_loss (A ++ hi :: B ++ lo :: C)
  = (hi - lo) * INR (S (length B)).
Proof.
  intros; rewrite <- exchange with (A := A) (C := C).
  assert (P : Permutation (A ++ lo :: B ++ hi :: C) (A ++ hi :: B ++ lo :: C)).
  { apply Permutation_app_head.
    change (lo :: B ++ hi :: C) with ((lo :: B) ++ hi :: C).
    rewrite <- Permutation_middle; simpl; constructor.
    apply Permutation_cons_app; reflexivity. }
  rewrite <- !dcg_error_is_pair_loss, (sort_permuted _ _ P); ring.
Qed.

(** ** Lemma 1: a few exchanges *)
Definition exchanged (l l' : list bool) : Prop :=
  exists A a B b C, l = A ++ a :: B ++ b :: C /\ l' = A ++ b :: B ++ a :: C.
Inductive steps : nat -> list bool -> list bool -> Prop :=
| none l : steps 0 l l
| one k l l' l'' : steps k l l' -> exchanged l' l'' -> steps (S k) l l''.
Definition ideal_row (m q : nat) : list bool := repeat true m ++ repeat false q.
Lemma exchanged_cons x l l' : exchanged l l' -> exchanged (x :: l) (x :: l').
Proof. intros (A & a & B & b & C & -> & ->); now exists (x :: A), a, B, b, C. Qed.
Lemma exchanged_snoc x l l' : exchanged l l' -> exchanged (l ++ [x]) (l' ++ [x]).
Proof.
  intros (A & a & B & b & C & -> & ->); exists A, a, B, b, (C ++ [x]).
  now split; rewrite <- app_assoc; simpl; rewrite <- app_assoc.
Qed.
Lemma steps_cons x k l l' : steps k l l' -> steps k (x :: l) (x :: l').
Proof. induction 1; [constructor|]. econstructor; eauto using exchanged_cons. Qed.
Lemma steps_snoc x k l l' : steps k l l' -> steps k (l ++ [x]) (l' ++ [x]).
Proof. induction 1; [constructor|]. econstructor; eauto using exchanged_snoc. Qed.
Notation number_of := (count_occ Bool.bool_dec).

Theorem few_exchanges : forall l m q,
  number_of l true = m -> number_of l false = q ->
  exists k, (k <= Nat.min m q)%nat /\ steps k (ideal_row m q) l.
Proof.
  intro l; remember (length l) as n eqn:Hn; revert l Hn.
  induction n as [n IH] using lt_wf_ind; intros l -> m q Hm Hq.
  destruct l as [|x t].
  { simpl in *; subst; exists O; split; [lia|constructor]. }
  destruct x.
  - (* begins with a relevant item *)
    simpl in Hm, Hq; destruct m as [|m]; [discriminate|].
    destruct (IH (length t) ltac:(simpl; lia) t eq_refl m q ltac:(lia) Hq) as (k & Hk & S).
    exists k; split; [lia|]. now apply steps_cons with (x := true) in S.
  - destruct (exists_last (l := false :: t) ltac:(discriminate)) as (u & z & E).
    destruct z.
    + (* begins with 0 and ends with 1 *)
      destruct u as [|y u]; [discriminate|]; injection E as <- ->.
      simpl in Hm, Hq; rewrite !count_occ_app in *; simpl in Hm, Hq.
      destruct m as [|m]; [lia|]; destruct q as [|q]; [lia|].
      destruct (IH (length u) ltac:(simpl; rewrite app_length; simpl; lia) u eq_refl m q
                  ltac:(lia) ltac:(lia)) as (k & Hk & St).
      exists (S k); split; [lia|].
      apply one with (true :: u ++ [false]).
      * apply steps_snoc with (x := false), steps_cons with (x := true) in St.
        replace (ideal_row (S m) (S q)) with (true :: ideal_row m q ++ [false]); auto.
        unfold ideal_row; simpl; rewrite <- app_assoc; do 2 f_equal.
        symmetry; now rewrite <- (repeat_cons q false).
      * now exists [], true, u, false, [].
    + (* ends with an irrelevant item *)
      rewrite E in *; rewrite count_occ_app in Hm, Hq; simpl in Hm, Hq.
      destruct q as [|q]; [lia|].
      destruct (IH (length u) ltac:(rewrite app_length; simpl; lia) u eq_refl m q
                  ltac:(lia) ltac:(lia)) as (k & Hk & St).
      exists k; split; [lia|].
      apply steps_snoc with (x := false) in St.
      replace (ideal_row m (S q)) with (ideal_row m q ++ [false]); auto.
      unfold ideal_row; rewrite <- app_assoc; f_equal.
      now rewrite <- (repeat_cons q false).
Qed.
