import { asJson } from '../base/json.ts';
import { clean } from '../model/condition.ts';
import type { Cell, Column, Finding, Section, Statement, Table } from '../model/finding.ts';
import { byLanguage, normalizerAlone, normalizerOf } from '../scoring/normalizers/by-language.ts';
import { type Normalizer, normalizerIdentity } from '../scoring/normalizers/normalizer.ts';
import { defaultMinimumClusters } from '../statistics/bootstrap/cluster-spread.ts';
import { familiesInWords } from '../studies/shared/comparisons.ts';
import { whyOpen } from '../studies/shared/open-verdict.ts';
import { slicedSamplingWarnings, speakerWarnings } from '../studies/shared/speaker-warnings.ts';
import {
  attributeColumn,
  conditionColumn,
  groupColumn,
  speakersColumn,
  verdictCells,
  verdictColumns,
} from '../studies/shared/tables.ts';
import { counted, differenceInWords, listed, named, percent, rateInWords } from '../studies/shared/wording.ts';
import { type Change, type ComparisonResults, changeFamilies, concludePairs } from './conclude-pairs.ts';
import { type AnswerPair, type PairedTrialCounts, type PairTally, pairSeries, tallyPairs } from './tally-pairs.ts';

export interface CompareOptions {
  /** What the two sides are called: `last night`, `narrow beams`. */
  readonly beforeLabel: string;
  readonly afterLabel: string;
  /** What makes words of references and transcripts. */
  readonly normalizer: Normalizer;
  /** Confidence level; .95 by default. */
  readonly level?: number;
  /** 2000 by default. */
  readonly resamples?: number;
  /** With fewer speakers nothing is claimed; as `rateInterval` by default. */
  readonly minimumSpeakers?: number;
  readonly seed: number;
  /** Questions that only one side was asked: they take no part. */
  readonly unpaired: { readonly onlyBefore: number; readonly onlyAfter: number };
}

/**
 * What changed between two sides that answered the same questions: word error rates with a paired interval and test, by
 * condition, over all, and by group of speakers; utterances newly broken and fixed; failures that came and went. A
 * difference is after minus before, and `better` and `worse` are said of after.
 *
 * Memory follows the number of speakers and conditions, not of pairs.
 *
 * @param pairs those about one utterance one after another
 * @example await compareAnswers(pairs, { beforeLabel: 'monday', afterLabel: 'tuesday', normalizer: basic, seed: 1, unpaired })
 */
export async function compareAnswers(pairs: AsyncIterable<AnswerPair>, options: CompareOptions): Promise<Finding> {
  const { level = 0.95, resamples = 2000, minimumSpeakers = defaultMinimumClusters } = options;
  const { normalizer } = options;
  const used = new Set<Normalizer>();
  const labels = { before: options.beforeLabel, after: options.afterLabel };
  const tally = await tallyPairs(pairs, labels, (text, language) => {
    used.add(normalizerOf(language));
    return normalizer.words(text, language);
  });
  const settled = normalizer.name === byLanguage.name ? normalizerAlone(used) : normalizer;
  return comparisonFinding(tally, { ...options, normalizer: settled, level, resamples, minimumSpeakers });
}

/** Puts counts into sentences, tables and plain rows. */
function comparisonFinding(tally: PairTally, options: Required<CompareOptions>): Finding {
  const { beforeLabel, afterLabel, level, resamples, minimumSpeakers, unpaired } = options;
  const labels = { before: beforeLabel, after: afterLabel };
  const results = concludePairs(tally, options);
  const row = ({ condition, ...change }: Change) => ({
    condition: condition === null ? null : tally.conditions[condition]!.name,
    ...change,
  });
  return {
    study: { name: 'comparison', version: 7 },
    title: `${named(afterLabel)} compared with ${named(beforeLabel)}`,
    settings: {
      before: beforeLabel,
      after: afterLabel,
      normalizer: normalizerIdentity(options.normalizer),
      level,
      resamples,
      minimumSpeakers,
    },
    answer: comparisonAnswer(results, tally, labels),
    sections: comparisonSections(results, tally, labels, level),
    warnings: comparisonWarnings(tally, options),
    data: asJson({
      utterances: {
        compared: tally.utterances,
        withoutReference: tally.withoutReference,
        withoutSpeaker: tally.withoutSpeaker,
      },
      unpaired,
      clusters: { count: tally.slices.clusters.count, merged: tally.slices.clusters.merged },
      overall: row(results.overall),
      conditions: results.conditions.map(row),
      groups: results.groups.map(row),
      changes: {
        all: tally.all,
        conditions: tally.conditions.map(({ name, changes }) => ({ condition: name, ...changes })),
      },
      changedUtterances: { ...tally.watch.utterances },
      failures: [...tally.failures].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, sides]) => ({ kind, ...sides })),
    }),
  };
}

