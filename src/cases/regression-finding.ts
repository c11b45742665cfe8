import { asJson } from '../base/json.ts';
import { grouped } from '../base/number-format.ts';
import { limitText } from '../base/printable.ts';
import { createRandom } from '../base/random.ts';
import type { Column, Comparison, Finding, Section, Statement } from '../model/finding.ts';
import { differenceInterval } from '../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../statistics/bootstrap/random-of-data.ts';
import { holm } from '../statistics/significance/multiplicity.ts';
import { signFlipTest } from '../statistics/significance/paired-permutation-test.ts';
import { study } from '../studies/differential/case.ts';
import { toEstimate } from '../studies/shared/estimates.ts';
import { counted } from '../studies/shared/wording.ts';
import { type ComparedTest, countListed, isRightNow, type ListedWord, type TestChanges } from './compare-tests.ts';
import { stratifiedProportion } from './stratified-proportion.ts';

/** One recognizer before and after. */
export interface ComparedRecognizer {
  /** `small`, or `plain -> boosted` where the names differ. */
  readonly name: string;
  readonly changes: TestChanges;
}

export interface RegressionSettings {
  readonly before: string;
  readonly after: string;
  /**
   * Whether what was before are cases chosen for having failed: then more of them are right now by chance alone where a recognizer
   * does not always write the same, and no test is made.
   */
  readonly chosen: boolean;
  /** Normalized words that the recognizer was given: whether that helped. */
  readonly words: readonly string[];
  readonly normalizer: string;
  readonly level: number;
  readonly resamples: number;
  readonly seed: number;
}

const maxShown = 50;

const columns: readonly Column[] = [
  { key: 'recognizer', label: 'Recognizer', kind: 'text' },
  { key: 'tests', label: 'Tests', kind: 'count', help: 'Clips that were recognized before and after.' },
  { key: 'texts', label: 'Texts', kind: 'count' },
  { key: 'failedBefore', label: 'Failed before', kind: 'count', help: 'Another recognizer was right.' },
  { key: 'fixed', label: 'Fixed', kind: 'count' },
  { key: 'stillFailing', label: 'Still failing', kind: 'count' },
  { key: 'newFailures', label: 'New failures', kind: 'count', help: 'Right before, wrong now.' },
  { key: 'stillRight', label: 'Still right', kind: 'count' },
  { key: 'nowRight', label: 'Indeterminable before, right now', kind: 'count' },
  { key: 'stillWrong', label: 'Indeterminable before, wrong now', kind: 'count' },
  { key: 'share', label: 'Fixed of failed', kind: 'rate' },
  { key: 'change', label: 'Right now and not before, minus the reverse', kind: 'rate' },
];

/**
 * What became of tests that were stored: fixed, still failing, new failures, and whether the recognizer is right more often than it
 * was.
 */
export function regressionFinding(recognizers: readonly ComparedRecognizer[], settings: RegressionSettings): Finding {
  const moved = (parts: readonly { readonly name: string; readonly texts: readonly TextChange[] }[]) => {
    const asked = settings.chosen ? [] : parts.filter(({ texts }) => texts.length > 0);
    const found = changesByText(asked, settings);
    return parts.map((part) => found[asked.indexOf(part)] ?? null);
  };
  const changed = moved(recognizers.map(({ name, changes }) => ({ name, texts: byText(changes) })));
  const compared = recognizers.map(({ name, changes }, place) => ({ name, changes, change: changed[place]! }));
  const counts = recognizers.map(({ changes }) => countListed(changes.compared, settings.words));
  const heard = moved(recognizers.map(({ name }, place) => ({ name: `words, ${name}`, texts: counts[place]!.texts })));
  const listed =
    settings.words.length === 0
      ? []
      : recognizers.map(
          ({ name }, place): ListedChange => ({ name, words: counts[place]!.words, change: heard[place]! }),
        );
  const { before, after, level, normalizer } = settings;
  return {
    study,
    title: 'Stored cases, tested again',
    settings: { before, after, level, normalizer, rule: 'exact' },
    answer: [
      ...listed.map(listedStatement),
      ...compared.map(({ name, changes, change }): Statement => {
        const { fixed, stillFailing, newFailures, tests } = changes;
        const failed = fixed.length + stillFailing.length;
        return {
          text: `${name}: of ${counted(failed, 'failed test')}, ${grouped(fixed.length)} fixed and ${grouped(stillFailing.length)} still failing; ${counted(newFailures.length, 'new failure')} among ${counted(tests, 'test')}`,
          ...(change === null ? {} : { comparison: change, kind: 'rate' as const }),
        };
      }),
    ],
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
              ? 'Intervals generalize to other texts that were selected as these were; there is no difference and no test.'
              : 'Intervals and the test generalize to other texts of the same kind; p values are adjusted for the recognizers (Holm).',
          },
        ],
      },
      ...(listed.length === 0 ? [] : [listedSection(listed)]),
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
              `${name}: ${counted(onlyBefore, 'test')} from before and ${onlyAfter} from after have no counterpart and are left out.`,
            ],
      ),
      ...(settings.chosen
        ? [
            'The stored cases were chosen for having failed: that some are right now does not show that the recognizer is better overall. For that, compare runs over texts that were not selected for having failed.',
          ]
        : []),
    ],
    data: asJson(
      compared.map(({ name, changes: { compared: _compared, ...changes }, change }) => ({
        recognizer: name,
        ...changes,
        change,
        ...(listed.length === 0 ? {} : { words: listed.find((one) => one.name === name)! }),
      })),
    ),
  };
}

