import { formatFixed, grouped, percentDecimals } from '../base/number-format.ts';
import { counted } from '../base/wording.ts';
import type { Estimate, Finding, Statement } from '../model/finding.ts';
import { openAgainst } from '../model/reason.ts';
import { type Condition, clean, conditionsInWords } from '../model/trial.ts';
import { type SpellingWatch, watchSpelling } from '../scoring/analysis/spelling-errors.ts';
import { watched } from '../scoring/normalizers/by-language.ts';
import { type Normalizer, normalizerIdentity } from '../scoring/normalizers/normalizer.ts';
import { defaultMinimumClusters } from '../statistics/bootstrap/cluster-spread.ts';
import { decisiveSentences } from '../studies/shared/decisive.ts';
import { reasonOf } from '../studies/shared/estimates.ts';
import { whyOpen } from '../studies/shared/open-verdict.ts';
import { type SpeakersFrom, watchVoices } from '../studies/shared/speaker-warnings.ts';
import { listed, named, percent } from '../studies/shared/wording.ts';
import { comparisonSections, type SideDifference, type UnpairedQuestions } from './comparison-sections.ts';
import { comparisonWarnings } from './comparison-warnings.ts';
import { type Again, type Change, type ComparisonResults, concludePairs, withWhoDecides } from './conclude-pairs.ts';
import { gapChanges, gapTable } from './gap-changes.ts';
import type { RunFamily } from './run-family.ts';
import type { Sides } from './sides-in-words.ts';
import { type AnswerPair, type PairTally, tallyPairs } from './tally-pairs.ts';

export interface CompareOptions {
  /** What the two sides are called: `last night`, `narrow beams`. */
  readonly beforeLabel: string;
  readonly afterLabel: string;
  /** The recognizer that both sides are, where their labels do not name it. */
  readonly recognizer?: string;
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
  /** What says who spoke; a corpus if absent. */
  readonly speakersFrom?: SpeakersFrom;
  /** Questions that only one side was asked: they take no part. By condition with the first of their utterances, where known. */
  readonly unpaired: UnpairedQuestions;
  /** What differs between the sides besides their answers: said first. */
  readonly differing?: readonly SideDifference[];
  /** Of two recognizers of one run: all of them, among whom these two were chosen. */
  readonly family?: RunFamily;
  /** By what words and intervals are made, in a sentence. */
  readonly counted?: string;
  /** Those that were asked about, for what people call them; absent: by their names. */
  readonly conditions?: readonly Condition[];
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
  const voices = watchVoices();
  const tally = await tallyPairs(watchedOf(pairs, spelling, voices), labels, words);
  const told = (['before', 'after'] as const).flatMap((side) =>
    spelling[side].told().map(({ sentence }) => `${named(labels[side])}: ${sentence}.`),
  );
  const finding = comparisonFinding(tally, { ...options, normalizer: settled(), level, resamples, minimumSpeakers });
  return { ...finding, warnings: [...finding.warnings, ...told, ...(finding.unchanged ? [] : voices.told())] };
}

/** Shows what both sides answered to who looks for errors of spelling and for synthetic voices. */
async function* watchedOf(
  pairs: AsyncIterable<AnswerPair>,
  spelling: Readonly<Record<'before' | 'after', SpellingWatch>>,
  voices: ReturnType<typeof watchVoices>,
): AsyncIterable<AnswerPair> {
  for await (const pair of pairs) {
    voices.see(pair.utterance);
    const { reference, language } = pair.utterance;
    if (reference !== undefined && !pair.before.failure && !pair.after.failure) {
      spelling.before.see(reference, pair.before.transcript.text, language);
      spelling.after.see(reference, pair.after.transcript.text, language);
    }
    yield pair;
  }
}

type Settled = CompareOptions & Required<Pick<CompareOptions, 'level' | 'resamples' | 'minimumSpeakers'>>;

/** Puts counts into sentences and tables. */
function comparisonFinding(tally: PairTally, options: Settled): Finding {
  const { beforeLabel: before, afterLabel: after, level, resamples, minimumSpeakers, margin = null } = options;
  const normalizer = normalizerIdentity(options.normalizer);
  const labels: Sides = { before, after, are: sidesOf(options) };
  const concluded = concludePairs(tally, options, options.family ?? null, labels.are);
  const { results, decided } = withWhoDecides(tally, concluded, { before, after: whoOf(options) }, options);
  const { pairs, otherTranscript, failuresCame, failuresWent } = tally.all;
  const isUnchanged = pairs > 0 && otherTranscript + failuresCame + failuresWent === 0;
  return {
    study: { name: 'comparison', version: 27 },
    title:
      options.recognizer === undefined
        ? `${named(after)} compared with ${named(before)}`
        : `${named(options.recognizer)}, ${before} and ${after}`,
    conditionNames: {
      all: results.meanOf?.head ?? allWords,
      ...conditionsInWords(options.conditions ?? []),
    },
    ...(isUnchanged && { unchanged: true }),
    settings: { before, after, normalizer, level, resamples, minimumSpeakers, margin },
    answer: comparisonAnswer(results, tally, options),
    // Whether one of several recognizers of a run is more unequal than another is what the study disparity tests.
    sections: comparisonSections(results, tally, labels, {
      ...options,
      gaps: options.family === undefined ? gapTable(gapChanges(tally, options), labels) : [],
    }),
    warnings: [...decisiveSentences(decided, { measure: 'WER' }), ...comparisonWarnings(tally, options, isUnchanged)],
  };
}

