import { grouped } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import type { Finding, Section, Statement } from '../../model/finding.ts';
import type { Scores } from '../../model/scores.ts';
import { failuresSection, failuresToWarnOf } from '../shared/failures.ts';
import { tableOf } from '../shared/tables.ts';
import { named, numberInWords, percent, rateInWords } from '../shared/wording.ts';
import { study } from './case.ts';
import { casesSection, type KeptCases, testsFailedBy } from './cases-section.ts';
import { comparisonSections, iterationsSections } from './comparison-section.ts';
import {
  firstIterationSection,
  resultSection,
  resultTable,
  rulesSection,
  sampleOf,
  searchesSection,
  wholePoolSection,
} from './count-sections.ts';
import { countTests, type DifferentialResults, failedShare, failedTrials, groupsOf } from './results.ts';

/** What was found and whether the predictor was worth it; then how often each recognizer fails. */
export function answerOf(results: DifferentialResults): Statement[] {
  const { searches, options, recognizers, worth } = results;
  const all = groupsOf(searches).at(-1);
  if (all === undefined) return [{ text: 'There is no text to be spoken.', headline: true }];
  const tried = all.items.map(({ heard, tried: texts }) => ({ heard, texts }));
  const { texts, determinable, failing, failed } = countTests({ members: tried, recognizer: null }, options.rule);
  const failures =
    failing === 0 ? 'none of them failed' : `${grouped(failing)} of them failed, in ${counted(failed, 'test')}`;
  const found = `${counted(texts, 'text')} tried, ${grouped(determinable)} of which a recognizer got right; ${failures}.`;
  const gain = worth.at(-1)?.speedUp;
  const { members, name: of } = sampleOf(results);
  const shares = recognizers.map(({ name }, recognizer): Statement => {
    const examples = testsFailedBy(recognizer, members, results);
    const share = failedShare({ members, recognizer }, options.rule, 'determinable', options);
    const conditions = [...new Set(searches.map(({ known }) => known.pool.condition.name))];
    return {
      text: `${named(name)}: ${rateInWords(share, `of determinable texts (${of})`, 'are failed tests')}.`,
      ...{ estimate: share, kind: 'rate', about: { recognizer: name, conditions, by: 'failed tests' } },
      ...(examples.length > 0 && { examples }),
    };
  });
  return [
    { text: texts === 0 ? 'No text was tried.' : found, headline: true },
    ...(gain?.value == null
      ? []
      : [
          {
            text: `The predictor finds ${numberInWords(gain, 2, ' times as many failed tests as chance')}, for as many recognitions.`,
            headline: true as const,
          },
        ]),
    ...shares,
  ];
}

/** The share of failed tests of each recognizer: the first table of every screen. */
export const scores: Scores = {
  measure: 'failed tests',
  columns: [
    {
      ...{ words: 'among determinable texts', head: ['determinable', 'texts'] },
      rates: { table: resultTable, column: 'share' },
    },
  ],
  ranks: 0,
};

/** Every part of the finding, in the order in which a reader wants it. */
export function sectionsOf(results: DifferentialResults, kept: KeptCases, following: readonly Section[]): Section[] {
  return [
    resultSection(results),
    searchesSection(results),
    ...comparisonSections(results),
    ...iterationsSections(results),
    firstIterationSection(results),
    wholePoolSection(results),
    rulesSection(results),
    casesSection(results, kept),
    ...following,
    failuresSection(
      study.name,
      'A recognition without a transcript is no test: the others are compared without it.',
      failedTrials(results),
    ),
  ].filter((section) => section !== null);
}

