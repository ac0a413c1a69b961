(** The formal definitions on lists of the book: the package has to give the same numbers. *)
From Coq Require Import Reals List Lra.
From Companion Require Import Ranking RankDCG LinearNdcg ExactValues.
Import ListNotations.
Open Scope R_scope.

Ltac exact_rankdcg := unfold rankdcg, maxdcg, mindcg, dcg', weight; cbn; lra.

(** The lists of the chapter scoring-a-ranking. *)
Example ranked_zipf : NDCG zipf [3; 0; 2; 1; 1; 1; 0; 0; 2; 0] = 811 / 951. Proof. exact_plain. Qed.
Example ranked_geometric : NDCG geometric [3; 0; 2; 1; 1; 1; 0; 0; 2; 0] = 477 / 604. Proof. exact_plain. Qed.
Example ranked_linear :
  ldcg [3; 0; 2; 1; 1; 1; 0; 0; 2; 0] / ldcg (sort [3; 0; 2; 1; 1; 1; 0; 0; 2; 0]) = 29 / 36.
Proof. exact_plain. Qed.
Example ranked_rankdcg :
  rankdcg [3; 2; 2; 1; 1; 1; 0; 0; 0; 0]%nat [3; 0; 2; 1; 1; 1; 0; 0; 2; 0]%nat = 17 / 20.
Proof. exact_rankdcg. Qed.
Example worst_zipf : NDCG zipf [0; 0; 0; 0; 1; 1; 1; 2; 2; 3] = 1615 / 6657. Proof. exact_plain. Qed.
Example worst_geometric : NDCG geometric [0; 0; 0; 0; 1; 1; 1; 2; 2; 3] = 71 / 2416. Proof. exact_plain. Qed.
Example worst_linear :
  ldcg [0; 0; 0; 0; 1; 1; 1; 2; 2; 3] / ldcg (sort [0; 0; 0; 0; 1; 1; 1; 2; 2; 3]) = 1 / 4.
Proof. exact_plain. Qed.
Example worst_rankdcg : rankdcg [3; 2; 2; 1; 1; 1; 0; 0; 0; 0]%nat [0; 0; 0; 0; 1; 1; 1; 2; 2; 3]%nat = 0 / 1.
Proof. exact_rankdcg. Qed.
Example few_zipf : NDCG zipf [3; 0; 2; 0; 1] = 58 / 65. Proof. exact_plain. Qed.
Example few_geometric : NDCG geometric [3; 0; 2; 0; 1] = 57 / 68. Proof. exact_plain. Qed.
Example few_linear : ldcg [3; 0; 2; 0; 1] / ldcg (sort [3; 0; 2; 0; 1]) = 4 / 5. Proof. exact_plain. Qed.
Example few_rankdcg : rankdcg [3; 2; 1; 0; 0]%nat [3; 0; 2; 0; 1]%nat = 28 / 33. Proof. exact_rankdcg. Qed.
Example turned_zipf : NDCG zipf [1; 0; 2; 0; 3] = 34 / 65. Proof. exact_plain. Qed.
Example turned_geometric : NDCG geometric [1; 0; 2; 0; 3] = 27 / 68. Proof. exact_plain. Qed.
Example turned_linear : ldcg [1; 0; 2; 0; 3] / ldcg (sort [1; 0; 2; 0; 3]) = 2 / 5. Proof. exact_plain. Qed.
Example turned_rankdcg : rankdcg [3; 2; 1; 0; 0]%nat [1; 0; 2; 0; 3]%nat = 10 / 33. Proof. exact_rankdcg. Qed.
Example shelf_zipf :
  tied_ndcg zipf 10 [[3; 0; 2]; [1; 1; 1; 0]; [0; 2; 0]] [3; 0; 2; 1; 1; 1; 0; 0; 2; 0] = 58201 / 79884.
Proof. exact_tied. Qed.
Example shelf_geometric :
  tied_ndcg geometric 10 [[3; 0; 2]; [1; 1; 1; 0]; [0; 2; 0]] [3; 0; 2; 1; 1; 1; 0; 0; 2; 0] = 397 / 604.
Proof. exact_tied. Qed.
Example shelf_linear :
  tied_ndcg (linear 10) 10 [[3; 0; 2]; [1; 1; 1; 0]; [0; 2; 0]] [3; 0; 2; 1; 1; 1; 0; 0; 2; 0] = 37 / 48.
