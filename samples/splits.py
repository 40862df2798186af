"""The splits of samples: they share no seed, no lamp and no ink, so that what is tuned on "tuning" has never
seen a "validation" scene (the tables keep theirs apart in `samples.tables`)."""

from __future__ import annotations

from typing import Literal

Split = Literal[
    "tuning",
    "validation",
    "sample",
    "tuning-evening",
    "validation-evening",
    "test-evening",
    "tuning-cooperative",
    "validation-cooperative",
    "sample-cooperative",
    "tuning-labyrinth2",
    "validation-labyrinth2",
    "test-labyrinth2",
    "sample-labyrinth2",
    "tuning-stone-dragon",
    "validation-stone-dragon",
    "test-stone-dragon",
    "sample-stone-dragon",
    "tuning-ice-and-idols",
    "validation-ice-and-idols",
    "test-ice-and-idols",
    "sample-ice-and-idols",
]
#: Splits that show tables as they are on a real evening, by tier (`samples.nuisances`).
EVENINGS = ("tuning-evening", "validation-evening", "test-evening")
#: Splits of cooperative tables (`samples.cooperative`).
COOPERATIVE = ("tuning-cooperative", "validation-cooperative", "sample-cooperative")
#: Splits of boards (`samples.scenes.make_board_sample`).
LABYRINTH2 = ("tuning-labyrinth2", "validation-labyrinth2", "test-labyrinth2", "sample-labyrinth2")
STONE_DRAGON = ("tuning-stone-dragon", "validation-stone-dragon", "test-stone-dragon", "sample-stone-dragon")
ICE_AND_IDOLS = (
    "tuning-ice-and-idols",
    "validation-ice-and-idols",
    "test-ice-and-idols",
    "sample-ice-and-idols",
)
BOARDS = (*LABYRINTH2, *STONE_DRAGON, *ICE_AND_IDOLS)
FIRST_SEED: dict[str, int] = {
    "tuning": 1_000_000,
    "validation": 2_000_000,
    "sample": 3_000_000,
    "tuning-evening": 4_000_000,
    "validation-evening": 5_000_000,
    "test-evening": 6_000_000,
    "tuning-cooperative": 8_000_000,
    "validation-cooperative": 9_000_000,
    "sample-cooperative": 7_000_000,
    "tuning-labyrinth2": 10_000_000,
    "validation-labyrinth2": 11_000_000,
    "test-labyrinth2": 12_000_000,
    "sample-labyrinth2": 13_000_000,
    "tuning-stone-dragon": 14_000_000,
    "validation-stone-dragon": 15_000_000,
    "test-stone-dragon": 16_000_000,
    "sample-stone-dragon": 17_000_000,
    "tuning-ice-and-idols": 18_000_000,
    "validation-ice-and-idols": 19_000_000,
    "test-ice-and-idols": 20_000_000,
    "sample-ice-and-idols": 21_000_000,
}
SEEDS_PER_SPLIT = 1_000_000
# Lamps (kelvin) and a shift of the inks' sRGB: no two splits share one.
LAMPS: dict[str, tuple[float, ...]] = {
    "tuning": (2750, 3400, 4300, 5200, 6500),
    "validation": (2900, 3800, 4700, 5800, 7200),
    "sample": (2820, 3600, 5000, 5500, 6100),
    "tuning-evening": (2700, 3300, 4200, 5100, 6400),
    "validation-evening": (2960, 3900, 4800, 5900, 7300),
    "test-evening": (2600, 3500, 4550, 5350, 6800),
    "tuning-cooperative": (2720, 3350, 4250, 5150, 6450),
    "validation-cooperative": (2930, 3850, 4750, 5850, 7250),
    "sample-cooperative": (2800, 3550, 4950, 5450, 6050),
    "tuning-labyrinth2": (2680, 3320, 4220, 5120, 6420),
    "validation-labyrinth2": (2980, 3880, 4780, 5880, 7280),
    "test-labyrinth2": (2580, 3520, 4520, 5320, 6780),
    "sample-labyrinth2": (2840, 3620, 5020, 5520, 6120),
    "tuning-stone-dragon": (2660, 3310, 4210, 5110, 6410),
    "validation-stone-dragon": (2990, 3890, 4790, 5890, 7290),
    "test-stone-dragon": (2570, 3530, 4530, 5330, 6790),
    "sample-stone-dragon": (2850, 3630, 5030, 5530, 6130),
    "tuning-ice-and-idols": (2640, 3290, 4190, 5090, 6390),
    "validation-ice-and-idols": (3010, 3910, 4810, 5910, 7310),
    "test-ice-and-idols": (2560, 3540, 4540, 5340, 6810),
    "sample-ice-and-idols": (2860, 3640, 5040, 5540, 6140),
}
INK_SHIFT: dict[str, tuple[int, int, int]] = {
    "tuning": (0, 0, 0),
    "validation": (10, 8, -8),
    "sample": (-6, 6, 8),
    "tuning-evening": (4, -4, 0),
    "validation-evening": (12, -6, -4),
    "test-evening": (-10, -2, 12),
    "tuning-cooperative": (2, -6, 2),
    "validation-cooperative": (11, 3, -7),
    "sample-cooperative": (-8, 2, 6),
    "tuning-labyrinth2": (3, -5, 1),
    "validation-labyrinth2": (9, 4, -6),
    "test-labyrinth2": (-9, -3, 11),
    "sample-labyrinth2": (-7, 4, 7),
    "tuning-stone-dragon": (1, -3, 2),
    "validation-stone-dragon": (8, 5, -5),
    "test-stone-dragon": (-11, -1, 10),
    "sample-stone-dragon": (-5, 5, 6),
    "tuning-ice-and-idols": (0, -2, 3),
    "validation-ice-and-idols": (7, 6, -4),
    "test-ice-and-idols": (-12, 0, 9),
    "sample-ice-and-idols": (-4, 6, 5),
}
