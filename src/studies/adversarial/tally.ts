import type { Json } from '../../base/json.ts';
import type { Example } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { countCharacterEdits } from '../../scoring/alignment/characters.ts';
import { errors as errorsIn, referenceLength } from '../../scoring/edit-counts.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer } from '../contract.ts';
import { alignedTranscript, keepBest } from '../shared/examples.ts';
import { FailureCounts } from '../shared/failures.ts';
import { SlicedCounts } from '../shared/sliced-counts.ts';
import { named } from '../shared/wording.ts';
import { controlOf, type Design, isAttack, isOwn } from './design.ts';
import type { AdversarialOptions } from './options.ts';

/**
 * What is counted of a recognizer in a condition: errors of words, of characters, words said that are lost (substituted or deleted),
 * clips of which no word, or one at most, is written, over all clips that are answered there. Beside the clean clip only those count of which
 * both were answered: clips for which an attack succeeds, and errors of words with those of the clean clips. So it is with an attack and its noise.
 */
export const counted = [
  ...(['words', 'characters', 'lost', 'empty', 'oneWord'] as const),
  ...(['successes', 'besideClean', 'cleanThere'] as const),
  ...(['besideNoise', 'noiseThere'] as const),
] as const;
export type Counted = (typeof counted)[number];

export interface Tally {
  readonly slices: SlicedCounts;
  /** The series of what is counted of a recognizer in a condition, by their places. */
  series(what: Counted, recognizer: number, attack: number): number;
  /** By recognizer x conditions + condition. */
  readonly trials: FailureCounts;
  /** By condition: the ratios that were reached, in decibels. */
  readonly reached: readonly ReachedRatios[];
  readonly examples: readonly Example[];
  readonly utterances: number;
  readonly withoutSpeaker: number;
  readonly withoutReference: number;
}

export interface ReachedRatios {
  readonly clips: number;
  readonly mean: number | null;
  readonly min: number | null;
  /** Where a float surrogate was attacked in place of the recognizer: tokens at which both choose the same, over all clips; null elsewhere. */
  readonly surrogate: { readonly same: number; readonly positions: number } | null;
  /** Questions that `spsa` asked for a clip, on average; null elsewhere. */
  readonly calls: number | null;
}

