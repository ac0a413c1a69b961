(** beyond/mean-of-ratios (chapter mean-of-ratios): a mean of ratios is a product of means and a covariance. *)
From Coq Require Import Reals List Lra.
Import ListNotations.
Open Scope R_scope.

(** A query is its difference in DCG and its ideal DCG. *)
Definition query := (R * R)%type.

(** The sum of a number of each query, and its mean. *)
Fixpoint total (f : query -> R) (q : list query) : R :=
  match q with [] => 0 | x :: t => f x + total f t end.
Definition mean (f : query -> R) (q : list query) : R := total f q / INR (length q).

Definition lead (x : query) : R := fst x.
Definition inverse (x : query) : R := / snd x.
Definition ratio (x : query) : R := fst x / snd x.
Definition covariance (q : list query) : R :=
  mean (fun x => (lead x - mean lead q) * (inverse x - mean inverse q)) q.
(** The weight of a query: the inverse of its ideal DCG, divided by the mean of these inverses. *)
Definition weighted (q : list query) (x : query) : R := inverse x / mean inverse q * lead x.

Lemma total_of_product : forall a b q,
  total (fun x => (lead x - a) * (inverse x - b)) q =
  total ratio q - a * total inverse q - b * total lead q + INR (length q) * a * b.
Proof.
  intros a b q; induction q as [|x t IH]; [simpl; ring|].
  change (length (x :: t)) with (S (length t)); rewrite S_INR; simpl; rewrite IH.
  unfold ratio, lead, inverse, Rdiv; ring.
Qed.

Lemma total_scaled : forall c q, total (fun x => inverse x / c * lead x) q = / c * total ratio q.
Proof.
  intros c q; induction q as [|x t IH]; simpl; [ring|rewrite IH].
  unfold ratio, lead, inverse, Rdiv; ring.
Qed.

Lemma length_is_not_0 : forall q : list query, q <> [] -> INR (length q) <> 0.
Proof. intros [|x t] H; [congruence|apply not_0_INR; discriminate]. Qed.

Theorem mean_of_ratios : forall q, q <> [] ->
  mean ratio q = mean lead q * mean inverse q + covariance q.
Proof.
  intros q H; apply length_is_not_0 in H.
  unfold covariance; unfold mean at 4; rewrite total_of_product.
  unfold mean; field; exact H.
Qed.

Theorem mean_of_ratios_weighted : forall q, mean inverse q <> 0 ->
  mean ratio q = mean inverse q * mean (weighted q) q.
Proof.
  intros q H; unfold mean at 3, weighted; rewrite total_scaled.
  unfold mean at 1; set (m := mean inverse q) in *; unfold Rdiv.
  rewrite <- 2 Rmult_assoc, Rinv_r by exact H; ring.
Qed.

(** With a positive mean difference in DCG, the winner of mean NDCG is the other one exactly if the covariance
    outweighs the product. *)
Theorem winners_differ : forall q, q <> [] ->
  (mean ratio q < 0 <-> mean lead q * mean inverse q < - covariance q).
Proof. intros q H; rewrite (mean_of_ratios q H); lra. Qed.

(** The two queries of the page under the discount 1/r: A leads in mean DCG, B in mean NDCG. *)
Example five_documents : let q := [(2 / 3, 3 / 2); (- 1 / 2, 1)] in
  mean lead q = 1 / 12 /\ mean ratio q = - 1 / 36.
Proof. unfold mean, lead, ratio; simpl; split; field. Qed.