Proof. exact_tied. Qed.
Example ranked_zipf_at_k :
  tied_ndcg zipf 4 [[3]; [0]; [2]; [1]; [1]; [1]; [0]; [0]; [2]; [0]] [3; 0; 2; 1; 1; 1; 0; 0; 2; 0] = 47 /
    59.
Proof. exact_tied. Qed.

(** The conformance cases, with the discount 1/r. *)
Example perfect_order : NDCG zipf [3; 2; 1; 0] = 1 / 1. Proof. exact_plain. Qed.
Example reversed_order : NDCG zipf [0; 1; 2; 3] = 23 / 52. Proof. exact_plain. Qed.
Example listed_in_no_order : NDCG zipf [0; 2; 3; 1] = 27 / 52. Proof. exact_plain. Qed.
Example top_two_swapped : NDCG zipf [2; 3; 1; 0] = 23 / 26. Proof. exact_plain. Qed.
Example one_best_against_many_fair : NDCG zipf [1; 1; 1; 3] = 31 / 49. Proof. exact_plain. Qed.
Example binary_labels : NDCG zipf [0; 1; 0; 1; 1] = 57 / 110. Proof. exact_plain. Qed.
Example grade_four : NDCG zipf [1; 4; 2] = 11 / 16. Proof. exact_plain. Qed.
Example equal_grades : NDCG zipf [2; 2; 2] = 1 / 1. Proof. exact_plain. Qed.
Example mean_of_two_queries : NDCG zipf [0; 2; 1] = 8 / 15. Proof. exact_plain. Qed.
Example mean_of_two_queries_2 : NDCG zipf [3; 0; 1] = 20 / 21. Proof. exact_plain. Qed.
Example negative_scores : NDCG zipf [2; 1; 0] = 1 / 1. Proof. exact_plain. Qed.
Example relevant_at_rank_2 : NDCG zipf [0; 1; 0] = 1 / 2. Proof. exact_plain. Qed.
Example relevant_at_rank_3 : NDCG zipf [0; 0; 1; 0] = 1 / 3. Proof. exact_plain. Qed.
Example relevant_at_rank_4 : NDCG zipf [0; 0; 0; 1; 0] = 1 / 4. Proof. exact_plain. Qed.
Example relevant_at_rank_5 : NDCG zipf [0; 0; 0; 0; 1] = 1 / 5. Proof. exact_plain. Qed.
Example relevant_at_rank_10 : NDCG zipf [0; 0; 0; 0; 0; 0; 0; 0; 0; 1] = 1 / 10. Proof. exact_plain. Qed.
Example relevant_at_rank_11 : NDCG zipf [0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 1; 0] = 1 / 11.
Proof. exact_plain. Qed.
Example relevant_at_ranks_1_and_3 : NDCG zipf [1; 0; 1; 0] = 8 / 9. Proof. exact_plain. Qed.
Example cut_at_the_base : tied_ndcg zipf 2 [[1]; [2]; [3]] [1; 2; 3] = 1 / 2. Proof. exact_tied. Qed.
Example cut_above_the_base : tied_ndcg zipf 3 [[1]; [2]; [3]; [0]] [1; 2; 3; 0] = 9 / 13.
Proof. exact_tied. Qed.
Example cut_at_5_of_12 :
  tied_ndcg zipf 5 [[0]; [2]; [0]; [0]; [1]; [3]; [0]; [0]; [0]; [0]; [0]; [1]] [0; 2; 0; 0; 1; 3; 0; 0; 0;
    0; 0; 1] = 72 / 275.
