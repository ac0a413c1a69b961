(** The formal definitions on lists of the book: the package must give the same numbers. *)
From Coq Require Import Reals List Lra.
From Companion Require Import Ranking RankDCG LinearNdcg ExactValues.
Import ListNotations.
Open Scope R_scope.
Ltac exact_rankdcg := unfold rankdcg, maxdcg, mindcg, dcg', weight; cbn; lra.
Ltac exact_values :=
  repeat match goal with |- _ /\ _ => split end; (exact_tied || exact_plain || exact_rankdcg).

(** The lists of the chapter scoring-a-ranking. *)
Example lists_of_the_first_chapter :
  NDCG zipf [3; 0; 2; 1; 1; 1; 0; 0; 2; 0] = 811 / 951 /\
  NDCG geometric [3; 0; 2; 1; 1; 1; 0; 0; 2; 0] = 477 / 604 /\
  ldcg [3; 0; 2; 1; 1; 1; 0; 0; 2; 0] / ldcg (sort [3; 0; 2; 1; 1; 1; 0; 0; 2; 0]) = 29 / 36 /\
  rankdcg [3; 2; 2; 1; 1; 1; 0; 0; 0; 0]%nat [3; 0; 2; 1; 1; 1; 0; 0; 2; 0]%nat = 17 / 20 /\
  NDCG zipf [0; 0; 0; 0; 1; 1; 1; 2; 2; 3] = 1615 / 6657 /\
  NDCG geometric [0; 0; 0; 0; 1; 1; 1; 2; 2; 3] = 71 / 2416 /\
  ldcg [0; 0; 0; 0; 1; 1; 1; 2; 2; 3] / ldcg (sort [0; 0; 0; 0; 1; 1; 1; 2; 2; 3]) = 1 / 4 /\
  rankdcg [3; 2; 2; 1; 1; 1; 0; 0; 0; 0]%nat [0; 0; 0; 0; 1; 1; 1; 2; 2; 3]%nat = 0 / 1 /\
  NDCG zipf [3; 0; 2; 0; 1] = 58 / 65 /\ NDCG geometric [3; 0; 2; 0; 1] = 57 / 68 /\
  ldcg [3; 0; 2; 0; 1] / ldcg (sort [3; 0; 2; 0; 1]) = 4 / 5 /\
  rankdcg [3; 2; 1; 0; 0]%nat [3; 0; 2; 0; 1]%nat = 28 / 33 /\ NDCG zipf [1; 0; 2; 0; 3] = 34 / 65 /\
  NDCG geometric [1; 0; 2; 0; 3] = 27 / 68 /\ ldcg [1; 0; 2; 0; 3] / ldcg (sort [1; 0; 2; 0; 3]) = 2 / 5 /\
  rankdcg [3; 2; 1; 0; 0]%nat [1; 0; 2; 0; 3]%nat = 10 / 33 /\
  tied_ndcg zipf 10 [[3; 0; 2]; [1; 1; 1; 0]; [0; 2; 0]] [3; 0; 2; 1; 1; 1; 0; 0; 2; 0] = 58201 / 79884 /\
  tied_ndcg geometric 10 [[3; 0; 2]; [1; 1; 1; 0]; [0; 2; 0]] [3; 0; 2; 1; 1; 1; 0; 0; 2; 0] = 397 / 604 /\
  tied_ndcg (linear 10) 10 [[3; 0; 2]; [1; 1; 1; 0]; [0; 2; 0]] [3; 0; 2; 1; 1; 1; 0; 0; 2; 0] = 37 / 48 /\
  tied_ndcg zipf 4 [[3]; [0]; [2]; [1]; [1]; [1]; [0]; [0]; [2]; [0]] [3; 0; 2; 1; 1; 1; 0; 0; 2; 0] = 47 /
    59. Proof. exact_values. Qed.

