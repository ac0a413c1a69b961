(** theorem-rankdcg-chance (chapter rankdcg) and the mean of NDCG over all orders (chapter scoring-a-ranking):
    the expected value of a random order. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia Arith Factorial.
From Companion Require Import Ranking SortedIsBest LinearNdcg RankDCG RankdcgIsRPrecision.
Import ListNotations.
Open Scope R_scope.

Section Orders.
  Context {A : Type}.
  (** All orders of a list, each of the n! once. *)
  Fixpoint inserts (x : A) (l : list A) : list (list A) :=
    match l with [] => [[x]] | y :: t => (x :: y :: t) :: map (cons y) (inserts x t) end.
  Fixpoint orders (l : list A) : list (list A) :=
    match l with [] => [[]] | x :: t => flat_map (inserts x) (orders t) end.
  Fixpoint add (f : list A -> R) (L : list (list A)) : R :=
    match L with [] => 0 | l :: T => f l + add f T end.
  Definition mean (f : list A -> R) (l : list A) : R :=
    add f (orders l) / INR (length (orders l)).
  Lemma add_app f L M : add f (L ++ M) = add f L + add f M. Proof. induction L; simpl; lra. Qed.
  Lemma add_map f g L : add f (map g L) = add (fun l => f (g l)) L.
  Proof. induction L; simpl; congruence. Qed.
  Lemma add_plus f g L : add (fun l => f l + g l) L = add f L + add g L. Proof. induction L; simpl; lra. Qed.
  Lemma add_scal a f L : add (fun l => a * f l) L = a * add f L.
  Proof. induction L as [|l L IH]; simpl; [ring|rewrite IH; ring]. Qed.
  Lemma add_ext f g L : (forall l, In l L -> f l = g l) -> add f L = add g L.
  Proof.
    induction L as [|l L IH]; intro H; simpl; auto.
    rewrite (H l (or_introl eq_refl)), IH; auto; intros; apply H; now right.
  Qed.
  Lemma add_flat f g L : add f (flat_map g L) = add (fun l => add f (g l)) L.
  Proof. induction L as [|l L IH]; simpl; auto; now rewrite add_app, IH. Qed.
  Lemma add_const a L : add (fun _ => a) L = a * INR (length L).
  Proof.
    induction L as [|l L IH]; [simpl; ring|].
    change (length (l :: L)) with (S (length L)); cbn [add]; rewrite IH, S_INR; ring.
  Qed.
  Lemma inserts_length x l : length (inserts x l) = S (length l).
  Proof. induction l as [|y t IH]; simpl; auto; now rewrite map_length, IH. Qed.
  Lemma in_inserts x l m : In m (inserts x l) -> Permutation m (x :: l).
  Proof.
    revert m; induction l as [|y t IH]; simpl; intros m [<-|I]; auto; [easy|].
    apply in_map_iff in I as (k & <- & I); apply IH in I.
    apply Permutation_trans with (y :: x :: t); [now constructor|constructor].
  Qed.
  Lemma in_orders l m : In m (orders l) -> Permutation m l.
  Proof.
    revert m; induction l as [|x t IH]; simpl; intros m I; [destruct I as [<-|[]]; auto|].
    apply in_flat_map in I as (k & Ik & I); apply in_inserts in I.
    apply Permutation_trans with (1 := I); constructor; auto.
  Qed.
  Lemma orders_number l : length (orders l) = fact (length l).
  Proof.
    induction l as [|x t IH]; simpl; auto.
    assert (G : forall L, (forall m, In m L -> length m = length t) ->
      length (flat_map (inserts x) L) = (S (length t) * length L)%nat).
    { induction L as [|m L IHL]; intro H; simpl; [lia|].
      rewrite app_length, inserts_length, IHL by (intros; apply H; now right).
      rewrite (H m) by (now left); lia. }
    rewrite G, IH; [simpl; lia|].
    intros m I; now apply Permutation_length, in_orders.
  Qed.

  (** At rank [r], the discount [D r] multiplies the gain of the item. *)
  Variable g : A -> R.
  Fixpoint pay (D : nat -> R) (r : nat) (l : list A) : R :=
    match l with [] => 0 | x :: t => g x * D r + pay D (S r) t end.
  Fixpoint gains (l : list A) : R := match l with [] => 0 | x :: t => g x + gains t end.
  Fixpoint pays (D : nat -> R) (r n : nat) : R :=
    match n with O => 0 | S m => D r + pays D (S r) m end.

  (** Insert x everywhere into l, whose first item is at rank r: an item at rank i stays in (i - r + 1) of the
      orders and moves down by one in the others. *)
  Lemma add_inserts D x l : forall r k,
    add (fun m => pay D r m) (inserts x l) + INR k * pay D (S r) l
    = g x * pays D r (S (length l))
      + pay (fun i => INR (i - r + k + 1) * D (S i) + INR (length l + r - i) * D i) r l.
  Proof.
    induction l as [|y t IH]; intros r k; [simpl; ring|].
    cbn [inserts add]; rewrite add_map; cbn [pay].
    rewrite (add_plus (fun _ => g y * D r) (fun m => pay D (S r) m)), add_const, inserts_length.
    specialize (IH (S r) (S k)); rewrite S_INR in IH.
    change (length (y :: t)) with (S (length t)).
    replace (pays D r (S (S (length t)))) with (D r + pays D (S r) (S (length t))) by reflexivity.
    replace (pay (fun i => INR (i - r + k + 1) * D (S i) + INR (S (length t) + r - i) * D i) (S r) t)
      with (pay (fun i => INR (i - S r + S k + 1) * D (S i) + INR (length t + S r - i) * D i) (S r) t).
    - replace (r - r + k + 1)%nat with (S k) by lia; replace (S (length t) + r - r)%nat with (S (length t)) by lia.
      rewrite !S_INR in *; lra.
    - assert (Q : forall s u, (S r <= s)%nat ->
        pay (fun i => INR (i - S r + S k + 1) * D (S i) + INR (length t + S r - i) * D i) s u
        = pay (fun i => INR (i - r + k + 1) * D (S i) + INR (S (length t) + r - i) * D i) s u).
      { intros s u; revert s; induction u as [|z u IHu]; intros s Hs; cbn [pay]; auto.
        rewrite IHu by lia; do 4 f_equal; [f_equal; f_equal; lia|f_equal; f_equal; lia]. }
      apply Q; lia.
  Qed.
  Lemma pays_spread D n r : 
    pays (fun i => INR (i - r + 1) * D (S i) + INR (n + r - i) * D i) r n = INR n * pays D r (S n).
  Proof.
    assert (G : forall k m s, (s = r + k)%nat -> (k + m = n)%nat ->
      pays (fun i => INR (i - r + 1) * D (S i) + INR (n + r - i) * D i) s m + INR k * D s
      = INR n * pays D s (S m)).
    { intros k m; revert k; induction m as [|m IH]; intros k s Hs Hn.
      - simpl; replace k with n by lia; ring.
      - cbn [pays]; specialize (IH (S k) (S s) ltac:(lia) ltac:(lia)).
        replace (s - r + 1)%nat with (S k) by lia.
        replace (n + r - s)%nat with (n - k)%nat by lia.
        rewrite minus_INR by lia.
        change (pays D s (S (S m))) with (D s + pays D (S s) (S m)).
        change (D s + (D (S s) + pays D (S (S s)) m)) with (D s + pays D (S s) (S m)).
        lra. }
    specialize (G O n r ltac:(lia) ltac:(lia)); simpl INR in G; lra.
  Qed.

  (** The sum over all orders. *)
  Lemma add_orders D l r : (1 <= length l)%nat ->
    add (fun m => pay D r m) (orders l) * INR (length l)
    = INR (fact (length l)) * gains l * pays D r (length l).
  Proof.
    revert D r; induction l as [|x t IH]; intros D r H; [simpl in H; lia|].
    cbn [orders]; rewrite add_flat.
    set (n := length t).
    set (D' := fun i => INR (i - r + 1) * D (S i) + INR (n + r - i) * D i).
    rewrite (add_ext _ (fun m => g x * pays D r (S n) + pay D' r m)).
    - rewrite (add_plus (fun _ => g x * pays D r (S n)) (fun m => pay D' r m)), add_const, orders_number.
      fold n; change (length (x :: t)) with (S n); cbn [gains].
      rewrite fact_simpl, mult_INR.
      destruct (Nat.eq_dec n 0) as [z|nz].
      + assert (t = []) as -> by (now apply length_zero_iff_nil); simpl; ring.
      + assert (Q := IH D' r ltac:(fold n; lia)); fold n in Q; unfold D' in Q.
        rewrite pays_spread in Q; fold D' in Q.
        assert (K : 0 < INR n) by (apply lt_0_INR; lia).
        assert (Z : add (fun m => pay D' r m) (orders t) = INR (fact n) * gains t * pays D r (S n)).
        { apply Rmult_eq_reg_r with (INR n); [|lra]; rewrite Q; ring. }
        rewrite Z; ring.
    - intros m Im; assert (L : length m = n) by (now apply Permutation_length, in_orders).
      assert (Q := add_inserts D x m r O); rewrite L in Q; simpl (INR 0) in Q.
      rewrite Rmult_0_l, Rplus_0_r in Q; rewrite Q; f_equal; unfold D'.
      assert (X : forall s u, pay (fun i => INR (i - r + 0 + 1) * D (S i) + INR (n + r - i) * D i) s u
        = pay (fun i => INR (i - r + 1) * D (S i) + INR (n + r - i) * D i) s u).
      { intros s u; revert s; induction u as [|z u IHu]; intro s; cbn [pay]; auto.
        now rewrite IHu, Nat.add_0_r. }
      apply X.
  Qed.

  (** ** The mean over all orders: mean gain times the sum of the discounts *)
  Theorem mean_over_all_orders : forall D l, (1 <= length l)%nat ->
    mean (pay D 1) l = gains l / INR (length l) * pays D 1 (length l).
  Proof.
    intros D l H; unfold mean; rewrite orders_number.
    assert (Q := add_orders D l 1 H); change (pay D 1) with (fun m => pay D 1 m).
    assert (N : 0 < INR (length l)) by (apply lt_0_INR; lia).
    assert (F : INR (fact (length l)) <> 0) by apply INR_fact_neq_0.
    apply Rmult_eq_reg_r with (INR (length l)); [|lra].
    apply Rmult_eq_reg_r with (INR (fact (length l))); auto.
    replace (add (fun m => pay D 1 m) (orders l) / INR (fact (length l)) * INR (length l) * INR (fact (length l)))
      with (add (fun m => pay D 1 m) (orders l) * INR (length l)) by (field; auto).
    rewrite Q; field; lra.
  Qed.
End Orders.

Lemma pay_is_dcg {A} (g : A -> R) D r o : pay g D r o = dcg_from D r (map g o).
Proof. revert r; induction o as [|x o IH]; intro r; simpl; auto; now rewrite IH. Qed.
Lemma gains_are_a_sum {A} (g : A -> R) s : gains g s = sum_over (fun y => y) (map g s).
Proof. induction s as [|x s IH]; simpl; auto; now rewrite IH. Qed.

(** DCG: a shuffled list expects the mean label times S(n). *)
Theorem mean_dcg : forall D l, (1 <= length l)%nat ->
  mean (DCG D) l = sum_over (fun y => y) l / INR (length l) * pays D 1 (length l).
Proof.
  intros D l H.
  rewrite <- (map_id l) at 2; rewrite <- gains_are_a_sum, <- mean_over_all_orders by auto.
  unfold mean; f_equal; apply add_ext; intros m _; now rewrite pay_is_dcg, map_id.
Qed.
