import { EarwitnessError } from '../base/errors.ts';
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
}

/** What a file of one channel has. */
export const oneChannel: ChannelFacts = { count: 1, relation: 'equal', live: [1], levelsDbfs: [0], cancel: false };

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

/**
 * How much of the power of each channel its mean with the others may fail to explain: -14 dB. Copies of one sound stay within it, also
 * from converters of their own (noise at 30 dB, a balance of 2 dB) through codecs at their lowest rates: they come to -90 to -15 dB, AAC
 * at 16 kbit/s alone to -13. Two people on a line are beyond it where they are 6 dB or more apart (-11 to -0.5 dB), and so are microphones
 * that the sound reaches two samples of 16 kHz apart (-8 dB), whose mean is a comb filter (speech of TIMIT).
 */
const unexplained = 0.04;

/** How much weaker the mean may be than the loudest channel: 3 dB, so that of two channels one may be 7.6 dB below the other. */
const minOfLoudest = 0.5;

/** Products of this many channels by each other are taken of every sample; of more, of every so many. */
const channelsOfEverySample = 8;

/** A second person who says a sentence in a long call is lost in the whole of it: each second is measured by itself, too. */
const stretchSeconds = 1;
/** Two in turn, so that no click, and no second in which a codec is poor, decides. */
const stretchesInTurn = 2;
/** Of the average power of a second: what is quieter is noise between the words. */
const minOfAverage = 0.1;
const unexplainedForAWhile = 0.1;
const minOfLoudestForAWhile = 0.35;

/** The lower edge of the telephone band: a constant, hum and rumble are what two lines may have in common. */
const lowestHz = 300;

/** What decides is taken behind two high-pass filters of the first order one after the other. */
export function createChannelMeter(): ChannelMeter {
  let count = 0;
  let all = 0;
  let equal = true;
  let sums = new Float64Array(0);
  let squares = new Float64Array(0);
  /** Of what the filters let through, each with each, below the diagonal. */
  let products = new Float64Array(0);
  /** The same of each stretch that is over, and of the one under way, which has so many frames. */
  const stretches: Float64Array[] = [];
  let stretch = new Float64Array(0);
  let stretchFrames = 0;
  /** Of each channel: its last sample, what the first filter gave last, and the second. */
  let states = new Float64Array(0);
  const begin = (channels: readonly ChannelSamples[]) => {
    count = channels.length;
    all = 0;
    sums = new Float64Array(count);
    squares = new Float64Array(count);
    products = new Float64Array(count * count);
    stretch = new Float64Array(count * count);
    states = new Float64Array(3 * count);
    for (const [at, samples] of channels.entries()) states[3 * at] = samples[0] ?? 0;
  };

  const endStretch = () => {
    for (const [at, product] of stretch.entries()) products[at]! += product;
    if (count <= channelsOfEverySample) stretches.push(stretch);
    stretch = new Float64Array(count * count);
    stretchFrames = 0;
  };

  return {
    add(channels, sampleRate) {
      if (count === 0) begin(channels);
      const [first] = channels;
      if (first === undefined || channels.length === 1) return;
      for (const channel of channels) equal &&= channel === first || sameSamples(channel, first);
      const decay = 1 / (1 + (2 * Math.PI * lowestHz) / sampleRate);
      const step = Math.max(1, Math.round((count / channelsOfEverySample) ** 2));
      for (let n = 0; n < first.length; n++) {
        for (let one = 0, at = 0; one < channels.length; one++, at += 3) {
          const value = channels[one]![n]!;
          sums[one]! += value;
          squares[one]! += value * value;
          const once = decay * (states[at + 1]! + value - states[at]!);
          states[at + 2] = decay * (states[at + 2]! + once - states[at + 1]!);
          states[at] = value;
          states[at + 1] = once;
        }
        stretchFrames++;
        if (n % step !== 0) continue;
        for (let one = 0; one < channels.length; one++) {
          const filtered = states[3 * one + 2]!;
          for (let other = 0; other <= one; other++) {
            stretch[one * count + other]! += filtered * states[3 * other + 2]!;
          }
        }
        if (stretchFrames >= stretchSeconds * sampleRate) endStretch();
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
      if (stretchFrames > 0) endStretch();
      const of = (one: number, other: number) => products[Math.max(one, other) * count + Math.min(one, other)]!;
      const withAll = live.map((one) => live.reduce((sum, other) => sum + of(one, other), 0));
      const ofSum = withAll.reduce((sum, value) => sum + value, 0);
      const own = live.map((one) => of(one, one));
      const mean = ofSum / live.length ** 2;
      const explained = withAll.every((value, at) => value ** 2 >= (1 - unexplained) * own[at]! * ofSum);
      const strong = mean >= minOfLoudest * Math.max(...own);
      const whole = ofSum > 0 && explained && strong;
      const alike = loud.length <= 1 || (whole && !differForAWhile(stretches, live, count, Math.max(...own)));
      return {
        count,
        relation: equal ? 'equal' : alike ? 'alike' : 'unlike',
        live: live.map((one) => one + 1),
        levelsDbfs,
        cancel: !alike && ofSum < 0.5 * own.reduce((sum, value) => sum + value, 0),
      };
    },
  };
}

/** Whether in several stretches one behind the other, of no less than average sound, the mean leaves out much of a channel. */
function differForAWhile(stretches: readonly Float64Array[], live: readonly number[], count: number, total: number) {
  let inTurn = 0;
  for (const products of stretches) {
    const of = (one: number, other: number) => products[Math.max(one, other) * count + Math.min(one, other)]!;
    const withAll = live.map((one) => live.reduce((sum, other) => sum + of(one, other), 0));
    const ofSum = withAll.reduce((sum, value) => sum + value, 0);
    const own = live.map((one) => of(one, one));
    const loudest = Math.max(...own);
    const isLoud = loudest >= (minOfAverage * total) / stretches.length;
    const explained = withAll.every((value, at) => value ** 2 >= (own[at]! - unexplainedForAWhile * loudest) * ofSum);
    const strong = ofSum / live.length ** 2 >= minOfLoudestForAWhile * loudest;
    inTurn = isLoud && !(explained && strong) ? inTurn + 1 : 0;
    if (inTurn >= stretchesInTurn) return true;
  }
  return false;
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
    const proposal = standsOut ? `${loudest}, by far the loudest` : `${live[0]}`;
    throw new EarwitnessError(
      'bad-input',
      `${nameForErrors}: expected one sound, but it has ${describeChannels(facts)}; choose one (channels: ${proposal}), take each by itself (channels: each), or mix them all the same (channels: mean)`,
    );
  }
  return live.length < count ? live[0]! : 'mean';
}

/** Channels whose levels are named. */
const maxNamed = 8;

/**
 * How channels differ.
 *
 * @example '2 channels, unlike (-17.0 and -17.1 dBFS), that cancel each other when they are mixed'
 */
export function describeChannels({ count, levelsDbfs, cancel }: ChannelFacts): string {
  const levels = levelsDbfs.slice(0, maxNamed).map((level) => (level < -200 ? 'nothing' : level.toFixed(1)));
  const last = count > maxNamed ? '…' : levels.pop();
  return `${count} channels, unlike (${levels.join(', ')} and ${last}${last === 'nothing' ? '' : ' dBFS'})${cancel ? ', that cancel each other when they are mixed' : ''}`;
}

function absentChannel(wanted: number, count: number, nameForErrors: string): EarwitnessError {
  return new EarwitnessError(
    'bad-input',
    `${nameForErrors}: expected a channel ${wanted}, but the file has ${count === 1 ? 'one' : count}; choose another (channels are counted from 1)`,
  );
}
