(** linear/equation-1 (chapter linear-ndcg) and a lemma for proposition-gini: the ideal DCG. *)
From Coq Require Import Reals List Permutation Sorting.Sorted Lra Lia.
From Companion Require Import Ranking SortedIsBest LinearNdcg.
Import ListNotations.
Open Scope R_scope.
Notation sum := (sum_over (fun y => y)).
(** The total gap of all pairs. *)
Fixpoint gaps (l : list R) : R :=
  match l with [] => 0 | y :: t => sum_over (fun z => Rabs (z - y)) t + gaps t end.
Lemma max_is_half_sum a b : Rmax a b = (a + b) / 2 + Rabs (a - b) / 2.
Proof. unfold Rmax, Rabs; destruct Rle_dec, Rcase_abs; lra. Qed.

(** The ideal DCG: half of everything plus half of the gaps. *)
Lemma pair_max_closed l : pair_max l = (INR (length l) - 1) * sum l / 2 + gaps l / 2.
Proof.
  induction l as [|y t IH]; [simpl; lra|].
  cbn [pair_max gaps sum_over]; rewrite IH; change (length (y :: t)) with (S (length t)); rewrite S_INR.
  enough (E : sum_over (fun z => Rmax z y) t
    = sum t / 2 + INR (length t) * y / 2 + sum_over (fun z => Rabs (z - y)) t / 2) by (rewrite E; lra).
  clear IH; induction t as [|z t IH]; [simpl; lra|].
  cbn [sum_over]; rewrite IH, max_is_half_sum; change (length (z :: t)) with (S (length t)); rewrite S_INR; lra.
Qed.
Theorem ideal_closed : forall l,
  ldcg (sort l) = (INR (length l) - 1) * sum l / 2 + gaps l / 2.
Proof.
  intro l; rewrite <- pair_max_closed, <- (pair_max_perm _ _ (sort_perm l)).
  rewrite <- earned_plus_lost, (falling_loses_nothing _ (sort_falling l)); lra.
Qed.

(** Equation 1: with m relevant items (1) and q others (0) the ideal DCG is m q + m (m-1) / 2. *)
Theorem ideal_two_grades : forall m q,
  ldcg (repeat 1 m ++ repeat 0 q) = INR m * INR q + INR m * (INR m - 1) / 2.
Proof.
  assert (Z : forall q, ldcg (repeat 0 q) = 0) by (induction q; simpl; lra).
  intros m q; induction m as [|m IH]; [simpl app; rewrite Z; simpl; lra|].
  change (repeat 1 (S m) ++ repeat 0 q) with (1 :: repeat 1 m ++ repeat 0 q).
  cbn [ldcg]; rewrite IH, app_length, !repeat_length, plus_INR, S_INR; lra.
Qed.
