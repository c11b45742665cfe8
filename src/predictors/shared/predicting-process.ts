import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { AskedProcess, type AskedProcesses, type AskedTask, answerLimit } from '../../system/asked-processes.ts';
import type { CheckBench, ProcessChecks } from '../../system/check-process.ts';
import { failureLine, helloMembers, openedLine, pongLine } from '../../system/line-process.ts';
import type { ProgramStart } from '../../system/run-program.ts';
import type { Prediction, Predictor, TriedText } from '../contract.ts';
import { inOrderOfText } from './in-order-of-text.ts';

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
type PredictingSaid = z.output<typeof predictingLines>;

/** A process that is asked which texts are worth trying (docs/protocol.md). */
export const predicting: AskedTask<PredictingSaid> = { does: 'predict', lines: predictingLines };

/** What a process is asked to predict, texts in the order of their code units so that the order of trying changes nothing. */
function predictLine(tried: readonly TriedText[], pool: readonly string[], seed: number) {
  const known = inOrderOfText(tried).map((one) => ({ ...one, text: one.text.toWellFormed() }));
  return { say: 'predict', tried: asJson(known), pool: pool.map((text) => text.toWellFormed()), seed };
}

/**
 * The chances that a process said.
 *
 * @throws EarwitnessError `bad-input` where they are not one from 0 to 1 for each text
 */
function readPrediction(said: Extract<PredictingSaid, { say: 'prediction' }>, count: number, name: string): Prediction {
  const read = (what: 'determinable' | 'failing') => {
    const wrong = said[what].find((chance) => !(chance >= 0 && chance <= 1));
    const came =
      said[what].length !== count
        ? `${said[what].length} chances, where ${count} are expected: one for each text of the pool`
        : wrong === undefined
          ? null
          : `${wrong}, where a chance from 0 to 1 is expected`;
    if (came !== null) throw badInput(`${printable(name, 100)} gave in \`${what}\` ${came}`);
    return Float64Array.from(said[what]);
  };
  return { determinable: read('determinable'), failing: read('failing') };
}

/** A predictor whose chances come from processes that stay. */
export function predictorOf({ hello, identity, ask, rest, close }: AskedProcesses<PredictingSaid>): Predictor {
  return {
    identity,
    async predict(tried, pool, seed, signal) {
      signal?.throwIfAborted();
      if (pool.length === 0) return { determinable: new Float64Array(0), failing: new Float64Array(0) };
      const said = await ask(predictLine(tried, pool, seed), 'prediction', signal);
      return readPrediction(said, pool.length, hello.name);
    },
    rest,
    close,
  };
}

type Process = AskedProcess<PredictingSaid>;
type Hello = Extract<PredictingSaid, { say: 'hello' }>;
type Bench = CheckBench<Process, Hello>;

const words = 'the union must vote on a report of energy and fish today'.split(' ');
const texts = Array.from({ length: 30 }, (_, index) =>
  Array.from({ length: 1 + (index % 12) }, (_, place) => words[(index * 7 + place * 5) % 12]!).join(' '),
).map((text, index) => `${text} number ${index}`);
const tried = texts.slice(0, 20).map((text, index): TriedText => {
  const determinable = text.split(' ').length < 9;
  const failed = determinable ? index % 3 === 0 : null;
  return { text, determinable, failed, failedShare: determinable ? (failed ? 2 / 3 : 0) : null };
});
const pool = [...texts.slice(20), '', 'x'.repeat(5000), '你好 🏽 שלום', 'same', 'same'];

/** What is proved of a process that predicts, besides what all do. */
export function predictorChecks(trial: {
  readonly start: ProgramStart;
  readonly answerLimitSeconds: number;
}): ProcessChecks<Process, Hello> {
  const ask = async (process: Process, { name }: Hello, known: readonly TriedText[], seed = 1) => {
    const said = await process.answer(predictLine(known, pool, seed), 'prediction', trial.answerLimitSeconds);
    return readPrediction(said, pool.length, name);
  };
  const predicted = async ({ process, hello }: Bench, known: readonly TriedText[]) =>
    ask(await process(), hello, known);
  const inWords = ({ determinable, failing }: { determinable: Float64Array; failing: Float64Array }) =>
    `${determinable.join()} ${failing.join()}`;
  return {
    launch: () => new AskedProcess(trial.start, predicting, 'the program'),
    introduced: ({ name, version }) => `${name} ${version}`,
    ordinary: (process, hello) => ask(process, hello, []),
    steps: [
      [
        'gives a chance from 0 to 1 for each text of the pool',
        async (bench) => {
          const { failing } = await predicted(bench, tried);
          return new Set(failing).size === 1 ? { noted: 'all texts have the same chance of failing' } : '';
        },
      ],
      [
        'gives chances where nothing can be learned: no text tried, or all alike',
        async (bench) => {
          const alike = (determinable: boolean, failed: boolean | null) =>
            texts.slice(0, 5).map((text) => ({ text, determinable, failed }));
          for (const known of [[], alike(false, null), alike(true, true), alike(true, false)])
            await predicted(bench, known);
          return '';
        },
      ],
      [
        'predicts the same again, whatever it was asked between',
        async (bench) => {
          const first = await predicted(bench, tried);
          await predicted(bench, tried.slice(0, 7));
          const again = await predicted(bench, tried);
          if (inWords(first) === inWords(again)) return '';
          return {
            noted: 'other chances for the same texts and seed: what was predicted once is kept, a new run may differ',
          };
        },
      ],
    ],
  };
}
