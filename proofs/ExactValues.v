(** NDCG@k of what a ranker returned, ties averaged; and its exact value by computing in fractions. *)
From Coq Require Import Reals QArith Qreals List Permutation Lra Lia Bool.
From Companion Require Import Ranking LinearNdcg AllOrders BlindBelow.
Import ListNotations.
Open Scope R_scope.
Definition zipf (r : nat) : R := / INR r.
Definition geometric (r : nat) : R := / 2 ^ r.

(** Items with equal scores form a group; each group may be in each of its orders. *)
Fixpoint open_orders {A} (G : list (list A)) : list (list A) :=
  match G with [] => [[]] | g :: H => flat_map (fun o => map (app o) (open_orders H)) (orders g) end.
(** The mean DCG@k of what was returned over the largest DCG@k of all that was judged. *)
Definition tied_ndcg (D : nat -> R) (k : nat) (G : list (list R)) (judged : list R) : R :=
  add (DCG (cut k D)) (open_orders G) / INR (length (open_orders G)) / IDCG (cut k D) judged.

(** Without ties and cut-off it is NDCG. *)
Lemma dcg_cut k D l : forall r, (r + length l <= S k)%nat -> dcg_from (cut k D) r l = dcg_from D r l.
Proof.
  induction l as [|y t IH]; intros r H; [reflexivity|]; simpl in *; rewrite IH by lia.
  unfold cut; now rewrite (proj2 (Nat.leb_le r k)) by lia.
Qed.
Lemma untied {A} (l : list A) : open_orders (map (fun y => [y]) l) = [l].
Proof. induction l as [|y t IH]; [reflexivity|]; cbn; now rewrite IH. Qed.
Lemma plain_ndcg D k l : length l = k -> tied_ndcg D k (map (fun y => [y]) l) l = NDCG D l.
Proof.
  intro H; unfold tied_ndcg, NDCG, IDCG, DCG; rewrite untied; cbn [add length INR].
  rewrite !dcg_cut; [|rewrite (Permutation_length (sort_perm l)); lia|lia].
  f_equal; field.
Qed.
Lemma plain_linear l k : length l = k ->
  tied_ndcg (linear k) k (map (fun y => [y]) l) l = ldcg l / ldcg (sort l).
Proof.
  intros <-; rewrite plain_ndcg by reflexivity; unfold NDCG, IDCG.
  rewrite ldcg_is_a_dcg, (ldcg_is_a_dcg (sort l)).
  now rewrite (Permutation_length (sort_perm l)).
Qed.

(** ** The same in fractions *)
Fixpoint qdcg (d : nat -> Q) (r : nat) (l : list Q) : Q :=
  match l with [] => 0%Q | y :: t => Qred (y * d r + qdcg d (S r) t) end.
Fixpoint qinsert (x : Q) (l : list Q) : list Q :=
  match l with [] => [x] | y :: t => if Qle_bool y x then x :: y :: t else y :: qinsert x t end.
Fixpoint qsort (l : list Q) : list Q := match l with [] => [] | x :: t => qinsert x (qsort t) end.
Fixpoint qadd (f : list Q -> Q) (L : list (list Q)) : Q :=
  match L with [] => 0%Q | l :: T => Qred (f l + qadd f T) end.
