import { limitText } from '../../../base/limit-text.ts';
import { createRandom } from '../../../base/random.ts';
import type { Column, Comparison, Finding, Section, Statement } from '../../../model/finding.ts';
import { differenceInterval } from '../../../statistics/bootstrap/difference-interval.ts';
import { holm } from '../../../statistics/significance/holm.ts';
import { signFlipTest } from '../../../statistics/significance/sign-flip-test.ts';
import { asJson } from '../../shared/as-json.ts';
import { toEstimate } from '../../shared/estimates.ts';
import { counted } from '../../shared/wording.ts';
import { stratifiedProportion } from '../verification/stratified-proportion.ts';
import { type Changes, type ComparedTest, isRightNow } from './compared-tests.ts';

/** One recognizer before and after. */
export interface ComparedRecognizer {
  /** `small`, or `plain -> boosted` where the names differ. */
  readonly name: string;
  readonly changes: Changes;
}

export interface RegressionSettings {
  readonly before: string;
  readonly after: string;
  /**
   * Whether what was before are cases chosen for having failed: then more of them are right now by chance alone where a recognizer
   * does not always write the same, and no test is made.
   */
  readonly chosen: boolean;
  readonly normalizer: string;
  readonly level: number;
  readonly resamples: number;
  readonly seed: number;
}

const mostShown = 50;

const columns: readonly Column[] = [
  { key: 'recognizer', label: 'Recognizer', kind: 'text' },
  { key: 'tests', label: 'Tests', kind: 'count', help: 'Sounds that were recognized before and after.' },
  { key: 'texts', label: 'Texts', kind: 'count' },
  { key: 'failedBefore', label: 'Failed before', kind: 'count', help: 'While another recognizer was right.' },
  { key: 'fixed', label: 'Fixed', kind: 'count' },
  { key: 'stillFailing', label: 'Still failing', kind: 'count' },
  { key: 'newFailures', label: 'New failures', kind: 'count', help: 'Right before, wrong now.' },
  { key: 'stillRight', label: 'Still right', kind: 'count' },
  { key: 'nowRight', label: 'Indeterminable before, right now', kind: 'count' },
  { key: 'stillWrong', label: 'Indeterminable before, wrong now', kind: 'count' },
  { key: 'share', label: 'Fixed of failed', kind: 'rate' },
  { key: 'change', label: 'Right now and not before, less the other way', kind: 'rate' },
];

/**
 * What became of tests that were stored: fixed, still failing, new failures, and whether the recognizer is right more often than it
 * was. Texts are what intervals resample and the test's signs belong to, because tests of one text share its words.
 */
export function regressionFinding(recognizers: readonly ComparedRecognizer[], settings: RegressionSettings): Finding {
  const adjusted = holm(
    recognizers.map(({ changes, name }) => (settings.chosen ? null : testOf(changes, name, settings))),
  );
  const compared = recognizers.map(({ name, changes }, place) => ({
    name,
    changes,
    change: changeOf(changes, name, settings, adjusted[place] ?? null),
  }));
  const { before, after, level, normalizer } = settings;
  return {
    study: { name: 'differential', version: 2 },
    title: 'Stored cases, asked again',
    settings: { before, after, level, normalizer, rule: 'exact' },
    answer: compared.map(({ name, changes, change }): Statement => {
      const { fixed, stillFailing, newFailures, tests } = changes;
      const failed = fixed.length + stillFailing.length;
      return {
        text: `${name}: of ${counted(failed, 'failed test')} ${fixed.length} are fixed and ${stillFailing.length} still fail; ${counted(newFailures.length, 'new failure')} among ${counted(tests, 'test')}`,
        ...(change === null ? {} : { comparison: change, kind: 'rate' as const }),
      };
    }),
    sections: [
      {
        id: 'changes',
        title: 'What became of the tests',
        tables: [
          {
            ...{ id: 'changes', title: 'Tests before and after', columns },
            rows: compared.map(({ name, changes, change }) => ({
              recognizer: name,
              ...{ tests: changes.tests, texts: changes.texts },
              failedBefore: changes.fixed.length + changes.stillFailing.length,
              ...{ fixed: changes.fixed.length, stillFailing: changes.stillFailing.length },
              ...{ newFailures: changes.newFailures.length, stillRight: changes.stillRight },
              ...{ nowRight: changes.nowRight, stillWrong: changes.stillWrong },
              ...{ share: fixedShare(changes, level), change },
            })),
            note: settings.chosen
              ? 'Intervals hold for other texts that were chosen as these were; no test is made, and there is no difference to tell.'
              : 'Intervals and the test hold for other texts of the same kind; p values are adjusted for the recognizers (Holm).',
          },
        ],
      },
      ...compared.flatMap(({ name, changes }, place) => [
        listSection(`new-failures-${place}`, `${name}: new failures`, changes.newFailures),
        listSection(`still-failing-${place}`, `${name}: still failing`, changes.stillFailing),
        listSection(`fixed-${place}`, `${name}: fixed`, changes.fixed),
      ]),
    ].filter((section) => section !== null),
    warnings: [
      ...compared.flatMap(({ name, changes: { onlyBefore, onlyAfter } }) =>
        onlyBefore + onlyAfter === 0
          ? []
          : [
              `${name}: ${counted(onlyBefore, 'test')} of before and ${onlyAfter} of after have no counterpart and are left out.`,
            ],
      ),
      ...(settings.chosen
        ? [
            'The stored cases were chosen for having failed: that some are right now does not show that the recognizer is better on the whole. Compare runs over texts that played no part in the choice.',
          ]
        : []),
    ],
    data: asJson(
      compared.map(({ name, changes: { compared: _compared, ...changes }, change }) => ({
        recognizer: name,
        ...changes,
        change,
      })),
    ),
  };
}