/** What a reader must know before believing the finding: first what it hinges on, because a terminal shows the first few. */
export function warningsOf(results: DifferentialResults): string[] {
  const { searches, recognizers, options, dropped, spending, found } = results;
  const { withoutText, empty, doubled, spokenAsWritten } = dropped;
  const warnings: string[] = [];
  if (searches.length === 0) warnings.push('There is no text to speak, so no recognizer was asked.');
  for (const { known } of searches) {
    const { soundless, silence, pool } = known;
    if (soundless === 0) continue;
    warnings.push(
      `${named(pool.name)}: ${counted(soundless, 'text')} could not be synthesized or recognized, and ${soundless === 1 ? 'is not a test: ' : 'are not tests; the first: '}${silence}`,
    );
  }
  const soundless = new Map(searches.map(({ known }) => [known.pool.name, known.soundless]));
  for (const row of failedTrials(results)) {
    const { recognizer, condition } = row;
    const asked = row.asked - soundless.get(condition)!;
    const failed = row.failed - soundless.get(condition)!;
    if (asked === 0 || failed / asked <= failuresToWarnOf) continue;
    warnings.push(
      failed === asked
        ? `${named(condition)}: ${named(recognizer)} gave no transcript at all (${counted(asked, 'recognition')} failed): it has no result, and the others have one recognizer fewer to be compared with.`
        : `${named(condition)}: ${counted(failed, 'recognition')} of ${grouped(asked)} by ${named(recognizer)} failed (${percent(failed, asked)}); they are no tests.`,
    );
  }
  for (const { heard, tried } of searches) {
    const members = [{ heard, texts: tried }];
    const counts = countTests({ members, recognizer: null }, options.rule);
    if (counts.texts === 0) continue;
    const { name } = heard.pool;
    if (counts.success + counts.failed + counts.indeterminable === 0) continue;
    if (counts.determinable === 0) {
      warnings.push(
        `${named(name)}: no recognizer got any of ${counted(counts.texts, 'text')} right, so all tests are indeterminable and no failure can be identified: listen to a few of them; the synthesizer may produce no speech, or the rule may be too strict.`,
      );
      continue;
    }
    recognizers.forEach((recognizer, index) => {
      const own = countTests({ members, recognizer: index }, options.rule);
      const answered = own.failed + own.indeterminable;
      if (own.success > 0 || answered === 0) return;
      warnings.push(
        `${named(name)}: ${named(recognizer.name)} got none of ${counted(answered, 'text')} right: a failed test then says little about the text.`,
      );
    });
  }
  warnings.push(...notFound(results));
  const wanting = (count: number, why: string) => {
    if (count > 0) warnings.push(`${counted(count, 'utterance')} ${why}.`);
  };
  wanting(withoutText, 'without a text could not be used');
  wanting(empty, 'of whose text the normalizer leaves no word could not be used');
  wanting(doubled, 'with a text that the same voice says already were left out');
  if (spokenAsWritten > 0) {
    warnings.push(
      `${counted(spokenAsWritten, 'text')} ${spokenAsWritten === 1 ? 'is' : 'are'} spoken as written but compared after normalization, so the synthesizer reads numbers and abbreviations in its own way: set normalizer: ${named(options.normalizer)} in the corpus too.`,
    );
  }
  for (const [index, pool] of (found ?? []).entries()) {
    if (pool.texts.length < 2)
      warnings.push(`${named(pool.heard.pool.name)}: with only one iteration the predictor was never used.`);
    else if (index === 0 && options.replicates === 1)
      warnings.push('With one replicate the comparison has no interval; three or more have.');
  }
  if (options.replicates > 0 && options.predictor === null)
    warnings.push('Without a predictor there is nothing to compare with chance: no replicates were run.');
  if (spending.texts > 0 && spending.texts < 30)
    warnings.push(
      `Only ${counted(spending.texts, 'text')} could be tried: expect little of shares and of the predictor.`,
    );
  return warnings;
}

/** What searches that ask one recognizer first cannot find, by what they saw when they asked everybody. */
function notFound({ searches, recognizers, options }: DifferentialResults): string[] {
  return searches.flatMap(({ heard, openlyTried, listener }) => {
    if (listener === null) return [];
    const members = [{ heard, texts: openlyTried }];
    const { determinable } = countTests({ members, recognizer: null }, options.rule);
    const { success } = countTests({ members, recognizer: listener }, options.rule);
    const who = named(recognizers[listener]!.name);
    return [
      `${named(heard.pool.name)}: after ${counted(openlyTried.length, 'text')} ${who} was asked first and the others only where it was right, so that no more failures of ${who} could be found; of ${counted(determinable, 'determinable text')} among them it got ${grouped(determinable - success)} wrong.`,
    ];
  });
}

/** Speed of finding failed tests: differs from run to run. */
export function timingOf({ searches, options, seconds }: DifferentialResults): NonNullable<Finding['timing']> {
  const rows = groupsOf(searches).map(({ name, items }) => {
    const members = items.map(({ heard, tried }) => ({ heard, texts: tried }));
    const { failed } = countTests({ members, recognizer: null }, options.rule);
    const recognition = members.reduce(
      (sum, { heard, texts }) => sum + texts.reduce((part, text) => part + (heard.at(text)?.seconds ?? 0), 0),
      0,
    );
    const prediction = items.reduce((sum, one) => sum + one.predictionSeconds.reduce((a, b) => a + b, 0), 0);
    const work = recognition + prediction;
    return { voice: name, failed, recognition, prediction, perHour: work === 0 ? null : (3600 * failed) / work };
  });
  return {
    answer: [],
    sections: [
      {
        id: 'differential-speed',
        title: 'Speed of finding failed tests',
        text: [
          `The searches took ${seconds.toFixed(1)} s by the clock, in which answers stored before take no time. The table counts what each call took when it was made, and what the predictor took; calls that are made side by side count each for itself. Speaking the texts is not counted.`,
        ],
        tables: [
          tableOf('differential-speed', 'Failed tests for an hour of calls', rows, [
            { key: 'voice', label: 'Voice', kind: 'text' },
            { key: 'failed', label: 'Failed tests', kind: 'count' },
            { key: 'recognition', label: 'Seconds of recognition', kind: 'seconds' },
            { key: 'prediction', label: 'Seconds of prediction', kind: 'seconds' },
            { key: 'perHour', label: 'Failed tests per hour', kind: 'number' },
          ]),
        ],
      },
    ],
  };
}
