import { z } from 'zod';
import { badConfig, badInput, EarwitnessError } from '../../base/errors.ts';
import { list, nonEmpty, whole } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import { AskedProcess, type AskedProcesses, type AskedTask, answerLimit } from '../../system/asked-processes.ts';
import { type CheckBench, type ProcessChecks, shownText } from '../../system/check-process.ts';
import { failureLine, helloMembers, languageTags, openedLine, pongLine } from '../../system/line-process.ts';
import type { ProgramStart } from '../../system/run-program.ts';
import type { EmbeddedText, Embedder } from '../contract.ts';

/** Language tags as of BCP 47, by form. */
export const languageTag = z
  .string()
  .max(64)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'expected a BCP 47 tag like "en" or "pt-BR"');

/** Options that embedders in processes that stay have alike. */
export const embeddingOptions = {
  languages: list(languageTag, 1)
    .optional()
    .describe('Languages the model was made for (BCP 47); in others similarity is null. Default: those that it names'),
  batch: whole(1, 1024)
    .default(1)
    .describe(
      'Max texts at once, as many as the process takes. Above 1 a vector may depend in its last digits on its neighbours',
    ),
  timeoutSeconds: answerLimit('one batch', 300),
};

const schema = z.strictObject(embeddingOptions);

const vector = list(z.number(), 1, 65_536).nullable();
const embeddingLines = z.discriminatedUnion('say', [
  z.object({
    ...helloMembers,
    languages: languageTags.optional(),
    maxTokens: whole(1).optional(),
    batch: whole(1, 1024).default(1),
  }),
  openedLine,
  z.object({
    say: z.literal('vectors'),
    id: z.int(),
    vectors: z.array(
      z.union([vector, z.object({ vector, tokens: whole(0).optional(), reason: nonEmpty(1000).optional() })]),
    ),
  }),
  failureLine,
  pongLine,
]);
type EmbeddingSaid = z.output<typeof embeddingLines>;

/** A process that is asked for vectors of texts (docs/protocol.md). */
export const embedding: AskedTask<EmbeddingSaid> = { does: 'embed', lines: embeddingLines };

/** What tells how long vectors are. */
const probe = 'a';

/**
 * An embedder whose vectors come from processes that stay.
 *
 * @throws EarwitnessError `bad-config`: nobody says which languages it was made for; what the processes throw
 */
export async function embedderOf(
  processes: AskedProcesses<EmbeddingSaid>,
  given: z.output<typeof schema>,
): Promise<Embedder> {
  const { hello } = processes;
  const languages = given.languages ?? hello.languages ?? [];
  const together = Math.min(given.batch, hello.batch);
  const maxTokens = hello.maxTokens ?? null;
  let dimensions: number | null = null;

  const ask = async (texts: readonly string[], signal?: AbortSignal): Promise<EmbeddedText[]> => {
    const said = await processes.ask({ say: 'embed', texts }, 'vectors', signal);
    const found = readVectors(said, texts.length, hello.name, maxTokens);
    for (const { vector } of found) {
      if (vector === null) continue;
      dimensions ??= vector.length;
      if (vector.length !== dimensions)
        throw badInput(
          `${printable(hello.name, 100)} gave a vector of ${vector.length} numbers, where ${dimensions} are expected as before`,
        );
    }
    return found;
  };
  const embedTexts: Embedder['embedTexts'] = async (texts, signal) => {
    const found: EmbeddedText[] = texts.map(() => ({
      ...{ vector: null, reason: 'the text is empty', tokens: 0, tokensRead: 0 },
    }));
    const spoken = [...texts.keys()].filter((place) => texts[place]!.trim() !== '');
    signal?.throwIfAborted();
    const batches = Array.from({ length: Math.ceil(spoken.length / together) }, (_, batch) =>
      spoken.slice(batch * together, (batch + 1) * together),
    );
    await Promise.all(
      batches.map(async (places) => {
        const asked = places.map((place) => texts[place]!.toWellFormed());
        const answers = await ask(asked, signal);
        places.forEach((place, at) => {
          found[place] = answers[at]!;
        });
      }),
    );
    return found;
  };

  try {
    if (languages.length === 0)
      throw badConfig(
        `expected languages, because ${printable(hello.name, 100)} does not say which ones it was made for; name them: languages: [en]`,
      );
    await ask([probe]);
    if (dimensions === null)
      throw badInput(
        `expected ${printable(hello.name, 100)} to give a vector for ${JSON.stringify(probe)}, but it gave none; try it with "earwitness conformance"`,
      );
  } catch (error) {
    await processes.close();
    throw error;
  }
  const identity = { ...processes.identity, ...(together > 1 && { batch: together }), maxTokens };
  return {
    ...{ identity, languages, dimensions, maxTokens, embedTexts },
    model: { name: hello.name, ...identity },
    async embed(texts) {
      return (await embedTexts(texts)).map(({ vector }) => vector ?? new Float32Array(dimensions!));
    },
    rest: processes.rest,
    close: processes.close,
  };
}

/**
 * The vectors that a process said, each of length 1.
 *
 * @throws EarwitnessError `bad-input` where they are not as many as texts
 */
function readVectors(
  { vectors }: Extract<EmbeddingSaid, { say: 'vectors' }>,
  count: number,
  name: string,
  maxTokens: number | null,
): EmbeddedText[] {
  if (vectors.length !== count)
    throw badInput(
      `${printable(name, 100)} gave ${vectors.length} vectors, where ${count} are expected: one for each text`,
    );
  return vectors.map((said) => {
    const { vector, tokens = null, reason } = said === null || Array.isArray(said) ? { vector: said } : said;
    const tokensRead = tokens === null || maxTokens === null ? tokens : Math.min(tokens, maxTokens);
    const length = Math.hypot(...(vector ?? []));
    if (vector === null || length === 0) {
      const why = vector === null ? 'the model gives no vector for the text' : 'the model gives a vector of zeros';
      return { vector: null, reason: printable(reason ?? why, 300), tokens, tokensRead };
    }
    const cut = tokens !== null && tokensRead !== null && tokensRead < tokens;
    const inWords = (number: number) => number.toLocaleString('en-US');
    return {
      ...{ vector: Float32Array.from(vector, (number) => number / length), tokens, tokensRead },
      ...(cut && { note: `the model read only the first ${inWords(tokensRead)} of ${inWords(tokens)} tokens` }),
    };
  });
}

type Process = AskedProcess<EmbeddingSaid>;
type Hello = Extract<EmbeddingSaid, { say: 'hello' }>;
type Bench = CheckBench<Process, Hello>;

/** Rounding moves a vector by far less. */
const minOwnCosine = 0.99;
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
          if (cosine < minOwnCosine) throw new Error(`asked again, with a cosine of ${cosine.toFixed(3)} to the first`);
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
