import { grouped } from '../../base/number-format.ts';
import { capitalized, counted } from '../../base/wording.ts';
import { shownDifference } from '../../model/comparison.ts';
import type { About, Comparison, Statement } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import { clean } from '../../model/trial.ts';
import { missingAttributeWarnings } from '../shared/attributes.ts';
import { nearestToVerdict } from '../shared/claims.ts';
import { reasonOf } from '../shared/estimates.ts';
import { type FailureGap, failureStatements } from '../shared/failure-gaps.ts';
import { failureWarnings } from '../shared/failures.ts';
import { type GroupPair, pairWords } from '../shared/group-pairs.ts';
import { speakerWarnings } from '../shared/speaker-warnings.ts';
import { aboveOrBelow, differenceInWords, listed, named, pointsWithin } from '../shared/wording.ts';
import { type ClipFacts, causeFacts, type Targets } from './causes.ts';
import type { Design } from './design.ts';
import type { GapDecompositionOptions } from './options.ts';
import type { CounterfactualResult, PairResult } from './results.ts';
import type { Tally } from './tally.ts';

/** All that the parts of the finding are made of. */
export interface GapFinding {
  readonly design: Design;
  readonly options: GapDecompositionOptions;
  readonly clips: readonly ClipFacts[];
  readonly targets: Targets;
  readonly tally: Tally;
  readonly results: readonly PairResult[];
  readonly failures: readonly FailureGap[];
  readonly counterfactuals: readonly CounterfactualResult[];
}

/** The name of what remains, with the causes that cannot be told from the group. */
export function remainderName(inRemainder: readonly string[]): string {
  return inRemainder.length === 0 ? 'what remains' : `what remains, or goes with ${listed(inRemainder)}`;
}

/** What gaps are of: those over all recordings, with a reference or without, are others. */
const inTranscribed = 'in recordings with a reference';

/** Gaps with a statement of their own, the largest first. */
const maxGaps = 4;

/** Which gaps there are beyond chance, what they are shown to go with, what remains, and what equal sound does to them. */
export function answerOf(known: GapFinding): Statement[] {
  const { design, results } = known;
  if (design.recognizers.length === 0) return [{ text: 'There is no recognizer to ask.' }];
  if (results.length === 0) {
    return [
      { text: 'There is nothing to compare: no attribute divides the speakers into groups.', verdict: 'cannot tell' },
    ];
  }
  const proven = results
    .filter(({ gap }) => gap.verdict !== 'cannot tell')
    .sort((a, b) => Math.abs(b.gap.difference.value!) - Math.abs(a.gap.difference.value!));
  const tested = results.filter(({ gap }) => gap.pValue !== null).length;
  const untested =
    tested === results.length
      ? ''
      : ` (${grouped(results.length - tested)} more cannot be tested, and may be of any size)`;
  const widest = claimedGap(results);
  const first: Statement =
    proven.length === 0
      ? {
          text: `${noneIsShown(results.length, tested, untested)} The parts are listed below anyway: causes can cancel each other.${widest === undefined || widest.gap.difference.value === 0 ? '' : ` ${results.length === 1 ? 'The gap' : 'The largest'}: ${gapInWords(known, widest)}.`}${
            nearestToVerdict(
              results.map((result) => ({ ...result, comparison: result.gap })),
              'gap',
              ({ recognizer, pair }) => `${named(design.recognizers[recognizer]!.name)}, ${pairWords(pair)}`,
            )?.text ?? ''
          }`,
          verdict: 'cannot tell',
          ...(widest !== undefined && { about: gapCard(known, widest).about }),
        }
      : {
          text: `${grouped(proven.length)} of ${counted(tested, 'gap')} ${inTranscribed}${untested} ${proven.length === 1 ? 'is' : 'are'} beyond chance. A part of a gap is associated with a cause in these recordings, adjusted for all other causes; this does not prove that the cause produces the errors.`,
        };
  const [largest, ...smaller] = proven.slice(0, maxGaps).map((result) => gapStatement(known, result));
  return [
    ...(largest === undefined ? [] : [largest]),
    first,
    ...smaller,
    ...changeStatements(known),
    ...failureStatements(known.failures).slice(0, maxGaps),
  ];
}

function noneIsShown(gaps: number, tested: number, untested: string): string {
  if (tested === 0)
    return `${gaps === 1 ? 'The gap' : `None of ${counted(gaps, 'gap')}`} can${gaps === 1 ? 'not' : ''} be tested.`;
  const none =
    gaps === 1 ? `The gap ${inTranscribed} is not` : `None of ${counted(tested, 'gap')} ${inTranscribed}${untested} is`;
  return `${none} shown to be beyond chance in these data; this does not prove that the groups are equal.`;
}

