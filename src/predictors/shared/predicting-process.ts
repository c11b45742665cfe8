import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { type AskedProcesses, type AskedTask, answerLimit } from '../../system/asked-processes.ts';
import { failureLine, helloMembers, openedLine, pongLine } from '../../system/line-process.ts';
import type { Prediction, Predictor, TriedText } from '../contract.ts';
import { inOrderOfText } from './collection.ts';

/** Options that predictors in processes that stay have alike. */
export const predictingOptions = { timeoutSeconds: answerLimit('one prediction, training included,', 3600) };

const chances = z.array(z.number());
const predictingLines = z.discriminatedUnion('say', [
  z.object(helloMembers),
  openedLine,
  z.object({ say: z.literal('prediction'), id: z.int(), determinable: chances, failing: chances }),
  failureLine,
  pongLine,
]);
export type PredictingSaid = z.output<typeof predictingLines>;

/** A process that is asked which texts are worth trying (docs/protocol.md). */
export const predicting: AskedTask<PredictingSaid> = { does: 'predict', lines: predictingLines };

/** What a process is asked to predict, texts in the order of their code units so that the order of trying changes nothing. */
export function predictLine(tried: readonly TriedText[], pool: readonly string[], seed: number) {
  const known = inOrderOfText(tried).map((one) => ({ ...one, text: one.text.toWellFormed() }));
  return { say: 'predict', tried: asJson(known), pool: pool.map((text) => text.toWellFormed()), seed };
}

/**
 * The chances that a process said.
 *
 * @throws EarwitnessError `bad-input` where they are not one from 0 to 1 for each text
 */
export function readPrediction(
  said: Extract<PredictingSaid, { say: 'prediction' }>,
  count: number,
  name: string,
): Prediction {
  const read = (what: 'determinable' | 'failing') => {
    const wrong = said[what].find((chance) => !(chance >= 0 && chance <= 1));
    const came =
      said[what].length !== count
        ? `${said[what].length} chances, where ${count} are expected: one for each text of the pool`
        : wrong === undefined
          ? null
          : `${wrong}, where a chance from 0 to 1 is expected`;
    if (came !== null) throw new EarwitnessError('bad-input', `${printable(name, 100)} gave in \`${what}\` ${came}`);
    return Float64Array.from(said[what]);
  };
  return { determinable: read('determinable'), failing: read('failing') };
}

/** A predictor whose chances come from processes that stay. */
export function predictorOf({ hello, identity, ask, close }: AskedProcesses<PredictingSaid>): Predictor {
  return {
    identity,
    async predict(tried, pool, seed, signal) {
      signal?.throwIfAborted();
      if (pool.length === 0) return { determinable: new Float64Array(0), failing: new Float64Array(0) };
      const said = await ask(predictLine(tried, pool, seed), 'prediction', signal);
      return readPrediction(said, pool.length, hello.name);
    },
    close,
  };
}
