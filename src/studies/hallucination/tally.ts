import type { Condition } from '../../model/condition.ts';
import type { Example } from '../../model/finding.ts';
import { repeatedLoops } from '../../scoring/analysis/repeated-loops.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer } from '../contract.ts';
import { alignedTranscript } from '../shared/aligned-transcript.ts';
import { keepBest } from '../shared/best-kept.ts';
import { FailureCounts } from '../shared/failure-counts.ts';
import { createSpeakerClusters } from '../shared/speaker-clusters.ts';
import { counted, named } from '../shared/wording.ts';
import { InventedTexts } from './invented-texts.ts';
import type { HallucinationOptions } from './options.ts';
import { openSoundPairs, type Pair } from './sound-pairs.ts';
import { type Part, SoundParts } from './sound-parts.ts';

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
        title: `${named(name)} writes ${counted(written.length, 'word')} for ${named(utterance.id)}${loops > 0 ? ', caught in a loop' : ''}`,
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
