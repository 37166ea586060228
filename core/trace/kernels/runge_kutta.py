"""The Runge-Kutta method of order 8 by Dormand and Prince, with two error estimates (Hairer, Nørsett, Wanner, Solving Ordinary
Differential Equations I, section II.5: DOP853)."""

from __future__ import annotations

import numpy as np

STAGES = 12

STAGE = np.zeros((STAGES, STAGES))
"""Weights of the earlier slopes in the position of each stage."""
STAGE[1, 0] = 0.05260015195876773
STAGE[2, [0, 1]] = 0.0197250569845379, 0.0591751709536137
STAGE[3, [0, 2]] = 0.02958758547680685, 0.08876275643042054
STAGE[4, [0, 2, 3]] = 0.2413651341592667, -0.8845494793282861, 0.924834003261792
STAGE[5, [0, 3, 4]] = 0.037037037037037035, 0.17082860872947386, 0.12546768756682242
STAGE[6, [0, 3, 4, 5]] = 0.037109375, 0.17025221101954405, 0.06021653898045596, -0.017578125
STAGE[7, [0, 3, 4, 5, 6]] = 0.03709200011850479, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402, 0.008273789163814023
STAGE[8, [0, 3, 4, 5, 6, 7]] = (
    0.6241109587160757, -3.3608926294469414, -0.868219346841726, 27.59209969944671, 20.154067550477894, -43.48988418106996,
)  # fmt: skip
STAGE[9, [0, 3, 4, 5, 6, 7, 8]] = (
    0.47766253643826434, -2.4881146199716677, -0.590290826836843, 21.230051448181193, 15.279233632882423, -33.28821096898486,
    -0.020331201708508627,
)  # fmt: skip
STAGE[10, [0, 3, 4, 5, 6, 7, 8, 9]] = (
    -0.9371424300859873, 5.186372428844064, 1.0914373489967295, -8.149787010746927, -18.52006565999696, 22.739487099350505,
    2.4936055526796523, -3.0467644718982196,
)  # fmt: skip
STAGE[11, [0, 3, 4, 5, 6, 7, 8, 9, 10]] = (
    2.273310147516538, -10.53449546673725, -2.0008720582248625, -17.9589318631188, 27.94888452941996, -2.8589982771350235,
    -8.87285693353063, 12.360567175794303, 0.6433927460157636,
)  # fmt: skip
STEP = np.zeros(STAGES)
"""Weights of the slopes in the step."""
STEP[[0, 5, 6, 7, 8, 9, 10, 11]] = (
    0.054293734116568765, 4.450312892752409, 1.8915178993145003, -5.801203960010585, 0.3111643669578199, -0.1521609496625161,
    0.20136540080403034, 0.04471061572777259,
)  # fmt: skip
ERROR_5 = np.zeros(STAGES + 1)
"""Weights of the slopes, including that at the end, in the error estimate of order 5."""
ERROR_5[[0, 5, 6, 7, 8, 9, 10, 11]] = (
    0.01312004499419488, -1.2251564463762044, -0.4957589496572502, 1.6643771824549864, -0.35032884874997366, 0.3341791187130175,
    0.08192320648511571, -0.022355307863886294,
)  # fmt: skip
ERROR_3 = np.zeros(STAGES + 1)
"""The same, of order 3."""
ERROR_3[[0, 5, 6, 7, 8, 9, 10, 11]] = (
    -0.18980075407240762, 4.450312892752409, 1.8915178993145003, -5.801203960010585, -0.4226823213237919, -0.1521609496625161,
    0.20136540080403034, 0.02265179219836082,
)  # fmt: skip

# The ray equation gives the second derivative of the position by the position alone, so the slopes of the position need not be kept: they
# are the momentum's at the start and its changes by the forces of the stages (Hairer, Nørsett, Wanner, section II.14)
ALL_STAGES = np.vstack([STAGE, STEP])
ALL_STAGES = np.hstack([ALL_STAGES, np.zeros((STAGES + 1, 1))])
"""The weights of the stages, then those of the step."""
NODE = ALL_STAGES.sum(axis=1)
"""The fraction of the step at which each stage is, 1 for its end."""
POSITION = ALL_STAGES @ ALL_STAGES
"""Weights of the earlier forces, times the step squared, in the position of each stage, then of the step's end."""
ERROR_5_POSITION, ERROR_3_POSITION = ERROR_5 @ ALL_STAGES, ERROR_3 @ ALL_STAGES
"""Weights of the forces, times the step, in the error estimates of the position."""
