import { formatFixed, grouped, percentDecimals, pValuePhrase } from '../base/number-format.ts';
import { counted } from '../base/wording.ts';

/** What is resampled as one. Statistics know clusters alone; what these are is known where their numbers become an estimate (`inUnits`). */
export type Unit = 'speaker' | 'recording' | 'utterance' | 'listener' | 'text' | 'cluster' | 'unit' | 'observation';

interface InUnits {
  /** Speakers if absent. */
  readonly unit?: Unit;
}

interface FewUnits extends InUnits {
  readonly need: number;
  /** Two numbers where both of two groups have too few. */
  readonly have: readonly number[];
  /** Of what the number is the least. */
  readonly each?: 'group' | 'side' | 'rate' | 'data set';
}

interface UnevenUnits extends InUnits {
  /** As many of equal size. */
  readonly need: number;
  readonly have: number;
  /** As how many of equal size they count. */
  readonly effective: number;
  readonly each?: 'group';
}

interface Needed {
  readonly need: number;
  readonly have: number;
}

interface LevelOfFactor {
  readonly level: string;
  readonly factor: string;
}

/** Of words that are to be understood: how many, and whether of all or of those that are in clean audio. */
interface OfWords {
  readonly share: number;
  readonly ofClean: boolean;
}

/** Half of what: `clips change`. */
interface Half {
  readonly what: string;
  /** Of what was asked. */
  readonly snrDb: number;
  readonly at: 'lowest' | 'highest';
}

/** What a verdict needs so many units for; `usual` where an interval needs another number by default. */
interface NeededBy {
  readonly by: 'test' | 'interval';
  readonly usual?: number;
}

interface Differing {
  readonly differing: number;
  readonly of: number;
  /** What p must be at most. */
  readonly alpha: number;
}

/** Clips without the sound that published difficulties are of. */
interface NarrowClips {
  readonly upToKilohertz: number;
  readonly clips: number;
  readonly narrow: number;
  /** The rates of files that show it; none where their sound does, which ends below so many kHz. */
  readonly kilohertz: readonly number[];
  readonly endBelow?: number;
}

interface Compared {
  readonly compared: number;
  readonly of: number;
  readonly whose: 'this run' | 'the baseline';
}

interface NotBy {
  /** So many times as many speakers might not decide it. */
  readonly notBy?: number;
}

/** The ends of the interval that a test asks for: 0 lies between. */
interface Ends {
  readonly low?: number;
  readonly high?: number;
}

/** Together with how many it was tested; null: with all comparisons, however many. */
interface Corrected extends Ends {
  readonly among: number | null;
  /** `comparison` if absent. */
  readonly family?: 'pair' | 'recognizer';
  /** By itself; null: not said. */
  readonly pValue: number | null;
  readonly minPValue?: number | null;
}

const unitsOf = ({ unit = 'speaker' }: InUnits) => `${unit}s`;
const inEach = (each?: string) => (each === undefined ? '' : ` ${each === 'side' ? 'on' : 'in'} each ${each}`);
const thereAre = (count: number) => `there ${count === 1 ? 'is' : 'are'} ${grouped(count)}`;

function few(what: string, { need, have, each, ...of }: FewUnits): string {
  const [first = 0, second] = have;
  const came = second !== undefined ? `they have ${first} and ${second}` : each ? `one has ${first}` : thereAre(first);
  return `an interval needs ${what}${need} ${unitsOf(of)}${inEach(each)}, and ${came}`;
}

function uneven(what: string, { need, have, effective, each, ...of }: UnevenUnits): string {
  return `an interval needs ${what} spread over more ${unitsOf(of)}${inEach(each)}: as unequal as they are, the ${have} count as ${effective.toFixed(1)}, and ${need} are needed`;
}

const wordsOf = ({ share, ofClean }: OfWords) =>
  `${Number((100 * share).toFixed(1))} % of the words${ofClean ? ' that are recognized in clean audio' : ''}`;

const notBy = ({ notBy: times }: NotBy) =>
  times === undefined ? '' : `; even ${times} times as many speakers might not decide`;

const cannotSay = 'the data cannot say how it varies';

