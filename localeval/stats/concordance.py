"""Pairs of items that two columns order the same way or the other way, counted in the time of a sort."""

import numpy as np
from numpy.typing import NDArray

from localeval.stats.clustered import Numbered
from localeval.stats.intervals import Floats

Places = NDArray[np.intp]


def net_concordance(first: Floats, second: Floats, groups: Numbered) -> Floats:
    """For each item [items] the others of its group that both columns order alike less those they order oppositely.

    A pair that is tied in either column counts for neither. Sums to twice Kendall's S of the groups (Kendall 1945). It
    takes as many sorts as the number of different values of `first` has binary digits, as in a wavelet tree: items of
    one group, in the order of `second`, are parted by the highest digit of their place in `first`; every item of one
    part lies above every one of the other in `first`, and running counts say how many lie below in `second`.
    """
    rank = np.unique(first, return_inverse=True)[1]
    by_second = np.unique(second, return_inverse=True)[1]
    order = np.lexsort((by_second, groups.place))
    node, high, other = groups.place[order], rank[order], by_second[order]
    net = np.zeros(len(first))
    if not len(first):
        return net
    for digit in reversed(range(int(rank.max()).bit_length())):
        is_upper = (high >> digit & 1).astype(bool)
        net[order] += _across(node, other, is_upper)
        # stable: within each new node the order of `second` stays
        node = node * 2 + is_upper
        sort = np.argsort(node, kind="stable")
        order, high, other = order[sort], high[sort], other[sort]
        node = np.concatenate([[0], np.cumsum(np.diff(node[sort]) != 0)])
    return net


def _across(node: Places, other: Places, is_upper: NDArray[np.bool_]) -> Floats:
    """Net concordance of each item with those of its node's other part [items], in the order of node and `other`."""
    starts = np.concatenate([[True], node[1:] != node[:-1]])
    ties = starts | np.concatenate([[True], other[1:] != other[:-1]])
    whole, tied = (np.flatnonzero(each) for each in (starts, ties))
    of_node, of_tie = np.cumsum(starts) - 1, np.cumsum(ties) - 1
    upper = np.concatenate([[0], np.cumsum(is_upper)])
    lower = np.arange(len(node) + 1) - upper
    node_ends, tie_ends = np.append(whole[1:], len(node)), np.append(tied[1:], len(node))
    found = np.zeros(len(node))
    for count, sign, mine in ((lower, 1.0, is_upper), (upper, -1.0, ~is_upper)):
        below = count[tied][of_tie] - count[whole][of_node]
        above = count[node_ends][of_node] - count[tie_ends][of_tie]
        found += np.where(mine, sign * (below - above), 0.0)
    return found
