import type { JsonObject } from '../../base/json.ts';
import type { Example } from '../../model/finding.ts';
import type { Trial } from '../../model/trial.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { countCharacterEdits } from '../../scoring/alignment/characters.ts';
import { errors as errorsIn, referenceLength } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer } from '../contract.ts';
import type { Heard } from '../shared/cube/contract.ts';
import { alignedTranscript, keepBest } from '../shared/examples.ts';
import { named } from '../shared/wording.ts';
import type { AttackCube, AttackedClip } from './attack-cube.ts';
import { type AttackDesign, controlOf, isAttack, isOwn } from './design.ts';
import type { AdversarialOptions } from './options.ts';

/** What came of all that was asked, beside what the cube adds up. */
export interface ReadAttacks {
  /** By condition: the ratios that were reached, in decibels. */
  readonly reached: readonly ReachedRatios[];
  /** Clips that lose most. */
  readonly examples: readonly Example[];
  readonly utterances: number;
  readonly withoutSpeaker: number;
  readonly withoutReference: number;
}

interface ReachedRatios {
  readonly clips: number;
  readonly mean: number | null;
  readonly min: number | null;
  /** Where a float surrogate was attacked in place of the recognizer: tokens at which both choose the same, over all clips; null elsewhere. */
  readonly surrogate: { readonly same: number; readonly positions: number } | null;
}

/** Reads the answers as they come, the clean clip and the noise of an utterance before its attacks. */
export async function readAttacks(
  answers: AsyncIterable<Answer>,
  cube: AttackCube,
  design: AttackDesign,
  options: AdversarialOptions,
  normalizer: Normalizer,
): Promise<ReadAttacks> {
  const { recognizers, attacks } = design;
  const places = new Map(attacks.map(({ condition }, place) => [condition.name, place]));
  const numbers = new Map(recognizers.map(({ name }, place) => [name, place]));
  const examples = keepBest<Example>(8);
  const reached = attacks.map(() => ({ clips: 0, sum: 0, min: Infinity, same: 0, positions: 0 }));
  const met = { utterances: 0, withoutSpeaker: 0, withoutReference: 0 };
  let current = '';
  /** Of the utterance in hand, by attack: what each recognizer wrote. */
  let scored: Map<number, ScoredTranscript>[] = [];

  const meet = ({ utterance }: Trial) => {
    if (met.utterances > 0 && utterance.id === current) return;
    current = utterance.id;
    scored = attacks.map(() => new Map());
    met.utterances++;
    if (utterance.speaker === undefined) met.withoutSpeaker++;
    if (utterance.reference === undefined) met.withoutReference++;
    // Who speaks is known, whatever fails.
    else
      cube.add(
        utterance,
        recognizers.map(() => null),
      );
  };

  const score = ({ trial, observation }: Heard): AttackedClip | null => {
    const { utterance, condition, recognizer: name } = trial;
    if (utterance.reference === undefined) return null;
    const [attack, recognizer] = [places.get(condition.name)!, numbers.get(name)!];
    const words = (text: string) => normalizer.words(text, utterance.language);
    const edited = (from: readonly string[], to: readonly string[]) => {
      const edits = countCharacterEdits(from, to, 'least', normalizer.hasCharacterWords?.(utterance.language));
      return { errors: errorsIn(edits), length: referenceLength(edits) };
    };
    const reference = words(utterance.reference);
    const text = words(observation.transcript.text);
    const edits = countEdits(reference, text);
    const own: ScoredTranscript = { text, errors: errorsIn(edits), observation };
    scored[attack]!.set(recognizer, own);
    const clean = scored[0]!.get(recognizer);
    const isMade = isAttack(attacks[attack]!);
    const noise = isMade ? scored[controlOf(attack, design)]?.get(recognizer) : undefined;
    const more = clean === undefined ? 0 : own.errors - clean.errors;
    const costOf = (other: ScoredTranscript) => {
      const changes = edited(other.text, text);
      const succeeds = changes.errors > 0 && changes.errors >= options.successCer * changes.length;
      return { successes: Number(succeeds), cleanErrors: other.errors, costs: more };
    };
    if (clean !== undefined && more > 0 && isMade && isOwn({ recognizer, attack }, design)) {
      // Of equals the first recognizer's of the first utterance, whose answers come one after another by condition.
      const rank = [more, -reference.length, -met.utterances, -recognizer];
      if (examples.wants(rank)) {
        const row = (label: string, of: Heard['observation']) => alignedTranscript(label, reference, of, words);
        examples.offer(rank, {
          title: `${named(name)}: ${more} more of ${reference.length} words wrong, ${condition.name}`,
          utteranceId: utterance.id,
          conditionName: condition.name,
          draw: 0,
          transcripts: [row('clean', clean.observation), row(condition.name, observation)],
        });
      }
    }
    const characters = edited(reference, text);
    return {
      condition: condition.name,
      heard: text,
      clips: 1,
      words: reference.length,
      errors: own.errors,
      lost: reference.length - edits.correct,
      characters: characters.length,
      characterErrors: characters.errors,
      empty: Number(text.length === 0),
      oneWord: Number(text.length <= 1),
      ...(noise !== undefined && { noiseErrors: noise.errors }),
      ...(clean !== undefined && costOf(clean)),
    };
  };

  async function* measured(): AsyncGenerator<Answer> {
    for await (const answer of answers) {
      yield answer;
      if (answer.ask !== 'measurement') continue;
      const facts = answer.measurement?.facts ?? [];
      const ratio = reachedRatio(facts);
      if (ratio === undefined) continue;
      const own = reached[places.get(answer.condition.name)!]!;
      for (const { surrogate } of facts) {
        const agreed = (surrogate ?? {}) as { readonly sameTokens?: number; readonly positions?: number };
        own.same += agreed.sameTokens ?? 0;
        own.positions += agreed.positions ?? 0;
      }
      own.clips++;
      own.sum += ratio;
      own.min = Math.min(own.min, ratio);
    }
  }

  await cube.fill(measured(), score, meet);
  return {
    ...met,
    examples: examples.items(),
    reached: reached.map(({ clips, sum, min, same, positions }) => ({
      clips,
      mean: clips === 0 ? null : sum / clips,
      min: clips === 0 ? null : min,
      surrogate: positions === 0 ? null : { same, positions },
    })),
  };
}

interface ScoredTranscript {
  readonly text: readonly string[];
  readonly errors: number;
  readonly observation: Heard['observation'];
}

/** The energy ratio that the last step which has one says it reached. */
function reachedRatio(facts: readonly JsonObject[]): number | undefined {
  return facts
    .map(({ achievedSnrDb }) => achievedSnrDb)
    .filter((ratio) => typeof ratio === 'number')
    .at(-1);
}
