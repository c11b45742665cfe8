import { createHash } from 'node:crypto';
import { hashJson } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { clipHash, heardKey, namedKey, soundHash, unreadableKey } from '../../engine/keys.ts';
import { elapsedKey } from '../../engine/text-models.ts';
import type { Condition } from '../../model/trial.ts';
import type { BundleLine } from './bundle-line.ts';
import { type KnownParts, type Plan, readPlan } from './known-parts.ts';
import type { AnswerCheck } from './verification.ts';

const maxSentences = 20;

type Before = Pick<KnownParts, 'run' | 'plan' | 'materials' | 'conditions' | 'utterances'>;

/** Counts answers as they go by, and makes the key of each again from what the bundle says it is the answer to. */
export interface AnswerChecker {
  add(line: BundleLine<'answer' | 'batch'>, before: Before): void;
  result(): AnswerCheck;
}

export function createAnswerChecker(): AnswerChecker {
  const counts = { answers: 0, recognitions: 0, failures: 0, askedBeforePlan: 0, earlier: 0, earlierWithoutTime: 0 };
  const faults: string[] = [];
  let faultCount = 0;
  let firstAskedAtMs: number | null = null;
  // Of each recognizer, and of what no recognizer answers: what was seen, for several studies may ask the same.
  const seen = new Map<number | null, Set<string>>();
  const isFirst = ({ recognizer, utterance, condition, draw, repeat, key, quality = [] }: BundleLine<'answer'>) => {
    const known = seen.get(recognizer) ?? new Set();
    seen.set(recognizer, known);
    const before = known.size;
    known.add(recognizer === null ? [key, ...quality].join() : `${utterance} ${condition} ${draw} ${repeat}`);
    return known.size > before;
  };
  let batch: { line: BundleLine<'batch'>; keys: ReturnType<typeof createHash>; size: number } | null = null;
  let keyOf: ((line: BundleLine<'answer'>, batch: number) => string | null) | null = null;
  const fault = (sentence: string) => {
    faultCount++;
    if (faults.length < maxSentences) faults.push(sentence);
  };
  const endBatch = () => {
    if (batch === null) return;
    const { line, keys, size } = batch;
    if (size !== line.size)
      fault(`batch ${line.batch} (${line.study}): ${size} answers, but ${line.size} were asked for`);
    else if (keys.digest('hex') !== line.keysHash)
      fault(`batch ${line.batch} (${line.study}): its questions were changed`);
    batch = null;
  };

  return {
    add(line, before) {
      keyOf ??= keyMaker(before, readPlan(before.plan));
      if (line.part === 'batch') {
        endBatch();
        batch = { line, keys: createHash('sha256'), size: 0 };
        return;
      }
      const isNew = isFirst(line);
      if (isNew) counts.answers++;
      const place = `answer ${line.position} of batch ${batch?.line.batch ?? '?'}`;
      if (batch === null || line.position !== batch.size) fault(`${place}: it stands in the wrong place`);
      if (batch !== null) {
        batch.size++;
        batch.keys.update(line.key);
        for (const measure of line.quality ?? []) batch.keys.update(measure);
        const key = keyOf(line, batch.line.batch);
        if (key !== null && key !== line.key) fault(`${place}: it is not the answer to the question beside it`);
      }
      if (line.recognizer !== null) {
        const failure = failureOf(line.observation);
        // Nobody was asked what cannot be asked.
        if (isNew && failure?.kind !== 'inapplicable') {
          counts.recognitions++;
          if (failure !== undefined) counts.failures++;
        }
        if (line.observation === undefined) fault(`${place}: it has no answer`);
        // Of a sound that cannot be read nobody was asked.
        else if (!('failure' in line.observation) && !line.earlier && line.askedAtMs === null)
          fault(`${place}: it was asked in this run, but has no time`);
      }
      if (line.askedAtMs !== null) {
        if (isNew && line.askedAtMs < before.plan.frozenAtMs) counts.askedBeforePlan++;
        if (!line.earlier) firstAskedAtMs = Math.min(firstAskedAtMs ?? line.askedAtMs, line.askedAtMs);
      }
      if (isNew && line.earlier && line.recognizer !== null) {
        counts.earlier++;
        if (line.askedAtMs === null) counts.earlierWithoutTime++;
      }
    },
    result() {
      endBatch();
      return { ...counts, firstAskedAtMs, faults, faultCount };
    },
  };
}

interface Recipe {
  readonly steps: Json;
  readonly random?: boolean;
  readonly readsText?: boolean;
}

/** The key of a question as the engine makes it; null for texts, whose keys are made where studies ask for them. */
function keyMaker(
  { run, conditions, utterances, materials }: Before,
  plan: Plan,
): (line: BundleLine<'answer'>, batch: number) => string | null {
  const identities = plan.recognizers.map(({ identity }) => hashJson(identity));
  const recipes = new Map(materials.filter(({ kind }) => kind === 'recipe').map(({ name, value }) => [name, value]));
  const clips = new Map<string, string>();

  const clipOf = ({ utterance, condition, draw }: BundleLine<'answer'>): string | null => {
    const { sound, soundHash: stated } = utterances[utterance]!;
    const hash = sound === null ? stated : soundHash(sound);
    if (hash === null) return null;
    const asked = conditions[condition]!.condition as Condition;
    if (asked.steps.length === 0) return hash;
    const recipe = recipes.get(asked.name) as Recipe | undefined;
    if (typeof recipe !== 'object' || recipe === null) return '';
    // The recognizers that hear a clip stand one after another.
    const place = `${utterance} ${condition} ${draw}`;
    let clip = clips.get(place);
    if (clip === undefined) {
      const { steps, random, readsText } = recipe;
      const ready = { condition: asked, recipe: steps, random: random === true, readsText: readsText === true };
      clip = clipHash(hash, ready, draw, run.seed, utterances[utterance]!.utterance);
      if (clips.size > 1000) clips.clear();
      clips.set(place, clip);
    }
    return clip;
  };

  return (line, batch) => {
    if (line.asks === 'elapsed') return elapsedKey(run.id, batch, line.position);
    if (line.asks !== undefined) return null;
    const utterance = utterances[line.utterance]?.utterance;
    const condition = conditions[line.condition]?.condition;
    if (utterance === undefined || condition === undefined) return '';
    if (line.recognizer === null) return clipOf(line) ?? unreadableKey(run.id, utterance.id, condition.name, null);
    const recognizer = plan.recognizers[line.recognizer];
    const identity = identities[line.recognizer];
    if (recognizer === undefined || identity === undefined) return '';
    if (recognizer.input === 'names') {
      return namedKey(identity, utterance.id, condition.name, utterance.language, line.repeat);
    }
    const clip = clipOf(line);
    return clip === null
      ? unreadableKey(run.id, utterance.id, condition.name, recognizer.name)
      : heardKey(identity, clip, utterance.language, line.repeat);
  };
}

function failureOf(observation: BundleLine<'answer'>['observation']): { readonly kind: string } | undefined {
  return observation !== undefined && 'failure' in observation
    ? (observation.failure as { readonly kind: string })
    : undefined;
}
