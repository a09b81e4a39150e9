"""A match on a Ray cluster of two nodes gives the games that it gives at home."""

from __future__ import annotations

import importlib.util
import logging
from importlib import import_module
from typing import Any

import pytest

from quiltwork import MissingExtra
from quiltwork.agents import Limits
from quiltwork.arena import Pairing, play_match

PAIRING = Pairing("greedy", "random", "express", (Limits(simulations=10), Limits(simulations=10)))
INSTALLED = importlib.util.find_spec("ray") is not None


@pytest.mark.skipif(INSTALLED, reason="Ray is installed here")
def test_without_ray_the_extra_is_named() -> None:
    with pytest.raises(MissingExtra, match=r"playing on a cluster needs the extra 'cluster'"):
        play_match(PAIRING, 4, ray="local")


@pytest.mark.skipif(not INSTALLED, reason="Ray is not installed: pip install 'quiltwork[cluster]'")
@pytest.mark.filterwarnings("default")
def test_a_cluster_of_two_nodes_plays_the_same_games() -> None:
    ray: Any = import_module("ray")
    cluster = import_module("ray.cluster_utils").Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    try:
        ray.init(address=cluster.address, logging_level=logging.ERROR)
        assert len([node for node in ray.nodes() if node["Alive"]]) == 2
        match = play_match(PAIRING, 8, ray=cluster.address)
    finally:
        ray.shutdown()
        cluster.shutdown()
    home = play_match(PAIRING, 8)
    assert sorted(pair.number for pair in match.pairs) == [0, 1, 2, 3]
    assert {p.number: p.records for p in match.pairs} == {p.number: p.records for p in home.pairs}