Definition qcut (k : nat) (d : nat -> Q) (r : nat) : Q := if (r <=? k)%nat then d r else 0%Q.
Definition is_value d k G J a b : bool :=
  let d := qcut k d in
  let best := qdcg d 1 (qsort J) in
  let all := inject_Z (Z.of_nat (length (open_orders G))) in
  negb (Qeq_bool best 0) && negb (Qeq_bool all 0)
    && Qeq_bool (qadd (qdcg d 1) (open_orders G) / all / best) (a # b).
Lemma red q : Q2R (Qred q) = Q2R q. Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma zero : Q2R 0 = 0. Proof. unfold Q2R; simpl; lra. Qed.
Lemma whole z : Q2R (inject_Z z) = IZR z. Proof. unfold Q2R; simpl; lra. Qed.
Lemma sort_q l : sort (map Q2R l) = map Q2R (qsort l).
Proof.
  assert (I : forall x m, insert (Q2R x) (map Q2R m) = map Q2R (qinsert x m)).
  { intros x m; induction m as [|y t IH]; [reflexivity|]; simpl; rewrite IH.
    destruct (Rle_dec (Q2R y) (Q2R x)) as [h|h], (Qle_bool y x) eqn:B; auto.
    - apply Rle_Qle, Qle_bool_iff in h; congruence.
    - apply Qle_bool_iff, Qle_Rle in B; easy. }
  induction l as [|x t IH]; [reflexivity|]; simpl; now rewrite IH, I.
Qed.
Lemma orders_q {A B} (f : A -> B) l : orders (map f l) = map (map f) (orders l).
Proof.
  assert (I : forall x m, inserts (f x) (map f m) = map (map f) (inserts x m)).
  { intros x m; induction m as [|y t IH]; [reflexivity|]; simpl; rewrite IH, !map_map; reflexivity. }
  induction l as [|x t IH]; [reflexivity|]; simpl; rewrite IH; clear IH.
  induction (orders t) as [|m M IH]; [reflexivity|]; simpl; now rewrite IH, I, map_app.
Qed.
Lemma open_q {A B} (f : A -> B) G : open_orders (map (map f) G) = map (map f) (open_orders G).
Proof.
  induction G as [|g H IH]; [reflexivity|]; simpl; rewrite IH, orders_q; clear IH.
  induction (orders g) as [|o O IH]; [reflexivity|]; simpl; rewrite IH, map_app, !map_map; f_equal.
  apply map_ext; intro; symmetry; apply map_app.
Qed.

Section Values.
  Variables (D : nat -> R) (d : nat -> Q).
  Hypothesis same : forall r, (1 <= r)%nat -> D r = Q2R (d r).
  Lemma dcg_q k l : forall r, (1 <= r)%nat ->
    dcg_from (cut k D) r (map Q2R l) = Q2R (qdcg (qcut k d) r l).
  Proof.
    induction l as [|y t IH]; intros r H; [symmetry; apply zero|].
    cbn [map dcg_from qdcg]; rewrite red, Q2R_plus, Q2R_mult, IH by lia; f_equal; f_equal.
    unfold cut, qcut; destruct (r <=? k)%nat; [now apply same|symmetry; apply zero].
  Qed.
  Lemma add_q k L : add (DCG (cut k D)) (map (map Q2R) L) = Q2R (qadd (qdcg (qcut k d) 1) L).
  Proof.
    induction L as [|l L IH]; [symmetry; apply zero|].
    cbn [map add qadd]; rewrite red, Q2R_plus, IH; unfold DCG; now rewrite dcg_q by lia.
  Qed.
  Theorem exact_value k G J a b : is_value d k G J a b = true ->
    tied_ndcg D k (map (map Q2R) G) (map Q2R J) = IZR a / IZR (Zpos b).
  Proof.
    unfold is_value; intro H; apply andb_true_iff in H as (H & V); apply andb_true_iff in H as (N & M).
    apply negb_true_iff, Qeq_bool_neq in N, M; apply Qeq_bool_iff, Qeq_eqR in V.
    rewrite !Q2R_div in V by auto; unfold tied_ndcg, IDCG, DCG.
    rewrite open_q, map_length, INR_IZR_INZ, <- whole, sort_q, dcg_q by lia.
    etransitivity; [|transitivity (Q2R (a # b)); [exact V|reflexivity]].
    now rewrite <- add_q.
  Qed.
End Values.
Definition qzipf (r : nat) : Q := / inject_Z (Z.of_nat r).
Definition qgeometric (r : nat) : Q := / inject_Z (2 ^ Z.of_nat r).
Definition qlinear (n r : nat) : Q := inject_Z (Z.of_nat n - Z.of_nat r).
Lemma not_zero z : (z <> 0)%Z -> ~ (inject_Z z == 0)%Q. Proof. unfold Qeq; simpl; lia. Qed.
Lemma zipf_q r : (1 <= r)%nat -> zipf r = Q2R (qzipf r).
Proof.
  intro H; unfold zipf, qzipf; rewrite Q2R_inv, whole, INR_IZR_INZ by (apply not_zero; lia); reflexivity.
Qed.
Lemma geometric_q r : (1 <= r)%nat -> geometric r = Q2R (qgeometric r).
Proof.
  intros _; unfold geometric, qgeometric; rewrite Q2R_inv, whole, pow_IZR; [reflexivity|].
  apply not_zero; assert (0 < 2 ^ Z.of_nat r)%Z by (apply Z.pow_pos_nonneg; lia); lia.
Qed.
Lemma linear_q n r : (1 <= r)%nat -> linear n r = Q2R (qlinear n r).
Proof. intros _; unfold linear, qlinear; rewrite whole, minus_IZR, <- !INR_IZR_INZ; reflexivity. Qed.

(** Reading a list of numerals and fractions. *)
Ltac q_of x :=
  match x with IZR ?a / IZR (Zpos ?b) => constr:(Qmake a b) | IZR ?a => constr:(inject_Z a) end.
Ltac list_of l :=
  match l with nil => constr:(@nil Q) | ?x :: ?t => let q := q_of x in let m := list_of t in constr:(q :: m) end.
Ltac lists_of L :=
  match L with
  | nil => constr:(@nil (list Q))
  | ?l :: ?T => let m := list_of l in let M := lists_of T in constr:(m :: M)
  end.
Ltac numerals := unfold Q2R; cbn; repeat f_equal; lra.
Ltac exact_tied :=
  match goal with
  | |- tied_ndcg ?D ?k ?G ?J = IZR ?a / IZR (Zpos ?b) =>
      let g := lists_of G in
      let j := list_of J in
      let s := match D with
        | zipf => constr:(exact_value zipf qzipf zipf_q)
        | geometric => constr:(exact_value geometric qgeometric geometric_q)
        | linear ?n => constr:(exact_value (linear n) (qlinear n) (linear_q n))
        end in
      transitivity (tied_ndcg D k (map (map Q2R) g) (map Q2R j));
      [f_equal; numerals|exact (s k g j a b eq_refl)]
  end.
Ltac exact_plain :=
  match goal with
  | |- NDCG ?D ?l = _ =>
      let n := eval cbv in (length l) in rewrite <- (plain_ndcg D n l eq_refl)
  | |- ldcg ?l / _ = _ =>
      let n := eval cbv in (length l) in rewrite <- (plain_linear l n eq_refl)
  end; cbn [map]; exact_tied.