Proof. exact_tied. Qed.
Example best_beyond_the_cut : tied_ndcg zipf 2 [[1]; [0]; [3]] [1; 0; 3] = 2 / 7. Proof. exact_tied. Qed.
Example cut_at_1 : tied_ndcg zipf 1 [[2]; [3]; [1]] [2; 3; 1] = 2 / 3. Proof. exact_tied. Qed.
Example fewer_relevant_than_k : tied_ndcg zipf 3 [[0]; [1]; [1]; [0]; [0]] [0; 1; 1; 0; 0] = 5 / 9.
Proof. exact_tied. Qed.
Example more_relevant_than_k : tied_ndcg zipf 2 [[1]; [1]; [1]; [1]] [1; 1; 1; 1] = 1 / 1.
Proof. exact_tied. Qed.
Example as_many_relevant_as_k : tied_ndcg zipf 3 [[1]; [0]; [1]; [1]] [1; 0; 1; 1] = 8 / 11.
Proof. exact_tied. Qed.
Example cut_at_the_length : tied_ndcg zipf 4 [[1]; [2]; [0]; [3]] [1; 2; 0; 3] = 33 / 52.
Proof. exact_tied. Qed.
Example relevant_not_returned : tied_ndcg zipf 3 [[1]; [0]] [1; 0; 2] = 2 / 5. Proof. exact_tied. Qed.
Example irrelevant_not_returned : tied_ndcg zipf 3 [[1]; [2]] [1; 2; 0] = 4 / 5. Proof. exact_tied. Qed.
Example best_two_not_returned : tied_ndcg zipf 2 [[1]; [1]; [0]] [1; 1; 0; 3; 2] = 3 / 8.
Proof. exact_tied. Qed.
Example short_result_list : tied_ndcg zipf 3 [[0]; [1]] [0; 1; 1; 1] = 3 / 11. Proof. exact_tied. Qed.
Example flattered_by_returning_little : tied_ndcg zipf 5 [[2]; [1]; [0]] [2; 1; 0; 3; 3] = 6 / 13.
Proof. exact_tied. Qed.
Example relevant_only_beyond_the_cut : tied_ndcg zipf 2 [[0]; [0]; [1]; [2]] [0; 0; 1; 2] = 0 / 1.
Proof. exact_tied. Qed.
Example all_tied : tied_ndcg zipf 3 [[3; 0; 2]] [3; 0; 2] = 55 / 72. Proof. exact_tied. Qed.
Example two_tied_at_the_top : tied_ndcg zipf 3 [[0; 2]; [1]] [0; 2; 1] = 11 / 15. Proof. exact_tied. Qed.
Example tie_over_the_cut : tied_ndcg zipf 2 [[2]; [0; 3; 1]] [2; 0; 3; 1] = 2 / 3. Proof. exact_tied. Qed.
Example irrelevant_tied : tied_ndcg zipf 4 [[2]; [0; 0]; [1]] [2; 0; 0; 1] = 9 / 10. Proof. exact_tied. Qed.
Example equal_grades_tied : tied_ndcg zipf 4 [[1]; [2; 2]; [0]] [1; 2; 2; 0] = 4 / 5. Proof. exact_tied. Qed.
Example two_groups : tied_ndcg zipf 4 [[0; 3]; [1; 2]] [0; 3; 1; 2] = 75 / 104. Proof. exact_tied. Qed.
Example names_against_positions : tied_ndcg zipf 3 [[3; 2; 0]] [3; 2; 0] = 55 / 72. Proof. exact_tied. Qed.
Example three_tied_binary_cut_at_2 : tied_ndcg zipf 2 [[0; 1; 0]] [0; 1; 0] = 1 / 2. Proof. exact_tied. Qed.
Example all_tied_cut_at_1 : tied_ndcg zipf 1 [[0; 0; 1; 3]] [0; 0; 1; 3] = 1 / 3. Proof. exact_tied. Qed.
Example tied_and_not_returned : tied_ndcg zipf 3 [[0; 2]] [0; 2; 3] = 3 / 8. Proof. exact_tied. Qed.
Example tied_at_the_bottom : tied_ndcg zipf 4 [[1]; [0; 2; 3]] [1; 0; 2; 3] = 101 / 156.
Proof. exact_tied. Qed.
Example numbers_as_names : tied_ndcg zipf 2 [[1; 0]] [1; 0] = 3 / 4. Proof. exact_tied. Qed.
Example capitals_in_names : tied_ndcg zipf 2 [[0; 1]] [0; 1] = 3 / 4. Proof. exact_tied. Qed.
Example scattered_group : tied_ndcg zipf 5 [[1]; [0; 3; 2]; [0]] [0; 1; 3; 0; 2] = 101 / 156.
Proof. exact_tied. Qed.
Example tied_pairs_in_a_long_list :
  tied_ndcg zipf 24 [[1; 0]; [1; 0]; [0]; [0]; [0]; [0]; [0]; [0]; [0]; [0]; [0]; [0]; [0]; [0]; [0]; [0];
    [0]; [0]; [0]; [0]; [0]; [0]] [1; 0; 0; 0; 1; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0] =
    25 / 36.
