import { asJson } from '../base/json.ts';
import { formatFixed, grouped, percentDecimals } from '../base/number-format.ts';
import type { Estimate, Finding, Statement } from '../model/finding.ts';
import { clean } from '../model/trial.ts';
import { type SpellingWatch, watchSpelling } from '../scoring/analysis/spelling-errors.ts';
import { watched } from '../scoring/normalizers/by-language.ts';
import { type Normalizer, normalizerIdentity } from '../scoring/normalizers/normalizer.ts';
import { defaultMinimumClusters } from '../statistics/bootstrap/cluster-spread.ts';
import { whyOpen } from '../studies/shared/open-verdict.ts';
import { slicedSamplingWarnings, speakerWarnings } from '../studies/shared/speaker-warnings.ts';
import { counted, differenceInWords, listed, named, percent, rateInWords } from '../studies/shared/wording.ts';
import {
  comparisonSections,
  failedTrials,
  type SideDifference,
  type UnpairedQuestions,
} from './comparison-sections.ts';
import { type Again, type Change, type ComparisonResults, concludePairs } from './conclude-pairs.ts';
import type { RunFamily } from './run-family.ts';
import { type AnswerPair, type PairTally, pairSeries, tallyPairs } from './tally-pairs.ts';

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
  /**
   * Two rates no further apart than this are the same for whoever reads: a share of words above 0, .01 for one point. Where given, each
   * comparison says whether that is shown.
   */
  readonly margin?: number;
  /** Questions that only one side was asked: they take no part. By condition with the first of their utterances, where known. */
  readonly unpaired: UnpairedQuestions;
  /** What differs between the sides besides their answers: said first. */
  readonly differing?: readonly SideDifference[];
  /** Of two recognizers of one run: all of them, among whom these two were chosen. */
  readonly family?: RunFamily;
  /** By what words and intervals are made, in a sentence. */
  readonly counted?: string;
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
  const { words, settled } = watched(options.normalizer);
  const labels = { before: options.beforeLabel, after: options.afterLabel };
  const spelling = { before: watchSpelling(options.normalizer), after: watchSpelling(options.normalizer) };
  const tally = await tallyPairs(spelledOf(pairs, spelling), labels, words);
  const told = (['before', 'after'] as const).flatMap((side) =>
    spelling[side].told().map((sentence) => `${named(labels[side])}: ${sentence}.`),
  );
  const finding = comparisonFinding(tally, { ...options, normalizer: settled(), level, resamples, minimumSpeakers });
  return { ...finding, warnings: [...finding.warnings, ...told] };
}

/** Shows what both sides answered to who looks for errors of spelling. */
async function* spelledOf(
  pairs: AsyncIterable<AnswerPair>,
  spelling: Readonly<Record<'before' | 'after', SpellingWatch>>,
): AsyncIterable<AnswerPair> {
  for await (const pair of pairs) {
    const { reference, language } = pair.utterance;
    if (reference !== undefined && !pair.before.failure && !pair.after.failure) {
      spelling.before.see(reference, pair.before.transcript.text, language);
      spelling.after.see(reference, pair.after.transcript.text, language);
    }
    yield pair;
  }
}

type Settled = CompareOptions & Required<Pick<CompareOptions, 'level' | 'resamples' | 'minimumSpeakers'>>;

