"""The net: a residual tower over both quilts, told in every block what the numbers say.

Placements are judged by their shape: maps of hidden features are summed over the cells that a placement covers and
over its rim, whatever the patch is called. So one net plays every edition.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from quiltwork.agents.net import inputs

BORDER = 1
"""the corner of a placement lies at (1, 1) of its window"""
WINDOW = 7
TAPS = WINDOW * WINDOW
FILTERS = inputs.SLOTS * 8
OPTIONS = 8
NORM_EPSILON = 1e-5
BOUND = 25.0
NEVER = -1e4
"""the logit of what is not legal"""


@dataclass(frozen=True)
class Architecture:
    """How large a net is."""

    blocks: int = 6
    channels: int = 96
    hidden: int = 192
    """the width of what the numbers are boiled down to"""
    patch_hidden: int = 32
    maps: int = 8
    """hidden features of a placement"""


@dataclass
class Views:
    """Positions, unpacked into floats: what goes into the net."""

    planes: Tensor  # [B, PLANES, 9, 9]
    filters: Tensor  # [B, 2, SLOTS * 8, TAPS]
    drawings: Tensor  # [B, DRAWN, TAPS]
    numbers: Tensor  # [B, NUMBERS]
    options: Tensor  # [B, 8]


def unpack(words: Tensor, numbers: Tensor, dtype: torch.dtype) -> Views:
    """The bits of `words` (int64 [B, WORDS]) as floats."""
    batch = words.shape[0]
    planes = _bits(words[:, : inputs.FILTERS].reshape(batch, inputs.PLANES, 2), 64)
    planes = planes.reshape(batch, inputs.PLANES, 128)[:, :, : inputs.CELLS]
    windows = _bits(words[:, inputs.FILTERS : inputs.OPTIONS], TAPS).to(dtype)
    return Views(
        planes.reshape(batch, inputs.PLANES, inputs.SIDE, inputs.SIDE).to(dtype),
        windows[:, : 2 * FILTERS].reshape(batch, 2, FILTERS, TAPS),
        windows[:, 2 * FILTERS :],
        numbers.to(dtype),
        _bits(words[:, inputs.OPTIONS], OPTIONS).to(dtype),
    )


def _bits(words: Tensor, length: int) -> Tensor:
    return (words.unsqueeze(-1) >> torch.arange(length, device=words.device)) & 1


class Block(nn.Module):
    """Two convolutions; the numbers, and in every second block the pooled tower, enter between them."""

    def __init__(self, architecture: Architecture, pooled: bool) -> None:
        super().__init__()
        c = architecture.channels
        self.pooled = pooled
        self.first = nn.Conv2d(c, c, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(c)
        self.told = nn.Linear(architecture.hidden + (2 * c if pooled else 0), c)
        self.second = nn.Conv2d(c, c, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(c)
        nn.init.zeros_(self.norm2.weight)

    def forward(self, x: Tensor, known: Tensor) -> Tensor:
        told = self.told(torch.cat([known, pool(x)], 1) if self.pooled else known)
        h = functional.relu(self.norm(self.first(x)) + told[:, :, None, None])
        return functional.relu(x + self.norm2(self.second(h)))


def pool(x: Tensor) -> Tensor:
    """The mean and the greatest value of each channel."""
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


@dataclass
class Opinion:
    """What the net says, from the mover's side."""

    what: Tensor  # [B, 5] logits: advance, take slot 0 to 2 (or place what is held), remove
    where: Tensor  # [B, SLOTS * 8, 81] logits of each placement among those of its slot
    win: Tensor  # [B] logit
    points: Tensor  # [B] lead in points, in units of POINTS
    quilts: Tensor  # [B, 2, 9, 9] logits: the space is empty at the end


POINTS = 20.0


