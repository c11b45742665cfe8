import { badInput, type EarwitnessError } from '../base/errors.ts';
import { type ChannelSamples, mixToMono } from './clip.ts';

/** What is taken of several channels: their mean, or one of them, counted from 1. */
export type ChannelChoice = 'mean' | number;

/**
 * Makes one channel of several, one stretch after another.
 *
 * @throws EarwitnessError `bad-input` where the chosen channel is not there
 */
export type ChannelMixer = (channels: readonly ChannelSamples[], sampleRate: number) => Float32Array;

/** @param nameForErrors of the file whose channels these are */
export function channelMixer(choice: ChannelChoice, nameForErrors: string): ChannelMixer {
  if (choice === 'mean') return mixToMono;
  return (channels) => {
    const chosen = channels[choice - 1];
    if (chosen === undefined) throw absentChannel(choice, channels.length, nameForErrors);
    return chosen instanceof Float32Array ? chosen : Float32Array.from(chosen);
  };
}

/** How the channels of a file stand to each other. */
export interface ChannelFacts {
  readonly count: number;
  /**
   * `equal`: sample by sample, or there is only one. `alike`: their mean is as good as each of them. `unlike`: it is not. Channels in
   * which there is nothing do not count, unless there is nothing in any.
   */
  readonly relation: 'equal' | 'alike' | 'unlike';
  /** Those in which there is something, counted from 1, all where there is nothing in any. */
  readonly live: readonly number[];
  /** Of each: root mean square without the constant part, relative to full scale; -Infinity where it is constant. */
  readonly levelsDbfs: readonly number[];
  /** Whether their mean is far weaker than that of unrelated sounds would be. */
  readonly cancel: boolean;
  /** Of unlike ones: the first stretch in which they differ; null where no stretch does by itself. */
  readonly differ: ChannelDifference | null;
}

/** Where channels differ first, and how much. */
interface ChannelDifference {
  /** To a tenth of a second. */
  readonly startSeconds: number;
  /** There, of the one that has least in common with all others together: from -1 (opposite) over 0 (nothing) to 1. */
  readonly correlation: number;
}

/** What a file of one channel has. */
export const oneChannel: ChannelFacts = {
  count: 1,
  relation: 'equal',
  live: [1],
  levelsDbfs: [0],
  cancel: false,
  differ: null,
};

/** Finds out how channels stand to each other from their samples, one stretch after another. */
export interface ChannelMeter {
  add(channels: readonly ChannelSamples[], sampleRate: number): void;
  facts(): ChannelFacts;
}

/**
 * A channel holds something from this root mean square on: -78 dBFS. Below it lie the dither of 16 bits (-96 to -90 dBFS), a constant, and
 * what codecs make of silence; above it the noise of an input that nothing is plugged into (-70 to -60 dBFS) and the quietest speech.
 */
const minRms = 2 ** -13;

/** How much the mean of channels may leave out where it is as good as each of them. */
interface Tolerance {
  /** What it does not explain of a channel's power, as a share of that of this channel or of the loudest. */
  readonly unexplained: number;
  readonly of: 'each' | 'loudest';
  /** How much weaker the mean is than the loudest channel. */
  readonly minOfLoudest: number;
}

/**
 * Of the whole. 14 dB: copies of one sound stay within it, also
 * from converters of their own (noise at 30 dB, a balance of 2 dB) through codecs at their lowest rates: they come to -90 to -15 dB, AAC
 * at 16 kbit/s alone to -13. Two people on a line are beyond it where they are 6 dB or more apart (-11 to -0.5 dB), and so are microphones
 * that the sound reaches two samples of 16 kHz apart (-8 dB), whose mean is a comb filter (speech of TIMIT). 3 dB: of two
 * channels one may be 7.6 dB below the other.
 */
const ofWhole: Tolerance = { unexplained: 0.04, of: 'each', minOfLoudest: 0.5 };

/** A second person who says a sentence in a long call is lost in the whole of it: each second is measured by itself, too. */
const ofSecond: Tolerance = { unexplained: 0.1, of: 'loudest', minOfLoudest: 0.35 };
/** Of the average power of a stretch: what is quieter is noise between the words. */
const minOfAverage = 0.1;

/** What is measured together. */
const piecesInSecond = 10;

/** The lower edge of the telephone band: a constant, hum and rumble are what two lines may have in common. */
const lowestHz = 300;

