import { limitText } from '../../base/printable.ts';
import type { Example } from '../../model/finding.ts';
import type { Condition } from '../../model/trial.ts';
import { repeatedLoops } from '../../scoring/analysis/repeated-loops.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import type { Answer } from '../contract.ts';
import { alignedTranscript, keepBest } from '../shared/examples.ts';
import { FailureCounts } from '../shared/failures.ts';
import { createSpeakerClusters } from '../shared/speaker-clusters.ts';
import { counted, named } from '../shared/wording.ts';
import type { HallucinationOptions } from './options.ts';
import { ClipSums, type Part, SoundParts } from './sound-parts.ts';

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
  const parts = new SoundParts(options.groupBy);
  const pairs = openSoundPairs(recognizers.length);
  let sound = '';
  let unit = 0;

  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { utterance, condition, draw, recognizer: name } = answer.trial;
    const { observation } = answer;
    const here = JSON.stringify([utterance.id, condition.name, draw]);
    if (here !== sound) {
      pairs.leave(unit);
      sound = here;
      // The recording is the unit, whoever speaks in it: the speech is gone.
      unit = units.clusterOf({ id: utterance.id, language: '', attributes: {}, tags: [] });
    }
    const recognizer = numbers.get(name)!;
    const place = recognizer * conditions.length + places.get(condition.name)!;
    if (observation.failure) {
      trials.addFailure(place, observation.failure.kind);
      continue;
    }
    trials.addAnswer(place);
    const words = (text: string) => normalizer.words(text, utterance.language);
    const written = words(observation.transcript.text);
    const loops = repeatedLoops(written).length;
    pairs.hear(recognizer, written.length);
    parts.add({
      utterance,
      condition: condition.name,
      recognizer,
      unit,
      words: written.length,
      seconds: observation.soundSeconds,
      loops,
    });
    if (written.length === 0) continue;
    texts[recognizer]!.add(written);
    if (best.wants([written.length])) {
      best.offer([written.length], {
        title: `${named(name)} writes ${counted(written.length, 'word')} for ${named(utterance.id)}${loops > 0 ? ', in a loop' : ''}`,
        utteranceId: utterance.id,
        conditionName: condition.name,
        draw,
        transcripts: [alignedTranscript(name, [], observation, words)],
      });
    }
  }
  pairs.leave(unit);
  return {
    parts: parts.all(),
    pairs: pairs.pairs,
    trials,
    texts,
    examples: best.items(),
    manyValued: parts.manyValued(),
    recordings: units.count,
    merged: units.merged,
  };
}

/** A text that was written though nobody spoke. */
interface InventedText {
  readonly text: string;
  /** How many sounds it was written for. */
  readonly sounds: number;
}

const maxTexts = 20_000;
const maxCharacters = 200;

/** Counts invented texts; those that come after the first 20,000 different ones are counted together. */
class InventedTexts {
  readonly #counts = new Map<string, number>();
  #rest = 0;

  /** @param words of the transcript, at least one */
  add(words: readonly string[]): void {
    // Long ones are cut; through JSON, because parts of a string keep all of it alive.
    const text: string = JSON.parse(JSON.stringify(limitText(words.slice(0, maxCharacters).join(' '), maxCharacters)));
    const count = this.#counts.get(text);
    if (count === undefined && this.#counts.size >= maxTexts) this.#rest++;
    else this.#counts.set(text, (count ?? 0) + 1);
  }

  get different(): number {
    return this.#counts.size;
  }

  /** How many sounds had a text that was not counted by itself. */
  get uncounted(): number {
    return this.#rest;
  }

  /** Commonest first; of equals in the order of code units. */
  commonest(most: number): InventedText[] {
    return [...this.#counts]
      .map(([text, sounds]) => ({ text, sounds }))
      .sort((a, b) => b.sounds - a.sounds || (a.text < b.text ? -1 : 1))
      .slice(0, most);
  }
}

/** Clips with words among those that two recognizers both answered, by recording. */
interface Pair {
  readonly first: number;
  readonly second: number;
  readonly counts: () => { readonly first: ClusteredCounts; readonly second: ClusteredCounts; readonly sounds: number };
}

/** Counts pairs of recognizers, sound by sound. */
interface SoundPairs {
  /** What a recognizer wrote for the sound in hand. */
  hear(recognizer: number, words: number): void;
  /** The sound in hand has been heard by everybody. */
  leave(unit: number): void;
  readonly pairs: readonly Pair[];
}

/** @param recognizers how many */
function openSoundPairs(recognizers: number): SoundPairs {
  const numbers = Array.from({ length: recognizers }, (_, number) => number);
  const counted = numbers.flatMap((first) =>
    numbers.slice(first + 1).map((second) => ({ first, second, sums: [new ClipSums(), new ClipSums()] as const })),
  );
  const heard = new Map<number, number>();
  return {
    hear(recognizer, words) {
      heard.set(recognizer, words);
    },
    leave(unit) {
      for (const { first, second, sums } of counted) {
        const [one, other] = [heard.get(first), heard.get(second)];
        if (one === undefined || other === undefined) continue;
        sums[0].add(unit, { words: one, seconds: null, loops: 0 });
        sums[1].add(unit, { words: other, seconds: null, loops: 0 });
      }
      heard.clear();
    },
    pairs: counted.map(({ first, second, sums }) => ({
      first,
      second,
      counts: () => ({ first: sums[0].shares(), second: sums[1].shares(), sounds: sums[0].sounds }),
    })),
  };
}
