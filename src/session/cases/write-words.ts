import { EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { type BoostedWord, partOf, wordsToBoost } from '../../cases/words-to-boost.ts';
import { parsePronunciations } from '../../predictors/shared/hashed-features.ts';
import type { EvidenceKeeper } from '../../store/contract.ts';
import { writePersonal } from '../export/write-whole.ts';
import { readText } from '../open/read-text.ts';
import type { RunCases } from './export-cases.ts';

/** What is wanted of the words that broke. */
export interface WordsRequest {
  readonly output: string;
  /** Only what this recognizer failed. */
  readonly recognizer?: string;
  readonly most: number;
  readonly form: 'lines' | 'prompt';
  /** File of the texts that play no part in the list. */
  readonly heldOut?: string;
  readonly share: number;
  readonly dictionary?: string;
  readonly pronunciations?: string;
}

/** What was written. */
export interface WrittenWords {
  readonly run: string;
  readonly words: readonly BoostedWord[];
  /** Failed cases and texts that the list was made from. */
  readonly failed: number;
  readonly texts: number;
  /** Texts held out; null where none were wanted. */
  readonly held: number | null;
  /** Words looked up in the dictionary, with those that it does not have; null where none were. */
  readonly looked: { readonly found: number; readonly missing: readonly string[] } | null;
}

/**
 * Writes the words that broke most, for recognizers that take hints; the texts of the run that are held out, so that it can be tried
 * whether hints help on texts that they were not made from; and pronunciations of those words that the recognizer does not know.
 *
 * @throws EarwitnessError `bad-usage` for a recognizer that the run has not; `bad-input` for files
 */
export async function writeWords(store: EvidenceKeeper, known: RunCases, request: WordsRequest): Promise<WrittenWords> {
  const { run, failed, others } = known;
  const { recognizer, share, heldOut, form, output, most } = request;
  const names = run.recognizers.map(({ name }) => name);
  if (recognizer !== undefined && !names.includes(recognizer)) {
    const near = nearestName(recognizer, names);
    throw new EarwitnessError(
      'bad-usage',
      `expected a recognizer of run ${run.id}, but got ${JSON.stringify(recognizer)}; ${near ? `did you mean ${near}?` : `it has ${names.join(', ')}`}`,
    );
  }
  const isHeld = (textId: string) => heldOut !== undefined && partOf(textId, share, run.seed) === 'held out';
  const used = failed.filter(
    (row) => (recognizer === undefined || row.recognizer === recognizer) && !isHeld(row.textId),
  );
  const words = wordsToBoost(used, most);
  const texts = new Set(used.map(({ textId }) => textId)).size;
  const written = { run: run.id, words, failed: used.length, texts };
  if (failed.length === 0) return { ...written, held: null, looked: null };
  const list = words.map((word) => word.words);
  await writePersonal(output, form === 'prompt' ? `${list.join(', ')}\n` : list.map((word) => `${word}\n`).join(''));
  let held: number | null = null;
  if (heldOut !== undefined) {
    // In the order of the finding, each once; whether it failed plays no part.
    const rest = new Map([...failed, ...others].map(({ textId, text }) => [textId, text]));
    const lines = [...rest].filter(([textId]) => isHeld(textId)).map(([, text]) => `${text}\n`);
    held = lines.length;
    await writePersonal(heldOut, lines.join(''));
  }
  return { ...written, held, looked: await lookUp(store, run.id, list, request) };
}

async function lookUp(
  store: EvidenceKeeper,
  run: string,
  list: readonly string[],
  { recognizer, dictionary, pronunciations }: WordsRequest,
): Promise<WrittenWords['looked']> {
  if (dictionary === undefined || pronunciations === undefined) return null;
  const spoken = parsePronunciations(await readText(dictionary, process.cwd()));
  if (spoken.size === 0) {
    throw new EarwitnessError(
      'bad-input',
      `${dictionary}: expected a word and its phonemes on each line, as in "vote V OW T", but no line is so; name a dictionary in the format of PocketSphinx`,
    );
  }
  const knows = vocabularyOf(store, run, recognizer);
  const wanted = list.filter((word) => !knows.has(word));
  const found = wanted.filter((word) => spoken.has(word));
  await writePersonal(pronunciations, found.map((word) => `${word} ${spoken.get(word)!}\n`).join(''));
  return { found: found.length, missing: wanted.filter((word) => !spoken.has(word)) };
}

/** Words that a recognizer is known to know; empty where nobody knows, or no recognizer is named. */
function vocabularyOf(store: EvidenceKeeper, run: string, recognizer: string | undefined): ReadonlySet<string> {
  for (const { kind, name, value } of store.materials(run)) {
    if (kind === 'vocabulary' && name === recognizer) return new Set(value as readonly string[]);
  }
  return new Set();
}
