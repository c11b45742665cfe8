/**
 * How much of what an oracle would gain over random choice predictors of failures gain, and how long they take.
 *
 *   node bench/predictors.ts [CASES.jsonl] [--batch N] [--keep K] [--seeds S] [--dictionary FILE]
 *                            [--texts FILE] [--orders stages,determinable,failing,product]
 *
 * CASES.jsonl holds rows of the study `differential` (text, voice, recognizer, status), every text of the pool with every
 * recognizer. Without it answers are invented for the texts of ../shared/data/texts: a word comes out right by a chance that
 * depends on the word, the voice and the recognizer. Those answers say whether the machinery works, not how good it is on speech.
 *
 * `--texts` are further texts of the pool, a line each, whose answers are not known: they count for the frequency of words and
 * are never chosen.
 *
 * For each voice and seed: a first batch at random, then four chosen by what was learned. Failed tests are counted as the paper
 * does, once for each recognizer that failed on a determinable text. The oracle takes after the same first batch the texts with
 * most failed tests. Printed per voice: failed tests after five batches (mean over seeds) and the share of the oracle's gain,
 * (predicted - random) / (oracle - random), with an interval of two standard errors over seeds: it holds for this pool, and
 * says nothing about other texts. Processor seconds are the mean of one prediction.
 *
 * `known` is what the same predictor finds after the same first batch if it has learned from the answers to nineteen of twenty texts
 * of the whole pool, each text predicted by those that it is not among: as much as its features can tell, however long it searches.
 */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sha256 } from '../src/base/hash.ts';
import { createRandom } from '../src/base/random.ts';
import type { Prediction, Predictor, PredictorServices, TriedText } from '../src/predictors/contract.ts';
import { textFeatures } from '../src/predictors/text-features/text-features.ts';

/** What became of a text, known for the whole pool. */
interface Answered extends TriedText {
  /** Recognizers that failed; 0 where it is indeterminable. */
  readonly failures: number;
}

type Order = 'stages' | 'determinable' | 'failing' | 'product';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    batch: { type: 'string' },
    keep: { type: 'string' },
    seeds: { type: 'string', default: '10' },
    dictionary: { type: 'string' },
    texts: { type: 'string' },
    orders: { type: 'string', default: 'stages,determinable,failing,product' },
    shares: { type: 'boolean', default: false },
  },
});
const batches = 5;

function readPools(path: string): Map<string, Answered[]> {
  const found = new Map<string, Map<string, { determinable: boolean; failures: number }>>();
  const recognizers = new Set<string>();
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { text, voice, recognizer, status } = JSON.parse(line) as Record<
      'text' | 'voice' | 'recognizer' | 'status',
      string
    >;
    recognizers.add(recognizer);
    const texts = found.get(voice) ?? new Map<string, { determinable: boolean; failures: number }>();
    const { failures = 0 } = texts.get(text) ?? {};
    texts.set(text, {
      determinable: status !== 'indeterminable',
      failures: failures + (status === 'failed' ? 1 : 0),
    });
    found.set(voice, texts);
  }
  const answered = ([text, { determinable, failures }]: [string, { determinable: boolean; failures: number }]) => ({
    text,
    determinable,
    failures,
    failed: determinable ? failures > 0 : null,
    failedShare: determinable ? failures / (recognizers.size - 1) : null,
  });
  return new Map([...found].map(([voice, texts]) => [voice, [...texts].map(answered)]));
}

/** Recognizers of which one is good; words are the harder the rarer, and each voice speaks some badly. */
function inventPools(): Map<string, Answered[]> | null {
  const file = new URL('../../shared/data/texts/europarl-20k.txt', import.meta.url);
  if (!existsSync(file)) return null;
  const texts = [...new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean))];
  const counts = new Map<string, number>();
  for (const text of texts) for (const word of text.split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
  const voices = { clear: -5.5, dull: -4, bad: -2.5 };
  const recognizers = [0, 1.5, 1.5];
  return new Map(
    Object.entries(voices).map(([voice, level]) => {
      const chances = new Map<string, number[]>();
      const chancesOf = (word: string) => {
        const known = chances.get(word);
        if (known !== undefined) return known;
        const random = createRandom([voice, word]);
        const spoken = random.normal();
        const made = recognizers.map((worse) => {
          const score =
            level + worse + 0.4 * (12 - Math.log2(counts.get(word)!)) * 0.5 + spoken + 0.7 * random.normal();
          return 1 / (1 + Math.exp(score));
        });
        chances.set(word, made);
        return made;
      };
      return [
        voice,
        texts.map((text) => {
          const random = createRandom([voice, text]);
          const right = recognizers.map((_, place) =>
            text.split(' ').every((word) => random.next() < chancesOf(word)[place]!),
          );
          const determinable = right.includes(true);
          const failures = determinable ? right.filter((said) => !said).length : 0;
          return {
            text,
            determinable,
            failures,
            failed: determinable ? failures > 0 : null,
            failedShare: determinable ? failures / (right.length - 1) : null,
          };
        }),
      ];
    }),
  );
}

