import { EarwitnessError } from '../../base/errors.ts';
import { AskedProcess } from '../../system/asked-processes.ts';
import { type CheckBench, type ProcessChecks, shownText } from '../../system/check-process.ts';
import type { ProgramStart } from '../../system/run-program.ts';
import { type EmbeddingSaid, embedding, readVectors } from './embedding-process.ts';

type Process = AskedProcess<EmbeddingSaid>;
type Hello = Extract<EmbeddingSaid, { say: 'hello' }>;
type Bench = CheckBench<Process, Hello>;

const texts = ['turn up the radio', 'the committee has voted', 'a'] as const;
const oddTexts = ['a\0b\u001b[31m', 'x'.repeat(5000), '\u0301'.repeat(500), '你好 🏽 שלום', '[CLS] </s> <|endoftext|>'];

/** What is proved of a process that embeds, besides what all do. */
export function embedderChecks(trial: {
  readonly start: ProgramStart;
  readonly answerLimitSeconds: number;
}): ProcessChecks<Process, Hello> {
  const ask = async (process: Process, { name, maxTokens }: Hello, given: readonly string[]) => {
    const said = await process.answer({ say: 'embed', texts: given }, 'vectors', trial.answerLimitSeconds);
    return readVectors(said, given.length, name, maxTokens ?? null);
  };
  const vectors = async ({ process, hello }: Bench, given: readonly string[]) => {
    const found = await ask(await process(), hello, given);
    return found.map(({ vector }, place) => {
      if (vector === null) throw new Error(`there is no vector for ${shownText(given[place]!)}`);
      return vector;
    });
  };
  return {
    launch: () => new AskedProcess(trial.start, embedding, 'the program'),
    introduced({ name, version, batch, languages }) {
      return `${name} ${version}, ${languages?.join(', ') ?? 'no languages named'}, batches of ${batch}`;
    },
    ordinary: (process, hello) => ask(process, hello, [texts[0]]),
    steps: [
      [
        'gives vectors of one length, another one for each text',
        async (bench) => {
          const found: Float32Array[] = [];
          for (const text of texts) found.push(...(await vectors(bench, [text])));
          const lengths = [...new Set(found.map(({ length }) => length))];
          if (lengths.length > 1) throw new Error(`they have ${lengths.join(' and ')} numbers`);
          if (new Set(found.map((vector) => vector.join())).size < found.length)
            throw new Error('two texts have the same vector');
          return `${lengths[0]} numbers`;
        },
      ],
      [
        'gives the same vector for the same text',
        async (bench) => {
          const [first] = await vectors(bench, [texts[0]]);
          await vectors(bench, [texts[1]]);
          const [again] = await vectors(bench, [texts[0]]);
          const cosine = first!.reduce((sum, value, at) => sum + value * again![at]!, 0);
          return first!.join() === again!.join() ? '' : { noted: `with a cosine of ${cosine.toFixed(6)}` };
        },
      ],
      [
        'gives each text of a batch its own vector',
        async (bench) => {
          const size = Math.min(bench.hello.batch, 8);
          const batch = Array.from({ length: size }, (_, place) => texts[place % texts.length]!);
          const together = await vectors(bench, batch);
          let least = 1;
          for (const [place, text] of batch.entries()) {
            const [alone] = await vectors(bench, [text]);
            const cosine = alone!.reduce((sum, value, at) => sum + value * together[place]![at]!, 0);
            if (cosine < 0.9)
              throw new Error(`text ${place + 1} of ${size} has a cosine of ${cosine.toFixed(3)} with itself alone`);
            if (alone!.join() !== together[place]!.join()) least = Math.min(least, cosine);
          }
          return least === 1
            ? `${size} at once`
            : { noted: `with cosines from ${least.toFixed(6)} to what they are alone` };
        },
        ({ batch }) => (batch === 1 ? 'it takes one text at a time' : null),
      ],
      [
        'answers control characters, very long texts and other scripts',
        async (bench) => {
          const asked = await bench.process();
          const refused: string[] = [];
          for (const text of oddTexts) {
            try {
              await ask(asked, bench.hello, [text]);
            } catch (error) {
              if (!(error instanceof EarwitnessError) || asked.broken !== null) throw error;
              refused.push(`${shownText(text)}: ${error.message}`);
            }
          }
          // A run ends where a text cannot be embedded.
          if (refused.length > 0) throw new Error(`${refused.join('; ')}; give no vector (null) with a reason instead`);
          return '';
        },
      ],
    ],
  };
}
