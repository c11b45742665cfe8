import { z } from 'zod';
import { counted } from '../../base/wording.ts';
import type { Example, Finding, Section } from '../../model/finding.ts';
import { numberAt, type Row, rowsOf, textAt } from '../../model/finding-rows.ts';
import type { Observation } from '../../model/observation.ts';
import { alignedTranscript, keepBest } from '../shared/examples.ts';
import { column, recognizerColumn, tableOf } from '../shared/tables.ts';
import { named } from '../shared/wording.ts';
import { type CaseRule, type CaseStatus, caseStatuses, type DifferentialCase } from './case.ts';
import { countStatus } from './heard.ts';
import type { DifferentialResults, Part } from './results.ts';
import type { DifferentialSearch } from './search.ts';

/** Id of the table of tests, and of that which says how many of them it has. */
const casesTables = { rows: 'differential-cases', kept: 'differential-cases-kept' } as const;

/** Tests as rows, failed ones first, and some of those to be heard. */
export function casesSection(results: DifferentialResults, { cases, counts }: KeptCases): Section {
  const { rule } = results.options;
  const examples = examplesOf(results);
  const statusBy = (by: CaseRule) =>
    column(by, `By the rule ${by}`, 'text', ({ otherwise, status }: DifferentialCase) =>
      by === rule ? status : (otherwise[by] ?? null),
    );
  return {
    id: 'differential-cases',
    title: 'Tests one by one',
    tables: [
      tableOf(casesTables.kept, 'Tests listed, by status', counts, [
        { key: 'status', label: 'Status', kind: 'text' },
        { key: 'tests', label: 'Tests', kind: 'count' },
        { key: 'listed', label: 'Listed', kind: 'count', help: 'At most maxCases, failed tests first.' },
      ]),
      tableOf(casesTables.rows, 'Reference and transcript', cases, [
        { key: 'voice', label: 'Voice', kind: 'text' },
        column('condition', 'Sound', 'text', ({ sound }) => sound.conditionName),
        recognizerColumn,
        { key: 'text', label: 'Text', kind: 'text', transcript: true },
        { key: 'transcript', label: 'Transcript', kind: 'text', transcript: true },
        ...rules.map(statusBy),
        { key: 'iteration', label: 'Iteration', kind: 'count' },
        column('utterance', 'Utterance', 'text', ({ sound }) => sound.utteranceId),
      ]),
    ],
    ...(examples.length === 0 ? {} : { examples }),
  };
}

/**
 * The tests that a finding lists, in its order, and how many it leaves out.
 *
 * @throws TypeError where its tables are those of another version
 */
export function casesIn(finding: Finding): KeptCases {
  const ruled = z.looseObject({ rule: z.enum(rules) }).parse(finding.settings).rule;
  const statusAt = (row: Row, key: string) => z.enum(caseStatuses).parse(row[key]);
  const cases = rowsOf(finding, casesTables.rows).map((row): DifferentialCase => {
    const iteration = row.iteration === null ? null : numberAt(row, 'iteration');
    return {
      text: textAt(row, 'text'),
      voice: textAt(row, 'voice'),
      recognizer: textAt(row, 'recognizer'),
      transcript: textAt(row, 'transcript'),
      status: statusAt(row, ruled),
      sound: { utteranceId: textAt(row, 'utterance'), conditionName: textAt(row, 'condition'), draw: 0 },
      iteration,
      otherwise: Object.fromEntries(rules.filter((rule) => rule !== ruled).map((rule) => [rule, statusAt(row, rule)])),
    };
  });
  const counts = rowsOf(finding, casesTables.kept).map((row) => ({
    status: statusAt(row, 'status'),
    tests: numberAt(row, 'tests'),
    listed: numberAt(row, 'listed'),
  }));
  return { cases, counts };
}

/** Failed tests with audio. */
const shownExamples = 5;

/** One voice after the other, so that all of them are heard; the texts that most recognizers failed first. */
function examplesOf({ searches, options: { rule }, recognizers }: DifferentialResults): Example[] {
  const byVoice = searches.map(({ heard, tried }) => ({
    heard,
    texts: tried
      .filter((text) => countStatus(heard, [text], rule, 'failed') > 0)
      .sort((a, b) => countStatus(heard, [b], rule, 'failed') - countStatus(heard, [a], rule, 'failed')),
  }));
  const longest = Math.max(0, ...byVoice.map(({ texts }) => texts.length));
  const turns = Array.from({ length: Math.min(longest, shownExamples) }, (_, turn) => turn);
  return turns
    .flatMap((turn) =>
      byVoice.flatMap(({ heard, texts }) => (turn < texts.length ? [{ heard, text: texts[turn]! }] : [])),
    )
    .slice(0, shownExamples)
    .map(({ heard, text }) => exampleOf(heard, text, { rule, recognizers }));
}