function highest(scores: Float64Array, count: number, among: readonly number[]): number[] {
  return among.toSorted((a, b) => scores[b]! - scores[a]! || a - b).slice(0, count);
}

function choose(
  { determinable, failing }: Prediction,
  candidates: number,
  order: Order,
  batch: number,
  keep: number,
): number[] {
  const all = Array.from({ length: candidates }, (_, place) => place);
  if (order === 'stages') return highest(failing, batch, highest(determinable, keep, all));
  if (order === 'determinable') return highest(determinable, batch, all);
  if (order === 'failing') return highest(failing, batch, all);
  return highest(
    determinable.map((chance, text) => chance * failing[text]!),
    batch,
    all,
  );
}

function drawn(count: number, from: number, seed: number): number[] {
  const random = createRandom(['first batch', seed]);
  const left = Array.from({ length: from }, (_, place) => place);
  return Array.from({ length: Math.min(count, from) }, () => left.splice(random.integer(left.length), 1)[0]!);
}

/** What a predictor is told of texts that were tried. */
const told = (tried: readonly Answered[]): readonly TriedText[] =>
  values.shares ? tried : tried.map(({ text, determinable, failed }) => ({ text, determinable, failed }));

const failuresOf = (texts: readonly Answered[]) => texts.reduce((sum, { failures }) => sum + failures, 0);

const further = values.texts === undefined ? [] : readFileSync(values.texts, 'utf8').split('\n').filter(Boolean);

let predictionSeconds = 0;
let predictions = 0;

async function search(
  pool: readonly Answered[],
  predictor: Predictor,
  order: Order,
  options: { batch: number; keep: number; seed: number },
): Promise<number> {
  const { batch, keep, seed } = options;
  const first = new Set(drawn(batch, pool.length, seed));
  const tried = pool.filter((_, place) => first.has(place));
  let left = pool.filter((_, place) => !first.has(place));
  for (let iteration = 1; iteration < batches && left.length > 0; iteration++) {
    const before = process.cpuUsage();
    const prediction = await predictor.predict(told(tried), [...left.map(({ text }) => text), ...further], seed);
    const { user, system } = process.cpuUsage(before);
    predictionSeconds += (user + system) / 1e6;
    predictions++;
    const chosen = new Set(choose(prediction, left.length, order, batch, keep));
    tried.push(...left.filter((_, place) => chosen.has(place)));
    left = left.filter((_, place) => !chosen.has(place));
  }
  return failuresOf(tried);
}

function oracle(pool: readonly Answered[], batch: number, seed: number): number {
  const first = new Set(drawn(batch, pool.length, seed));
  const rest = pool.filter((_, place) => !first.has(place)).toSorted((a, b) => b.failures - a.failures);
  return failuresOf(pool.filter((_, place) => first.has(place))) + failuresOf(rest.slice(0, (batches - 1) * batch));
}

/** Failed tests of the texts that would be chosen by somebody who knows the answers to all others. */
async function knownFailures(
  pool: readonly Answered[],
  predictor: Predictor,
  order: Order,
  { batch, seeds }: { batch: number; seeds: readonly number[] },
): Promise<number[]> {
  const folds = 20;
  const chances = { determinable: new Float64Array(pool.length), failing: new Float64Array(pool.length) };
  const dealt = drawn(pool.length, pool.length, 0);
  for (let fold = 0; fold < folds; fold++) {
    const own = dealt.filter((_, place) => place % folds === fold);
    const others = dealt.filter((_, place) => place % folds !== fold).map((place) => pool[place]!);
    const { determinable, failing } = await predictor.predict(
      told(others),
      [...own.map((place) => pool[place]!.text), ...further],
      0,
    );
    own.forEach((place, index) => {
      chances.determinable[place] = determinable[index]!;
      chances.failing[place] = failing[index]!;
    });
  }
  return seeds.map((seed) => {
    const first = new Set(drawn(batch, pool.length, seed));
    const left = [...pool.keys()].filter((place) => !first.has(place));
    const of = (all: Float64Array) => Float64Array.from(left, (place) => all[place]!);
    const prediction = { determinable: of(chances.determinable), failing: of(chances.failing) };
    const chosen = choose(prediction, left.length, order, (batches - 1) * batch, left.length).map(
      (index) => left[index]!,
    );
    return failuresOf([...first, ...chosen].map((place) => pool[place]!));
  });
}

