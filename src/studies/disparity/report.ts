import { formatFixed, grouped, percentDecimals, pValuePhrase } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import { turned } from '../../model/comparison.ts';
import type { About, Comparison, Statement } from '../../model/finding.ts';
import { type OpenVerdict, reasonText } from '../../model/reason.ts';
import { clean } from '../../model/trial.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { claimFrom, nearestToVerdict } from '../shared/claims.ts';
import { failureWarnings } from '../shared/failures.ts';
import { beyondStatements, type GapBeyond } from '../shared/listeners.ts';
import { openVerdict, whyOpen } from '../shared/open-verdict.ts';
import { unitOf } from '../shared/shortages.ts';
import { type SampledCounts, samplingWarnings } from '../shared/speaker-warnings.ts';
import { listed, named, percent, pointsWithin, rateInWords } from '../shared/wording.ts';
import { type DisparityDesign, groupWords, type Subgroup } from './design.ts';
import type { DomainShift } from './domain-shift.ts';
import type { ModelResults } from './model-gaps.ts';
import type { DisparityOptions } from './options.ts';
import type { RecognizerPair } from './pairs.ts';
import type { GroupResult, RecognizerResult, Results } from './results.ts';
import { gather, type RowSums, type Scores } from './scores.ts';

/** All that was found, for those who put it into words. */
export interface DisparityFinding {
  readonly design: DisparityDesign;
  readonly options: DisparityOptions;
  readonly scores: Scores;
  readonly normalizer: Normalizer;
  readonly results: Results;
  readonly shifts: readonly DomainShift[];
  /** Null: nobody is said to be people. */
  readonly beyond: readonly GapBeyond[] | null;
  /** Null: not asked for, or no attribute divides enough speakers. */
  readonly model: ModelResults | null;
}

/** Recognizers with a card of their own for the group that they serve worst. */
const maxWorst = 4;

/**
 * Is anyone served worse, whom and by how much, is it more than chance, which recognizer is least unequal. Every claim rests
 * on a comparison that is printed with it; where the data do not tell, the sentence says so.
 */
export function answerOf(known: DisparityFinding): Statement[] {
  const { design } = known;
  if (design.recognizers.length === 0) return [{ text: 'There is no recognizer to ask.' }];
  if (design.counted.length === 0) {
    return [
      {
        text: 'There is no result for groups: none has enough speakers. The counts of all groups are below.',
        verdict: 'cannot tell',
      },
    ];
  }
  const worst = worstServed(known.results.groups);
  return [
    headline(known, worst),
    // The next after the one that the headline names.
    ...worst.slice(1, maxWorst).map((one) => worstClaim(one)),
    beyondChance(known),
    ...leastUnequal(known),
    ...(known.beyond === null ? [] : beyondStatements(known.beyond, design.recognizers)),
    ...failureStatements(known),
    ...shiftStatements(known),
  ];
}

function headline({ design, results }: DisparityFinding, worst: readonly GroupResult[]): Statement {
  const [first] = worst;
  const groups = counted(design.counted.length, 'group');
  if (first === undefined) {
    const text = `None of ${groups} is shown to have a higher WER than everybody; this does not prove that all groups are equal.`;
    const [widest] = results.groups
      .filter(({ group, gap }) => group.counted && gap.difference.value !== null)
      .toSorted(byGap);
    if (widest === undefined) return { text, verdict: 'cannot tell' };
    if (widest.gap.difference.value === 0) return { text: `${text} All have its rate.`, verdict: 'cannot tell' };
    return gapClaim({ comparison: widest.gap, kind: 'difference' }, widest, `${text} The largest gap: `);
  }
  const names = design.recognizers.map(({ name }) => name);
  const unfair = names.filter((name) => worst.some(({ recognizer }) => recognizer === name));
  const who =
    names.length === 1
      ? `${named(first.recognizer)} makes`
      : unfair.length === names.length
        ? `${names.length === 2 ? 'Both' : `All ${names.length}`} recognizers make`
        : `${unfair.length} of ${names.length} recognizers (${listed(unfair, 12)}) ${unfair.length === 1 ? 'makes' : 'make'}`;
  const text = `${who} more errors for at least one of ${groups} than for everybody, beyond what chance explains.`;
  return worstClaim(first, `${text} The largest gap: `);
}

/** What is compared, unless something else is said. */
const conditions = [clean.name];