/** What decides is taken behind two high-pass filters of the first order one after the other. */
export function createChannelMeter(): ChannelMeter {
  let count = 0;
  let all = 0;
  let equal = true;
  let sums = new Float64Array(0);
  let squares = new Float64Array(0);
  /** Of tenths of seconds, of what the filters let through: the power of each channel, then the product of each with the sum of all. */
  const pieces: Float32Array[] = [];
  let piece = new Float64Array(0);
  let pieceFrames = 0;
  let pieceSeconds = 1 / piecesInSecond;
  /** Of each channel: its last sample, what the first filter gave last, and the second. */
  let states = new Float64Array(0);
  const begin = (channels: readonly ChannelSamples[]) => {
    count = channels.length;
    sums = new Float64Array(count);
    squares = new Float64Array(count);
    piece = new Float64Array(2 * count);
    states = new Float64Array(3 * count);
    for (const [at, samples] of channels.entries()) states[3 * at] = samples[0] ?? 0;
  };

  const endPiece = () => {
    pieces.push(Float32Array.from(piece));
    piece.fill(0);
    pieceFrames = 0;
  };

  return {
    add(channels, sampleRate) {
      if (count === 0) begin(channels);
      const [first] = channels;
      if (first === undefined || channels.length === 1) return;
      for (const channel of channels) equal &&= channel === first || sameSamples(channel, first);
      const decay = 1 / (1 + (2 * Math.PI * lowestHz) / sampleRate);
      const framesInPiece = Math.ceil(sampleRate / piecesInSecond);
      pieceSeconds = framesInPiece / sampleRate;
      for (let n = 0; n < first.length; n++) {
        let sum = 0;
        for (let one = 0, at = 0; one < count; one++, at += 3) {
          const value = channels[one]![n]!;
          sums[one]! += value;
          squares[one]! += value * value;
          const once = decay * (states[at + 1]! + value - states[at]!);
          const filtered = decay * (states[at + 2]! + once - states[at + 1]!);
          states[at] = value;
          states[at + 1] = once;
          states[at + 2] = filtered;
          sum += filtered;
        }
        for (let one = 0; one < count; one++) {
          const filtered = states[3 * one + 2]!;
          piece[one]! += filtered * filtered;
          piece[count + one]! += filtered * sum;
        }
        if (++pieceFrames === framesInPiece) endPiece();
      }
      all += first.length;
    },
    facts() {
      if (count <= 1) return oneChannel;
      const power = Array.from(sums, (sum, one) => squares[one]! / all - (sum / all) ** 2);
      const levelsDbfs = power.map((value) => (value > 0 ? 10 * Math.log10(value) : Number.NEGATIVE_INFINITY));
      const every = power.map((_, one) => one);
      // What is no number is refused as such.
      const isNumber = power.every(Number.isFinite);
      const loud = isNumber ? every.filter((one) => power[one]! >= minRms ** 2) : [];
      const live = loud.length === 0 ? every : loud;
      if (pieceFrames > 0) endPiece();
      const tenths = pieces.map((products) => stretchOf([products], live));
      const seconds = Array.from({ length: Math.ceil(pieces.length / piecesInSecond) }, (_, second) =>
        stretchOf(pieces.slice(second * piecesInSecond, (second + 1) * piecesInSecond), live),
      );
      const whole = stretchOf(pieces, live);
      const average = whole.loudest / tenths.length;
      const differs = (stretch: Stretch, tenthsWithin: number, tolerance: Tolerance) =>
        stretch.loudest >= minOfAverage * tenthsWithin * average && leavesOut(stretch, tolerance);
      const apart = seconds.map((second) => differs(second, piecesInSecond, ofSecond));
      // Two in turn, so that no click, and no second in which a codec is poor, decides.
      const turn = apart.findIndex((isApart, second) => isApart && apart[second + 1]);
      const isWhole = leavesOut(whole, ofWhole);
      const alike = loud.length <= 1 || (!isWhole && turn < 0);
      // Of those that differ by the whole the first tenth that does; of others the first of the seconds that do.
      const from = isWhole ? 0 : turn * piecesInSecond;
      const at = tenths.findIndex((tenth, place) => place >= from && differs(tenth, 1, isWhole ? ofWhole : ofSecond));
      return {
        count,
        relation: equal ? 'equal' : alike ? 'alike' : 'unlike',
        live: live.map((one) => one + 1),
        levelsDbfs,
        cancel: !alike && whole.ofAll < 0.5 * whole.own.reduce((sum, value) => sum + value, 0),
        differ: alike || at < 0 ? null : { startSeconds: at * pieceSeconds, correlation: correlationIn(tenths[at]!) },
      };
    },
  };
}

/** Of a stretch and the channels that count: sums of squares and of products. */
interface Stretch {
  /** Of each channel. */
  readonly own: readonly number[];
  /** Of each channel with the sum of all. */
  readonly withAll: readonly number[];
  /** Of the sum of all. */
  readonly ofAll: number;
  /** Of the loudest channel. */
  readonly loudest: number;
}

