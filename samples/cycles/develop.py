"""From linear light to the picture a phone would keep: metering, white balance, tone curve. Numpy only."""

from __future__ import annotations

import numpy as np

# Where the centre-weighted mean lands, and where the bright parts do.
MIDDLE_GREY = 0.26
BRIGHT, BRIGHT_QUANTILE = 0.95, 0.97
# Phones correct most, not all, of a light's colour.
ADAPTATION = 0.85


def develop(linear: np.ndarray, light_rgb: np.ndarray) -> np.ndarray:
    """Expose, balance and tone-map.

    Parameters
    ----------
    linear : (H, W, 3) float, scene light, linear Rec.709.
    light_rgb : (3,) float, the colour of the light on the table.

    Returns
    -------
    (H, W, 3) float 0-1, sRGB.
    """
    balance = (light_rgb / light_rgb[1]) ** -ADAPTATION
    pixels = np.clip(linear, 0, None) * balance
    luminance = pixels @ np.array([0.2126, 0.7152, 0.0722])
    height, width = luminance.shape
    y, x = np.mgrid[0:height, 0:width]
    weight = np.exp(-2 * (((x / width - 0.5) * 2) ** 2 + ((y / height - 0.5) * 2) ** 2))
    mean = float((luminance * weight).sum() / weight.sum())
    bright = float(np.quantile(luminance, BRIGHT_QUANTILE))
    # The geometric mean of metering for the middle and for the lights: a white desk stays light, a dark one dark.
    gain = float(np.sqrt(MIDDLE_GREY / max(mean, 1e-6) * BRIGHT / max(bright, 1e-6)))
    return np.asarray(_srgb(_shoulder(pixels * gain)))


def _shoulder(x: np.ndarray) -> np.ndarray:
    """Straight up to 0.6, then rolls off and reaches 1 at 1.8."""
    knee, top = 0.6, 1.8
    t = np.clip((x - knee) / (top - knee), 0, 1)
    rolled = knee + (1 - knee) * (1 - (1 - t) ** 3)
    return np.asarray(np.where(x < knee, x, rolled))


def _srgb(x: np.ndarray) -> np.ndarray:
    x = np.clip(x, 0, 1)
    return np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)
