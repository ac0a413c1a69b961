(** rankdcg/table-tests (chapter rankdcg): the rankDCG column of the poster's table, computed from the formal
    definition. A hypothesis is a list of scores, so the order is that of the reference's items by decreasing
    score. *)
From Coq Require Import Reals List Lra.
From Companion Require Import RankDCG.
Import ListNotations.
Open Scope R_scope.
Definition reference := [9; 4; 4; 2; 2; 2; 1; 1; 1; 1]%nat.
Ltac compute_row := unfold rankdcg, maxdcg, mindcg, dcg', weight, reference; cbn; lra.

Example row_1 : rankdcg reference [9; 4; 4; 2; 2; 2; 1; 1; 1; 1]%nat = 1 / 1. Proof. compute_row. Qed.
Example row_2 : rankdcg reference [9; 4; 4; 2; 2; 1; 2; 1; 1; 1]%nat = 39 / 40. Proof. compute_row. Qed.
Example row_3 : rankdcg reference [2; 9; 4; 4; 2; 2; 1; 1; 1; 1]%nat = 13 / 20. Proof. compute_row. Qed.
Example row_4 : rankdcg reference [1; 4; 4; 2; 2; 2; 9; 1; 1; 1]%nat = 13 / 40. Proof. compute_row. Qed.
Example row_5 : rankdcg reference [1; 4; 4; 2; 2; 2; 9; 1; 1; 1]%nat = 13 / 40. Proof. compute_row. Qed.
Example row_6 : rankdcg reference [1; 1; 1; 2; 2; 1; 9; 4; 4; 2]%nat = 0 / 1. Proof. compute_row. Qed.
