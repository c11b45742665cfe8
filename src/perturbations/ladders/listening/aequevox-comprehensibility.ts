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