/** Puts counts into sentences, tables and plain rows. */
function comparisonFinding(tally: PairTally, options: Settled): Finding {
  const { beforeLabel, afterLabel, level, resamples, minimumSpeakers, unpaired } = options;
  const labels = { before: beforeLabel, after: afterLabel };
  const results = concludePairs(tally, options, options.family ?? null);
  const row = ({ condition, ...change }: Change) => ({
    condition: condition === null ? null : tally.conditions[condition]!.name,
    ...change,
  });
  return {
    study: { name: 'comparison', version: 14 },
    title: `${named(afterLabel)} compared with ${named(beforeLabel)}`,
    settings: {
      before: beforeLabel,
      after: afterLabel,
      normalizer: normalizerIdentity(options.normalizer),
      level,
      resamples,
      minimumSpeakers,
      margin: options.margin ?? null,
    },
    answer: comparisonAnswer(results, tally, labels, options),
    sections: comparisonSections(results, tally, labels, options),
    warnings: comparisonWarnings(tally, options),
    data: asJson({
      utterances: {
        compared: tally.utterances,
        withoutReference: tally.withoutReference,
        withoutSpeaker: tally.withoutSpeaker,
      },
      unpaired: { onlyBefore: unpaired.onlyBefore, onlyAfter: unpaired.onlyAfter },
      differing: options.differing ?? [],
      clusters: { count: tally.slices.clusters.count, merged: tally.slices.clusters.merged },
      overall: row(results.overall),
      conditions: results.conditions.map(row),
      groups: results.groups.map(row),
      groupsInConditions: results.groupsInConditions.map(row),
      again: results.again,
      changes: {
        all: tally.all,
        conditions: tally.conditions.map(({ name, changes }) => ({ condition: name, ...changes })),
      },
      changedUtterances: { ...tally.watch.utterances },
      failures: [...tally.failures].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, sides]) => ({ kind, ...sides })),
    }),
  };
}

function comparisonWarnings(tally: PairTally, options: Settled): string[] {
  const warnings: string[] = [];
  const { onlyBefore, onlyAfter } = options.unpaired;
  const { all, slices, utterances, withoutReference, withoutSpeaker } = tally;
  const unpaired = [
    [onlyBefore, options.beforeLabel],
    [onlyAfter, options.afterLabel],
  ] as const;
  const alone = unpaired.filter(([count]) => count > 0);
  if (alone.length > 0) {
    const asked = alone.map(
      ([count, label], place) =>
        `${place > 0 ? grouped(count) : `${counted(count, 'question')} ${count === 1 ? 'was' : 'were'} asked`} of ${named(label)} alone`,
    );
    warnings.push(`${asked.join(', and ')}; ${onlyBefore + onlyAfter === 1 ? 'it is' : 'they are'} not compared.`);
  }
  if (withoutReference > 0) {
    warnings.push(
      `${counted(withoutReference, 'utterance')} without a reference ${withoutReference === 1 ? 'was' : 'were'} left out.`,
    );
  }
  const { failed, trials: asked } = failedTrials(all);
  if (failed > 0.01 * asked) {
    warnings.push(
      `${grouped(failed)} of ${counted(asked, 'trial')} (${percent(failed, asked)}) failed on one side or both and ${failed === 1 ? 'is' : 'are'} left out of the rates of both.`,
    );
  }
  const { minimumSpeakers } = options;
  warnings.push(...speakerWarnings(slices, { utterances, withoutSpeaker, minimumSpeakers }));
  const sides = [
    { name: options.beforeLabel, series: pairSeries.allBefore },
    { name: options.afterLabel, series: pairSeries.allAfter },
  ];
  warnings.push(...slicedSamplingWarnings(slices, sides, minimumSpeakers, options.normalizer));
  return warnings;
}

/** Conditions and groups that have a sentence of their own; the others stand in the tables. */
const maxSentences = 6;