/** Of whom a comparison speaks: the side behind, or the recognizer that it is. */
const whoOf = ({ recognizer, afterLabel }: CompareOptions) => named(recognizer ?? afterLabel);

/** A recognizer that both sides are was asked at two times. */
const sidesOf = ({ recognizer }: CompareOptions): Sides['are'] => (recognizer === undefined ? 'names' : 'times');

/** What the row of all conditions together is called. */
const allWords = 'all words';

/** What changed over all and where most, and what stands beside no rate. Nothing is claimed that its comparison does not tell. */
function comparisonAnswer(results: ComparisonResults, tally: PairTally, options: CompareOptions): Statement[] {
  const { overall, conditions, groups } = results;
  const { margin, differing = [] } = options;
  const [before, who] = [named(options.beforeLabel), whoOf(options)];
  const differs = differenceStatements(differing);
  const failures = failureStatements(tally, options);
  if (overall.after.value === null) {
    const reason = tally.all.pairs === 0 ? 'no trial was answered by both' : 'the references have no words';
    const whose = options.recognizer === undefined ? '' : `${who}: `;
    const text = `${whose}${before} and ${named(options.afterLabel)} cannot be compared: ${reason}.`;
    return [{ text, headline: true }, ...differs, ...failures];
  }
  const besides = [...sameStatements(overall, margin), ...againStatements(results.again), ...failures];
  if (tally.all.otherTranscript === 0) {
    const whose = options.recognizer === undefined ? `${before} and ${who}` : who;
    const { pairs } = tally.all;
    const same = pairs === 1 ? 'the only transcript is' : `all ${grouped(pairs)} transcripts are`;
    const text = `${whose}: unchanged, ${same} the same.`;
    return [claim(text, overall), ...differs, ...besides];
  }
  const over = overWhat(results, tally);
  const first =
    overall.comparison.verdict !== 'cannot tell'
      ? leadsBy(results, options, over)
      : `${who}: ${openAgainst(overall.comparison.open, before)}, ${pointsOf(overall)}${over}.`;
  return [
    claim(first, overall),
    ...against(overall, [...conditions, ...groups], options, tally),
    ...whereItBreaks(results, options, tally),
    ...differs,
    ...(isPooled(overall, tally) ? [overallInWords(results, tally)].flatMap((text) => (text ? [{ text }] : [])) : []),
    ...(sidesOf(options) === 'times' ? [changeStatement(tally)] : []),
    ...besides,
  ];
}

/** Where it is the other way round: of the places where a difference is told against that of all, the one that differs most. */
function against(
  overall: Change,
  told: readonly Change[],
  options: CompareOptions,
  { conditions }: PairTally,
): Statement[] {
  const whole = overall.comparison.verdict;
  const size = ({ comparison }: Change) => Math.abs(comparison.difference.value!);
  const others = told.filter(({ comparison: { verdict } }) => verdict !== whole && verdict !== 'cannot tell');
  const [most] = others.toSorted((a, b) => size(b) - size(a));
  if (most === undefined) return [];
  const { condition, group } = most;
  const called = conditionsInWords(options.conditions ?? []);
  const name = condition === null ? '' : conditions[condition]!.name;
  const where =
    group === null ? inCondition(name, called[name]) : `for ${named(group.attribute)} ${named(group.value)}`;
  const text = `${whole === 'cannot tell' ? 'But' : 'Yet'} ${whoOf(options)} makes ${errorsOf(most)} ${where}: ${pointsOf(most)}.`;
  return [claim(text, most)];
}

/** Where the one with fewer errors, or what is now, has most: the worst condition. */
function whereItBreaks({ worst, leader }: ComparisonResults, options: CompareOptions, tally: PairTally): Statement[] {
  if (worst === null) return [];
  const { name } = tally.conditions[worst.condition]!;
  const where = inCondition(name, conditionsInWords(options.conditions ?? [])[name]);
  const [who, when] = sidesOf(options) === 'times' ? [whoOf(options), ' now'] : [named(options[`${leader}Label`]), ''];
  const shown = ({ value }: Estimate) => formatFixed(100 * value!, percentDecimals(value!));
  const [rate, above] = [`${shown(worst.rate)} % WER${when}`, `${shown(worst.above)} points above clean`];
  const whole = `${who} is at its worst ${where}: ${rate}, ${above}.`;
  const text = whole.length < 80 ? whole : `${who} is at its worst ${where}: ${above}${when}.`;
  return [{ text, headline: true, estimate: worst.rate }];
}