class Net(nn.Module):
    """The net of an architecture."""

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        self.architecture = architecture
        a, c = architecture, architecture.channels
        self.of_patch = nn.Linear(inputs.PATCH_NUMBERS, a.patch_hidden)
        self.of_drawing = nn.Linear(TAPS, a.patch_hidden)
        self.of_numbers = nn.Linear(inputs.GLOBALS + inputs.SHOWN * a.patch_hidden, 2 * a.hidden)
        self.of_hidden = nn.Linear(2 * a.hidden, a.hidden)
        # What every block is told must not grow without bound: learning once went astray that way.
        self.known_norm = nn.LayerNorm(a.hidden)
        self.entry = nn.Conv2d(inputs.PLANES, c, 3, padding=1, bias=False)
        self.entry_norm = nn.BatchNorm2d(c)
        self.entry_told = nn.Linear(a.hidden, c)
        self.blocks = nn.ModuleList(Block(a, pooled=i % 2 == 1) for i in range(a.blocks))
        self.maps = nn.Conv2d(c, 2 * a.maps, 1)
        self.maps_told = nn.Linear(a.hidden, a.maps)
        self.of_maps = nn.Linear(a.maps, 1, bias=False)
        self.summary = nn.Linear(a.hidden + 2 * c, a.hidden)
        self.what = nn.Linear(a.hidden, 5)
        self.outcome = nn.Linear(a.hidden, 2)
        self.quilts = nn.Conv2d(c, 2, 1)
        for layer in (self.what, self.outcome):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, v: Views) -> Opinion:
        known = self._known(v)
        x = self.entry_norm(self.entry(v.planes)) + self.entry_told(known)[:, :, None, None]
        x = functional.relu(x)
        for block in self.blocks:
            x = block(x, known)
        summary = functional.relu(self.summary(torch.cat([known, pool(x)], 1)))
        outcome = self.outcome(summary)
        return Opinion(
            self.what(summary), self._where(x, known, v.filters), outcome[:, 0], outcome[:, 1], self.quilts(x)
        )

    def _known(self, v: Views) -> Tensor:
        told, patches = v.numbers[:, : inputs.GLOBALS], v.numbers[:, inputs.GLOBALS :]
        of_patch = self.of_patch(patches.reshape(-1, inputs.SHOWN, inputs.PATCH_NUMBERS))
        of_drawing = functional.pad(self.of_drawing(v.drawings), (0, 0, 0, inputs.SHOWN - inputs.DRAWN))
        h = functional.relu(of_patch + of_drawing).flatten(1)
        h = self.of_hidden(functional.relu(self.of_numbers(torch.cat([told, h], 1))))
        return functional.relu(self.known_norm(h))

    def _where(self, x: Tensor, known: Tensor, filters: Tensor) -> Tensor:
        count = self.architecture.maps
        maps = functional.pad(self.maps(x), (BORDER, WINDOW - 1 - BORDER, BORDER, WINDOW - 1 - BORDER))
        near = _near(maps).reshape(-1, 2, count, TAPS, inputs.CELLS)
        sums = torch.matmul(filters.unsqueeze(2), near).sum(1)  # [B, maps, SLOTS * 8, 81]
        h = functional.relu(sums + self.maps_told(known)[:, :, None, None])
        return (h * self.of_maps.weight.reshape(1, count, 1, 1)).sum(1)


def _near(maps: Tensor) -> Tensor:
    """What lies under each tap of the window, for each corner: TAPS * 81 numbers for each of the padded maps."""
    if not torch.onnx.is_in_onnx_export():
        return functional.unfold(maps, WINDOW)
    # The same; onnxruntime is much faster with slices.
    taps = [divmod(tap, WINDOW) for tap in range(TAPS)]
    return torch.stack([maps[:, :, r : r + inputs.SIDE, c : c + inputs.SIDE] for r, c in taps], 2)


def log_policy(opinion: Opinion, v: Views) -> Tensor:
    """The logarithm of the probability of every move of the net [B, MOVES]; what is not legal is far below."""
    o = v.options.float()
    may_take = o[:, 1:4] + o[:, 4:7]
    legal_what = torch.cat([o[:, :1], may_take, o[:, 7:8]], 1)
    what = functional.log_softmax(_bounded(opinion.what).masked_fill(legal_what == 0, NEVER), 1)
    places = v.planes[:, inputs.PLACES : inputs.OWN_COVER].reshape(-1, inputs.SLOTS, 8 * inputs.CELLS)
    where = _bounded(opinion.where).reshape(-1, inputs.SLOTS, 8 * inputs.CELLS).masked_fill(places == 0, NEVER)
    where = functional.log_softmax(where, 2) + what[:, 1:4, None]
    where = where.masked_fill(places == 0, 3 * NEVER)
    bare = what[:, 1:4].masked_fill(o[:, 4:7] == 0, 3 * NEVER)
    advance = what[:, :1].masked_fill(o[:, :1] == 0, 3 * NEVER)
    removal = what[:, 4:].masked_fill(o[:, 7:8] == 0, 3 * NEVER)
    return torch.cat([where.flatten(1), advance, bare, removal], 1)


def _bounded(logits: Tensor) -> Tensor:
    """Logits that stay far above those of illegal moves."""
    return BOUND * torch.tanh(logits.float() / BOUND)


def folded(net: Net) -> Net:
    """A copy for play alone, its normalisations folded into the convolutions."""
    copy = Net(net.architecture)
    inside = [f"blocks.{i}.{layer}" for i in range(len(copy.blocks)) for layer in ("first", "second")]
    for name in ("entry", *inside):
        owner, _, attribute = name.rpartition(".")
        parent = copy.get_submodule(owner)
        conv = getattr(parent, attribute)
        conv.bias = nn.Parameter(torch.zeros(conv.out_channels))
        setattr(parent, _NORM_OF[attribute], nn.Identity())
    copy.to(next(net.parameters()).device)
    fold_into(copy, net)
    return copy.eval()


_NORM_OF = {"entry": "entry_norm", "first": "norm", "second": "norm2"}


@torch.no_grad()
def fold_into(player: Net, net: Net) -> None:
    """Writes the weights of a net into a folded copy of it, of any precision, in place."""
    weights = dict(net.state_dict())
    target = dict(player.named_parameters())
    for name, value in target.items():
        owner, _, attribute = name.rpartition(".")
        prefix, _, layer = owner.rpartition(".")
        if layer not in _NORM_OF:
            value.copy_(weights[name])
            continue
        norm = f"{prefix}.{_NORM_OF[layer]}" if prefix else _NORM_OF[layer]
        scale = weights[f"{norm}.weight"] * torch.rsqrt(weights[f"{norm}.running_var"] + NORM_EPSILON)
        if attribute == "weight":
            value.copy_(weights[name] * scale[:, None, None, None])
        else:
            value.copy_(weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * scale)


def architecture_dict(architecture: Architecture) -> dict[str, int]:
    """The architecture as plain data, for checkpoints and cards."""
    return asdict(architecture)