function comparisonWarnings(tally: PairTally, options: Required<CompareOptions>): string[] {
  const warnings: string[] = [];
  const { onlyBefore, onlyAfter } = options.unpaired;
  const { all, slices, utterances, withoutReference, withoutSpeaker } = tally;
  if (onlyBefore > 0 || onlyAfter > 0) {
    warnings.push(
      `${counted(onlyBefore, 'question')} ${onlyBefore === 1 ? 'was' : 'were'} asked of ${named(options.beforeLabel)} alone, and ${onlyAfter} of ${named(options.afterLabel)} alone; they are not compared.`,
    );
  }
  if (withoutReference > 0) {
    warnings.push(
      `${counted(withoutReference, 'utterance')} without a reference ${withoutReference === 1 ? 'was' : 'were'} left out.`,
    );
  }
  const failed = all.failuresCame + all.failuresWent + all.failedTwice;
  const asked = all.pairs + failed;
  if (failed > 0.01 * asked) {
    warnings.push(
      `${failed} of ${counted(asked, 'trial')} (${percent(failed, asked)}) failed on one side or both and ${failed === 1 ? 'is' : 'are'} left out of the rates of both.`,
    );
  }
  const { minimumSpeakers } = options;
  warnings.push(...speakerWarnings(slices, { utterances, withoutSpeaker, minimumSpeakers }));
  const sides = [
    { name: options.beforeLabel, series: pairSeries.allBefore },
    { name: options.afterLabel, series: pairSeries.allAfter },
  ];
  warnings.push(...slicedSamplingWarnings(slices, sides, minimumSpeakers));
  return warnings;
}

/** Conditions and groups that have a sentence of their own; the others stand in the tables. */
const maxSentences = 6;

/** What changed, most important first. Nothing is claimed that its comparison does not tell. */
function comparisonAnswer(
  results: ComparisonResults,
  tally: PairTally,
  labels: { readonly before: string; readonly after: string },
): Statement[] {
  const { overall, conditions, groups } = results;
  const before = named(labels.before);
  const after = named(labels.after);
  if (overall.after.value === null) {
    const reason = tally.all.pairs === 0 ? 'no trial was answered by both' : 'the references have no words';
    return [{ text: `${before} and ${after} cannot be compared: ${reason}.` }, ...failureStatements(tally, after)];
  }
  const placeOf = ({ condition, group }: Change) =>
    group === null
      ? inCondition(tally.conditions[condition!]!.name)
      : `for ${named(group.attribute)} ${named(group.value)}`;
  const told = (changes: readonly Change[]) => changes.filter(({ comparison }) => comparison.verdict !== 'cannot tell');
  const sentences = [...told(conditions), ...told(groups)]
    .toSorted((a, b) => Number(a.comparison.verdict === 'better') - Number(b.comparison.verdict === 'better'))
    .slice(0, maxSentences)
    .map((change) => statementOf(change, placeOf(change), before, after));
  const open = conditions.filter(({ comparison }) => comparison.verdict === 'cannot tell');
  const where =
    tally.conditions.length === 1
      ? inCondition(tally.conditions[0]!.name)
      : `over all ${tally.conditions.length} conditions`;
  const statements = [statementOf(overall, where, before, after), ...sentences];
  if (open.length > 0) {
    const names = listed(open.map(({ condition }) => tally.conditions[condition!]!.name));
    statements.push({
      text: `${after} is not significantly different from ${before} in ${names}.`,
      verdict: 'cannot tell',
    });
  }
  statements.push(changeStatement(tally), ...failureStatements(tally, after));
  return statements;
}

function inCondition(name: string): string {
  return name === clean.name ? 'on clean audio' : `in ${named(name)}`;
}

function statementOf({ comparison, after: rate }: Change, where: string, before: string, after: string): Statement {
  const apart = differenceInWords(comparison.difference, `than ${before}`);
  const text = `${after}: ${rateInWords(rate, 'WER', where)}; ${apart}.${whyOpen(comparison)}`;
  return { text, verdict: comparison.verdict, estimate: rate, comparison };
}

function changeStatement({ all, watch }: PairTally): Statement {
  const trials = (count: number, utterances: number) =>
    `${counted(count, 'trial')} (of ${counted(utterances, 'utterance')})`;
  if (all.otherTranscript === 0) return { text: `All ${counted(all.pairs, 'transcript')} are the same.` };
  return {
    text: `Newly broken, right before and wrong now: ${trials(all.broken, watch.utterances.broken)}. Fixed: ${trials(all.fixed, watch.utterances.fixed)}. Out of ${counted(all.pairs, 'trial')}.`,
  };
}