function aboutGroup(recognizer: string, { attributes, values }: Subgroup): About {
  const group = Object.fromEntries(attributes.map((attribute, place) => [attribute, values[place]!]));
  return { recognizer, conditions, group };
}

/** `one: 31.3 % WER for sex female (95 % CI 26.0-37.1), 9.2 points more than for everybody (95 % CI 5.1-13.3).` */
function gapClaim(
  quoted: Parameters<typeof claimFrom>[0],
  { recognizer, group, wordErrorRate }: GroupResult,
  before = '',
): Statement {
  const rate = rateInWords(wordErrorRate, 'WER', `for ${groupWords(group)}`);
  const about = aboutGroup(recognizer, group);
  return claimFrom(
    { ...quoted, about },
    'than for everybody',
    (apart) => `${before}${named(recognizer)}: ${rate}, ${apart}`,
  );
}

/** Of each recognizer that is shown to be worse for some group the widest such gap, the widest of all first. */
function worstServed(groups: readonly GroupResult[]): GroupResult[] {
  const proven = groups.filter(({ gap }) => gap.verdict === 'worse').toSorted(byGap);
  return proven.filter(({ recognizer }, place) => proven.findIndex((one) => one.recognizer === recognizer) === place);
}

/** The largest gap first. */
function byGap({ gap: one }: { readonly gap: Comparison }, { gap: other }: { readonly gap: Comparison }): number {
  return (other.difference.value ?? 0) - (one.difference.value ?? 0);
}

function worstClaim(worst: GroupResult, before?: string): Statement {
  return gapClaim({ estimate: worst.wordErrorRate, comparison: worst.gap }, worst, before);
}

function beyondChance({ results: { recognizers }, options }: DisparityFinding): Statement {
  const proven = recognizers.filter(
    ({ adjustedPValue }) => adjustedPValue !== null && adjustedPValue <= 1 - options.level + 1e-12,
  );
  const ofMany = recognizers.length === 1 ? '' : `${proven.length} of ${recognizers.length} recognizers: `;
  const names = proven.map(({ recognizer }) => recognizer);
  // What is told is shown where it is greatest, what is not told where it comes nearest to it.
  const shown =
    proven.length > 0
      ? proven.toSorted((a, b) => (b.meanDisparity.value ?? 0) - (a.meanDisparity.value ?? 0))[0]
      : recognizers
          .filter(({ meanDisparity }) => meanDisparity.value !== null)
          .toSorted((a, b) => (a.pValue ?? 2) - (b.pValue ?? 2))[0];
  const example =
    shown === undefined || shown.meanDisparity.value === null || shown.byChance === null
      ? ''
      : ` The groups of ${named(shown.recognizer)} lie ${pointsWithin(shown.meanDisparity)} from its average; chance alone would make ${points(shown.byChance)} with groups of these sizes.`;
  const open = shown === undefined || proven.length > 0 ? undefined : openDisparity(shown, recognizers.length);
  const why = example === '' ? '' : whyOpen({ verdict: 'cannot tell', ...(open === undefined ? {} : { open }) });
  return {
    text:
      proven.length === 0
        ? `On average, groups are not shown to differ from everybody by more than chance explains.${example}${why}`
        : `On average over all groups, disparity is more than chance makes${ofMany === '' ? '' : ` for ${ofMany}${listed(names, 12)}`}.${example}`,
    verdict: proven.length === 0 ? 'cannot tell' : 'worse',
    ...(shown !== undefined && { about: { recognizer: shown.recognizer, conditions } }),
  };
}

/** Why the mean disparity of one of so many recognizers is not told from chance; undefined where it is, or is not known. */
export function openDisparity(
  { pValue, adjustedPValue, meanDisparity, byChance }: RecognizerResult,
  recognizers: number,
): OpenVerdict | undefined {
  if (meanDisparity.value === null || byChance === null || adjustedPValue === null) return undefined;
  const excess = { ...meanDisparity, value: meanDisparity.value - byChance, low: null, high: null };
  const among = recognizers > 1 ? recognizers : null;
  return openVerdict(excess, { pValue, adjustedPValue, among, family: 'recognizer' });
}

