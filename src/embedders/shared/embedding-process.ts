import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { type AskedProcesses, type AskedTask, answerLimit } from '../../system/asked-processes.ts';
import { failureLine, helloMembers, languageTags, openedLine, pongLine } from '../../system/line-process.ts';
import type { EmbeddedText, Embedder } from '../contract.ts';

/** Language tags as of BCP 47, by form. */
export const languageTag = z
  .string()
  .max(64)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'expected a BCP 47 tag like "en" or "pt-BR"');

/** Options that embedders in processes that stay have alike. */
export const embeddingOptions = {
  languages: z
    .array(languageTag)
    .min(1)
    .optional()
    .describe('Languages the model was made for (BCP 47); in others similarity is null. Default: those that it names'),
  batch: z
    .int()
    .min(1)
    .max(1024)
    .default(1)
    .describe(
      'Max texts at once, as many as the process takes. Above 1 a vector may depend in its last digits on its neighbours',
    ),
  timeoutSeconds: answerLimit('one batch', 300),
};

const schema = z.strictObject(embeddingOptions);

const vector = z.array(z.number()).min(1).max(65_536).nullable();
const embeddingLines = z.discriminatedUnion('say', [
  z.object({
    ...helloMembers,
    languages: languageTags.optional(),
    maxTokens: z.int().min(1).optional(),
    batch: z.int().min(1).max(1024).default(1),
  }),
  openedLine,
  z.object({
    say: z.literal('vectors'),
    id: z.int(),
    vectors: z.array(
      z.union([
        vector,
        z.object({ vector, tokens: z.int().min(0).optional(), reason: z.string().min(1).max(1000).optional() }),
      ]),
    ),
  }),
  failureLine,
  pongLine,
]);
export type EmbeddingSaid = z.output<typeof embeddingLines>;

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
        throw new EarwitnessError(
          'bad-input',
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
      throw new EarwitnessError(
        'bad-config',
        `expected languages, because ${printable(hello.name, 100)} does not say which ones it was made for; name them: languages: [en]`,
      );
    await ask([probe]);
    if (dimensions === null)
      throw new EarwitnessError(
        'bad-input',
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
    close: processes.close,
  };
}

/**
 * The vectors that a process said, each of length 1.
 *
 * @throws EarwitnessError `bad-input` where they are not as many as texts
 */
export function readVectors(
  { vectors }: Extract<EmbeddingSaid, { say: 'vectors' }>,
  count: number,
  name: string,
  maxTokens: number | null,
): EmbeddedText[] {
  if (vectors.length !== count)
    throw new EarwitnessError(
      'bad-input',
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