/** Why there is no number, interval, test or verdict. The keys are the codes of reasons; what the words take is what a reason has besides. */
const words = {
  /** What a study of somebody's own, a measure of sound or a run of an earlier version says. */
  text: ({ text }: { readonly text: string }) => text,

  // Nothing that could be counted.
  'nothing-counted': 'there is nothing to count',
  'nothing-asked': 'nothing was asked',
  'nothing-answered': 'nothing was answered',
  'nothing-judged': 'nothing was judged',
  'no-study': 'no study of the run has it',
  'no-denominator': 'the rate is undefined: nothing to divide by',
  'no-ratio': 'the ratio is undefined: one of the rates is 0 or less',
  'no-group': 'no group is counted',
  'no-rate-of-groups': 'no group has a rate',
  'no-words': 'no word was said',
  'no-words-of-group': 'one of the two groups has no words',
  'no-errors-of-group': 'one of the two groups has no errors, so that there is no ratio to take apart',
  'no-words-answered': 'the group has no words that were answered',
  'nobody-outside': 'there is nobody outside of the group',
  'no-words-without-one': 'without one of the speakers a group has no words',
  'no-sentence-of-side': 'one side has no sentence',
  'no-reference': 'there are no references',
  'no-such-test': 'there is no such test',
  'no-value': 'it has no value',
  'no-value-of-either': 'one of the two has no value',
  'no-word': 'no answer has a word',
  'nothing-timed': 'no answer was timed',
  'no-audio-seconds': 'no answer came with the duration of its audio',
  'no-latency': 'no answer had one',
  'no-price': 'no answer told a price, and the config has none',
  'no-processor-seconds':
    'the processor time of an answer is not known: it was computed elsewhere, by a server, on another system than Linux, or kept by an earlier version',
  'no-duration': 'the duration of the clips is unknown',
  'no-clean-pair': 'no trial was answered both here and clean',
  'not-heard-by-listeners': 'no clip was heard by listeners',
  'not-rated': 'no listeners rated this scenario',

  // Too little to say how a number varies.
  'few-units': (of: FewUnits) => few('', of),
  'few-transcribed': (of: FewUnits) => few('transcribed recordings of ', of),
  'few-values': ({ need, have }: Needed) => `it needs at least ${need} values, and ${thereAre(have)}`,
  'too-few-values': 'there are too few values',
  'few-replicates': 'an interval needs two replicates',
  'few-recognizers': ({ need, have }: Needed) =>
    `a line needs at least ${need} recognizers with this fact, but ${thereAre(have)}`,
  'few-resamples': ({ resamples, level }: { readonly resamples: number; readonly level: number }) =>
    `${grouped(resamples)} resamples of the speakers are too few for a level of ${level}`,
  'few-for-causes': ({ need, have }: Needed) =>
    `so many causes need ${need} speakers, and ${thereAre(have)}; name fewer causes`,
  'uneven-units': (of: UnevenUnits) => uneven('words (denominators)', of),
  'uneven-transcribed': (of: UnevenUnits) => uneven('transcribed words', of),
  alike: (of: InUnits) => `every resample of the ${unitsOf(of)} gives the same: ${cannotSay}`,
  'alike-replicates': 'all replicates gave the same',
  'same-rate': ({ have, ...of }: InUnits & { readonly have?: number }) =>
    `all ${have === undefined ? '' : `${grouped(have)} `}${unitsOf(of)} have the same rate: ${cannotSay}`,
  'same-for-each': ({ value }: { readonly value: number }) =>
    `it is ${value === 0 ? '0' : 'the same'} for every speaker, so that nothing tells how it varies`,
  'same-without-one': 'it is the same without any of the speakers, so that nothing tells how it varies',
  'listeners-alike': (of: InUnits) => `${unitsOf(of)} and listeners do not differ at all`,
  'all-values-same': 'all values are the same',
  'all-ratings-same': 'all ratings are the same',
  'no-two-ratings': 'no unit has two ratings',
  'few-rates': 'most resamples have no rate',
  'rate-missing-in-resamples': ({ missing, resamples }: { readonly missing: number; readonly resamples: number }) =>
    `in ${grouped(missing)} of ${grouped(resamples)} resamples of the speakers a group has no rate`,
  'variance-of-few': 'too few speakers make its variance to say how far it may be off',
  'not-finite': 'its statistic is not a finite number, of all observations or of a part of them',
  'no-errors-told': 'pseudo verdicts take away more errors than there are, so that the rate cannot be told',
  'near-nothing': 'the rate is so near 0 that nothing tells by which factor it may be wrong',
  'beyond-asked': 'the interval reaches beyond what was asked: ask for more on either side too',
  'no-interval': 'there is no interval',

  // What was looked for lies outside of what was asked.
  'half-beyond': ({ what, snrDb, at }: Half) =>
    at === 'lowest'
      ? `fewer than half of the ${what} even at ${snrDb} dB, the lowest asked`
      : `half of the ${what} at ${snrDb} dB already, the highest asked`,
  'never-reached': (of: OfWords) => `${wordsOf(of)} are not understood even at the mildest level`,
  'always-reached': (of: OfWords) => `${wordsOf(of)} are still understood at the hardest level`,
  'no-threshold': 'one of the two has no threshold',
  'no-threshold-of-group': ({ who }: { readonly who: 'recognizer' | 'listeners' }) =>
    `${who === 'listeners' ? 'listeners have' : 'the machine has'} no threshold for one of the groups on the clips that people heard`,

  // Nothing was sampled.
  'timed-here': 'time was measured on the machine of this run, and not sampled',
  'not-sampled': 'it is counted or declared, not sampled',
  'all-there-are': 'these are all there are, so there is no sampling error',
  'median-has-it': 'the median has one',
  'change-has-it': 'its change has the interval',
  'a-bound': 'a bound, which has no interval',
  'a-mean-alone': 'a mean without the spread of recordings',
  'held-against': 'it is what the others are held against',
  'none-worse': 'no condition has more errors than clean audio, and this profile takes 0 for fewer',
  'parts-left-out': ({ left, of }: { readonly left: number; readonly of: number }) =>
    `${grouped(left)} of ${grouped(of)} parts are left out: no case in them was judged`,

  // No test, or one that says nothing.
  'not-tested': 'no test was made',
  'no-difference': 'there is no difference to test',
  'no-spread': 'a group of fewer than 2 speakers has no spread',
  'few-on-sides': 'a test needs at least 2 speakers inside and outside of the group',
  'few-who-differ': ({ differing }: { readonly differing: number }) =>
    `only ${differing} speaker${differing === 1 ? ' differs' : 's differ'}, which no test can tell from chance`,
  'not-counted': ({ why }: { readonly why: string | null }) => why ?? 'not counted',
  'no-w-test': 'there is no W-test',

  // Regressions.
  'no-errors': 'there is not a single error, so that there are no rates to compare',
  'one-speaker':
    'all rows are of one speaker, so that the difference between speakers is unknown; use a regression without speakers',
  collinear: ({ names }: { readonly names: readonly string[] }) =>
    `collinear predictors: ${names.join(', ')} can be made from the columns before; leave out a predictor`,
  'no-fit': 'there is no fit',
  'no-fit-without-it': 'the model without it has no fit',
  'no-fit-without-one': 'without one of the speakers there is no fit',
  'not-the-best-fit': 'the model without it fits better, so that the fit is not the best one',
  'no-coefficient': 'there is no coefficient',
  'not-settled': 'the fit did not converge',
  'no-solution': 'the least squares have no solution',
  'flat-likelihood': 'the likelihood has no maximum that could be told: it is flat in some direction',
  separated: 'the coefficients run away: some combination of predictors tells rows without errors apart (separation)',
  'cause-where-no-errors':
    'the regression has no solution: some cause is found only where nobody, or nearly nobody, has errors',
  'no-errors-at-reference': ({ level, factor }: LevelOfFactor) =>
    `no errors at the reference level ${level} of ${factor}, so that ratios to it do not exist; choose another reference`,
  'no-errors-at-level': ({ level, factor }: LevelOfFactor) =>
    `no error at level ${level} of ${factor}: its rate is estimated as 0, the logarithm has no finite value`,
  'profile-without-end': 'an end of the profile was not reached',
  'few-between-speakers': ({ need, have }: Needed) =>
    `a test of what differs between speakers needs more speakers (${have}) than coefficients between them (${need})`,
  'one-level': 'there is only one level',
  'few-rows': ({ need, have }: Needed) => `${need} coefficients need at least as many rows, but ${thereAre(have)}`,
  'no-freedom': 'there are no more rows than coefficients',
  'on-the-line': 'more than half of the rows lie exactly on the line, so that the scale of residuals is 0',
  'beyond-numbers': 'coefficients are beyond what a number holds',
  'cause-of-all': 'it is the same in all recordings, so that no gap goes with it',
  'cause-is-group': 'it goes with the group itself, so that its part cannot be told from what remains',
  'cause-in-others': 'it follows from the causes before it, so that its part is in theirs',
  'cause-not-known': ({
    missing,
    of,
    needs,
  }: {
    readonly missing: number;
    readonly of: number;
    readonly needs: string;
  }) => `it is not known for ${grouped(missing)} of ${grouped(of)} utterances (it needs ${needs})`,
  'cause-of-many-values': ({ need, have }: Needed) =>
    `it has ${have} values, but at most ${need} are possible; divide numbers with bins, or name an attribute with fewer`,
  'causes-are-group':
    'the causes together tell the groups apart, so that nothing can be split between them and what remains; name fewer causes',
  'no-cause-told': 'none of its causes can be told',

  // Few references.
  'not-transcribed': 'no recording is transcribed',
  'no-pseudo': 'there are no pseudo verdicts of the transcribed recordings',
  'no-pseudo-of-group': 'one of the two groups has no transcribed recording with a pseudo verdict',
  'no-transcript-with-verdict': 'no transcribed recording has a transcript and a verdict',
  'stratum-not-transcribed': ({ stratum }: { readonly stratum: string }) =>
    `no recording is transcribed of the stratum ${stratum}`,

  // Difficulties of scenarios, and what they are compared with.
  'no-difficulty-of-clean': 'clean audio has no difficulty',
  'no-difficulty-of-attacks':
    'each recognizer heard sounds of its own, so that no difficulty is common to all: attacks have a plain WERD',
  'difficulty-not-asked': 'no difficulties were asked for',
  'difficulty-not-given': 'the config gives no difficulty for it',
  'difficulty-not-published': ({ of, corpus }: { readonly of: string; readonly corpus?: string }) =>
    corpus === undefined
      ? `there is no published difficulty of ${of}`
      : `${corpus} has no published difficulty of ${of}`,
  'difficulty-of-other-benchmark': 'the published difficulties are of scenarios of Speech Robust Bench',
  'difficulty-of-other-language': ({ language }: { readonly language: string }) =>
    `the published difficulties are of English and Spanish, not of ${language}`,
  'difficulty-of-wider-clips': ({ upToKilohertz, clips, narrow, kilohertz, endBelow }: NarrowClips) =>
    `the published difficulties are of clips with sound up to ${upToKilohertz} kHz, and ${narrow === clips && endBelow === undefined ? 'all ' : `${grouped(narrow)} of `}${counted(clips, 'clip')} ${endBelow === undefined ? `have ${kilohertz.join(' or ')} kHz` : `end below ${endBelow} kHz`}; with difficulties: measured the corpus has its own`,
  'difficulty-of-other-rate': ({ kilohertz, made }: { readonly kilohertz: number; readonly made: number }) =>
    `the published difficulty is of clips at ${kilohertz} kHz, and this is made at ${made} kHz`,
  'difficulty-of-other-sounds': ({ collection }: { readonly collection: string }) =>
    `the published difficulty belongs to the sounds of ${collection}, and those of this name in the config are others; with difficulties: measured they have their own`,
  'difficulty-of-other-ladder':
    'published difficulties belong to the ladder srb, and this one is another; with difficulties: measured it has its own',
  'difficulty-not-above-nothing': ({ points }: { readonly points: number }) =>
    `its clips are so good that their difficulty (${points.toFixed(1)}) is not above 0`,
  'not-measured': 'its clips were not measured',
  'quality-without-spread': 'the scale has no spread',
  'no-baseline': ({ language }: { readonly language: string | null }) =>
    language === null
      ? 'there is no clean corpus to compare it with'
      : `there is no clean corpus of its language (${language}); name its baseline`,
  'many-baselines': 'there are several clean corpora; name its baseline',
  'baseline-not-answered': ({ baseline }: { readonly baseline: string }) =>
    `nothing was answered of its baseline ${baseline}`,

  // A limit that is neither kept nor broken.
  'limit-inside': (of: NotBy) => `the limit lies inside the interval${notBy(of)}`,
  'alone-it-would-fail': (of: NotBy) => `alone it would fail, and does not after correcting for all limits${notBy(of)}`,
  'few-compared': ({ compared, of, whose }: Compared) =>
    `only ${formatFixed((100 * compared) / of, percentDecimals(compared / of))} % of the trials of ${whose} there are compared (${grouped(compared)} of ${grouped(of)}), and fewer than half say nothing of the others`,
  'failures-decide': 'trials without a transcript decide: were all their words wrong, it would be above the limit',
  'few-before-end': 'too few speakers for a pass before the end',
  'at-the-end': 'counted at the end',
  /** `before`: the code of why the check itself was open. */
  'not-certain': (_: { readonly before: string | null }) => 'not certain when asking stopped',
  'clips-for-people': 'an interval over clips says nothing of people',
  'many-in-no-group': 'of more than a tenth, who are in no group, it says nothing',

  // A number and a test, and no verdict.
  'few-for-verdict': ({ need, have, by, usual, ...of }: Needed & InUnits & NeededBy) =>
    `too few ${unitsOf(of)}: ${grouped(have)} of the ${need} that ${by === 'test' ? 'a paired test' : 'an interval'} needs${usual === undefined ? '' : ` (by default ${usual})`}`,
  'few-differ': ({ differing, of, alpha, unit = 'speaker' }: InUnits & Differing) =>
    `${differing < of ? `only ${grouped(differing)} of ${counted(of, unit)} differ, and ` : ''}no arrangement of ${differing === 1 ? 'this' : 'these'} ${counted(differing, unit)} could reach p ≤ ${String(Number(alpha.toFixed(6))).replace(/^0/, '')}`,
  unchanged: ({ unit = 'speaker' }: InUnits) => `both have the same errors for every ${unit}`,
  'holds-nothing': 'the interval holds 0',
  corrected: ({ among, family, pValue, minPValue }: Corrected) =>
    `open among ${among === null ? `all ${family ?? 'comparison'}s` : counted(among, family ?? 'comparison')}${pValue === null ? '' : ` (${pValuePhrase(pValue, 'p', minPValue)} alone)`}`,
  'not-significant': ({ pValue }: { readonly pValue: number } & Ends) => `not significant: ${pValuePhrase(pValue)}`,
} satisfies Readonly<Record<string, string | ((numbers: never) => string)>>;