(** The conformance cases, with the discount 1/r. *)
Example conformance_cases :
  NDCG zipf [3; 2; 1; 0] = 1 / 1 /\ NDCG zipf [0; 1; 2; 3] = 23 / 52 /\ NDCG zipf [0; 2; 3; 1] = 27 / 52 /\
  NDCG zipf [2; 3; 1; 0] = 23 / 26 /\ NDCG zipf [1; 1; 1; 3] = 31 / 49 /\
  NDCG zipf [0; 1; 0; 1; 1] = 57 / 110 /\ NDCG zipf [1; 4; 2] = 11 / 16 /\ NDCG zipf [2; 2; 2] = 1 / 1 /\
  NDCG zipf [0; 2; 1] = 8 / 15 /\ NDCG zipf [3; 0; 1] = 20 / 21 /\ NDCG zipf [2; 1; 0] = 1 / 1 /\
  NDCG zipf [0; 1; 0] = 1 / 2 /\ NDCG zipf [0; 0; 1; 0] = 1 / 3 /\ NDCG zipf [0; 0; 0; 1; 0] = 1 / 4 /\
  NDCG zipf [0; 0; 0; 0; 1] = 1 / 5 /\ NDCG zipf [0; 0; 0; 0; 0; 0; 0; 0; 0; 1] = 1 / 10 /\
  NDCG zipf [0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 1; 0] = 1 / 11 /\ NDCG zipf [1; 0; 1; 0] = 8 / 9 /\
  tied_ndcg zipf 2 [[1]; [2]; [3]] [1; 2; 3] = 1 / 2 /\
  tied_ndcg zipf 3 [[1]; [2]; [3]; [0]] [1; 2; 3; 0] = 9 / 13 /\
  tied_ndcg zipf 5 [[0]; [2]; [0]; [0]; [1]; [3]; [0]; [0]; [0]; [0]; [0]; [1]] [0; 2; 0; 0; 1; 3; 0; 0; 0;
    0; 0; 1] = 72 / 275 /\
  tied_ndcg zipf 2 [[1]; [0]; [3]] [1; 0; 3] = 2 / 7 /\ tied_ndcg zipf 1 [[2]; [3]; [1]] [2; 3; 1] = 2 / 3
    /\
  tied_ndcg zipf 3 [[0]; [1]; [1]; [0]; [0]] [0; 1; 1; 0; 0] = 5 / 9 /\
  tied_ndcg zipf 2 [[1]; [1]; [1]; [1]] [1; 1; 1; 1] = 1 / 1 /\
  tied_ndcg zipf 3 [[1]; [0]; [1]; [1]] [1; 0; 1; 1] = 8 / 11 /\
  tied_ndcg zipf 4 [[1]; [2]; [0]; [3]] [1; 2; 0; 3] = 33 / 52 /\
  tied_ndcg zipf 3 [[1]; [0]] [1; 0; 2] = 2 / 5 /\ tied_ndcg zipf 3 [[1]; [2]] [1; 2; 0] = 4 / 5 /\
  tied_ndcg zipf 2 [[1]; [1]; [0]] [1; 1; 0; 3; 2] = 3 / 8 /\
  tied_ndcg zipf 3 [[0]; [1]] [0; 1; 1; 1] = 3 / 11 /\
  tied_ndcg zipf 5 [[2]; [1]; [0]] [2; 1; 0; 3; 3] = 6 / 13 /\
  tied_ndcg zipf 2 [[0]; [0]; [1]; [2]] [0; 0; 1; 2] = 0 / 1 /\
  tied_ndcg zipf 3 [[3; 0; 2]] [3; 0; 2] = 55 / 72 /\ tied_ndcg zipf 3 [[0; 2]; [1]] [0; 2; 1] = 11 / 15 /\
  tied_ndcg zipf 2 [[2]; [0; 3; 1]] [2; 0; 3; 1] = 2 / 3 /\
  tied_ndcg zipf 4 [[2]; [0; 0]; [1]] [2; 0; 0; 1] = 9 / 10 /\
  tied_ndcg zipf 4 [[1]; [2; 2]; [0]] [1; 2; 2; 0] = 4 / 5 /\
  tied_ndcg zipf 4 [[0; 3]; [1; 2]] [0; 3; 1; 2] = 75 / 104 /\
  tied_ndcg zipf 3 [[3; 2; 0]] [3; 2; 0] = 55 / 72 /\ tied_ndcg zipf 2 [[0; 1; 0]] [0; 1; 0] = 1 / 2 /\
  tied_ndcg zipf 1 [[0; 0; 1; 3]] [0; 0; 1; 3] = 1 / 3 /\ tied_ndcg zipf 3 [[0; 2]] [0; 2; 3] = 3 / 8 /\
  tied_ndcg zipf 4 [[1]; [0; 2; 3]] [1; 0; 2; 3] = 101 / 156 /\ tied_ndcg zipf 2 [[1; 0]] [1; 0] = 3 / 4 /\
  tied_ndcg zipf 2 [[0; 1]] [0; 1] = 3 / 4 /\
  tied_ndcg zipf 5 [[1]; [0; 3; 2]; [0]] [0; 1; 3; 0; 2] = 101 / 156 /\
  tied_ndcg zipf 24 [[1; 0]; [1; 0]; [0]; [0]; [0]; [0]; [0]; [0]; [0]; [0]; [0]; [0]; [0]; [0]; [0]; [0];
    [0]; [0]; [0]; [0]; [0]; [0]] [1; 0; 0; 0; 1; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0] =
    25 / 36 /\
  NDCG zipf [1; 0] = 1 / 1 /\ NDCG zipf [0; 1] = 1 / 2 /\ NDCG zipf [1; 2; 0] = 4 / 5 /\
  tied_ndcg zipf 2 [[0]; [3]; [1]] [0; 3; 1] = 3 / 7 /\ tied_ndcg zipf 3 [[0]; [2]; [1]] [2; 1] = 8 / 15 /\
  tied_ndcg zipf 2 [[1]; [0]; [2]] [1; 2] = 2 / 5 /\ tied_ndcg zipf 4 [[0]; [0]; [0]; [1]] [1] = 1 / 4 /\
  tied_ndcg zipf 3 [[1]; [2]; [0]] [1; 2] = 4 / 5 /\ NDCG zipf [1 / 2; 0; 3 / 2] = 4 / 7 /\
  NDCG zipf [9 / 10; 0; 2] = 94 / 147 /\ NDCG zipf [11 / 5; 27 / 10; 1] = 233 / 248 /\
  NDCG zipf [1; 5 / 2; 0] = 3 / 4 /\ NDCG zipf [1 / 2; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 3 / 2] = 5 / 14 /\
  tied_ndcg zipf 10 [[1]; [3]; [2]] [1; 3; 2] = 19 / 26 /\ tied_ndcg zipf 5 [[2]; [1]] [2; 1] = 1 / 1 /\
  tied_ndcg zipf 4 [[0]; [1]; [2]] [0; 1; 2] = 7 / 15 /\
  tied_ndcg zipf 4 [[2]; [0]; [1]] [2; 0; 1] = 14 / 15 /\ NDCG zipf [1] = 1 / 1 /\
  tied_ndcg zipf 1 [[3]] [3] = 1 / 1 /\ tied_ndcg zipf 2 [] [1; 0] = 0 / 1 /\
  tied_ndcg zipf 3 [] [1; 0; 2] = 0 / 1 /\ NDCG zipf [1; 31; 0] = 11 / 21 /\
  NDCG zipf [3; 1; 40] = 101 / 251 /\ NDCG zipf [3; 64; 0] = 70 / 131. Proof. exact_values. Qed.

