(** Shared definitions: lists of labels in ranked order, a discount by rank (rank 1 is the first), DCG, the
    sorted list, NDCG. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
Import ListNotations.
Open Scope R_scope.

(** [dcg_from D r l]: the labels [l] are at the ranks [r], [r+1], ... *)
Fixpoint dcg_from (D : nat -> R) (r : nat) (l : list R) : R :=
  match l with
  | [] => 0
  | y :: t => y * D r + dcg_from D (S r) t
  end.
Definition DCG (D : nat -> R) (l : list R) : R := dcg_from D 1 l.

(** Sorting by falling labels. *)
Fixpoint insert (x : R) (l : list R) : list R :=
  match l with
  | [] => [x]
  | y :: t => if Rle_dec y x then x :: y :: t else y :: insert x t
  end.
Fixpoint sort (l : list R) : list R :=
  match l with [] => [] | x :: t => insert x (sort t) end.
Definition falling (l : list R) : Prop := StronglySorted Rge l.
Definition rising (l : list R) : Prop := StronglySorted Rle l.
Definition IDCG (D : nat -> R) (l : list R) : R := DCG D (sort l).
Definition NDCG (D : nat -> R) (l : list R) : R := DCG D l / IDCG D l.

(** A discount that never increases, from rank 1 on. *)
Definition nonincreasing (D : nat -> R) : Prop :=
  forall r, (1 <= r)%nat -> D (S r) <= D r.
Definition decreasing (D : nat -> R) : Prop :=
  forall r, (1 <= r)%nat -> D (S r) < D r.

(** ** Facts about sorting *)
Lemma insert_perm x l : Permutation (insert x l) (x :: l).
Proof.
  induction l as [|y t IH]; simpl; auto.
  destruct (Rle_dec y x); auto.
  apply Permutation_trans with (y :: x :: t); [now constructor|constructor].
Qed.
Lemma sort_perm l : Permutation (sort l) l.
Proof.
  induction l as [|x t IH]; simpl; auto.
  apply Permutation_trans with (x :: sort t); [apply insert_perm|auto].
Qed.
Lemma insert_falling x l : falling l -> falling (insert x l).
Proof.
  unfold falling; induction l as [|y t IH]; intro H; simpl.
  - repeat constructor.
  - apply StronglySorted_inv in H as [Ht Hy].
    destruct (Rle_dec y x) as [h|h].
    + constructor; [now constructor|]. constructor; [lra|].
      revert Hy; apply Forall_impl; intros; lra.
    + constructor; [auto|].
      rewrite Forall_forall in Hy |- *; intros z Hz.
      apply (Permutation_in _ (insert_perm x t)) in Hz as [<-|Hz]; [lra|auto].
Qed.
Lemma sort_falling l : falling (sort l).
Proof. induction l; simpl; [constructor|now apply insert_falling]. Qed.

(** A list has only one sorted order if no two different items may be in both orders. *)
Lemma sorted_unique {A} (le : A -> A -> Prop) : (forall x y, le x y -> le y x -> x = y) ->
  forall l l', StronglySorted le l -> StronglySorted le l' -> Permutation l l' -> l = l'.
Proof.
  intro anti; induction l as [|x t IH]; intros l' H H' P; [now apply Permutation_nil in P|].
  destruct l' as [|y t']; [symmetry in P; now apply Permutation_nil in P|].
  apply StronglySorted_inv in H as [Ht Hx]; apply StronglySorted_inv in H' as [Ht' Hy].
  rewrite Forall_forall in Hx, Hy; assert (x = y) as <-.
  { destruct (Permutation_in x P (or_introl eq_refl)) as [E|I]; [congruence|].
    destruct (Permutation_in y (Permutation_sym P) (or_introl eq_refl)) as [E|J]; auto. }
  f_equal; apply IH; auto; now apply Permutation_cons_inv with x.