/** Of two names who leads, as a run says it; of two times whether there are more errors now. */
function leadsBy({ overall, leader }: ComparisonResults, options: CompareOptions, over: string): string {
  const names = [named(options.beforeLabel), named(options.afterLabel)];
  if (sidesOf(options) === 'times')
    return `${whoOf(options)} makes ${errorsOf(overall)} than ${names[0]}: ${pointsOf(overall)}${over}.`;
  const [first, second] = leader === 'before' ? names : names.toReversed();
  return `${first} leads ${second} by ${pointsOf(overall, false)}${over}.`;
}

const errorsOf = ({ comparison }: Change) => `${comparison.verdict === 'better' ? 'fewer' : 'more'} errors`;

const isPooled = ({ condition }: Change, { conditions }: PairTally) => condition === null && conditions.length > 1;

/** Of several conditions which it is of: ` on average`. */
function overWhat({ overall, meanOf }: ComparisonResults, { conditions }: PairTally): string {
  if (conditions.length === 1) return '';
  if (overall.condition !== null) return ' on clean audio';
  return meanOf === null ? ` over ${allWords}` : ' on average';
}

/** What the row of all conditions is of: the mean of the run, or why that is another question. */
function overallInWords({ meanOf }: ComparisonResults, { conditions }: PairTally): string | null {
  if (meanOf !== null) return meanOf.note === null ? null : `${meanOf.head}: ${meanOf.note}.`;
  const withClean = conditions.some(({ name }) => name === clean.name);
  const own = `of all conditions together${withClean ? ', clean too' : ''}`;
  return `${allWords}: ${own}; the mean of a run ${withClean ? 'leaves clean out and ' : ''}weighs conditions alike.`;
}

/** `+42.5 points of WER`, or how far apart the two are: `42.5 points of WER` */
function pointsOf({ comparison }: Change, signed = true): string {
  const difference = comparison.difference.value!;
  const value = signed ? difference : Math.abs(difference);
  // As fine as tables show it, unless that would be nothing.
  const decimals = Math.abs(value) < 0.0005 ? percentDecimals(value) : 1;
  return `${formatFixed(100 * value, decimals, signed)} points of WER`;
}

function claim(text: string, { comparison, after }: Change): Statement {
  return { text, headline: true, verdict: comparison.verdict, estimate: after, comparison };
}

function differenceStatements(differing: readonly SideDifference[]): Statement[] {
  if (differing.length === 0) return [];
  const told = differing.map(
    ({ what, before, after }) =>
      `${what.includes(' of ') ? 'the ' : ''}${named(what)} (${named(before)} → ${named(after)})`,
  );
  return [{ text: `Changed between the runs: ${listed(told, 4)}.`, headline: true }];
}

/** How far apart the two may be, where that is asked for. */
function sameStatements({ within }: Change, margin: number | undefined): Statement[] {
  if (margin === undefined) return [];
  const points = (value: number) => {
    const one = formatFixed(100 * value, percentDecimals(value));
    return `${one} ${Number(one) === 1 ? 'point' : 'points'}`;
  };
  const wanted = `${Number((100 * margin).toPrecision(3))} ${margin === 0.01 ? 'point' : 'points'}`;
  if (within.value === null) {
    return [{ text: `Not shown to be the same within ${wanted}: ${reasonOf(within)}.`, verdict: 'cannot tell' }];
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

function inCondition(name: string, called = name): string {
  return name === clean.name ? 'on clean audio' : `in ${named(called)}`;
}

function changeStatement({ all: { pairs, fixed, broken } }: PairTally): Statement {
  const are = fixed === 1 ? 'is' : 'are';
  return {
    text: `Of ${counted(pairs, 'trial')}, ${grouped(fixed)} ${are} right only now, ${grouped(broken)} only before.`,
  };
}

function failureStatements({ all }: PairTally, options: CompareOptions): Statement[] {
  if (all.failuresCame === 0 && all.failuresWent === 0) return [];
  const came = counted(all.failuresCame, 'trial');
  const text =
    sidesOf(options) === 'times'
      ? `${came} failed with ${whoOf(options)} and not before; ${grouped(all.failuresWent)} failed before and no longer fail.`
      : `${came} failed only with ${named(options.afterLabel)}, ${grouped(all.failuresWent)} only with ${named(options.beforeLabel)}.`;
  return [{ text }];
}
