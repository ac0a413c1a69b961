(** rankdcg/table-tests-printed-formulas (chapter rankdcg): by its printed formula Kendall's tau of
    the perfect list is 7/9, for ties are neither concordant nor discordant; the table has 1. *)
From Coq Require Import Reals List Arith Lra.
Import ListNotations.
Open Scope R_scope.

(** A list of pairs: what the reference and the hypothesis say of each item. *)
Definition agrees (p q : nat * nat) : bool :=
  ((fst p <? fst q) && (snd p <? snd q) || (fst q <? fst p) && (snd q <? snd p))%nat%bool.
Definition differs (p q : nat * nat) : bool :=
  ((fst p <? fst q) && (snd q <? snd p) || (fst q <? fst p) && (snd p <? snd q))%nat%bool.
Fixpoint number_of_pairs (test : nat * nat -> nat * nat -> bool) (l : list (nat * nat)) : nat :=
  match l with
  | [] => 0
  | p :: t => (length (filter (test p) t) + number_of_pairs test t)%nat
  end.
(** (c - d) / (n (n - 1) / 2), as printed. *)
Definition tau (reference hypothesis : list nat) : R :=
  let l := combine reference hypothesis in
  (INR (number_of_pairs agrees l) - INR (number_of_pairs differs l))
  / (/ 2 * INR (length l) * (INR (length l) - 1)).

Theorem perfect_list_has_7_9 :
  let perfect := [9; 4; 4; 2; 2; 2; 1; 1; 1; 1]%nat in tau perfect perfect = 7 / 9.
Proof.
  intro perfect; unfold tau, perfect.
  replace (number_of_pairs agrees _) with 35%nat by reflexivity.
  replace (number_of_pairs differs _) with 0%nat by reflexivity.
  simpl; lra.
Qed.