Qed.
Lemma falling_unique l l' : falling l -> falling l' -> Permutation l l' -> l = l'.
Proof. apply sorted_unique; intros; lra. Qed.
Lemma sorted_blocks {A} (le : A -> A -> Prop) a b m n : le a a -> le a b -> le b b ->
  StronglySorted le (repeat a m ++ repeat b n).
Proof.
  intros; induction m as [|m IH]; simpl.
  - induction n; simpl; constructor; auto; apply Forall_forall; now intros z ->%repeat_spec.
  - constructor; auto; apply Forall_forall; intros z [->%repeat_spec| ->%repeat_spec]%in_app_iff; auto.
Qed.
Lemma rev_of_repeat {A} (x : A) n : rev (repeat x n) = repeat x n.
Proof. induction n as [|n IH]; simpl; [|rewrite IH, repeat_cons]; reflexivity. Qed.
Lemma sort_unique l s : Permutation l s -> falling s -> s = sort l.
Proof.
  intros P H; apply falling_unique; auto using sort_falling.
  apply Permutation_trans with l; [now symmetry|symmetry; apply sort_perm].
Qed.
Lemma sort_permuted l l' : Permutation l l' -> sort l = sort l'.
Proof.
  intro P; apply sort_unique; [|apply sort_falling].
  apply Permutation_trans with l; [now symmetry|symmetry; apply sort_perm].
Qed.
Lemma sort_of_falling l : falling l -> sort l = l. Proof. intro H; symmetry; now apply sort_unique. Qed.

(** ** Sorting by any order *)
Section Sorting.
  Context {A : Type}.
  Variable le : A -> A -> Prop.
  Hypothesis dec : forall x z, {le x z} + {le z x}.
  Hypothesis trans : forall x y z, le x y -> le y z -> le x z.
  Fixpoint ins (x : A) (L : list A) : list A :=
    match L with [] => [x] | y :: t => if dec x y then x :: y :: t else y :: ins x t end.
  Fixpoint isort (L : list A) : list A :=
    match L with [] => [] | x :: t => ins x (isort t) end.
  Lemma ins_perm x L : Permutation (ins x L) (x :: L).
  Proof.
    induction L as [|y t IH]; simpl; auto; destruct dec; auto.
    apply Permutation_trans with (y :: x :: t); [now constructor|constructor].
  Qed.
  Lemma isort_perm L : Permutation (isort L) L.
  Proof. induction L as [|x t IH]; simpl; auto; now rewrite ins_perm, IH. Qed.
  Lemma ins_sorted x L : StronglySorted le L -> StronglySorted le (ins x L).
  Proof.
    induction L as [|y t IH]; intro H; simpl; [repeat constructor|].
    apply StronglySorted_inv in H as [Ht Hy]; destruct (dec x y) as [h|h].
    - constructor; [now constructor|]; constructor; auto.
      revert Hy; apply Forall_impl; intros; now apply trans with y.
    - constructor; auto; rewrite Forall_forall in Hy |- *; intros z Hz.
      apply (Permutation_in _ (ins_perm x t)) in Hz as [<-|Hz]; auto.
  Qed.
  Lemma isort_sorted L : StronglySorted le (isort L).
  Proof. induction L; simpl; [constructor|now apply ins_sorted]. Qed.
End Sorting.

(** ** Parts of a list *)
Lemma dcg_app D r l l' : dcg_from D r (l ++ l') = dcg_from D r l + dcg_from D (r + length l) l'.
Proof.
  revert r; induction l as [|x t IH]; intro r; simpl; [rewrite Nat.add_0_r; lra|].
  rewrite IH; replace (S r + length t)%nat with (r + S (length t))%nat by lia; lra.
Qed.
Lemma dcg_zeros D r k : dcg_from D r (repeat 0 k) = 0.
Proof. revert r; induction k as [|k IH]; intro r; simpl; [lra|rewrite IH; lra]. Qed.
