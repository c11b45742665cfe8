import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a model in the layout of transformers.js: bytes as they are, all else as JSON; null leaves a file out. */
export function writeModelFolder(folder: string, files: Readonly<Record<string, unknown>>): string {
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), Buffer.isBuffer(content) ? content : JSON.stringify(content));
  }
  return folder;
}

/** What tokenizer.json says of a vocabulary: the first ones are special, and what is unknown is one of them. */
export function wordPieces(
  vocabulary: readonly string[],
  {
    special,
    unknown,
    prefix,
  }: { readonly special: readonly string[]; readonly unknown: string; readonly prefix: string },
) {
  return {
    added_tokens: special.map((content, id) => ({
      ...{ id, content, special: true },
      ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
    })),
    model: {
      ...{ type: 'WordPiece', unk_token: unknown, continuing_subword_prefix: prefix, max_input_chars_per_word: 100 },
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  };
}
