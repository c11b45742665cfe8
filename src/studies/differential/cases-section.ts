import type { Example, Section } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import { alignedTranscript, keepBest } from '../shared/examples.ts';
import { column, recognizerColumn, tableOf } from '../shared/tables.ts';
import { counted, named } from '../shared/wording.ts';
import type { CaseRule, CaseStatus, DifferentialCase } from './case.ts';
import { countStatus } from './heard.ts';
import type { DifferentialResults, Part } from './results.ts';
import type { DifferentialSearch } from './search.ts';

/** Rows that the report shows; the data has all that are kept. */
const shownRows = 100;

/** Failed tests as rows, and some of them to be heard. */
export function casesSection(results: DifferentialResults, { cases, leftOut }: KeptCases): Section {
  const failed = cases.filter(({ status }) => status === 'failed');
  const rows = failed.slice(0, shownRows);
  const more = failed.length - rows.length;
  const examples = examplesOf(results);
  return {
    id: 'differential-cases',
    title: 'Failed tests',
    ...(failed.length === 0 ? { text: ['No test failed.'] } : {}),
    tables: [
      {
        ...tableOf('differential-cases', 'Reference and transcript', rows, [
          { key: 'voice', label: 'Voice', kind: 'text' },
          column('condition', 'Sound', 'text', ({ sound }) => sound.conditionName),
          recognizerColumn,
          { key: 'text', label: 'Text', kind: 'text', transcript: true },
          { key: 'transcript', label: 'Transcript', kind: 'text', transcript: true },
          column('tolerant', 'By the tolerant rule', 'text', ({ otherwise, status }) => otherwise.tolerant ?? status),
          { key: 'iteration', label: 'Iteration', kind: 'count' },
        ]),
        ...(more > 0 || leftOut > 0 ? { note: noteOf(more, leftOut) } : {}),
      },
    ],
    ...(examples.length === 0 ? {} : { examples }),
  };
}

function noteOf(more: number, leftOut: number): string {
  const parts = [
    ...(more > 0 ? [`${counted(more, 'more failed test')} in the data of this finding`] : []),
    ...(leftOut > 0 ? [`${counted(leftOut, 'row')} not kept, see maxCases`] : []),
  ];
  return `${parts.join('; ')}.`;
}

/** One voice after the other, so that all of them are heard; the texts that most recognizers failed first. */
function examplesOf({ searches, options, recognizers }: DifferentialResults): Example[] {
  const { rule } = options;
  const byVoice = searches.map(({ heard, tried }) => ({
    heard,
    texts: tried
      .filter((text) => countStatus(heard, [text], rule, 'failed') > 0)
      .sort((a, b) => countStatus(heard, [b], rule, 'failed') - countStatus(heard, [a], rule, 'failed')),
  }));
  const longest = Math.max(0, ...byVoice.map(({ texts }) => texts.length));
  const turns = Array.from({ length: Math.min(longest, options.examples) }, (_, turn) => turn);
  return turns
    .flatMap((turn) =>
      byVoice.flatMap(({ heard, texts }) => (turn < texts.length ? [{ heard, text: texts[turn]! }] : [])),
    )
    .slice(0, options.examples)
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
  const { transcripts, failures } = heard.at(text)!;
  const failing = countStatus(heard, [text], rule, 'failed');
  return {
    title: `${named(heard.pool.name)}: ${counted(failing, 'recognizer')} of ${recognizers.length} failed`,
    utteranceId: utterance.id,
    conditionName: heard.pool.condition.name,
    draw: 0,
    transcripts: recognizers.map(({ name }, index) =>
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
  readonly leftOut: number;
}

const rules: readonly CaseRule[] = ['exact', 'tolerant', 'majority'];

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
      const { id, text: words, utterance } = texts[text]!;
      for (const [recognizer, status] of known.judgement[rule].entries()) {
        if (status === null) continue;
        const others = rules.filter((other) => other !== rule);
        yield {
          text: words,
          textId: id,
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
  return { cases, leftOut: rows.length - cases.length };
}