/** A claim shows so few: the section of failed tests has more. */
const shownWithClaim = 3;

/** The tests among these texts that a recognizer failed, those that fewest others failed first. */
export function testsFailedBy(
  recognizer: number,
  members: Part['members'],
  { options: { rule }, recognizers }: DifferentialResults,
): Example[] {
  const failed = members.flatMap(({ heard, texts }) =>
    texts
      .filter((text) => heard.at(text)?.judgement[rule][recognizer] === 'failed')
      .map((text) => ({ heard, text, failing: countStatus(heard, [text], rule, 'failed') })),
  );
  return failed
    .toSorted((a, b) => a.failing - b.failing)
    .slice(0, shownWithClaim)
    .map(({ heard, text }) => exampleOf(heard, text, { rule, recognizers }));
}

function exampleOf(
  heard: Part['members'][number]['heard'],
  text: number,
  { rule, recognizers }: { readonly rule: CaseRule; readonly recognizers: DifferentialResults['recognizers'] },
): Example {
  const { text: words, utterance } = heard.pool.texts[text]!;
  const rankOf = (status: CaseStatus | null | undefined) => (status === 'failed' ? 0 : 1);
  const { transcripts, failures, judgement } = heard.at(text)!;
  const failing = countStatus(heard, [text], rule, 'failed');
  return {
    title: `${named(heard.pool.name)}: ${counted(failing, 'recognizer')} of ${recognizers.length} failed`,
    utteranceId: utterance.id,
    conditionName: heard.pool.condition.name,
    draw: 0,
    // Who failed comes first.
    transcripts: [...recognizers.entries()]
      .toSorted(([a], [b]) => rankOf(judgement[rule][a]) - rankOf(judgement[rule][b]))
      .map(([index, { name }]) =>
        alignedTranscript(name, words.split(' '), observed(transcripts[index]!, failures[index]!), (one) =>
          one.split(' ').filter((word) => word !== ''),
        ),
      ),
  };
}

function observed(
  transcript: string | null,
  kind: NonNullable<Observation['failure']>['kind'] | null,
): Observation | undefined {
  const rest = { soundSeconds: null, timing: { seconds: 0, calls: 0 } };
  if (transcript !== null) return { ...rest, transcript: { text: transcript } };
  return kind === null ? undefined : { ...rest, failure: { kind, message: 'no transcript' } };
}

/** The rows of a study, as many as are kept. */
export interface KeptCases {
  /** Failed ones first, then those of determinable texts, in the order in which they were tried. */
  readonly cases: readonly DifferentialCase[];
  /** How many there are of each status, and how many of these are kept. */
  readonly counts: readonly { readonly status: CaseStatus; readonly tests: number; readonly listed: number }[];
}

const rules = ['exact', 'tolerant', 'majority'] as const satisfies readonly CaseRule[];

/** What is most wanted comes last. */
const order: readonly CaseStatus[] = ['indeterminable', 'success', 'failed'];

/**
 * One row for each recognition that gave a transcript: search after search, first of the texts that were tried, in their order,
 * then of what else is known of the pool.
 */
export function* casesOf(
  searches: readonly DifferentialSearch[],
  recognizers: readonly { readonly name: string }[],
  rule: CaseRule,
): Generator<DifferentialCase> {
  for (const { known: heard, iterations } of searches) {
    const tried = new Map(
      iterations.flatMap((texts, iteration) => texts.map((text) => [text, iteration + 1] as const)),
    );
    const { voice, condition, texts } = heard.pool;
    for (const text of [...tried.keys(), ...texts.keys().filter((one) => !tried.has(one))]) {
      const known = heard.at(text);
      if (known === undefined) continue;
      const { text: words, utterance } = texts[text]!;
      for (const [recognizer, status] of known.judgement[rule].entries()) {
        if (status === null) continue;
        const others = rules.filter((other) => other !== rule);
        yield {
          text: words,
          voice,
          recognizer: recognizers[recognizer]!.name,
          transcript: known.transcripts[recognizer]!,
          status,
          sound: { utteranceId: utterance.id, conditionName: condition.name, draw: 0 },
          iteration: tried.get(text) ?? null,
          otherwise: Object.fromEntries(others.map((other) => [other, known.judgement[other][recognizer]!])),
        };
      }
    }
  }
}

/** As many rows as a finding keeps. */
export function keepCases(rows: readonly DifferentialCase[], most: number): KeptCases {
  const best = keepBest<DifferentialCase>(most);
  for (const row of rows) best.offer([order.indexOf(row.status), row.iteration === null ? 0 : 1], row);
  const cases = best.items();
  const countOf = (some: readonly DifferentialCase[], wanted: CaseStatus) =>
    some.filter(({ status }) => status === wanted).length;
  const counts = order
    .toReversed()
    .map((status) => ({ status, tests: countOf(rows, status), listed: countOf(cases, status) }));
  return { cases, counts };
}