/** Reads the answers as they come; memory follows speakers and conditions. */
export async function tallyAttacks(
  answers: AsyncIterable<Answer>,
  design: Design,
  options: AdversarialOptions,
  normalizer: Normalizer,
): Promise<Tally> {
  const { recognizers, attacks } = design;
  const places = new Map(attacks.map(({ condition }, place) => [condition.name, place]));
  const numbers = new Map(recognizers.map(({ name }, place) => [name, place]));
  const slices = new SlicedCounts(options.groupBy);
  const trials = new FailureCounts(recognizers.length * attacks.length);
  const examples = keepBest<Example>(options.examples);
  const reached = attacks.map(() => ({ clips: 0, sum: 0, min: Infinity, same: 0, positions: 0, calls: 0 }));
  const counts = { utterances: 0, withoutSpeaker: 0, withoutReference: 0 };
  const series: Tally['series'] = (what, recognizer, attack) =>
    (counted.indexOf(what) * attacks.length + attack) * recognizers.length + recognizer;

  let current: Utterance | null = null;
  let heard: (Observation | undefined)[] = [];
  const at = (recognizer: number, attack: number) => heard[recognizer * attacks.length + attack];
  const finish = () => {
    if (current === null) return;
    const utterance = current;
    counts.utterances++;
    if (utterance.speaker === undefined) counts.withoutSpeaker++;
    const said = utterance.reference;
    if (said === undefined) {
      counts.withoutReference++;
      return;
    }
    const words = (text: string) => normalizer.words(text, utterance.language);
    const reference = words(said);
    const edited = (from: readonly string[], to: readonly string[]) =>
      countCharacterEdits(from, to, 'least', normalizer.hasCharacterWords?.(utterance.language));
    slices.enter(utterance);
    for (const [recognizer, { name }] of recognizers.entries()) {
      const scores = [...attacks.keys()].map((attack) => {
        const transcript = at(recognizer, attack)?.transcript;
        if (transcript === undefined) return null;
        const text = words(transcript.text);
        const edits = countEdits(reference, text);
        return { text, errors: errorsIn(edits), lost: reference.length - edits.correct };
      });
      const clean = scores[0] ?? null;
      for (const [attack, score] of scores.entries()) {
        if (score === null) continue;
        const { text, errors } = score;
        const add = (what: Counted, count: number, of = reference.length) =>
          slices.add(series(what, recognizer, attack), count, of, 1, 1);
        add('words', errors);
        add('lost', score.lost);
        const characters = edited(reference, text);
        add('characters', errorsIn(characters), referenceLength(characters));
        slices.addToWhole(series('empty', recognizer, attack), text.length === 0 ? 1 : 0, 1, 1, 1);
        slices.addToWhole(series('oneWord', recognizer, attack), text.length <= 1 ? 1 : 0, 1, 1, 1);
        const noise = isAttack(attacks[attack]!) ? (scores[controlOf(attack, design)] ?? null) : null;
        if (noise !== null) {
          add('besideNoise', errors);
          add('noiseThere', noise.errors);
        }
        if (clean === null) continue;
        add('besideClean', errors);
        add('cleanThere', clean.errors);
        const changes = edited(clean.text, text);
        const changed = errorsIn(changes);
        const succeeds = changed > 0 && changed >= options.successCer * referenceLength(changes);
        add('successes', succeeds ? 1 : 0, 1);
        const { condition } = attacks[attack]!;
        if (!isAttack(attacks[attack]!) || !isOwn({ recognizer, attack }, design)) continue;
        const rank = [errors - clean.errors, -reference.length];
        if (errors > clean.errors && examples.wants(rank)) {
          const row = (label: string, place: number) =>
            alignedTranscript(label, reference, at(recognizer, place)!, words);
          examples.offer(rank, {
            title: `${named(name)}: ${errors - clean.errors} more of ${reference.length} words wrong, ${condition.name}`,
            utteranceId: utterance.id,
            conditionName: condition.name,
            draw: 0,
            transcripts: [row('clean', 0), row(condition.name, attack)],
          });
        }
      }
    }
  };

  for await (const answer of answers) {
    if (answer.ask !== 'recognition' && answer.ask !== 'measurement') continue;
    const utterance = answer.ask === 'recognition' ? answer.trial.utterance : answer.utterance;
    if (current?.id !== utterance.id) {
      finish();
      current = utterance;
      heard = [];
    }
    if (answer.ask === 'measurement') {
      const facts = answer.measurement?.facts ?? [];
      const ratio = reachedRatio(facts);
      const own = reached[places.get(answer.condition.name)!]!;
      if (ratio === null) continue;
      for (const { surrogate, calls } of facts) {
        if (typeof calls === 'number') own.calls += calls;
        const { sameTokens, positions } = (surrogate ?? {}) as {
          readonly sameTokens?: number;
          readonly positions?: number;
        };
        own.same += sameTokens ?? 0;
        own.positions += positions ?? 0;
      }
      own.clips++;
      own.sum += ratio;
      own.min = Math.min(own.min, ratio);
      continue;
    }
    const place = numbers.get(answer.trial.recognizer)! * attacks.length + places.get(answer.trial.condition.name)!;
    heard[place] = answer.observation;
    if (answer.observation.failure) trials.addFailure(place, answer.observation.failure.kind);
    else trials.addAnswer(place);
  }
  finish();
  return {
    ...{ slices, series, trials, ...counts, examples: examples.items() },
    reached: reached.map(({ clips, sum, min, same, positions, calls }) => ({
      clips,
      mean: clips === 0 ? null : sum / clips,
      min: clips === 0 ? null : min,
      surrogate: positions === 0 ? null : { same, positions },
      calls: calls === 0 ? null : calls / clips,
    })),
  };
}

/** The energy ratio that the last step which has one says it reached. */
function reachedRatio(facts: readonly { readonly [key: string]: Json }[]): number | null {
  const ratios = facts.map(({ achievedSnrDb }) => achievedSnrDb).filter((ratio) => typeof ratio === 'number');
  return ratios.at(-1) ?? null;
}