/** What changed, most important first. Nothing is claimed that its comparison does not tell. */
function comparisonAnswer(
  results: ComparisonResults,
  tally: PairTally,
  labels: { readonly before: string; readonly after: string },
  { margin, differing = [] }: CompareOptions,
): Statement[] {
  const { overall, conditions, groups } = results;
  const before = named(labels.before);
  const after = named(labels.after);
  if (overall.after.value === null) {
    const reason = tally.all.pairs === 0 ? 'no trial was answered by both' : 'the references have no words';
    return [
      ...differenceStatements(differing),
      { text: `${before} and ${after} cannot be compared: ${reason}.` },
      ...failureStatements(tally, after),
    ];
  }
  const placeOf = ({ condition, group }: Change) =>
    group === null
      ? inCondition(tally.conditions[condition!]!.name)
      : `for ${named(group.attribute)} ${named(group.value)}`;
  const measure = tally.conditions.length === 1 ? 'WER' : 'pooled WER';
  const told = (changes: readonly Change[]) => changes.filter(({ comparison }) => comparison.verdict !== 'cannot tell');
  const sentences = [...told(conditions), ...told(groups)]
    .toSorted((a, b) => Number(a.comparison.verdict === 'better') - Number(b.comparison.verdict === 'better'))
    .slice(0, maxSentences)
    .map((change) => statementOf(change, placeOf(change), before, after, change.condition === null ? measure : 'WER'));
  const open = conditions.filter(({ comparison }) => comparison.verdict === 'cannot tell');
  const where =
    tally.conditions.length === 1
      ? inCondition(tally.conditions[0]!.name)
      : `over all ${tally.conditions.length} conditions`;
  const statements = [
    ...differenceStatements(differing),
    statementOf(overall, where, before, after, measure),
    ...sameStatements(overall, margin),
    ...sentences,
  ];
  if (open.length > 0) {
    const names = listed(open.map(({ condition }) => tally.conditions[condition!]!.name));
    statements.push({
      text: `${after} is not significantly different from ${before} in ${names}.`,
      verdict: 'cannot tell',
    });
  }
  statements.push(changeStatement(tally), ...againStatements(results.again), ...failureStatements(tally, after));
  return statements;
}

function differenceStatements(differing: readonly SideDifference[]): Statement[] {
  if (differing.length === 0) return [];
  const told = differing.map(({ what, before, after }) => `${named(what)} (${named(before)} → ${named(after)})`);
  return [{ text: `The two runs also differ in: ${listed(told, 4)}.` }];
}

/** How far apart the two may be, where that is asked for or nothing else is told. */
function sameStatements({ comparison, within }: Change, margin: number | undefined): Statement[] {
  const points = (value: number) => {
    const one = formatFixed(100 * value, percentDecimals(value));
    return `${one} ${Number(one) === 1 ? 'point' : 'points'}`;
  };
  if (margin === undefined) {
    if (comparison.verdict !== 'cannot tell' || within.value === null || within.value === 0) return [];
    return [{ text: `They are the same within ${points(within.value)}: if they differ, then by no more.` }];
  }
  const wanted = `${Number((100 * margin).toPrecision(3))} ${margin === 0.01 ? 'point' : 'points'}`;
  if (within.value === null) {
    return [{ text: `Not shown to be the same within ${wanted}: ${within.reason}.`, verdict: 'cannot tell' }];
  }
  if (within.value > margin) {
    return [
      {
        text: `Not shown to be the same within ${wanted}: they may be ${points(within.value)} apart.`,
        verdict: 'cannot tell',
      },
    ];
  }
  return [{ text: `The same within ${wanted}: no more than ${points(within.value)} apart, either way.` }];
}

function againStatements(again: Again | null): Statement[] {
  if (again === null) return [];
  const { within, between, comparison } = again;
  if (between.value === null || within.value === null) return [];
  const share = ({ value }: Estimate) => percent(value!, 1);
  const apart = `Of two answers, one of each side, ${share(between)} are different; of two of the same side ${share(within)}`;
  const verdict =
    comparison.verdict === 'worse' ? 'more than a recognizer differs from itself' : 'no more than that is shown';
  return [{ text: `${apart}: ${verdict}.${whyOpen(comparison)}`, comparison }];
}

function inCondition(name: string): string {
  return name === clean.name ? 'on clean audio' : `in ${named(name)}`;
}

function statementOf(
  { comparison, after: rate }: Change,
  where: string,
  before: string,
  after: string,
  measure: string,
): Statement {
  const apart = differenceInWords(comparison.difference, `than ${before}`);
  const text = `${after}: ${rateInWords(rate, measure, where)}; ${apart}.${whyOpen(comparison)}`;
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