function leastUnequal({ design, results, options }: DisparityFinding): Statement[] {
  const order = results.recognizers
    .filter(({ meanDisparity }) => meanDisparity.value !== null)
    .sort((a, b) => a.meanDisparity.value! - b.meanDisparity.value!);
  const [first, ...others] = order;
  if (first === undefined || design.recognizers.length < 2) return [];
  const pairOf = ({ recognizer }: RecognizerResult) =>
    results.pairs.find((one) =>
      [one.first, one.second].every((name) => name === recognizer || name === first.recognizer),
    );
  const { apart = [], open = [] } = Object.groupBy(others, (other) => (pairOf(other)?.apart ? 'apart' : 'open'));
  const rule = options.profile === 'sound' ? '' : ', by the W-test of FairLENS, uncorrected,';
  const namesOf = (some: readonly RecognizerResult[]) =>
    listed(
      some.map(({ recognizer }) => recognizer),
      12,
    );
  const nearest = open.map(pairOf)[0];
  const alike = others.filter(({ meanDisparity }) => meanDisparity.value === first.meanDisparity.value);
  const text = [
    alike.length > 0
      ? `${namesOf([first, ...alike])} have ${alike.length === others.length ? 'the same' : 'the lowest'} mean disparity.`
      : `${named(first.recognizer)}: lowest mean disparity, ${pointsWithin(first.meanDisparity)}.`,
    ...(apart.length > 0 ? [`It is lower${rule} than that of ${namesOf(apart)}.`] : []),
    ...(open.length > 0 && alike.length < others.length
      ? [`It is not distinguished${rule} from that of ${namesOf(open)}.`]
      : []),
    ...(nearest === undefined ? [] : [notApart(nearest, first.recognizer, options)]),
  ].join(' ');
  return [
    {
      ...{ text, verdict: open.length === 0 ? 'better' : 'cannot tell', estimate: first.meanDisparity },
      kind: 'points',
      about: { recognizer: first.recognizer, conditions },
    },
  ];
}

/** Two mean disparities that are not told apart, by the test that decides, and why not. */
function notApart(
  { first, second, disparity, wTest }: RecognizerPair,
  lower: string,
  { profile }: DisparityOptions,
): string {
  const [name, other] = [named(lower), named(first === lower ? second : first)];
  if (profile === 'sound') {
    const comparison = second === lower ? disparity : turned(disparity);
    return claimFrom({ comparison }, `mean disparity than ${other}`, (apart) => `${name}: ${apart}`).text;
  }
  const { pValue, reason } = wTest?.wilcoxon ?? { pValue: null, reason: { code: 'no-w-test' } as const };
  const why =
    pValue === null
      ? reason && reasonText(reason)
      : `not significant over ${wTest?.groups} groups: ${pValuePhrase(pValue)}`;
  return `No verdict on ${name} and ${other}: ${why}.`;
}

function failureStatements({ results }: DisparityFinding): Statement[] {
  const proven = results.failures.filter(({ gap }) => gap.verdict === 'worse').sort(byGap);
  return proven.slice(0, 1).map(({ group, recognizer, gap, failed, asked }) => ({
    text: `${named(recognizer)} fails more often for ${groupWords(group)} than for everybody (${grouped(failed)} of ${counted(asked, 'trial')} failed). Its error rates leave these trials out, which makes them look too good.`,
    verdict: 'worse' as const,
    comparison: gap,
    about: { ...aboutGroup(recognizer, group), by: 'failures' as const },
  }));
}

function shiftStatements({ design, shifts }: DisparityFinding): Statement[] {
  const [from, ...others] = design.domains;
  if (from === undefined) return [];
  const known = shifts.flatMap(({ recognizer, domain, group, excess }) => {
    if (group === null || excess === null) return [];
    // Domains are conditions, or values of an attribute: other recordings, with no counterpart.
    const apart = design.conditions.length === 1 ? {} : { conditions: [domain], than: { condition: clean.name } };
    return [{ recognizer, domain, group, gap: excess, about: { ...aboutGroup(recognizer, group), ...apart } }];
  });
  const [worst] = known.filter(({ gap }) => gap.verdict === 'worse').sort(byGap);
  if (worst === undefined) {
    const text = `From ${named(from)} to ${listed(others)}, these data show no group that loses more than all do.`;
    const nearest = nearestToVerdict(
      known.map((one) => ({ ...one, comparison: one.gap })),
      'group',
      ({ recognizer, group, domain }) => `${named(recognizer)}, ${groupWords(group)} in ${named(domain)}`,
    );
    const about = nearest === null ? {} : { about: nearest.row.about };
    return [{ text: `${text}${nearest?.text ?? ''}`, verdict: 'cannot tell', ...about }];
  }
  return [
    {
      text: `From ${named(from)} to ${named(worst.domain)}, ${named(worst.recognizer)} loses more for ${groupWords(worst.group)} than for everybody.`,
      verdict: 'worse',
      comparison: worst.gap,
      about: worst.about,
    },
  ];
}

