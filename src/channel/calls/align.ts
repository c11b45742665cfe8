import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { traceNumbers } from '../../scoring/alignment/numbers.ts';
import { createTape } from '../../scoring/alignment/trace-back.ts';
import { defineCall } from '../call.ts';
import type { NumberArray } from '../frames.ts';

/**
 * Aligns pairs of numbered words or characters with the fewest edits (`countEdits`). In come `references`, `hypotheses` (the numbers of all pairs one
 * after another, below `limit`), `referenceLengths` and `hypothesisLengths` (of each pair). The value is the counts of all together; with
 * `alignments` there are `kinds` (`operation`) and `runs` (how often each goes on) of all pairs, and of each pair how many `runsOfPair`.
 */
export const align = defineCall(
  z.object({ limit: z.int().min(0), alignments: z.boolean() }),
  ({ limit, alignments }, arrays) => {
    const references = numbersOf(arrays.references);
    const hypotheses = numbersOf(arrays.hypotheses);
    const referenceLengths = numbersOf(arrays.referenceLengths);
    const hypothesisLengths = numbersOf(arrays.hypothesisLengths);
    const total = { correct: 0, substitutions: 0, deletions: 0, insertions: 0 };
    const path = createPath(alignments ? referenceLengths.length : 0);
    let [from, to] = [0, 0];
    for (let pair = 0; pair < referenceLengths.length; pair++) {
      const reference = references.subarray(from, from + referenceLengths[pair]!);
      const hypothesis = hypotheses.subarray(to, to + hypothesisLengths[pair]!);
      from += reference.length;
      to += hypothesis.length;
      const tape = alignments ? createTape(reference.length, hypothesis.length) : null;
      const counts = traceNumbers(reference, hypothesis, limit, 'least', tape);
      total.correct += counts.correct;
      total.substitutions += counts.substitutions;
      total.deletions += counts.deletions;
      total.insertions += counts.insertions;
      if (tape !== null) path.add(pair, tape.operations.subarray(tape.start));
    }
    return alignments ? { value: total, arrays: path.arrays() } : { value: total };
  },
);

function numbersOf(array: NumberArray | undefined): Int32Array {
  if (array instanceof Int32Array) return array;
  throw badInput('expected four arrays of 32-bit integers');
}

/** Operations that follow each other, told as how often each goes on. */
function createPath(pairs: number) {
  const runsOfPair = new Int32Array(pairs);
  let kinds = new Uint8Array(4 * pairs);
  let runs = new Int32Array(4 * pairs);
  let count = 0;
  return {
    add(pair: number, operations: Uint8Array): void {
      const before = count;
      for (let place = 0; place < operations.length; ) {
        const kind = operations[place]!;
        const begin = place;
        while (place < operations.length && operations[place] === kind) place++;
        if (count === runs.length) {
          kinds = grown(kinds, new Uint8Array(2 * count + 64));
          runs = grown(runs, new Int32Array(2 * count + 64));
        }
        kinds[count] = kind;
        runs[count++] = place - begin;
      }
      runsOfPair[pair] = count - before;
    },
    arrays: () => ({ kinds: kinds.subarray(0, count), runs: runs.subarray(0, count), runsOfPair }),
  };
}

function grown<Numbers extends Uint8Array | Int32Array>(old: Numbers, larger: Numbers): Numbers {
  larger.set(old);
  return larger;
}