Proof. exact_tied. Qed.
Example a_billionth_ahead : NDCG zipf [1; 0] = 1 / 1. Proof. exact_plain. Qed.
Example a_billionth_behind : NDCG zipf [0; 1] = 1 / 2. Proof. exact_plain. Qed.
Example one_of_two_empty : NDCG zipf [1; 2; 0] = 4 / 5. Proof. exact_plain. Qed.
Example two_of_three_empty_2 : tied_ndcg zipf 2 [[0]; [3]; [1]] [0; 3; 1] = 3 / 7. Proof. exact_tied. Qed.
Example unjudged_first : tied_ndcg zipf 3 [[0]; [2]; [1]] [2; 1] = 8 / 15. Proof. exact_tied. Qed.
Example unjudged_within_the_cut : tied_ndcg zipf 2 [[1]; [0]; [2]] [1; 2] = 2 / 5. Proof. exact_tied. Qed.
Example only_the_last_judged : tied_ndcg zipf 4 [[0]; [0]; [0]; [1]] [1] = 1 / 4. Proof. exact_tied. Qed.
Example unjudged_last : tied_ndcg zipf 3 [[1]; [2]; [0]] [1; 2] = 4 / 5. Proof. exact_tied. Qed.
Example fractional_grades : NDCG zipf [1 / 2; 0; 3 / 2] = 4 / 7. Proof. exact_plain. Qed.
Example grade_below_one : NDCG zipf [9 / 10; 0; 2] = 94 / 147. Proof. exact_plain. Qed.
Example close_grades : NDCG zipf [11 / 5; 27 / 10; 1] = 233 / 248. Proof. exact_plain. Qed.
Example half_a_grade : NDCG zipf [1; 5 / 2; 0] = 3 / 4. Proof. exact_plain. Qed.
Example fractional_in_a_long_list : NDCG zipf [1 / 2; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 3 / 2] = 5 / 14.
Proof. exact_plain. Qed.
Example cut_beyond_the_list : tied_ndcg zipf 10 [[1]; [3]; [2]] [1; 3; 2] = 19 / 26. Proof. exact_tied. Qed.
Example perfect_and_short : tied_ndcg zipf 5 [[2]; [1]] [2; 1] = 1 / 1. Proof. exact_tied. Qed.
Example cut_beyond_two_lists : tied_ndcg zipf 4 [[0]; [1]; [2]] [0; 1; 2] = 7 / 15. Proof. exact_tied. Qed.
Example cut_beyond_two_lists_2 : tied_ndcg zipf 4 [[2]; [0]; [1]] [2; 0; 1] = 14 / 15. Proof. exact_tied. Qed.
Example one_document : NDCG zipf [1] = 1 / 1. Proof. exact_plain. Qed.
Example one_document_of_grade_3 : tied_ndcg zipf 1 [[3]] [3] = 1 / 1. Proof. exact_tied. Qed.
Example nothing_returned : tied_ndcg zipf 2 [] [1; 0] = 0 / 1. Proof. exact_tied. Qed.
Example nothing_returned_for_one_of_two_2 : tied_ndcg zipf 3 [] [1; 0; 2] = 0 / 1. Proof. exact_tied. Qed.
Example grade_31 : NDCG zipf [1; 31; 0] = 11 / 21. Proof. exact_plain. Qed.
Example grade_40 : NDCG zipf [3; 1; 40] = 101 / 251. Proof. exact_plain. Qed.
Example grade_64 : NDCG zipf [3; 64; 0] = 70 / 131. Proof. exact_plain. Qed.

