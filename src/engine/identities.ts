import { EarwitnessError } from '../base/errors.ts';
import { hashJson } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { Corpus } from '../corpora/contract.ts';
import type { Trial } from '../model/trial.ts';
import type { Utterance } from '../model/utterance.ts';
import type { Question } from '../studies/contract.ts';
import type { NamedCondition, ReadyCondition } from './conditions.ts';
import { clipHash, heardKey, namedKey, soundHash, unreadableKey } from './keys.ts';
import type { RecognizerSetup } from './setup.ts';
import { meterNamed, type SimilarityMeters, similarityKey } from './text-models.ts';

const rememberedSounds = 4096;

/** Questions about an utterance: its sound, or what was recognized in it. */
export type UtteranceQuestion = Exclude<Question, { readonly ask: 'prediction' | 'elapsed' }>;

/** Finds the key of any question about an utterance. */
export interface Identities {
  key(question: UtteranceQuestion, condition: ReadyCondition): Promise<string>;
  /** The key of a trial whose recognizer knows only names. */
  named(trial: Trial, condition: NamedCondition): string;
  /** Whether an answer depends on a sound. */
  hears(question: UtteranceQuestion): boolean;
}

export function createIdentities(options: {
  readonly corpus: Corpus;
  readonly recognizers: readonly RecognizerSetup[];
  readonly seed: number;
  readonly runId: string;
  readonly similarity?: SimilarityMeters | undefined;
  /** Is told what the sound of an utterance is, when that has been found out. */
  readonly onSound?: (utteranceId: string, identity: JsonObject) => void;
}): Identities {
  const { corpus, seed, runId } = options;
  const hashes = new Map(options.recognizers.map(({ name, identity }) => [name, hashJson(identity)]));
  const hearing = new Set(options.recognizers.filter(({ input }) => input === 'sound').map(({ name }) => name));
  const sounds = new Map<string, string | null>();
  // Questions about one clip come one after another, so remembering the last is enough.
  let lastClip = { utterance: '', condition: -1, draw: -1, hash: '' };

  const soundOf = async (utterance: Utterance): Promise<string | null> => {
    let hash = sounds.get(utterance.id);
    if (hash === undefined) {
      const identity = await identify(corpus, utterance);
      if (identity !== null) options.onSound?.(utterance.id, identity);
      hash = identity === null ? null : soundHash(identity);
      if (sounds.size >= rememberedSounds) sounds.clear();
      sounds.set(utterance.id, hash);
    }
    return hash;
  };
  const clipOf = async (utterance: Utterance, condition: ReadyCondition, draw: number): Promise<string | null> => {
    if (lastClip.utterance === utterance.id && lastClip.condition === condition.index && lastClip.draw === draw) {
      return lastClip.hash;
    }
    const sound = await soundOf(utterance);
    if (sound === null) return null;
    lastClip = {
      utterance: utterance.id,
      condition: condition.index,
      draw,
      hash: clipHash(sound, condition, draw, seed, utterance),
    };
    return lastClip.hash;
  };

  const identityOf = (recognizer: string): string => {
    const identity = hashes.get(recognizer);
    if (identity === undefined) throw new Error(`a study asked the recognizer ${recognizer}, which is not in the run`);
    return identity;
  };
  const named: Identities['named'] = ({ utterance: { id, language }, recognizer, repeat }, { condition }) =>
    namedKey(identityOf(recognizer), id, condition.name, language, repeat);

  return {
    named,
    hears: (question) =>
      question.ask === 'recognition' ? hearing.has(question.trial.recognizer) : question.ask === 'measurement',
    async key(question, condition) {
      if (question.ask === 'similarity') {
        return similarityKey(await meterNamed(options.similarity, question.embedder), question);
      }
      if (question.ask === 'measurement') {
        const clip = await clipOf(question.utterance, condition, question.draw);
        return clip ?? unreadableKey(runId, question.utterance.id, condition.condition.name, null);
      }
      const { utterance, recognizer, draw, repeat } = question.trial;
      if (!hearing.has(recognizer)) return named(question.trial, condition);
      const clip = await clipOf(utterance, condition, draw);
      return clip === null
        ? unreadableKey(runId, utterance.id, condition.condition.name, recognizer)
        : heardKey(identityOf(recognizer), clip, utterance.language, repeat);
    },
  };
}

/** Null where there is no sound, or none that can be read: the trial fails later with the sentence that says why. */
async function identify(corpus: Corpus, utterance: Utterance): Promise<JsonObject | null> {
  try {
    return await corpus.soundIdentity(utterance);
  } catch (error) {
    if (error instanceof EarwitnessError && error.code === 'bad-input') return null;
    throw error;
  }
}