function byText({ compared }: Changes) {
  const texts = new Map<string, { before: number; after: number; tests: number }>();
  for (const test of compared) {
    const { before } = test;
    const sums = texts.get(before.text) ?? { before: 0, after: 0, tests: 0 };
    texts.set(before.text, sums);
    sums.tests++;
    if (before.status === 'success') sums.before++;
    if (isRightNow(test)) sums.after++;
  }
  return [...texts.values()];
}

function testOf(changes: Changes, name: string, { seed }: RegressionSettings): number | null {
  const differences = byText(changes).map(({ before, after }) => after - before);
  return signFlipTest(differences, { random: createRandom({ seed, regression: name, use: 'test' }) }).pValue;
}

function changeOf(
  changes: Changes,
  name: string,
  settings: RegressionSettings,
  adjustedPValue: number | null,
): Comparison | null {
  if (settings.chosen || changes.tests === 0) return null;
  const { level, resamples, seed } = settings;
  const texts = byText(changes);
  const denominators = Float64Array.from(texts, ({ tests }) => tests);
  const interval = differenceInterval(
    { numerators: Float64Array.from(texts, ({ before }) => before), denominators, proportion: true },
    { numerators: Float64Array.from(texts, ({ after }) => after), denominators, proportion: true },
    { level, resamples, random: createRandom({ seed, regression: name, use: 'interval' }) },
  );
  const worded = (text: string) =>
    text.replace('clusters (speakers)', 'texts').replaceAll('over clusters', 'over texts');
  const { reason, method, ...rest } = toEstimate(interval, { utterances: changes.tests, speakers: 1 });
  const difference = { ...rest, ...(reason === undefined ? {} : { reason: worded(reason) }), method: worded(method) };
  const certain = adjustedPValue !== null && adjustedPValue <= 1 - level && difference.low !== null;
  const up = certain && difference.low! > 0;
  const down = certain && difference.high! < 0;
  return {
    difference,
    pValue: testOf(changes, name, settings),
    adjustedPValue,
    test: 'permutation test by text, signs flipped',
    verdict: up ? 'better' : down ? 'worse' : 'cannot tell',
    ...(adjustedPValue === null ? { reason: 'no test: no text is right more or less often than before' } : {}),
  };
}

function fixedShare({ fixed, stillFailing }: Changes, level: number) {
  const hits = (tests: readonly ComparedTest[], hit: boolean) =>
    tests.map(({ before }) => ({ hit, cluster: before.text }));
  const interval = stratifiedProportion(
    [{ size: 1, hits: [...hits(fixed, true), ...hits(stillFailing, false)] }],
    level,
  );
  return toEstimate(interval, { utterances: fixed.length + stillFailing.length, speakers: 1 });
}

function listSection(id: string, title: string, tests: readonly ComparedTest[]): Section | null {
  if (tests.length === 0) return null;
  return {
    id,
    title,
    tables: [
      {
        id,
        title,
        columns: [
          { key: 'text', label: 'Text', kind: 'text', transcript: true },
          { key: 'before', label: 'Before', kind: 'text', transcript: true },
          { key: 'after', label: 'Now', kind: 'text', transcript: true },
          { key: 'sound', label: 'Sound', kind: 'text' },
        ],
        rows: tests.slice(0, mostShown).map(({ before, after }) => ({
          text: limitText(before.text, 300),
          before: limitText(before.transcript, 300),
          after: limitText(after.transcript, 300),
          sound: limitText(before.sound, 200),
        })),
        ...(tests.length > mostShown ? { note: `${tests.length - mostShown} more in the data of this finding.` } : {}),
      },
    ],
  };
}