function byText({ compared }: TestChanges): TextChange[] {
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

function fixedShare({ fixed, stillFailing }: TestChanges, level: number) {
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
        rows: tests.slice(0, maxShown).map(({ before, after }) => ({
          text: limitText(before.text, 300),
          before: limitText(before.transcript, 300),
          after: limitText(after.transcript, 300),
          sound: limitText(before.sound, 200),
        })),
        ...(tests.length > maxShown ? { note: `${tests.length - maxShown} more in the data of this finding.` } : {}),
      },
    ],
  };
}

/** What is right of what one text was tested for, before and after. */
interface TextChange {
  readonly tests: number;
  readonly before: number;
  readonly after: number;
}

interface ChangeSettings {
  readonly level: number;
  readonly resamples: number;
  readonly seed: number;
}

/**
 * By how much the share of what is right has changed, for several that are compared at once: texts are what intervals resample and
 * the test's signs belong to, because tests of one text share its words. P values are adjusted by Holm's method.
 *
 * @param parts texts by the name of what is compared, which seeds the test
 */
function changesByText(
  parts: readonly { readonly name: string; readonly texts: readonly TextChange[] }[],
  settings: ChangeSettings,
): readonly Comparison[] {
  const { level, resamples, seed } = settings;
  const pValues = parts.map(({ name, texts }) => {
    const differences = texts.map(({ before, after }) => after - before);
    return signFlipTest(differences, { random: createRandom({ seed, regression: name, use: 'test' }) }).pValue;
  });
  const adjusted = holm(pValues);
  return parts.map(({ texts }, place): Comparison => {
    const denominators = Float64Array.from(texts, ({ tests }) => tests);
    const interval = differenceInterval(
      { numerators: Float64Array.from(texts, ({ before }) => before), denominators, proportion: true },
      { numerators: Float64Array.from(texts, ({ after }) => after), denominators, proportion: true },
      { level, resamples, random: randomOfData(seed) },
    );
    const utterances = texts.reduce((sum, { tests }) => sum + tests, 0);
    const { reason, method, ...rest } = toEstimate(interval, { utterances, speakers: 1 });
    const difference = { ...rest, ...(reason === undefined ? {} : { reason: worded(reason) }), method: worded(method) };
    const adjustedPValue = adjusted[place] ?? null;
    const certain = adjustedPValue !== null && adjustedPValue <= 1 - level && difference.low !== null;
    const up = certain && difference.low! > 0;
    const down = certain && difference.high! < 0;
    return {
      difference,
      pValue: pValues[place]!,
      adjustedPValue,
      test: 'permutation test by text, signs flipped',
      verdict: up ? 'better' : down ? 'worse' : 'cannot tell',
      ...(adjustedPValue === null ? { reason: 'no test: no text is right more or less often than before' } : {}),
    };
  });
}

function worded(text: string): string {
  return text.replace('clusters (speakers)', 'texts').replaceAll('over clusters', 'over texts');
}

/** What became of a list of words for one recognizer. */
interface ListedChange {
  readonly name: string;
  readonly words: readonly ListedWord[];
  /** Null where the tests were chosen, or no text has any of the words. */
  readonly change: Comparison | null;
}

const maxWords = 100;

/** Whether a list helped, in a sentence. */
function listedStatement({ name, words, change }: ListedChange): Statement {
  const sum = (key: 'said' | 'before' | 'after' | 'addedBefore' | 'addedAfter') =>
    words.reduce((total, word) => total + word[key], 0);
  return {
    text: `${name}: words of the list are said ${counted(sum('said'), 'time')}, recognized before ${sum('before')}, now ${sum('after')}; inserted where nobody says them before ${sum('addedBefore')}, now ${sum('addedAfter')}`,
    ...(change === null ? {} : { comparison: change, kind: 'rate' as const }),
  };
}

/** The words of a list one by one. */
function listedSection(changes: readonly ListedChange[]): Section {
  const rows = changes.flatMap(({ name, words }) =>
    words.map((word) => ({ recognizer: name, ...word, words: limitText(word.words, 200) })),
  );
  return {
    id: 'listed-words',
    title: 'Words of the list',
    tables: [
      {
        id: 'listed-words',
        title: 'Recognized where they are said, and inserted where they are not',
        columns: [
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'words', label: 'Words', kind: 'text', transcript: true },
          { key: 'said', label: 'Said', kind: 'count', help: 'In the texts of tests before and after.' },
          { key: 'before', label: 'Recognized before', kind: 'count' },
          { key: 'after', label: 'Recognized now', kind: 'count' },
          { key: 'addedBefore', label: 'Inserted before', kind: 'count' },
          { key: 'addedAfter', label: 'Inserted now', kind: 'count' },
        ],
        rows: rows.slice(0, maxWords),
        ...(rows.length > maxWords ? { note: `${rows.length - maxWords} more in the data of this finding.` } : {}),
      },
    ],
  };
}