function failureStatements({ all }: PairTally, after: string): Statement[] {
  if (all.failuresCame === 0 && all.failuresWent === 0) return [];
  const came = counted(all.failuresCame, 'trial');
  return [
    { text: `${came} failed with ${after} and not before; ${all.failuresWent} failed before and no longer fail.` },
  ];
}

type Labels = { readonly before: string; readonly after: string };

/** The parts of a comparison, in the order in which a reader wants them. */
function comparisonSections(results: ComparisonResults, tally: PairTally, labels: Labels, level: number): Section[] {
  const name = (condition: number | null) => (condition === null ? 'all' : tally.conditions[condition]!.name);
  const sections: Section[] = [
    {
      id: 'comparison-conditions',
      title: 'By condition',
      text: [familiesInWords(changeFamilies, level)],
      tables: [
        {
          id: 'comparison-conditions',
          title: 'Word error rates on the trials that both answered',
          columns: [conditionColumn, ...changeColumns(labels)],
          rows: [results.overall, ...results.conditions].map((change) => ({
            condition: name(change.condition),
            ...changeCells(change),
          })),
          note: 'A verdict is given only if the interval and the adjusted p agree.',
        },
        changesTable(tally),
      ],
    },
  ];
  if (results.groups.length > 0) {
    sections.push({
      id: 'comparison-groups',
      title: 'By group of speakers, all conditions',
      tables: [
        {
          id: 'comparison-groups',
          title: 'Word error rates on the trials that both answered',
          columns: [attributeColumn, groupColumn, ...changeColumns(labels)],
          rows: results.groups.map((change) => ({
            attribute: change.group!.attribute,
            group: change.group!.value,
            ...changeCells(change),
          })),
        },
      ],
    });
  }
  if (tally.failures.size > 0) sections.push(failuresSection(tally, labels));
  const broken = tally.watch.broken();
  const fixed = tally.watch.fixed();
  if (broken.length > 0) {
    sections.push({ id: 'comparison-broken', title: 'Newly broken', text: [order], examples: broken });
  }
  if (fixed.length > 0) sections.push({ id: 'comparison-fixed', title: 'Fixed', text: [order], examples: fixed });
  return sections;
}

const order =
  'Utterances without errors on one side come first, then those with fewer errors there, by the share of their words that changed.';

function changeColumns({ before, after }: Labels): Column[] {
  return [
    { key: 'before', label: before, kind: 'rate' },
    { key: 'after', label: after, kind: 'rate' },
    { key: 'difference', label: 'Difference', kind: 'difference', help: 'Below zero: fewer errors than before.' },
    ...verdictColumns('From exchanging the two sides speaker by speaker'),
    { key: 'pairs', label: 'Trials', kind: 'count' },
    speakersColumn,
  ];
}

function changeCells({ before, after, comparison }: Change): Record<string, Cell> {
  return {
    before,
    after,
    difference: comparison,
    ...verdictCells(comparison),
    pairs: comparison.difference.n.pairs ?? null,
    speakers: comparison.difference.n.speakers,
  };
}

const counts: readonly { readonly key: keyof PairedTrialCounts; readonly label: string; readonly help?: string }[] = [
  { key: 'pairs', label: 'Both answered' },
  { key: 'otherTranscript', label: 'Different transcript' },
  { key: 'rose', label: 'More errors' },
  { key: 'fell', label: 'Fewer errors' },
  { key: 'broken', label: 'Newly broken', help: 'Every word was right, and now some are wrong.' },
  { key: 'fixed', label: 'Fixed', help: 'Some words were wrong, and now all are right.' },
  { key: 'failuresCame', label: 'Fails now' },
  { key: 'failuresWent', label: 'Failed before' },
  { key: 'failedTwice', label: 'Fails as before' },
];

function changesTable({ conditions, all }: PairTally): Table {
  const rows = conditions.map(({ name, changes }) => ({ condition: name, ...changes }));
  return {
    id: 'comparison-changes',
    title: 'Outcome of the trials',
    columns: [conditionColumn, ...counts.map((column): Column => ({ ...column, kind: 'count' }))],
    rows: conditions.length === 1 ? rows : [{ condition: 'all', ...all }, ...rows],
  };
}

function failuresSection({ failures }: PairTally, { before, after }: Labels): Section {
  return {
    id: 'comparison-failures',
    title: 'Failures',
    text: ['A trial that failed on one side is left out of both rates.'],
    tables: [
      {
        id: 'comparison-failures',
        title: 'Failures by kind',
        columns: [
          { key: 'kind', label: 'Kind', kind: 'text' },
          { key: 'before', label: before, kind: 'count' },
          { key: 'after', label: after, kind: 'count' },
        ],
        rows: [...failures].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, sides]) => ({ kind, ...sides })),
      },
    ],
  };
}
