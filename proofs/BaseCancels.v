(** wang/invariance (chapter scoring-a-ranking): the base of the logarithm cancels. *)
From Coq Require Import Reals List Lra.
From Companion Require Import Ranking.
Import ListNotations.
Open Scope R_scope.

Theorem base_cancels : forall a D l, 0 < a -> NDCG (fun k => a * D k) l = NDCG D l.
Proof.
  intros a D l A; unfold NDCG, IDCG, DCG.
  assert (E : forall r m, dcg_from (fun k => a * D k) r m = a * dcg_from D r m).
  { intros r m; revert r; induction m as [|y t IH]; intro r; simpl; [ring|rewrite IH; ring]. }
  rewrite !E; set (i := dcg_from D 1 (sort l)).
  destruct (Req_dec i 0) as [->|]; [unfold Rdiv; rewrite Rmult_0_r, Rinv_0; ring|field; lra].
Qed.