type Words = typeof words;

/** Names of reasons, as `report.json` has them. */
export const reasonCodes = Object.keys(words) as readonly (keyof Words)[];

/**
 * Why there is no number, interval, test or verdict: a code, with the numbers that its words need.
 *
 * @example reasonText({ code: 'few-units', need: 10, have: [5], unit: 'speaker' }) // 'an interval needs 10 speakers, and there are 5'
 */
export type Reason = {
  [Code in keyof Words]: { readonly code: Code } & (Words[Code] extends (numbers: infer Numbers) => string
    ? Numbers
    : unknown);
}[keyof Words];

/**
 * A reason in words, which may come from a file of somebody else: one that has no words here is its code.
 *
 * @example reasonText({ code: 'nothing-counted' }) // 'there is nothing to count'
 */
export function reasonText(reason: Reason): string {
  if (!Object.hasOwn(words, reason.code)) return reason.code;
  const text: string | ((numbers: never) => string) = words[reason.code];
  // Which words go with which numbers is what the type of reasons is made of.
  return typeof text === 'string' ? text : text(reason as never);
}

/** What is resampled, said of a reason that counts it and does not say yet. */
export function inUnits(reason: Reason, unit: Unit): Reason {
  switch (reason.code) {
    case 'few-units':
    case 'few-transcribed':
    case 'uneven-units':
    case 'uneven-transcribed':
    case 'alike':
    case 'same-rate':
    case 'listeners-alike':
      return { unit, ...reason };
    default:
      return reason;
  }
}