/** The gap that the answer begins with: the largest that is beyond chance, or else the largest. */
export function claimedGap(results: readonly PairResult[]): PairResult | undefined {
  const known = results.filter(({ gap }) => gap.difference.value !== null);
  const proven = known.filter(({ gap }) => gap.verdict !== 'cannot tell');
  const size = ({ gap }: PairResult) => Math.abs(gap.difference.value!);
  return (proven.length > 0 ? proven : known).toSorted((a, b) => size(b) - size(a))[0];
}

function gapStatement(known: GapFinding, result: PairResult): Statement {
  const { gap, remainder, inRemainder } = result;
  const sign = gap.difference.value! > 0 ? 1 : -1;
  const goesWith = contributions(result);
  const rest =
    remainder.part.difference.value === null
      ? `What remains cannot be estimated: ${reasonOf(remainder.part, 'there is no fit')}.`
      : `${capitalized(remainderName(inRemainder))} is ${pointsWithin(remainder.part.difference)}${remainder.part.verdict === 'cannot tell' ? openRemainder(remainder.part) : `, beyond chance${remainder.part.verdict === gap.verdict ? '' : `, against the gap: of recordings alike in all causes, those of ${named(result.pair.attribute)} ${named(sign > 0 ? result.pair.comparedWith : result.pair.value)} have more errors`}`}.`;
  const text = [
    `${gapInWords(known, result)}.`,
    ...(goesWith.length === 0 ? ['No cause is shown to contribute.'] : goesWith),
    rest,
  ].join(' ');
  return { text, ...gapCard(known, result), verdict: gap.verdict };
}

/** A sentence on each cause that is shown to contribute, the largest first. */
function contributions({ gap, parts }: PairResult): string[] {
  const sign = gap.difference.value! > 0 ? 1 : -1;
  return parts
    .filter(({ part }) => part.verdict !== 'cannot tell')
    .sort((a, b) => sign * (b.part.difference.value! - a.part.difference.value!))
    .map(({ name, part }, place) => {
      return `${place === 0 ? 'Shown' : 'Also shown'} to contribute: ${named(name)}, ${pointsWithin(part.difference)}.`;
    });
}

/** The gap that the finding begins with, and what it goes with. */
export function foundIn(known: GapFinding, claimed: PairResult): string[] {
  const [cause = 'No cause is shown to contribute.'] = contributions(claimed);
  const isShown = claimed.gap.verdict !== 'cannot tell';
  return [`${gapInWords(known, claimed)}${isShown ? '' : '; it may be chance'}.`, ...(isShown ? [cause] : [])];
}

/** `one, WER by sex in recordings with a reference: female is 9.1 points above male (95 % CI 4.0-14.2)` */
function gapInWords({ design }: GapFinding, { recognizer, pair, gap }: PairResult): string {
  const apart = differenceInWords(shownDifference(gap), named(pair.comparedWith), aboveOrBelow);
  const who = `${named(design.recognizers[recognizer]!.name)}, WER by ${named(pair.attribute)} ${inTranscribed}`;
  return `${who}: ${named(pair.value)} is ${apart}`;
}

function gapCard({ design }: GapFinding, { recognizer, pair, gap }: PairResult) {
  const about = aboutPair(design, recognizer, pair, gap.difference.value! > 0);
  return { comparison: gap, kind: 'difference' as const, about };
}

function changeStatements({ design, counterfactuals }: GapFinding): Statement[] {
  return counterfactuals
    .filter(({ change }) => change.verdict !== 'cannot tell')
    .sort((a, b) => Math.abs(b.change.difference.value!) - Math.abs(a.change.difference.value!))
    .slice(0, maxGaps)
    .map(({ recognizer, pair, variant, before, after, change }) => {
      const nearer = Math.abs(after.gap.value!) < Math.abs(before.gap.value!);
      return {
        text: `After equalization (${named(design.variants[variant]!.name)}), ${named(design.recognizers[recognizer]!.name)} has ${nearer ? 'a smaller' : 'a larger'} gap for ${pairWords(pair)}: ${pointsWithin(after.gap)} in place of ${pointsWithin(before.gap)}. The change.`,
        comparison: change,
        kind: 'difference' as const,
        about: aboutPair(design, recognizer, pair, before.gap.value! > 0),
      };
    });
}

/** The group of the two that has more errors. */
function aboutPair(design: GapFinding['design'], recognizer: number, pair: GroupPair, isFirst: boolean): About {
  return {
    recognizer: design.recognizers[recognizer]!.name,
    conditions: [clean.name],
    group: { [pair.attribute]: isFirst ? pair.value : pair.comparedWith },
  };
}

