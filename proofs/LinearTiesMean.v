(** linear/theorem-3-with-ties (chapter linear-ndcg), the mean: over all ways to break the ties, the mean error
    counts half of each tied pair. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia Factorial.
From Companion Require Import Ranking SortedIsBest LinearNdcg LinearTies AllOrders LinearClosedForm.
Import ListNotations.
Open Scope R_scope.

(** Items with equal scores form a group; groups are in decreasing order of score. *)
Definition tied (g : list item) : Prop := exists s, forall x, In x g -> score x = s.
Fixpoint shelves (G : list (list item)) : Prop :=
  match G with
  | [] => True
  | g :: H => tied g /\ (forall x z, In x g -> In z (concat H) -> score x > score z) /\ shelves H
  end.
(** All ways to break the ties: each shelf in each of its orders. *)
Fixpoint breaks (G : list (list item)) : list (list item) :=
  match G with
  | [] => [[]]
  | g :: H => flat_map (fun o => map (app o) (breaks H)) (orders g)
  end.

(** ** One shelf: in a random order half of the gaps are lost *)
Lemma pays_linear n : forall m r, (r + m = S n)%nat ->
  pays (linear n) r m = INR m * (INR m - 1) / 2.
Proof.
  induction m as [|m IH]; intros r H; [simpl; lra|].
  cbn [pays]; rewrite IH by lia; unfold linear.
  replace n with (r + m)%nat by lia; rewrite plus_INR, S_INR; field.
Qed.
Lemma shuffled_shelf g :
  add (fun o => pair_loss (labels o)) (orders g) = INR (fact (length g)) * (gaps (labels g) / 2).
Proof.
  destruct g as [|x t]; [simpl; lra|]; set (g := x :: t); set (n := length g).
  assert (n1 : (1 <= n)%nat) by (unfold n; simpl; lia).
  assert (n0 : 0 < INR n) by (apply lt_0_INR; lia).
  rewrite (add_ext _ (fun o => ldcg (sort (labels g)) + -1 * pay label (linear n) 1 o)).
  - rewrite (add_plus (fun _ => ldcg (sort (labels g))) (fun o => -1 * pay label (linear n) 1 o)).
    rewrite add_const, add_scal, orders_number; fold n.
    assert (Q := add_orders label (linear n) g 1 n1); fold n in Q.
    rewrite (pays_linear n n 1) in Q by lia; rewrite gains_are_a_sum in Q; fold (labels g) in Q.
    assert (Ln : length (labels g) = n) by apply map_length.
    rewrite ideal_closed, Ln.
    replace (add (pay label (linear n) 1) (orders g))
      with (INR (fact n) * (sum_over (fun y => y) (labels g) * (INR n - 1) / 2)).
    + field.
    + apply Rmult_eq_reg_r with (INR n); [|lra].
      change (pay label (linear n) 1) with (fun m => pay label (linear n) 1 m).
      rewrite Q; field.
  - intros o I; apply in_orders in I; rewrite pay_is_dcg; fold (labels o).
    rewrite ldcg_from by (unfold labels; rewrite map_length, (Permutation_length I); reflexivity).
    rewrite <- (sort_permuted (labels o) (labels g)) by (now apply Permutation_map).
    rewrite <- dcg_error_is_pair_loss; ring.
Qed.

(** ** Two parts of a list: what they lose, and what is lost between them *)
Definition between (g h : list item) : R :=
  over (fun x => over (fun z => Rmax (label z - label x) 0) h) g.
Lemma between_perm g h g' h' : Permutation g g' -> Permutation h h' -> between g h = between g' h'.
Proof.
  intros P Q; unfold between; rewrite (over_perm _ _ _ P).
  apply over_ext; intros; now apply over_perm.
Qed.
Lemma over_app f g h : over f (g ++ h) = over f g + over f h. Proof. induction g; simpl; lra. Qed.
Lemma pair_loss_app g h :
  pair_loss (labels (g ++ h)) = pair_loss (labels g) + between g h + pair_loss (labels h).
Proof.
  induction g as [|x t IH]; [unfold between; simpl; lra|].
  change ((x :: t) ++ h) with (x :: (t ++ h)); rewrite !pair_loss_cons, IH, over_app.
  unfold between; simpl; lra.
Qed.
Lemma loss_app w g h : (forall x z, In x g -> In z h -> w (score x) (score z) = false) ->
  (forall x z, In x g -> In z h -> w (score z) (score x) = true) ->
  loss w (g ++ h) = loss w g + between g h + loss w h.
Proof.
  intros F T; induction g as [|x t IH]; [unfold loss, between; simpl; lra|].
  change ((x :: t) ++ h) with (x :: (t ++ h)); rewrite !loss_cons, IH, over_app.
  - enough (E : over (fun z => cost w x z + cost w z x) h = over (fun z => Rmax (label z - label x) 0) h)
      by (rewrite E; unfold between; simpl; lra).
    apply over_ext; intros z Hz; unfold cost.
    rewrite (F x z), (T x z) by (auto; now left); lra.
  - intros; apply F; auto; now right.
  - intros; apply T; auto; now right.
Qed.
Lemma tied_lt g : tied g -> loss_lt g = 0.
Proof.
  intros (s & E); unfold loss_lt; induction g as [|x t IH]; [reflexivity|].
  rewrite loss_cons, IH by (intros; apply E; now right).
  assert (Z : over (fun z => cost lt_b x z + cost lt_b z x) t = over (fun _ => 0) t).
  { apply over_ext; intros z Hz; unfold cost, lt_b; rewrite (E x), (E z) by (simpl; auto).
    destruct Rlt_dec; lra. }
  rewrite Z; clear; induction t as [|z t IH]; simpl; lra.
Qed.
Lemma tied_le g : tied g -> loss_le g = gaps (labels g).
Proof.
  intros (s & E); unfold loss_le; induction g as [|x t IH]; [reflexivity|].
  rewrite loss_cons, IH by (intros; apply E; now right).
  cbn [labels map gaps]; f_equal.
  assert (T : forall z, In z t -> score z = s) by (intros; apply E; now right).
  assert (X : score x = s) by (apply E; now left); clear IH E.
  induction t as [|z t IH]; [reflexivity|].
  unfold labels in *; cbn [over map sum_over]; rewrite IH by (intros; apply T; now right).
  f_equal; unfold cost, le_b; rewrite X, (T z) by (now left).
  destruct (Rle_dec s s); [|lra]; unfold Rmax.
  destruct (Rle_dec (label x - label z) 0), (Rle_dec (label z - label x) 0);
    unfold Rabs; destruct (Rcase_abs (label z - label x)); lra.
Qed.

(** ** All shelves *)
Lemma in_breaks G L : In L (breaks G) -> Permutation L (concat G).
Proof.
  revert L; induction G as [|g H IH]; simpl; intros L I; [destruct I as [<-|[]]; auto|].
  apply in_flat_map in I as (o & Io & I); apply in_map_iff in I as (T & <- & I).
  apply Permutation_app; [now apply in_orders|auto].
Qed.
Lemma breaks_number g H :
  INR (length (breaks (g :: H))) = INR (fact (length g)) * INR (length (breaks H)).
Proof.
  simpl; rewrite <- orders_number, <- mult_INR; f_equal.
  induction (orders g) as [|o O IH]; simpl; auto; now rewrite app_length, map_length, IH.
Qed.
Lemma loss_of_all_breaks G : shelves G ->
  add (fun L => pair_loss (labels L)) (breaks G)
  = INR (length (breaks G)) * ((loss_lt (concat G) + loss_le (concat G)) / 2).
Proof.
  induction G as [|g H IH]; intro S; [unfold loss_lt, loss_le, loss; simpl; lra|].
  destruct S as (T & F & S); specialize (IH S); rewrite breaks_number.
  cbn [breaks concat]; rewrite add_flat; set (n := INR (length (breaks H))) in *.
  rewrite (add_ext _ (fun o => n * pair_loss (labels o)
    + (between g (concat H) * n + n * ((loss_lt (concat H) + loss_le (concat H)) / 2)))).
  - rewrite (add_plus (fun o => n * pair_loss (labels o)) (fun _ => _)), add_scal, add_const.
    rewrite shuffled_shelf, orders_number.
    unfold loss_lt, loss_le; rewrite !loss_app.
    + assert (A := tied_lt g T); assert (B := tied_le g T); unfold loss_lt, loss_le in A, B.
      rewrite A, B; field.
    + intros x z Ix Iz; specialize (F x z Ix Iz); unfold le_b; destruct Rle_dec; auto; lra.
    + intros x z Ix Iz; specialize (F x z Ix Iz); unfold le_b; destruct Rle_dec; auto; lra.
    + intros x z Ix Iz; specialize (F x z Ix Iz); unfold lt_b; destruct Rlt_dec; auto; lra.
    + intros x z Ix Iz; specialize (F x z Ix Iz); unfold lt_b; destruct Rlt_dec; auto; lra.
  - intros o Io; apply in_orders in Io; rewrite add_map.
    rewrite (add_ext _ (fun L => (pair_loss (labels o) + between g (concat H)) + pair_loss (labels L))).
    + rewrite (add_plus (fun _ => _) (fun L => pair_loss (labels L))), add_const, IH; fold n; ring.
    + intros L I; rewrite pair_loss_app, (between_perm o L g (concat H)); auto; now apply in_breaks.
Qed.
Theorem mean_error_with_ties : forall G, shelves G ->
  add (error (concat G)) (breaks G) / INR (length (breaks G))
  = (loss_lt (concat G) + loss_le (concat G)) / 2.
Proof.
  intros G S; rewrite (add_ext _ (fun L => pair_loss (labels L))).
  - rewrite loss_of_all_breaks by auto; field.
    clear S; induction G as [|g H IH]; [simpl; lra|].
    rewrite breaks_number; apply Rmult_integral_contrapositive_currified; auto using INR_fact_neq_0.
  - intros L I; apply error_is_loss, in_breaks, I.
Qed.
