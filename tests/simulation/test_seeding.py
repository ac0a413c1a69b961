import numpy as np
import pytest

from ndcg_companion.simulation.seeding import generator, replicate_seeds


def test_integers_and_sequences_give_the_same_numbers_each_time():
    expected = np.random.default_rng(5).random(3)
    sequence = np.random.SeedSequence(5)
    for seed in (5, np.int64(5), sequence, sequence):
        assert np.array_equal(generator(seed).random(3), expected)
    assert generator(0).random() == np.random.default_rng(0).random()


def test_a_generator_moves_on():
    rng = np.random.default_rng(5)
    assert generator(rng) is rng


def states(seeds):
    return [seed.generate_state(2).tolist() for seed in seeds]


def test_replicates_get_the_children_that_numpy_spawns():
    expected = states(np.random.SeedSequence(5).spawn(4))
    sequence = np.random.SeedSequence(5)
    assert states(replicate_seeds(5, 4)) == states(replicate_seeds(sequence, 4)) == expected
    assert states(replicate_seeds(sequence, 2)) == expected[:2]
    grandchild = np.random.SeedSequence(5).spawn(2)[1]
    assert states(replicate_seeds(grandchild, 3)) == states(np.random.SeedSequence(5).spawn(2)[1].spawn(3))


def test_a_generator_hands_out_other_children_the_next_time():
    rng = np.random.default_rng(5)
    first, second = states(replicate_seeds(rng, 2)), states(replicate_seeds(rng, 2))
    assert first + second == states(np.random.SeedSequence(5).spawn(4))


@pytest.mark.parametrize("seed", [None, -1, 1.0, "1", True, [1, 2]])
def test_unusable_seeds(seed):
    with pytest.raises(ValueError, match="seed="):
        generator(seed)
    with pytest.raises(ValueError, match="seed="):
        replicate_seeds(seed, 2)
