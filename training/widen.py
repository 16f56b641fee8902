"""A wider network, in units or inputs, that begins with what a narrower one knows."""

import numpy as np

from bgnet.nets.network import Architecture, Weights


def fits(narrow: Architecture, wide: Architecture) -> bool:
    """Whether one network can grow into the other: equal but for the width of hidden layers, and
    for inputs behind those of the narrow one, and for game plans where it had none or coarser."""
    sizes = zip(narrow.hidden, wide.hidden, strict=False)
    return (
        narrow.encoder in (wide.encoder, wide.encoding.sums_alone)
        and narrow.plans in ("none", wide.plans, wide.division.grown_from)
        and narrow.activation == wide.activation
        and len(narrow.hidden) == len(wide.hidden)
        and all(before <= after for before, after in sizes)
    )


def widened(narrow: Weights, fresh: Weights) -> Weights:
    """A network that answers exactly as a narrower one and has room to learn more.

    Each game plan begins with all that the narrow one knows, or its coarser plan (in finer plans a
    race with a man still behind is answered as one without). The old units begin deaf to new
    inputs. The new units look at the board as chance made them; nobody listens to them yet, so
    their voices in the next layer are 0 and learning decides what becomes of them. (After Chen,
    Goodfellow & Shlens, *Net2Net*, 2016, who double units instead.)

    Args:
        narrow: the network to begin from.
        fresh: initial weights of the wider one; see ``fits``.

    Returns:
        Weights of the shape of ``fresh``.
    """
    layers = []
    if narrow.architecture.plans == fresh.architecture.division.grown_from:
        coarser = list(fresh.architecture.division.begins_as)
        narrow = Weights(narrow.architecture, tuple(
            (weight[coarser], bias[coarser]) for weight, bias in narrow.layers
        ))  # fmt: skip
    for (old_weight, old_bias), (weight, bias) in zip(narrow.layers, fresh.layers, strict=True):
        *_, outputs, inputs = old_weight.shape
        new_weight, new_bias = np.array(weight), np.array(bias)
        new_weight[..., :outputs, :] = 0
        new_weight[..., :outputs, :inputs] = old_weight
        new_bias[..., :outputs] = old_bias
        layers.append((new_weight, new_bias))
    return Weights(fresh.architecture, tuple(layers))