(** The same without ties and cut-offs by linear NDCG and RankDCG. *)
Example linear_perfect_order : ldcg [3; 2; 1; 0] / ldcg (sort [3; 2; 1; 0]) = 1 / 1. Proof. exact_plain. Qed.
Example rankdcg_perfect_order : rankdcg [3; 2; 1; 0]%nat [3; 2; 1; 0]%nat = 1 / 1. Proof. exact_rankdcg. Qed.
Example linear_reversed_order : ldcg [0; 1; 2; 3] / ldcg (sort [0; 1; 2; 3]) = 2 / 7. Proof. exact_plain. Qed.
Example rankdcg_reversed_order : rankdcg [3; 2; 1; 0]%nat [0; 1; 2; 3]%nat = 0 / 1. Proof. exact_rankdcg. Qed.
Example linear_listed_in_no_order : ldcg [0; 2; 3; 1] / ldcg (sort [0; 2; 3; 1]) = 1 / 2.
Proof. exact_plain. Qed.
Example rankdcg_listed_in_no_order : rankdcg [3; 2; 1; 0]%nat [0; 2; 3; 1]%nat = 4 / 29.
Proof. exact_rankdcg. Qed.
Example linear_top_two_swapped : ldcg [2; 3; 1; 0] / ldcg (sort [2; 3; 1; 0]) = 13 / 14.
Proof. exact_plain. Qed.
Example rankdcg_top_two_swapped : rankdcg [3; 2; 1; 0]%nat [2; 3; 1; 0]%nat = 23 / 29.
Proof. exact_rankdcg. Qed.
Example linear_one_best_against_many_fair : ldcg [1; 1; 1; 3] / ldcg (sort [1; 1; 1; 3]) = 1 / 2.
Proof. exact_plain. Qed.
Example rankdcg_one_best_against_many_fair : rankdcg [3; 1; 1; 1]%nat [1; 1; 1; 3]%nat = 0 / 1.
Proof. exact_rankdcg. Qed.
Example linear_binary_labels : ldcg [0; 1; 0; 1; 1] / ldcg (sort [0; 1; 0; 1; 1]) = 4 / 9.
Proof. exact_plain. Qed.
Example rankdcg_binary_labels : rankdcg [1; 1; 1; 0; 0]%nat [0; 1; 0; 1; 1]%nat = 0 / 1.
Proof. exact_rankdcg. Qed.
Example linear_grade_four : ldcg [1; 4; 2] / ldcg (sort [1; 4; 2]) = 3 / 5. Proof. exact_plain. Qed.
Example rankdcg_grade_four : rankdcg [4; 2; 1]%nat [1; 4; 2]%nat = 1 / 8. Proof. exact_rankdcg. Qed.
Example linear_equal_grades : ldcg [2; 2; 2] / ldcg (sort [2; 2; 2]) = 1 / 1. Proof. exact_plain. Qed.
Example linear_mean_of_two_queries : ldcg [0; 2; 1] / ldcg (sort [0; 2; 1]) = 2 / 5. Proof. exact_plain. Qed.
Example rankdcg_mean_of_two_queries : rankdcg [2; 1; 0]%nat [0; 2; 1]%nat = 1 / 8. Proof. exact_rankdcg. Qed.
Example linear_mean_of_two_queries_2 : ldcg [3; 0; 1] / ldcg (sort [3; 0; 1]) = 6 / 7.
Proof. exact_plain. Qed.
Example rankdcg_mean_of_two_queries_2 : rankdcg [3; 1; 0]%nat [3; 0; 1]%nat = 7 / 8.
Proof. exact_rankdcg. Qed.
Example linear_negative_scores : ldcg [2; 1; 0] / ldcg (sort [2; 1; 0]) = 1 / 1. Proof. exact_plain. Qed.
Example rankdcg_negative_scores : rankdcg [2; 1; 0]%nat [2; 1; 0]%nat = 1 / 1. Proof. exact_rankdcg. Qed.
Example linear_relevant_at_rank_2 : ldcg [0; 1; 0] / ldcg (sort [0; 1; 0]) = 1 / 2. Proof. exact_plain. Qed.
Example rankdcg_relevant_at_rank_2 : rankdcg [1; 0; 0]%nat [0; 1; 0]%nat = 0 / 1. Proof. exact_rankdcg. Qed.
Example linear_relevant_at_rank_3 : ldcg [0; 0; 1; 0] / ldcg (sort [0; 0; 1; 0]) = 1 / 3.
Proof. exact_plain. Qed.
Example rankdcg_relevant_at_rank_3 : rankdcg [1; 0; 0; 0]%nat [0; 0; 1; 0]%nat = 0 / 1.
Proof. exact_rankdcg. Qed.
Example linear_relevant_at_rank_4 : ldcg [0; 0; 0; 1; 0] / ldcg (sort [0; 0; 0; 1; 0]) = 1 / 4.
Proof. exact_plain. Qed.
Example rankdcg_relevant_at_rank_4 : rankdcg [1; 0; 0; 0; 0]%nat [0; 0; 0; 1; 0]%nat = 0 / 1.
Proof. exact_rankdcg. Qed.
Example linear_relevant_at_rank_5 : ldcg [0; 0; 0; 0; 1] / ldcg (sort [0; 0; 0; 0; 1]) = 0 / 1.
Proof. exact_plain. Qed.
Example rankdcg_relevant_at_rank_5 : rankdcg [1; 0; 0; 0; 0]%nat [0; 0; 0; 0; 1]%nat = 0 / 1.
Proof. exact_rankdcg. Qed.
Example linear_relevant_at_rank_10 :
  ldcg [0; 0; 0; 0; 0; 0; 0; 0; 0; 1] / ldcg (sort [0; 0; 0; 0; 0; 0; 0; 0; 0; 1]) = 0 / 1.
