"""Handwritten digits as ten real ranking tasks, such as "find the images of a 7" among 1,797 images.

The images are bundled with scikit-learn. They are the test set of Alpaydin and Kaynak's *Optical recognition
of handwritten digits* (UCI 1998) and have 8 x 8 pixels with values from 0 to 16. Images arrive in the order
of the file, and this order is informative. The file consists of fourteen runs, written by thirteen people,
and each run repeats the same dictated sequence of about 130 digits, which starts with 0 to 9 three times and
continues in a shuffled order. For more than half of the images, the nearest image of the same digit is in the
same run; in a random order, this would be true of only one image in fourteen. In file order, items are
therefore *not* an i.i.d. sample, and the split below never divides a run.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from ndcg_companion.checks import raise_if

# The eighth of the fourteen runs starts here, at the boundary nearest to the middle of the file.
TRAIN_SIZE = 915

_PARTS = {"all": slice(None), "train": slice(TRAIN_SIZE), "test": slice(TRAIN_SIZE, None)}


@cache
def _load_images():
    """Return the images, scaled to [0, 1], and one row of labels for each digit, as read-only arrays."""
    from sklearn.datasets import load_digits

    data_set = load_digits()
    features = data_set.data / 16.0
    labels = (data_set.target == np.arange(10)[:, None]).astype(np.int64)
    features.setflags(write=False)
    labels.setflags(write=False)
    return features, labels


@dataclass(frozen=True)
class Digits:
    """Ten ranking tasks on the same images of handwritten digits.

    Row d of ``labels`` is the task "find the images of a d".

    Parameters
    ----------
    part : {"all", "train", "test"}
        The part to use: all 1,797 images, the 915 images of the first seven runs of the file (training), or
        the 882 images of the last seven runs (test). The split follows the order of the file, so it needs no
        seed.

    Attributes
    ----------
    features : ndarray of shape (n, 64)
        Pixel values divided by 16 to lie in [0, 1]; the scaling does not depend on the data. Read-only.
    labels : ndarray of shape (10, n)
        1 if the image shows the digit of the row, otherwise 0; every column sums to 1. Read-only.

    Raises
    ------
    ValueError
        If ``part`` is not one of the three names.

    Examples
    --------
    >>> sevens = Digits("test").labels[7]
    >>> sevens.shape, int(sevens.sum())
    ((882,), 88)
    """

    part: str = "all"

    def __post_init__(self):
        raise_if(self.part not in _PARTS, "part", self.part, f"one of {', '.join(map(repr, _PARTS))}")

    @property
    def features(self) -> np.ndarray:
        features, _ = _load_images()
        return features[_PARTS[self.part]]

    @property
    def labels(self) -> np.ndarray:
        _, labels = _load_images()
        return labels[:, _PARTS[self.part]]