/** How many more units would do where there are too few; null for another reason. */
export function lackingUnits(reason: Reason | undefined): number | null {
  return reason?.code === 'few-units'
    ? reason.have.reduce((sum, have) => sum + Math.max(0, reason.need - have), 0)
    : null;
}

/** Why a comparison tells nothing, though its rates are known: `few-for-verdict`, `few-differ`, `unchanged`, `holds-nothing`, `corrected`, `not-significant` or what an estimate lacks. */
export interface OpenVerdict {
  readonly reason: Reason;
  /** About how many more speakers would settle it, were they like these. Null where no number near these would. */
  readonly more: number | null;
  /** What counts as one: recordings, where nobody knows who speaks. */
  readonly unit: 'speaker' | 'recording';
  /** So few decide it, and more speakers would not settle it. */
  readonly decidedBy?: { readonly count: number; readonly what: 'speaker' | 'recording' | 'utterance' };
}

/** Of more times as many units nobody can say anything. */
export const farthest = 50;

/** `about 24 more speakers would settle it`, or which one would; null where no number near these would, or the reason has it. */
export function whatSettles({ reason, more, unit, decidedBy }: OpenVerdict): string | null {
  if (decidedBy !== undefined) {
    const { count, what } = decidedBy;
    const [who, them] = count === 1 ? [`one ${what} decides`, 'it'] : [`${counted(count, what)} decide`, 'them'];
    return `${who} it: listen to what was heard, or leave ${them} out`;
  }
  if (more === null || reason.code === 'few-for-verdict') return null;
  const isClose = openInBrief({ reason, unit }).word === 'cannot tell';
  return `${isClose ? 'about ' : ''}${counted(more, `more ${unit}`)} would ${isClose ? 'settle it' : 'do'}`;
}

