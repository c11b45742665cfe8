import { randomInt } from 'node:crypto';
import type { Utterance } from '../model/utterance.ts';
import type { RunReader } from '../store/contract.ts';
import { Growing } from './view-files.ts';

/** What is read of a run to write its pages. */
export interface RunView extends Pick<RunReader, 'utterances' | 'trials' | 'conditions'> {
  /** The position in the store of what stands at a position here. */
  original(position: number): number;
}

/**
 * A run with its utterances in an order that nobody can tell, each with its trials, and numbers for names: where a corpus lists one speaker
 * after the other, its order says who speaks.
 */
export function shuffledRun(store: RunReader, runId: string): RunView {
  let count = 0;
  for (let read = 500; read === 500; count += read) read = store.utterances(runId, { from: count, limit: 500 }).length;
  const originals = Uint32Array.from({ length: count }, (_, position) => position);
  for (let at = count - 1; at > 0; at--) {
    const other = randomInt(at + 1);
    [originals[at], originals[other]] = [originals[other]!, originals[at]!];
  }
  const utteranceAt = (position: number): Utterance => {
    const [utterance] = store.utterances(runId, { from: originals[position]!, limit: 1 });
    return { ...utterance!, id: clipName(position) };
  };
  // Of millions of trials no object each.
  const asked = {
    ...{ answer: new Growing(Uint32Array), condition: new Growing(Uint16Array), draw: new Growing(Uint16Array) },
    ...{ recognizer: new Growing(Uint16Array), repeat: new Growing(Uint16Array) },
  };
  const conditions = new Map<string, number>();
  const first = new Uint32Array(count + 1);
  for (const trial of store.trials(runId)) {
    asked.answer.push(trial.answer);
    const condition = conditions.get(trial.conditionName) ?? conditions.size;
    conditions.set(trial.conditionName, condition);
    asked.condition.push(condition);
    asked.draw.push(trial.draw);
    asked.recognizer.push(trial.recognizer);
    asked.repeat.push(trial.repeat);
    first[trial.position + 1] = asked.answer.length;
  }
  for (let position = 1; position <= count; position++)
    first[position] = Math.max(first[position]!, first[position - 1]!);
  const [answers, conditionOf, draws] = [asked.answer.done(), asked.condition.done(), asked.draw.done()];
  const [recognizers, repeats, names] = [asked.recognizer.done(), asked.repeat.done(), [...conditions.keys()]];
  return {
    original: (position) => originals[position]!,
    conditions: store.conditions,
    utterances(_, { from, limit }) {
      const length = Math.max(0, Math.min(limit, count - from));
      return Array.from({ length }, (_, at) => utteranceAt(from + at));
    },
    *trials() {
      for (let position = 0; position < count; position++) {
        const utterance = utteranceAt(position);
        const original = originals[position]!;
        for (let row = first[original]!; row < first[original + 1]!; row++) {
          const answer = answers[row]!;
          const observation = store.observation(answer);
          if (observation === null) continue;
          const conditionName = names[conditionOf[row]!]!;
          const [draw, recognizer, repeat] = [draws[row]!, recognizers[row]!, repeats[row]!];
          yield { utterance, position, answer, conditionName, draw, recognizer, repeat, observation };
        }
      }
    },
  };
}

/** What an utterance is called where its name is not told. */
export function clipName(position: number): string {
  return `clip ${position + 1}`;
}

export function* utterancesOf(store: Pick<RunReader, 'utterances'>, run: string): Generator<Utterance> {
  for (let from = 0; ; from += 500) {
    const found = store.utterances(run, { from, limit: 500 });
    yield* found;
    if (found.length < 500) return;
  }
}
