import type { Condition } from '../../model/condition.ts';
import type { Example } from '../../model/finding.ts';
import type { Utterance } from '../../model/utterance.ts';
import { repeatedLoops } from '../../scoring/analysis/repeated-loops.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import type { Answer } from '../contract.ts';
import { alignedTranscript } from '../shared/aligned-transcript.ts';
import { keepBest } from '../shared/best-kept.ts';
import { FailureCounts } from '../shared/failure-counts.ts';
import { createSpeakerClusters } from '../shared/speaker-clusters.ts';
import { counted, named } from '../shared/wording.ts';
import { ClipSums } from './clip-sums.ts';
import { InventedTexts } from './invented-texts.ts';
import type { HallucinationOptions } from './options.ts';

/** Upper ends in seconds of the classes of duration; the last has none. */
export const durationEnds = [2, 5, 10, 30] as const;

/** A part of the sounds of one recognizer that is looked at by itself. */
export interface Part {
  readonly kind: 'all' | 'condition' | 'duration' | 'group';
  readonly recognizer: number;
  /** The condition's name, the class of duration, or the value of the attribute. */
  readonly name: string;
  readonly attribute?: string;
  readonly sums: ClipSums;
}

/** Sounds with words among those that two recognizers both answered, by recording. */
export interface Pair {
  readonly first: number;
  readonly second: number;
  readonly counts: () => { readonly first: ClusteredCounts; readonly second: ClusteredCounts; readonly sounds: number };
}

export interface Tally {
  readonly parts: readonly Part[];
  readonly pairs: readonly Pair[];
  /** By recognizer x conditions + condition. */
  readonly trials: FailureCounts;
  /** By recognizer. */
  readonly texts: readonly InventedTexts[];
  readonly examples: readonly Example[];
  readonly manyValued: readonly string[];
  readonly recordings: number;
  readonly merged: boolean;
}

const mostValues = 50;

/** Reads the answers as they come; memory follows conditions, groups and at most 2,000 units of recordings. */
export async function tallySounds(
  answers: AsyncIterable<Answer>,
  recognizers: readonly string[],
  conditions: readonly Condition[],
  options: HallucinationOptions,
  normalizer: Normalizer,
): Promise<Tally> {
  const numbers = new Map(recognizers.map((name, index) => [name, index]));
  const places = new Map(conditions.map(({ name }, index) => [name, index]));
  const units = createSpeakerClusters();
  const trials = new FailureCounts(recognizers.length * conditions.length);
  const texts = recognizers.map(() => new InventedTexts());
  const best = keepBest<Example>(options.examples);
  const parts = new Map<string, Part>();
  const manyValued = new Set<string>();
  const values = new Map<string, Set<string>>();
  const pairs = recognizers.flatMap((_, first) =>
    recognizers.slice(first + 1).map((_, offset) => ({
      first,
      second: first + 1 + offset,
      sums: [new ClipSums(), new ClipSums()] as const,
    })),
  );
  const words = (text: string) => normalizer.words(text);
  const partOf = (part: Omit<Part, 'sums'>): ClipSums => {
    const key = JSON.stringify([part.kind, part.recognizer, part.attribute, part.name]);
    let known = parts.get(key);
    if (known === undefined) {
      known = { ...part, sums: new ClipSums() };
      parts.set(key, known);
    }
    return known.sums;
  };
  const isLookedAt = (attribute: string, value: string): boolean => {
    if (manyValued.has(attribute)) return false;
    const known = values.get(attribute) ?? new Set<string>();
    values.set(attribute, known.add(value));
    if (known.size > mostValues) manyValued.add(attribute);
    return known.size <= mostValues;
  };

  let sound = '';
  let heard: { readonly recognizer: number; readonly words: number }[] = [];
  let unit = 0;
  const leave = () => {
    for (const { first, second, sums } of pairs) {
      const one = heard.find(({ recognizer }) => recognizer === first);
      const other = heard.find(({ recognizer }) => recognizer === second);
      if (one === undefined || other === undefined) continue;
      sums[0].add(unit, { words: one.words, seconds: null, loops: 0 });
      sums[1].add(unit, { words: other.words, seconds: null, loops: 0 });
    }
    heard = [];
  };

  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { utterance, condition, draw } = answer.trial;
    const { observation } = answer;
    const here = JSON.stringify([utterance.id, condition.name, draw]);
    if (here !== sound) {
      leave();
      sound = here;
      // The recording is the unit, whoever speaks in it: the speech is gone.
      unit = units.clusterOf({ id: utterance.id, language: '', attributes: {}, tags: [] });
    }
    const recognizer = numbers.get(answer.trial.recognizer)!;
    const place = recognizer * conditions.length + places.get(condition.name)!;
    if (observation.failure) {
      trials.addFailure(place, observation.failure.kind);
      continue;
    }
    trials.addAnswer(place);
    const written = words(observation.transcript.text);
    const loops = repeatedLoops(written).length;
    const seconds = observation.soundSeconds;
    const entry = { words: written.length, seconds, loops };
    heard.push({ recognizer, words: written.length });
    partOf({ kind: 'all', recognizer, name: '' }).add(unit, entry);
    partOf({ kind: 'condition', recognizer, name: condition.name }).add(unit, entry);
    if (seconds !== null) partOf({ kind: 'duration', recognizer, name: durationClass(seconds) }).add(unit, entry);
    for (const attribute of options.groupBy) {
      const value = ownValue(utterance, attribute);
      if (value === undefined || !isLookedAt(attribute, value)) continue;
      partOf({ kind: 'group', recognizer, attribute, name: value }).add(unit, entry);
    }
    if (written.length === 0) continue;
    texts[recognizer]!.add(written);
    if (best.wants([written.length])) {
      const name = recognizers[recognizer]!;
      best.offer([written.length], {
        title: `${named(name)} writes ${counted(written.length, 'word')} for ${named(utterance.id)}${loops > 0 ? ', caught in a loop' : ''}`,
        utteranceId: utterance.id,
        conditionName: condition.name,
        draw,
        transcripts: [alignedTranscript(name, [], observation, words)],
      });
    }
  }
  leave();
  return {
    parts: [...parts.values()].filter(({ attribute }) => attribute === undefined || !manyValued.has(attribute)),
    pairs: pairs.map(({ first, second, sums }) => ({
      first,
      second,
      counts: () => ({ first: sums[0].shares(), second: sums[1].shares(), sounds: sums[0].sounds }),
    })),
    trials,
    texts,
    examples: best.items(),
    manyValued: [...manyValued].sort(),
    recordings: units.count,
    merged: units.merged,
  };
}

/** `2 to 5 s` */
function durationClass(seconds: number): string {
  const place = durationEnds.findIndex((end) => seconds < end);
  if (place === 0) return durationClasses[0]!;
  return durationClasses[place === -1 ? durationEnds.length : place]!;
}

/** The classes of duration, shortest first. */
export const durationClasses: readonly string[] = [
  `under ${durationEnds[0]} s`,
  ...durationEnds.slice(1).map((end, place) => `${durationEnds[place]} to ${end} s`),
  `${durationEnds.at(-1)} s and longer`,
];

function ownValue({ attributes }: Utterance, attribute: string): string | undefined {
  return Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
}
