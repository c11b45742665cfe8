/**
 * How fast words and characters are aligned: 100,000 pairs of 20 words, and one pair of 20,000.
 *
 *   [ONLY=TEXT] node bench/scoring.ts [REPEATS]      (ONLY: works with that text in their name)
 *
 * Prints one JSON line per measurement (one warm-up, then the least and the median of the repeats), after lines with
 * values that show the inputs to be the agreed ones. Inputs: linear congruential numbers x <- 1664525 x + 1013904223
 * (mod 2^32); references of words "w" + (x >> 22); each word replaced (26 of 256), left out (12), followed by another
 * (13) or kept.
 *
 * Peers on the same inputs: rapidfuzz `Levenshtein.opcodes` (word lists in) beside `align (word lists in)`, its `opcodes
 * (integers in)` beside `one-20k-pair align`. Run them in the same minute, and compare processor time where the machine is
 * shared. Seen so (three rounds in turns with rapidfuzz 3.14.6, two cores, this work before all others, seconds by the clock, least of
 * 5): 100,000 pairs align .117 to .129, alignOperations .108 to .114, countEdits .083 to .088, rapidfuzz .164 to .193, which is .66 to
 * .78 of it for align. On a machine with nothing else of ours, whose processor goes at two speeds, ten rounds in turns (least
 * of 7 each): .141 to .232 and .176 to .276, median of the ratios .83 (.52 to 1.30). 20,000 words (a quiet machine, three
 * rounds, least of 7) align .023 to .045, rapidfuzz .064 to .069 from
 * integers: .33 to .67. By sclite's rule: 100,000 pairs .121 to .166, 20,000 words .068 to .146.
 */
import { align, alignOperations, countEdits } from '../src/scoring/alignment/align.ts';
import { countCharacterEdits } from '../src/scoring/alignment/characters.ts';
import { addCounts, type EditCounts, errors, noEdits } from '../src/scoring/edit-counts.ts';
import { alignNetwork } from '../src/scoring/reference-network/align-network.ts';
import { parseReference } from '../src/scoring/reference-network/reference-network.ts';

interface Pair {
  readonly reference: string;
  readonly hypothesis: string;
}

function makePairs(count: number, words: number, seed: number): Pair[] {
  let state = seed;
  const next = () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return state;
  };
  const word = () => `w${next() >>> 22}`;
  return Array.from({ length: count }, () => {
    const reference = Array.from({ length: words }, word);
    const hypothesis: string[] = [];
    for (const spoken of reference) {
      const chance = next() >>> 24;
      if (chance < 26) hypothesis.push(word());
      else if (chance < 38) continue;
      else if (chance < 51) hypothesis.push(spoken, word());
      else hypothesis.push(spoken);
    }
    return { reference: reference.join(' '), hypothesis: hypothesis.join(' ') };
  });
}

const repeats = Number(process.argv[2] ?? 5);

function measure(work: string, units: string, run: () => unknown): void {
  if (!work.includes(process.env.ONLY ?? '')) return;
  run();
  const seconds = Array.from({ length: repeats }, () => {
    const before = performance.now();
    run();
    return (performance.now() - before) / 1000;
  }).sort((a, b) => a - b);
  const figures = { min: seconds[0]!, median: seconds[seconds.length >> 1]! };
  console.log(JSON.stringify({ work, units, repeats, ...figures }));
}

function check(what: string, value: number, expected: number): void {
  console.log(JSON.stringify({ check: what, value, expected }));
  if (value !== expected) process.exitCode = 1;
}

const texts = makePairs(100_000, 20, 12345);
const split = texts.map((pair) => [pair.reference.split(' '), pair.hypothesis.split(' ')] as const);
const long = makePairs(1, 20_000, 777).map((pair) => [pair.reference.split(' '), pair.hypothesis.split(' ')] as const);
const [longReference, longHypothesis] = long[0]!;

const pool = (pairs: typeof split, count: typeof countEdits) => {
  let total: EditCounts = noEdits;
  for (const [reference, hypothesis] of pairs) total = addCounts(total, count(reference, hypothesis));
  return total;
};

check('edits of the first 1,000 pairs', errors(pool(split.slice(0, 1000), countEdits)), 4022);
check('edits of the pair of 20,000 words', errors(countEdits(longReference, longHypothesis)), 4010);

const many = 'seconds per 100,000 pairs of 20 words';
measure('scoring/100k-pairs countEdits (word lists in)', many, () => pool(split, countEdits));
measure('scoring/100k-pairs countEdits (text in, split inside)', many, () => {
  let total = noEdits;
  for (const { reference, hypothesis } of texts) {
    total = addCounts(total, countEdits(reference.split(' '), hypothesis.split(' ')));
  }
  return total;
});
measure('scoring/100k-pairs align (word lists in)', many, () => {
  let places = 0;
  for (const [reference, hypothesis] of split) places += align(reference, hypothesis).length;
  return places;
});
measure('scoring/100k-pairs alignOperations (word lists in)', many, () => {
  let places = 0;
  for (const [reference, hypothesis] of split) places += alignOperations(reference, hypothesis).length;
  return places;
});
measure('scoring/100k-pairs countEdits by sclite (word lists in)', many, () =>
  pool(split, (reference, hypothesis) => countEdits(reference, hypothesis, 'sclite')),
);
measure('scoring/100k-pairs countCharacterEdits (word lists in)', many, () => pool(split, countCharacterEdits));

const one = 'seconds per pair of 20,000 words';
measure('scoring/one-20k-pair countEdits', one, () => countEdits(longReference, longHypothesis));
measure('scoring/one-20k-pair align', one, () => align(longReference, longHypothesis));
measure('scoring/one-20k-pair countEdits by sclite', one, () => countEdits(longReference, longHypothesis, 'sclite'));
measure('scoring/one-20k-pair countCharacterEdits', one, () => countCharacterEdits(longReference, longHypothesis));

const network = (words: number) =>
  parseReference(
    longReference
      .slice(0, words)
      .map((word, index) => (index % 10 === 0 ? `{ ${word} / x y / @ }` : word))
      .join(' '),
  );
const short2k = network(2000);
measure('scoring/one-2k-pair alignNetwork', 'seconds per pair of 2,000 words, one in ten with alternatives', () =>
  alignNetwork(short2k, longHypothesis.slice(0, 2000)),
);
const long20k = network(20_000);
for (const rule of ['least', 'sclite'] as const) {
  const units = 'seconds per pair of 20,000 words, one in ten with alternatives';
  measure(`scoring/one-20k-pair alignNetwork by ${rule}`, units, () => alignNetwork(long20k, longHypothesis, rule));
}