/** Comparisons that are named one by one. */
const maxNamed = 4;

/** What a reader must know before believing the numbers. */
export function warningsOf(known: GapFinding): string[] {
  const { design, options, results } = known;
  const { survey } = design;
  const { utterances, withoutReference, withoutWords, withoutSpeaker, clusters } = survey;
  const warnings: string[] = [];
  if (utterances.length === 0) warnings.push('No utterance has a reference, so nothing was scored.');
  if (withoutReference > 0) {
    warnings.push(`${counted(withoutReference, 'utterance')} without a reference not asked about.`);
  }
  if (withoutWords > 0) {
    warnings.push(`${counted(withoutWords, 'utterance')} with no words in the reference left out.`);
  }
  const met = { clusters, manyValued: new Set<string>(), attributesLeftOut: false, groups: () => [] };
  const seen = { utterances: utterances.length, withoutSpeaker, minimumSpeakers: options.minimumSpeakers };
  warnings.push(...speakerWarnings(met, seen));
  const missing = survey.groupBy.map((attribute) => {
    const place = survey.attributes.indexOf(attribute);
    return { attribute, utterances: utterances.filter(({ values }) => values[place] === null).length };
  });
  warnings.push(...missingAttributeWarnings(missing, utterances.length));
  const small = results.filter(({ recognizer, pair }) => {
    const fewest = Math.min(pair.speakers.group, pair.speakers.others);
    return recognizer === 0 && fewest < options.minimumSpeakers;
  });
  if (small.length > 0) {
    const which = listed(
      small.map(({ pair }) => pairWords(pair)),
      maxNamed,
    );
    warnings.push(
      `${counted(small.length, 'comparison')} of fewer than ${options.minimumSpeakers} speakers on one side (${which}): they have no verdict.`,
    );
  }
  for (const { inRemainder, pair } of results.filter(({ recognizer }) => recognizer === 0).slice(0, maxNamed)) {
    if (inRemainder.length === 0) continue;
    warnings.push(
      `${pairWords(pair)}: ${listed(inRemainder)} ${inRemainder.length === 1 ? 'goes' : 'go'} with the group itself, so the data cannot show whether the group or ${inRemainder.length === 1 ? 'that' : 'those'} makes the difference.`,
    );
  }
  const leftOut = Math.max(0, ...results.map((result) => result.leftOut));
  if (leftOut > 0) {
    warnings.push(
      `Up to ${counted(leftOut, 'utterance')} of a comparison left out, because some cause has no value there. Gaps here are those of the others.`,
    );
  }
  const failures = failureWarnings(
    known.tally.trials,
    `they are left out${known.failures.length > 0 ? '; failures by group are below' : ''}`,
  );
  return [...warnings, ...unmeasured(known), ...worldWarnings(known), ...failures];
}

function unmeasured({ design, options }: GapFinding): string[] {
  if (options.causes !== null) return [];
  const needed = { noise: 'noise-level', bandwidth: 'bandwidth', pitch: 'pitch' } as const;
  const absent = (Object.keys(needed) as (keyof typeof needed)[]).filter(
    (cause) => !design.measures.includes(needed[cause]),
  );
  if (absent.length === 0) return [];
  const add = absent.map((cause) => needed[cause]).join(', ');
  return [
    `Not measured: ${listed(absent.map((cause) => `${cause} (${causeFacts[cause].about.toLowerCase()})`))}. What goes with it is in what remains; add quality: [${add}] to the config.`,
  ];
}

function worldWarnings({ design, options }: GapFinding): string[] {
  const asked = new Set(options.equalize);
  for (const { equalization } of design.variants) if (equalization !== null) asked.delete(equalization);
  const names = design.recognizers.filter(({ input }) => input === 'names').map(({ name }) => name);
  const warnings: string[] = [];
  if (names.length > 0 && design.recognizers.length > names.length) {
    warnings.push(`Clips were not equalized for ${listed(names)}: only transcripts are known.`);
  } else if (names.length > 0) {
    warnings.push('Clips could not be equalized, because only transcripts are available: the parts are unconfirmed.');
  } else if (asked.has('noise')) {
    warnings.push('Noise was not equalized: it is not measured; add quality: [noise-level] to the config.');
  }
  return warnings;
}

/** Why nothing is told of what remains: an interval beside it may leave 0 out. */
function openRemainder({ open, reason }: Comparison): string {
  const why = open?.reason ?? reason;
  return why === undefined ? ', which may be chance' : `; no verdict: ${reasonText(why)}`;
}