/** What a reader must know before believing the numbers. */
export function warningsOf(known: DisparityFinding): string[] {
  const { options, model } = known;
  const { survey, subgroups } = known.design;
  const { scored, skipped, withoutSpeaker, attributes, undivided, clusters } = survey;
  const { withoutWords, trials } = known.scores;
  const small = subgroups.filter(({ counted: isCounted }) => !isCounted);
  const unknown = attributes.filter(({ missing }) => missing.utterances > 0);
  const is = (count: number, one: string, several: string) => (count === 1 ? one : several);
  return [
    scored === 0 && 'No utterance has a reference, so nothing was scored.',
    small.length > 0 &&
      `${counted(small.length, 'group')} of ${grouped(subgroups.length)} ${is(small.length, 'is', 'are')} shown with counts only (fewer than ${options.minimumSpeakers} ${unitOf(clusters)}s, or other values): they have no verdict and are not part of any disparity. Their error rates may well be higher.`,
    skipped > 0 &&
      `${counted(skipped, 'utterance')} without a reference ${is(skipped, 'was', 'were')} not asked about.`,
    withoutWords > 0 &&
      `${counted(withoutWords, 'utterance')} ${is(withoutWords, 'has', 'have')} no words in the reference: what is recognized there counts as added words.`,
    attributes.length === 0 &&
      'No attribute divides the speakers: name attributes, or see what there is with the study corpus.',
    undivided.length > 0 && `Only one value, so there are no groups: ${listed(undivided)}.`,
    withoutSpeaker > 0 &&
      `The speakers ${withoutSpeaker === scored ? '' : `of ${counted(withoutSpeaker, 'utterance')} `}are unknown: such utterances are taken to be independent of each other and counted as speakers, and what is claimed is too sure where one person spoke several.`,
    clusters.merged &&
      `There are more than ${grouped(clusters.count)} speakers: they were merged at random into ${grouped(clusters.count)}, which are counted as speakers.`,
    options.profile === 'fairlens' &&
      'Recognizers are compared by the rules of FairLENS: overlap of intervals, and W-tests without correction that treat groups as independent. The tables show where valid tests disagree.',
    options.model &&
      model === null &&
      attributes.length > 0 &&
      `No model was fitted: no attribute has two values${options.other.length === 0 ? '' : ` other than ${listed(options.other)}`} of ${grouped(options.minimumSpeakers)} ${unitOf(clusters)}s or more.`,
    ...failureWarnings(
      trials,
      'they are left out of its rates. Whether some groups have more of them is shown under failures',
    ),
    ...oddities(known),
    unknown.length > 0 &&
      `${unknown.map(({ name, missing }) => `${named(name)} is not known for ${counted(missing.utterances, 'utterance')} (${percent(missing.utterances, scored)}; ${counted(missing.speakers, 'speaker')})`).join(', ')}: they count in the average of everybody, and in no group of it.`,
  ].filter((warning) => warning !== false);
}

function oddities({ design, options, scores, normalizer }: DisparityFinding): string[] {
  const { survey, subgroups } = design;
  const sampled = (name: string, group: Subgroup, sums: RowSums): SampledCounts => {
    return { name, counts: gather(survey, group, sums).counts };
  };
  const sumOf = (key: keyof RowSums) =>
    Float64Array.from(survey.utterancesOf, (_, row) => scores.clean.reduce((sum, own) => sum + own[key][row]!, 0));
  const all = { errors: sumOf('errors'), words: sumOf('words'), clips: sumOf('clips') };
  const single = subgroups.filter(({ attributes, counted: isCounted }) => isCounted && attributes.length === 1);
  return samplingWarnings(
    scores.clean.map(({ recognizer: name }, number) => ({ name, counts: scores.withoutLoops[number]! })),
    [...Map.groupBy(single, ({ attributes }) => attributes[0]!)].map(([name, groups]) => ({
      name,
      groups: groups.map((group) => sampled(group.name, group, all)),
    })),
    options.minimumSpeakers,
    normalizer,
  );
}

/** A difference of rates in a sentence, in percentage points: `4.1 points`. */
function points(difference: number): string {
  return `${formatFixed(100 * difference, percentDecimals(difference))} points`;
}
