"""Gymnasium: importing this module registers `quiltwork/patchwork-v0`, `quiltwork/express-v0` and so on.

gymnasium.make("quiltwork.envs.gym:quiltwork/express-v0", opponent="level:5")
gymnasium.make_vec("quiltwork.envs.gym:quiltwork/express-v0", num_envs=512)
"""

from __future__ import annotations

from quiltwork.editions import available_editions
from quiltwork.errors import MissingExtra

try:
    import gymnasium

    from quiltwork.envs.single import Form, QuiltworkEnv
    from quiltwork.envs.vector import QuiltworkVectorEnv
except ImportError:
    raise MissingExtra("the Gymnasium environment", "rl") from None

VERSION = 0
"""changes whenever the same seed and actions would play another game, or be seen in another way"""


def environment_id(edition: str) -> str:
    """The id of an edition's environment."""
    return f"quiltwork/{edition}-v{VERSION}"


def _register() -> None:
    for edition in available_editions():
        if environment_id(edition) not in gymnasium.registry:
            gymnasium.register(
                environment_id(edition),
                entry_point="quiltwork.envs.single:QuiltworkEnv",
                vector_entry_point="quiltwork.envs.vector:QuiltworkVectorEnv",
                kwargs={"edition": edition},
                order_enforce=True,
            )


_register()

__all__ = ["VERSION", "Form", "QuiltworkEnv", "QuiltworkVectorEnv", "environment_id"]
