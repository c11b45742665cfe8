import type { Estimate, Finding } from '../model/finding.ts';
import { clean } from '../model/trial.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';
import { randomOfData } from '../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../statistics/bootstrap/rate-interval.ts';
import type { RunRecord } from '../store/contract.ts';
import { toEstimate } from '../studies/shared/estimates.ts';
import { conditionColumn, recognizerColumn, tableOf } from '../studies/shared/tables.ts';
import type { IndexHeader, RowColumns } from './index-columns.ts';

/** A recognizer in a condition, all speakers together. */
interface Row {
  readonly condition: string;
  readonly recognizer: string;
  readonly wordErrorRate: Estimate;
  readonly errors: number;
  readonly words: number;
  readonly failed: number;
}

/**
 * The word error rates of a run over all speakers together, which tell of no group: what can be shown of a run whose findings are
 * withheld. Rates and intervals are those of the studies, as the same counts are resampled alike. Conditions that not every speaker's
 * clips stand in are left out.
 *
 * @param header of the whole index, with the attribute `speaker` where speakers are known
 * @returns null where nothing was scored
 */
export function everybodyTogether(
  run: Pick<RunRecord, 'seed'>,
  { attributes, conditions, recognizers, utterances }: IndexHeader,
  columns: Pick<RowColumns, 'utterance' | 'condition' | 'recognizer' | 'failure' | 'words' | 'errors' | 'codes'>,
  normalizer: Normalizer,
): Finding | null {
  const place = attributes.findIndex(({ name }) => name === 'speaker');
  const speaker = place < 0 ? null : columns.codes.subarray(place * utterances, (place + 1) * utterances);
  // Whose speaker nobody knows is somebody, as in the studies.
  const names = speaker === null ? 0 : attributes[place]!.values.length;
  const clusterOf = (utterance: number) => (speaker?.[utterance] ? speaker[utterance]! - 1 : names + utterance);
  const everybody = new Set(Array.from({ length: utterances }, (_, utterance) => clusterOf(utterance))).size;

  const sums = new Map<number, Sums>();
  for (let row = 0; row < columns.utterance.length; row++) {
    const [utterance, errors, words] = [columns.utterance[row]!, columns.errors[row]!, columns.words[row]!];
    const key = columns.condition[row]! * recognizers.length + columns.recognizer[row]!;
    const own = sums.get(key) ?? { byCluster: new Map(), utterances: new Set(), errors: 0, words: 0, failed: 0 };
    sums.set(key, own);
    if (columns.failure[row]! > 0) own.failed++;
    if (errors < 0) continue;
    const cluster = own.byCluster.get(clusterOf(utterance)) ?? { errors: 0, words: 0 };
    own.byCluster.set(clusterOf(utterance), cluster);
    own.utterances.add(utterance);
    for (const sum of [own, cluster]) {
      sum.errors += errors;
      sum.words += words;
    }
  }

  const rows = [...sums].flatMap(([key, { byCluster, utterances, errors, words, failed }]): Row[] => {
    if (byCluster.size < everybody || words === 0) return [];
    const all = [...byCluster.values()];
    const counts = {
      numerators: Float64Array.from(all, (one) => one.errors),
      denominators: Float64Array.from(all, (one) => one.words),
    };
    const speakers = [...byCluster.keys()].filter((cluster) => cluster < names).length;
    const n = { utterances: utterances.size, speakers, words, normalizer: normalizer.name };
    const wordErrorRate = toEstimate(rateInterval(counts, { random: randomOfData(run.seed) }), n);
    const [condition, recognizer] = [Math.floor(key / recognizers.length), key % recognizers.length];
    return [
      { condition: conditions[condition]!, recognizer: recognizers[recognizer]!, wordErrorRate, errors, words, failed },
    ];
  });
  const first = rows.some(({ condition }) => condition === clean.name) ? clean.name : rows[0]?.condition;
  if (first === undefined) return null;
  const rank = ({ condition }: Row) => (condition === first ? -1 : conditions.indexOf(condition));
  const rateOf = ({ wordErrorRate }: Row) => wordErrorRate.value ?? Number.POSITIVE_INFINITY;
  rows.sort((a, b) => rank(a) - rank(b) || rateOf(a) - rateOf(b));
  const { recognizer, wordErrorRate } = rows[0]!;
  const all = rows.filter(({ condition }) => condition === first).length;
  return {
    study: { name: 'everybody', version: 1 },
    title: 'All speakers together',
    settings: { normalizer: { name: normalizer.name } },
    answer: [
      {
        text: `${recognizer} has ${all === 1 ? 'this' : `the lowest of ${all}`} word error ${all === 1 ? 'rate' : 'rates'} over all speakers, ${first === clean.name ? 'on clean audio' : `in ${first}`}. Whether others differ is not tested here: what the studies found is withheld.`,
        estimate: wordErrorRate,
        about: { recognizer, conditions: [first] },
      },
    ],
    sections: [
      {
        id: 'everybody-rates',
        title: 'Word error rates of all speakers together',
        text: [
          'All errors over all reference words. Intervals resample whole speakers. Conditions without clips of every speaker are left out.',
        ],
        tables: [
          tableOf('everybody-rates', 'Word error rates', rows, [
            conditionColumn,
            recognizerColumn,
            { key: 'wordErrorRate', label: 'Word error rate', kind: 'rate', ranks: true },
            { key: 'errors', label: 'Errors', kind: 'count' },
            { key: 'words', label: 'Words said', kind: 'count' },
            { key: 'failed', label: 'Failed trials', kind: 'count' },
          ]),
        ],
      },
    ],
    warnings: [],
  };
}

interface Sums {
  readonly byCluster: Map<number, { errors: number; words: number }>;
  readonly utterances: Set<number>;
  errors: number;
  words: number;
  failed: number;
}
