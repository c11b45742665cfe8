import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { badInput, messageOf } from '../../base/errors.ts';
import { languageTag } from '../../base/language-tag.ts';
import { list, nonEmpty, whole } from '../../base/option-kinds.ts';
import { someOf } from '../../base/printable.ts';
import { readJsonRows } from '../../system/json-rows.ts';
import { readTextLines } from '../../system/text-lines.ts';
import { codePointName } from '../shared/utterance-id.ts';
import { readGrammarTexts } from './grammar/read-grammar.ts';

/** Options of `sentences`. */
export const sentencesOptions = z
  .strictObject({
    texts: list(z.string(), 1).optional().describe('The texts to be spoken.'),
    file: nonEmpty()
      .optional()
      .describe(
        'A file with one text on each line, or (.jsonl) one object with a member `text`, whose other members become attributes (`language` is that of the text).',
      ),
    folder: nonEmpty().optional().describe('A folder of such files (.txt, .jsonl).'),
    grammar: nonEmpty()
      .optional()
      .describe(
        'A file with a grammar (JSGF), or a published one by its name (aequevox/gcp-robust): the texts are what its public rules can say.',
      ),
    sample: whole(1, 1_000_000)
      .optional()
      .describe('Of a grammar that can say more, so many texts are drawn; 10,000 if absent.'),
    seed: whole(0).optional().describe('Of the texts that are drawn from a grammar.'),
    normalizer: nonEmpty(4096)
      .optional()
      .describe('Spells texts out before they are spoken: a name (crossasr), or a module of your own (./mine.ts).'),
    synthesizer: nonEmpty().describe('Who speaks: the name of a synthesizer of the config.'),
    voices: list(nonEmpty(), 1)
      .optional()
      .describe('Its voices that speak each text. Default: all, or all of `language`.'),
    oneVoice: whole(0)
      .optional()
      .describe('A seed: each text is spoken by one of the voices alone, drawn at random, the same for the same seed.'),
    maxCharacters: whole(1)
      .optional()
      .describe('Longer texts are cut at the last blank before, and their reference with them.'),
    language: z
      .string()
      .optional()
      .describe(
        'What the texts are in (BCP 47), where a .jsonl file does not say it in a member `language`. Default: what they tell by their script and words. Without `voices`, those of this language speak (en takes in en-GB).',
      ),
  })
  .refine(
    ({ texts, file, folder, grammar }) =>
      [texts, file, folder, grammar].filter((given) => given !== undefined).length === 1,
    { message: 'expected exactly one of texts, file, folder and grammar' },
  );

export type SentencesOptions = z.infer<typeof sentencesOptions>;

/** A text to be spoken, with what a JSONL file says of it. */
interface SourceText {
  readonly text: string;
  /** BCP 47, where the row says it. */
  readonly language?: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** `file:line`, for errors. */
  readonly place: string;
}

/** Longer texts are no utterances: a minute of speech has about 1,000 characters. */
export const longestText = 5000;

const grammarSample = 10_000;

/**
 * The texts that the options name, in order, without blanks around them and with single blanks inside. Empty ones
 * come as ''.
 *
 * @throws EarwitnessError `bad-input` with file, line and column: unreadable, not UTF-8, no member `text`, control
 * characters, no grammar
 */
export async function* readTexts(options: SentencesOptions, baseFolder: string): AsyncGenerator<SourceText> {
  if (options.texts !== undefined) {
    for (const [index, text] of options.texts.entries())
      yield checked({ text, attributes: {}, place: `texts[${index}]` });
  } else if (options.file !== undefined) {
    yield* readFile(resolve(baseFolder, options.file), options.file);
  } else if (options.folder !== undefined) {
    for (const name of await textFilesIn(resolve(baseFolder, options.folder), options.folder)) {
      yield* readFile(resolve(baseFolder, options.folder, name), `${options.folder}/${name}`);
    }
  } else if (options.grammar !== undefined) {
    const { grammar, sample = grammarSample, seed = 1 } = options;
    for (const text of await readGrammarTexts(grammar, baseFolder, { most: sample, seed })) {
      yield checked({ text, attributes: {}, place: grammar });
    }
  }
}

/** Whether a text is too long to be one utterance. */
export function isTooLong({ text }: Pick<SourceText, 'text'>): boolean {
  return text.length > longestText;
}

async function* readFile(file: string, shownName: string): AsyncGenerator<SourceText> {
  const lines = readTextLines(file, shownName);
  if (!/\.(?:jsonl|ndjson)$/i.test(file)) {
    for await (const { text, number } of lines)
      yield checked({ text, attributes: {}, place: `${shownName}:${number}:1` });
    return;
  }
  for await (const row of readJsonRows(lines, shownName)) {
    const text = row.text('text');
    if (text === undefined) {
      throw badInput(
        `${row.place()}: expected a member "text" with the text to be spoken, but the members are ${someOf(row.names) || 'none'}; add it`,
      );
    }
    const attributes = row.names
      .filter((name) => name !== 'text' && name !== 'language')
      .map((name) => [name, row.text(name)?.trim() ?? ''] as const);
    const language = row.text('language')?.trim() ?? '';
    yield checked({
      text,
      ...(language !== '' && { language: languageTag(language, () => row.place('language')) }),
      attributes: Object.fromEntries(attributes.filter(([, value]) => value !== '')),
      place: row.place('text'),
    });
  }
}

async function textFilesIn(folder: string, shownName: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw badInput(`${shownName}: expected a folder with text files, but ${messageOf(error)}; check the path`, {
      cause: error,
    });
  });
  const texts = names.filter((name) => /\.(?:txt|jsonl|ndjson)$/i.test(name) && !name.startsWith('.')).sort();
  if (texts.length > 0) return texts;
  throw badInput(`${shownName}: expected text files (.txt, .jsonl) in the folder, but found none; check the path`);
}

function checked({ text: raw, ...others }: SourceText): SourceText {
  const text = raw.normalize('NFC').replace(/\s+/g, ' ').trim();
  const control = /\p{Cc}/u.exec(text);
  if (control !== null) {
    throw badInput(
      `${others.place}: expected a text that can be spoken, but found the control character ${codePointName(control[0])}; take it out`,
    );
  }
  return { text, ...others };
}