Proof. exact_plain. Qed.
Example rankdcg_relevant_at_rank_10 :
  rankdcg [1; 0; 0; 0; 0; 0; 0; 0; 0; 0]%nat [0; 0; 0; 0; 0; 0; 0; 0; 0; 1]%nat = 0 / 1.
Proof. exact_rankdcg. Qed.
Example linear_relevant_at_rank_11 :
  ldcg [0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 1; 0] / ldcg (sort [0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 1; 0]) = 1 / 11.
Proof. exact_plain. Qed.
Example rankdcg_relevant_at_rank_11 :
  rankdcg [1; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0]%nat [0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 1; 0]%nat = 0 / 1.
Proof. exact_rankdcg. Qed.
Example linear_relevant_at_ranks_1_and_3 : ldcg [1; 0; 1; 0] / ldcg (sort [1; 0; 1; 0]) = 4 / 5.
Proof. exact_plain. Qed.
Example rankdcg_relevant_at_ranks_1_and_3 : rankdcg [1; 1; 0; 0]%nat [1; 0; 1; 0]%nat = 1 / 2.
Proof. exact_rankdcg. Qed.
Example linear_a_billionth_ahead : ldcg [1; 0] / ldcg (sort [1; 0]) = 1 / 1. Proof. exact_plain. Qed.
Example rankdcg_a_billionth_ahead : rankdcg [1; 0]%nat [1; 0]%nat = 1 / 1. Proof. exact_rankdcg. Qed.
Example linear_a_billionth_behind : ldcg [0; 1] / ldcg (sort [0; 1]) = 0 / 1. Proof. exact_plain. Qed.
Example rankdcg_a_billionth_behind : rankdcg [1; 0]%nat [0; 1]%nat = 0 / 1. Proof. exact_rankdcg. Qed.
Example linear_one_of_two_empty : ldcg [1; 2; 0] / ldcg (sort [1; 2; 0]) = 4 / 5. Proof. exact_plain. Qed.
Example rankdcg_one_of_two_empty : rankdcg [2; 1; 0]%nat [1; 2; 0]%nat = 5 / 8. Proof. exact_rankdcg. Qed.
Example linear_fractional_grades : ldcg [1 / 2; 0; 3 / 2] / ldcg (sort [1 / 2; 0; 3 / 2]) = 2 / 7.
Proof. exact_plain. Qed.
Example linear_grade_below_one : ldcg [9 / 10; 0; 2] / ldcg (sort [9 / 10; 0; 2]) = 18 / 49.
Proof. exact_plain. Qed.
Example linear_close_grades : ldcg [11 / 5; 27 / 10; 1] / ldcg (sort [11 / 5; 27 / 10; 1]) = 71 / 76.
Proof. exact_plain. Qed.
Example linear_half_a_grade : ldcg [1; 5 / 2; 0] / ldcg (sort [1; 5 / 2; 0]) = 3 / 4. Proof. exact_plain. Qed.
Example linear_fractional_in_a_long_list :
  ldcg [1 / 2; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 3 / 2] / ldcg (sort [1 / 2; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 3 /
    2]) = 11 / 43.
Proof. exact_plain. Qed.
Example linear_grade_31 : ldcg [1; 31; 0] / ldcg (sort [1; 31; 0]) = 11 / 21. Proof. exact_plain. Qed.
Example rankdcg_grade_31 : rankdcg [31; 1; 0]%nat [1; 31; 0]%nat = 5 / 8. Proof. exact_rankdcg. Qed.
Example linear_grade_40 : ldcg [3; 1; 40] / ldcg (sort [3; 1; 40]) = 7 / 83. Proof. exact_plain. Qed.
Example rankdcg_grade_40 : rankdcg [40; 3; 1]%nat [3; 1; 40]%nat = 3 / 8. Proof. exact_rankdcg. Qed.
Example linear_grade_64 : ldcg [3; 64; 0] / ldcg (sort [3; 64; 0]) = 70 / 131. Proof. exact_plain. Qed.
Example rankdcg_grade_64 : rankdcg [64; 3; 0]%nat [3; 64; 0]%nat = 5 / 8. Proof. exact_rankdcg. Qed.
