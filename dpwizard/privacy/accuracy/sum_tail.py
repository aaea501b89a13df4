"""The far tail of a sum of integer-valued noise, to a relative 1e-10.

Multiplied by e^(tilt k), the masses of the numbers give a sum that lies around the start of the tail: there a Fourier
transform loses no digits. Multiplied by e^(-tilt k), the masses of that sum are the tail again (Esscher 1932).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpwizard.base.numerics import smallest
from dpwizard.privacy.mechanisms import Noise

MOST_POINTS = 1 << 23  # the most points of a transform, or of the noise of one number
GAUSSIAN_REACH, LAPLACE_REACH = 9.5, 45.0  # scales beyond the start of the tail, where one number does not count: e^-45
NEGLIGIBLE = 1e-19  # a mass of one tilted number that does not count


@dataclass(frozen=True)
class TiltedNoise:
    """The noise of COUNT numbers: the PLACES of one, and the logarithms of its masses there."""

    places: Any
    log_masses: Any
    count: int

    def tilted(self, tilt: float) -> tuple[Any, float]:
        """Return the masses of one number, tilted, and the logarithm of what they came to before they were one."""
        logs = self.log_masses + tilt * self.places
        largest = float(logs.max())
        masses = np.exp(logs - largest)
        total = float(masses.sum())
        return masses / total, largest + math.log(total)

    def mean(self, tilt: float) -> float:
        """Return the mean of all numbers, tilted."""
        return self.count * float(self.tilted(tilt)[0] @ self.places)


def tail_from(noisy: Mapping[tuple[Noise, float], int], start: int) -> float | None:
    """Return P(sum >= START) of whole numbers with independent noise, to a relative 1e-10; None if it is too wide.

    Arguments: noisy, how many numbers have each integer-valued noise, at each scale above 0; start, 1 or more.
    """
    reaches = {
        (noise, scale): start + math.ceil(scale * (GAUSSIAN_REACH if noise.uses_l2 else LAPLACE_REACH)) + 1
        for noise, scale in noisy
    }
    if 2 * max(reaches.values()) > MOST_POINTS:
        return None
    numbers = [_noise_of(*kind, reaches[kind], count) for kind, count in noisy.items()]
    high = 1.0 / max(scale for _, scale in noisy)
    while sum(number.mean(high) for number in numbers) < start:
        high *= 2.0
    tilt = smallest(lambda tilt: sum(number.mean(tilt) for number in numbers) >= start, 0.0, high, 1e-4)
    return _weighted_back(numbers, tilt, start)


def _noise_of(noise: Noise, scale: float, reach: int, count: int) -> TiltedNoise:
    places = np.arange(-reach, reach + 1)
    distances = np.abs(places) / scale
    logs = -0.5 * distances**2 if noise.uses_l2 else -distances
    return TiltedNoise(places, logs - math.log(float(np.exp(logs).sum())), count)


def _weighted_back(numbers: list[TiltedNoise], tilt: float, start: int) -> float | None:
    tilted = [number.tilted(tilt) for number in numbers]
    variance, furthest, log_total = 0.0, 0.0, -tilt * start
    for number, (masses, log_mass) in zip(numbers, tilted, strict=True):
        mean = float(masses @ number.places)
        variance += number.count * float(masses @ (number.places - mean) ** 2)
        furthest = max(furthest, float(np.abs(number.places[masses > NEGLIGIBLE] - mean).max()))
        log_total += number.count * log_mass
    size = 1 << math.ceil(2.0 * (GAUSSIAN_REACH * math.sqrt(variance) + 1.2 * furthest) + 2.0).bit_length()
    if size > MOST_POINTS:
        return None
    spectrum = math.prod(
        np.fft.rfft(np.bincount(number.places % size, masses, size)) ** number.count
        for number, (masses, _) in zip(numbers, tilted, strict=True)
    )
    beyond = np.arange(size // 2)  # how far above the start
    masses = np.maximum(np.fft.irfft(spectrum, size)[(start + beyond) % size], 0.0)
    return float(masses @ np.exp(-tilt * beyond)) * math.exp(log_total)