(** Those without ties, cut-offs and what is missing, by linear NDCG and RankDCG. *)
Example conformance_cases_by_other_measures :
  ldcg [3; 2; 1; 0] / ldcg (sort [3; 2; 1; 0]) = 1 / 1 /\
  rankdcg [3; 2; 1; 0]%nat [3; 2; 1; 0]%nat = 1 / 1 /\
  ldcg [0; 1; 2; 3] / ldcg (sort [0; 1; 2; 3]) = 2 / 7 /\
  rankdcg [3; 2; 1; 0]%nat [0; 1; 2; 3]%nat = 0 / 1 /\
  ldcg [0; 2; 3; 1] / ldcg (sort [0; 2; 3; 1]) = 1 / 2 /\
  rankdcg [3; 2; 1; 0]%nat [0; 2; 3; 1]%nat = 4 / 29 /\
  ldcg [2; 3; 1; 0] / ldcg (sort [2; 3; 1; 0]) = 13 / 14 /\
  rankdcg [3; 2; 1; 0]%nat [2; 3; 1; 0]%nat = 23 / 29 /\
  ldcg [1; 1; 1; 3] / ldcg (sort [1; 1; 1; 3]) = 1 / 2 /\
  rankdcg [3; 1; 1; 1]%nat [1; 1; 1; 3]%nat = 0 / 1 /\
  ldcg [0; 1; 0; 1; 1] / ldcg (sort [0; 1; 0; 1; 1]) = 4 / 9 /\
  rankdcg [1; 1; 1; 0; 0]%nat [0; 1; 0; 1; 1]%nat = 0 / 1 /\
  ldcg [1; 4; 2] / ldcg (sort [1; 4; 2]) = 3 / 5 /\ rankdcg [4; 2; 1]%nat [1; 4; 2]%nat = 1 / 8 /\
  ldcg [2; 2; 2] / ldcg (sort [2; 2; 2]) = 1 / 1 /\ ldcg [0; 2; 1] / ldcg (sort [0; 2; 1]) = 2 / 5 /\
  rankdcg [2; 1; 0]%nat [0; 2; 1]%nat = 1 / 8 /\ ldcg [3; 0; 1] / ldcg (sort [3; 0; 1]) = 6 / 7 /\
  rankdcg [3; 1; 0]%nat [3; 0; 1]%nat = 7 / 8 /\ ldcg [2; 1; 0] / ldcg (sort [2; 1; 0]) = 1 / 1 /\
  rankdcg [2; 1; 0]%nat [2; 1; 0]%nat = 1 / 1 /\ ldcg [0; 1; 0] / ldcg (sort [0; 1; 0]) = 1 / 2 /\
  rankdcg [1; 0; 0]%nat [0; 1; 0]%nat = 0 / 1 /\ ldcg [0; 0; 1; 0] / ldcg (sort [0; 0; 1; 0]) = 1 / 3 /\
  rankdcg [1; 0; 0; 0]%nat [0; 0; 1; 0]%nat = 0 / 1 /\
  ldcg [0; 0; 0; 1; 0] / ldcg (sort [0; 0; 0; 1; 0]) = 1 / 4 /\
  rankdcg [1; 0; 0; 0; 0]%nat [0; 0; 0; 1; 0]%nat = 0 / 1 /\
  ldcg [0; 0; 0; 0; 1] / ldcg (sort [0; 0; 0; 0; 1]) = 0 / 1 /\
  rankdcg [1; 0; 0; 0; 0]%nat [0; 0; 0; 0; 1]%nat = 0 / 1 /\
  ldcg [0; 0; 0; 0; 0; 0; 0; 0; 0; 1] / ldcg (sort [0; 0; 0; 0; 0; 0; 0; 0; 0; 1]) = 0 / 1 /\
  rankdcg [1; 0; 0; 0; 0; 0; 0; 0; 0; 0]%nat [0; 0; 0; 0; 0; 0; 0; 0; 0; 1]%nat = 0 / 1 /\
  ldcg [0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 1; 0] / ldcg (sort [0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 1; 0]) = 1 / 11 /\
  rankdcg [1; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0]%nat [0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 1; 0]%nat = 0 / 1 /\
  ldcg [1; 0; 1; 0] / ldcg (sort [1; 0; 1; 0]) = 4 / 5 /\
  rankdcg [1; 1; 0; 0]%nat [1; 0; 1; 0]%nat = 1 / 2 /\ ldcg [1; 0] / ldcg (sort [1; 0]) = 1 / 1 /\
  rankdcg [1; 0]%nat [1; 0]%nat = 1 / 1 /\ ldcg [0; 1] / ldcg (sort [0; 1]) = 0 / 1 /\
  rankdcg [1; 0]%nat [0; 1]%nat = 0 / 1 /\ ldcg [1; 2; 0] / ldcg (sort [1; 2; 0]) = 4 / 5 /\
  rankdcg [2; 1; 0]%nat [1; 2; 0]%nat = 5 / 8 /\
  ldcg [1 / 2; 0; 3 / 2] / ldcg (sort [1 / 2; 0; 3 / 2]) = 2 / 7 /\
  ldcg [9 / 10; 0; 2] / ldcg (sort [9 / 10; 0; 2]) = 18 / 49 /\
  ldcg [11 / 5; 27 / 10; 1] / ldcg (sort [11 / 5; 27 / 10; 1]) = 71 / 76 /\
  ldcg [1; 5 / 2; 0] / ldcg (sort [1; 5 / 2; 0]) = 3 / 4 /\
  ldcg [1 / 2; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 3 / 2] / ldcg (sort [1 / 2; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 3 /
    2]) = 11 / 43 /\
  ldcg [1; 31; 0] / ldcg (sort [1; 31; 0]) = 11 / 21 /\ rankdcg [31; 1; 0]%nat [1; 31; 0]%nat = 5 / 8 /\
  ldcg [3; 1; 40] / ldcg (sort [3; 1; 40]) = 7 / 83 /\ rankdcg [40; 3; 1]%nat [3; 1; 40]%nat = 3 / 8 /\
  ldcg [3; 64; 0] / ldcg (sort [3; 64; 0]) = 70 / 131 /\ rankdcg [64; 3; 0]%nat [3; 64; 0]%nat = 5 / 8.
Proof. exact_values. Qed.