/** The same of several beside each other, in their order: `about 140 and 9 more speakers would settle them`; null where it is no number for each. */
export function whatSettlesEach(each: readonly OpenVerdict[]): string | null {
  const numbers = each.flatMap(({ reason, more, unit, decidedBy }) =>
    decidedBy === undefined && more !== null && openInBrief({ reason, unit }).word === 'cannot tell'
      ? [grouped(more)]
      : [],
  );
  if (numbers.length < Math.max(2, each.length)) return null;
  return `about ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)} more ${each[0]!.unit}s would settle them`;
}

/**
 * Why, and what would settle it, as one sentence's end.
 *
 * @example openInWords({ reason: { code: 'holds-nothing' }, more: 24, unit: 'speaker' }) // 'the interval holds 0; about 24 more speakers would settle it'
 */
export function openInWords(open: OpenVerdict): string {
  const { reason, more, unit } = open;
  const text = reasonText(reason);
  if (more === null && open.decidedBy === undefined && reason.code === 'holds-nothing')
    return `${text}; even ${farthest} times as many ${unit}s might not settle it`;
  return [text, whatSettles(open)].filter((part) => part !== null).join('; ');
}

/** In the place of a verdict: a mark and at most three words, which tell too few from what is open and from no change at all. */
export function openInBrief(open: Omit<OpenVerdict, 'more'> | undefined): {
  readonly mark: string;
  readonly word: string;
} {
  const reason = open?.reason;
  const unit = open?.unit ?? 'speaker';
  switch (reason?.code === 'not-certain' ? reason.before : reason?.code) {
    case 'unchanged':
    case 'alike':
      return { mark: '=', word: 'same errors' };
    case 'few-for-verdict':
    case 'few-units':
    case 'few-before-end':
      return { mark: '?', word: `too few ${unit}s` };
    case 'few-differ':
      return { mark: '?', word: 'too few differ' };
    case 'clips-for-people':
    case 'many-in-no-group':
      return { mark: '?', word: 'too few known' };
    default:
      return { mark: '?', word: 'cannot tell' };
  }
}

/**
 * The same in a sentence that names who is compared, and with whom.
 *
 * @example `asr: ${openAgainst(open, 'before')}.` // 'asr: cannot be told from before.', or 'asr: same errors as before.'
 */
export function openAgainst(open: OpenVerdict | undefined, whom: string): string {
  const { mark, word } = openInBrief(open);
  if (mark === '=') return `${word} as ${whom}`;
  if (word === 'too few differ') return `too few ${open!.unit}s differ to tell it from ${whom}`;
  return `${word === 'cannot tell' ? 'cannot be told' : `${word} to tell`} from ${whom}`;
}