function stretchOf(pieces: readonly Float32Array[], live: readonly number[]): Stretch {
  const total = (at: number) => pieces.reduce((sum, piece) => sum + piece[at]!, 0);
  const count = (pieces[0]?.length ?? 0) / 2;
  const own = live.map((one) => total(one));
  const withAll = live.map((one) => total(count + one));
  return { own, withAll, ofAll: withAll.reduce((sum, value) => sum + value, 0), loudest: Math.max(...own) };
}

/** Whether the mean of the channels leaves out more than it may. */
function leavesOut({ own, withAll, ofAll, loudest }: Stretch, { unexplained, of, minOfLoudest }: Tolerance): boolean {
  const allowed = (at: number) => unexplained * (of === 'each' ? own[at]! : loudest);
  const explained = withAll.every((value, at) => value ** 2 >= (own[at]! - allowed(at)) * ofAll);
  return !(ofAll > 0 && explained && ofAll / own.length ** 2 >= minOfLoudest * loudest);
}

/** Of the channel that has least in common with all others together. */
function correlationIn({ own, withAll, ofAll }: Stretch): number {
  const each = own.map((power, at) => {
    const ofOthers = Math.max(0, ofAll - 2 * withAll[at]! + power);
    return power * ofOthers > 0 ? (withAll[at]! - power) / Math.sqrt(power * ofOthers) : 0;
  });
  return Math.min(...each);
}

function sameSamples(one: ChannelSamples, other: ChannelSamples): boolean {
  for (let n = 0; n < one.length; n++) if (one[n] !== other[n]) return false;
  return true;
}

/** One that is so much louder than all others is the one most people mean. */
const standsOutDb = 6;

/**
 * What is heard of a file.
 *
 * @param wanted undefined: nobody has chosen
 * @returns the mean where the chosen channel is as the others, sample by sample, or the only one
 * @throws EarwitnessError `bad-input`: nobody has chosen, and channels are unlike; the chosen one is not there
 */
export function chosenChannel(
  wanted: ChannelChoice | undefined,
  facts: ChannelFacts,
  nameForErrors: string,
): ChannelChoice {
  const { count, relation, live, levelsDbfs } = facts;
  if (typeof wanted === 'number') {
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > count) throw absentChannel(wanted, count, nameForErrors);
    return relation === 'equal' ? 'mean' : wanted;
  }
  if (wanted === 'mean') return wanted;
  if (relation === 'unlike') {
    const [loudest, next] = live.toSorted((one, other) => levelsDbfs[other - 1]! - levelsDbfs[one - 1]!) as number[];
    const standsOut = levelsDbfs[loudest! - 1]! - levelsDbfs[next! - 1]! >= standsOutDb;
    const proposal = standsOut ? `${loudest} (by far the loudest)` : `${live[0]}`;
    throw badInput(
      `${nameForErrors}: expected one sound, but it has ${describeChannels(facts)}; ${howToChoose(proposal)}`,
    );
  }
  return live.length < count ? live[0]! : 'mean';
}

/** Channels whose levels are named. */
const maxNamed = 8;

/**
 * How channels differ.
 *
 * @example '2 channels, unlike from second 12.4 on (-17.0 and -17.1 dBFS, correlation 0.03)'
 */
export function describeChannels({ count, levelsDbfs, cancel, differ }: ChannelFacts): string {
  const levels = levelsDbfs.slice(0, maxNamed).map((level) => (level < -200 ? 'nothing' : level.toFixed(1)));
  const last = count > maxNamed ? '…' : levels.pop();
  const loud = `${levels.join(', ')} and ${last}${last === 'nothing' ? '' : ' dBFS'}`;
  // No -0.00.
  const correlation = differ && (Math.round(100 * differ.correlation) / 100 + 0).toFixed(2);
  const where = differ ? ` from second ${differ.startSeconds.toFixed(1)} on` : '';
  return `${count} channels, unlike${where} (${loud}${differ ? `, correlation ${correlation}` : ''})${cancel ? ', that cancel each other when they are mixed' : ''}`;
}

/** The end of a sentence about unlike channels, for commands and configs alike. */
export function howToChoose(which: string): string {
  return `choose with --channels, or channels: in the config: ${which}, each (one by one) or mean (mixed)`;
}

function absentChannel(wanted: number, count: number, nameForErrors: string): EarwitnessError {
  return badInput(
    `${nameForErrors}: expected a channel ${wanted}, but the file has ${count === 1 ? 'one channel' : `${count} channels`}; choose another, counted from 1`,
  );
}
