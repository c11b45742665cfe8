import type { Step } from '../../model/trial.ts';
import type { Ladder } from '../contract.ts';
import { ladderFamily } from './srb-table.ts';

/** What the paper's program does last, whatever came before: half the power, then integers of 16 bits, cut towards zero. */
// biome-ignore lint/suspicious/noApproximativeNumericConstant: the program divides by 1.414, not by the root of 2
const halfPower: Step = { perturbation: 'gain', parameters: { factor: 1 / 1.414 } };
const to16Bits: Step = {
  perturbation: 'quantize',
  parameters: { bits: 16, rounding: 'truncate', fullScale: 'largest-integer' },
};

/**
 * The eight transformations of AequeVox with the severities of its Table 2, and the extra amplitude of 2 that its text
 * names. Steps and their order are those of its program; design/aequevox.md lists where this differs, and every name.
 */
export const aequevox: Ladder = {
  name: 'aequevox',
  about: 'Eight simple disturbances, from barely to clearly audible',
  source:
    'Rajan, Udeshi, Chattopadhyay: AequeVox: Automated Fairness Testing of Speech Recognition Systems (2022), arXiv 2110.09843v2, section 4, Table 2',
  rateHz: 16_000,
  families: [
    ladderFamily(
      'original',
      'The baseline of all others: only the lower level and the 16-bit integers',
      'gain',
      [1],
      '',
      () => [halfPower, to16Bits],
    ),
    ladderFamily('amplitude', 'Louder or softer', 'amplitude factor', [2, 0.5, 0.4, 0.3, 0.2, 0.1], '', (factor) => [
      { perturbation: 'gain', parameters: { factor } },
      halfPower,
      to16Bits,
    ]),
    ladderFamily(
      'clipping',
      'Peaks cut off',
      'limit (share of full scale)',
      [0.05, 0.04, 0.03, 0.02, 0.01],
      '',
      (limit) => [halfPower, { perturbation: 'clip-peaks', parameters: { limit } }, to16Bits],
    ),
    ladderFamily(
      'drop',
      'Chunks of 20 ms lost, more and more of them',
      'chunks lost',
      [5, 10, 15, 20, 25],
      ' %',
      (percent) => [
        { perturbation: 'drop-chunks', parameters: { chunkSeconds: 0.02, share: percent / 100 } },
        halfPower,
        to16Bits,
      ],
    ),
    ladderFamily(
      'frame',
      'One chunk of ten lost, longer and longer',
      'chunk length',
      [10, 20, 30, 40, 50],
      ' ms',
      (chunkMs) => [
        { perturbation: 'drop-chunks', parameters: { chunkSeconds: chunkMs / 1000, share: 0.1 } },
        halfPower,
        to16Bits,
      ],
    ),
    ladderFamily('high-pass', 'Low frequencies taken away', 'cutoff', [500, 600, 700, 800, 900], ' Hz', (cutoffHz) => [
      { perturbation: 'high-pass', parameters: { cutoffHz } },
      halfPower,
      to16Bits,
    ]),
    ladderFamily('low-pass', 'High frequencies taken away', 'cutoff', [900, 800, 700, 600, 500], ' Hz', (cutoffHz) => [
      { perturbation: 'low-pass', parameters: { cutoffHz } },
      halfPower,
      to16Bits,
    ]),
    ladderFamily('noise', 'White noise', 'signal-to-noise ratio', [10, 8, 6, 4, 2], ' dB', (snrDb) => [
      { perturbation: 'white-noise', parameters: { snrDb } },
      halfPower,
      to16Bits,
    ]),
    ladderFamily('scale', 'Slower and lower', 'speed factor', [0.9, 0.8, 0.7, 0.6, 0.5], '', (factor) => [
      { perturbation: 'playback-rate', parameters: { factor } },
      halfPower,
      to16Bits,
    ]),
  ],
};

/** What the paper left out by name: speed factors of 0.6 and 0.5, where its recognizers understood next to nothing. */
export const leftOutByAequevox: readonly string[] = ['aequevox/scale:4', 'aequevox/scale:5'];

const otherNames: Readonly<Record<string, string>> = { amp: 'amplitude', hp: 'highpass', lp: 'lowpass' };

/**
 * The scenario that a transformation with a parameter is, as the paper and its data call them; null where it is none.
 *
 * @example aequevoxScenario('HP', '900.0') // 'aequevox/high-pass:5'
 */
export function aequevoxScenario(transformation: string, parameter: string): string | null {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
  const wanted = plain(transformation);
  const family = aequevox.families.find(({ name }) => plain(name) === (otherNames[wanted] ?? wanted));
  const value = Number.parseFloat(parameter);
  const rung = family?.rungs.findIndex(({ label }) => Number.parseFloat(label) === value) ?? -1;
  return rung === -1 ? null : `aequevox/${family!.name}:${rung + 1}`;
}

/** People who rated every severity. */
const listeners = 197;

/**
 * Sums of their ratings, mildest first, in the order of the families' rungs. The paper prints means of two decimals; the sums
 * follow from the means of the authors' survey, and the thresholds of the paper's filter decide between them (the printed 7.20
 * of scale 0.7 is 7.20305).
 */
const ratingSums: Readonly<Record<string, readonly number[]>> = {
  amplitude: [1580, 1504, 1476, 1489, 1477, 1415],
  clipping: [1462, 1411, 1445, 1365, 1374],
  drop: [1557, 1464, 1469, 1423, 1393],
  frame: [1468, 1461, 1479, 1479, 1453],
  'high-pass': [1528, 1488, 1458, 1443, 1460],
  'low-pass': [1446, 1415, 1392, 1405, 1384],
  noise: [1423, 1388, 1384, 1377, 1347],
  scale: [1533, 1445, 1419, 1367, 1335],
};

/**
 * How well people understood speech in each scenario of the ladder `aequevox`, by its name: mean rating from 1 (not at all) to
 * 10, unrounded (Rajan, Udeshi and Chattopadhyay, AequeVox, 2022, section 5.4 and Table 10; 197 listeners, one recording for
 * each severity). The paper keeps scenarios whose mean lies above 7.2. Original sound was not rated.
 *
 * @example aequevoxComprehensibility.get('aequevox/scale:3')?.mean // 7.2030…
 */
export const aequevoxComprehensibility: ReadonlyMap<string, { readonly mean: number; readonly listeners: number }> =
  new Map(
    Object.entries(ratingSums).flatMap(([family, sums]) =>
      sums.map((sum, index) => [`aequevox/${family}:${index + 1}`, { mean: sum / listeners, listeners }] as const),
    ),
  );