function meanAndError(numbers: readonly number[]): { mean: number; error: number } {
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const squares = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / Math.max(1, numbers.length - 1) / numbers.length) };
}

async function openPredictors(): Promise<Map<string, Predictor>> {
  const { dictionary } = values;
  const services: PredictorServices = {
    baseFolder: '.',
    environment: () => undefined,
    fileHash: async (path) => sha256(readFileSync(path)),
  };
  const opened = new Map<string, Predictor>();
  opened.set('text-features', await textFeatures.open(textFeatures.options.parse({}), services));
  if (dictionary !== undefined) {
    opened.set('… with dictionary', await textFeatures.open(textFeatures.options.parse({ dictionary }), services));
  }
  return opened;
}

const pools = positionals[0] === undefined ? inventPools() : readPools(positionals[0]);
if (pools === null) {
  console.log('skipped: ../shared/data/texts/europarl-20k.txt is not there, and no file of cases was named');
  process.exit(0);
}
const seeds = Array.from({ length: Number(values.seeds) }, (_, seed) => seed);
for (const [voice, pool] of pools) {
  const batch = values.batch === undefined ? Math.min(210, Math.ceil(pool.length / 20)) : Number(values.batch);
  const keep = values.keep === undefined ? Math.ceil((batch * 400) / 210) : Number(values.keep);
  const oracles = seeds.map((seed) => oracle(pool, batch, seed));
  const randomPerText = failuresOf(pool) / pool.length;
  const randomFailures = seeds.map((seed) => {
    // What random choice would find on average, after the same first batch.
    const first = new Set(drawn(batch, pool.length, seed));
    const found = failuresOf(pool.filter((_, place) => first.has(place)));
    const rest = (failuresOf(pool) - found) / (pool.length - first.size);
    return found + rest * Math.min((batches - 1) * batch, pool.length - first.size);
  });
  const determinable = pool.filter((text) => text.determinable).length;
  console.log(
    `${voice}: ${pool.length} texts, ${determinable} determinable, ${failuresOf(pool)} failed tests (${randomPerText.toFixed(3)} a text); ${batches} batches of ${batch}, keep ${keep}; random ${meanAndError(randomFailures).mean.toFixed(1)}, oracle ${meanAndError(oracles).mean.toFixed(1)} (${(meanAndError(oracles).mean / meanAndError(randomFailures).mean).toFixed(2)} times)`,
  );
  for (const [name, predictor] of await openPredictors()) {
    for (const order of values.orders.split(',') as Order[]) {
      predictionSeconds = 0;
      predictions = 0;
      const found: number[] = [];
      for (const seed of seeds) found.push(await search(pool, predictor, order, { batch, keep, seed }));
      const known = meanAndError(await knownFailures(pool, predictor, order, { batch, seeds })).mean;
      const shares = found.map((failures, seed) => {
        const gain = oracles[seed]! - randomFailures[seed]!;
        return gain === 0 ? 0 : (failures - randomFailures[seed]!) / gain;
      });
      const { mean, error } = meanAndError(shares);
      const { mean: failures } = meanAndError(found);
      console.log(
        `  ${name.padEnd(22)} ${order.padEnd(13)} ${failures.toFixed(1).padStart(7)} failed  ${(failures / meanAndError(randomFailures).mean).toFixed(2)} times random  share ${mean.toFixed(3)} [${(mean - 2 * error).toFixed(3)}, ${(mean + 2 * error).toFixed(3)}]  known ${known.toFixed(1)}  ${(predictionSeconds / predictions).toFixed(3)} s`,
      );
    }
    await predictor.close();
  }
}
