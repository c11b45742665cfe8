import { EarwitnessError } from '../../base/errors.ts';
import type { Finding } from '../../model/finding.ts';
import type { Store } from '../../store/contract.ts';
import { compareTests } from '../../studies/differential/regression/compared-tests.ts';
import {
  type ComparedRecognizer,
  regressionFinding,
} from '../../studies/differential/regression/regression-finding.ts';
import { loadNormalizer } from '../members/load-normalizer.ts';
import { readText } from '../read-text.ts';
import { readStoredTests, type StoredSide } from './stored-tests.ts';

/**
 * What became of stored cases: fixed, still failing, new failures.
 *
 * @param before a run, `RUN:RECOGNIZER`, or a folder of exported cases
 * @param after a run, or `RUN:RECOGNIZER`
 * @param choice.words a file with words that the recognizer was given, one on each line or with commas between them
 * @throws EarwitnessError `bad-usage` where a side does not exist, or the two have no recognizer or no sound in common
 */
export async function compareCases(
  store: Store,
  before: string,
  after: string,
  choice: {
    readonly normalizer: string;
    readonly level: number;
    readonly resamples: number;
    readonly baseFolder: string;
    readonly words?: string;
  },
): Promise<Finding> {
  const normalizer = await loadNormalizer(choice.normalizer, choice.baseFolder);
  const list =
    choice.words === undefined
      ? []
      : (await readText(choice.words, choice.baseFolder)).replace(/^\uFEFF/, '').split(/[\n,]/);
  const words = list.map((word) => normalizer.words(word).join(' ')).filter((word) => word !== '');
  if (choice.words !== undefined && words.length === 0) {
    throw new EarwitnessError(
      'bad-input',
      `${choice.words}: expected words, one on each line, but there are none; write some: earwitness cases words -o ${choice.words}`,
    );
  }
  const first = await readStoredTests(store, before, normalizer);
  const second = await readStoredTests(store, after, normalizer);
  const recognizers = pairsOf(first, second).map(([one, other]): ComparedRecognizer => {
    const of = (side: StoredSide, name: string) => side.tests.filter(({ recognizer }) => recognizer === name);
    return {
      name: one === other ? one : `${one} → ${other}`,
      changes: compareTests(of(first, one), of(second, other)),
    };
  });
  if (recognizers.every(({ changes }) => changes.tests === 0)) {
    throw new EarwitnessError(
      'bad-usage',
      'expected sounds that both were asked about, but they have none in common; the second run must be over the same corpus, or over the exported cases',
    );
  }
  return regressionFinding(recognizers, {
    ...{ before, after, chosen: first.kind === 'chosen' || second.kind === 'chosen', words },
    ...{ normalizer: normalizer.name, level: choice.level, resamples: choice.resamples, seed: 1 },
  });
}

/** Recognizers of the same name; one of each where both sides have just one. */
function pairsOf(first: StoredSide, second: StoredSide): (readonly [string, string])[] {
  const common = first.recognizers.filter((name) => second.recognizers.includes(name));
  if (first.recognizers.length === 1 && second.recognizers.length === 1)
    return [[first.recognizers[0]!, second.recognizers[0]!]];
  if (common.length > 0) return common.map((name) => [name, name]);
  throw new EarwitnessError(
    'bad-usage',
    `expected a recognizer in common, but before there are ${first.recognizers.join(', ') || 'none'} and after ${second.recognizers.join(', ') || 'none'}; name one of a run as RUN:NAME on both sides`,
  );
}
