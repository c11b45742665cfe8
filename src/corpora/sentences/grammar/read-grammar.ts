import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EarwitnessError, messageOf } from '../../../base/errors.ts';
import { createRandom } from '../../../base/random.ts';
import { grammarTexts } from './grammar-texts.ts';
import { parseGrammar } from './parse-grammar.ts';
import { publishedGrammars } from './published-grammars.ts';

const largestBytes = 1 << 20;

/**
 * The texts of a published grammar or of a file, each once: all that it can say where they are at most `most`, else so many, drawn
 * at random.
 *
 * @param name of a published one (aequevox/gcp-robust), or the path of a JSGF file, meant from `baseFolder`
 * @throws EarwitnessError `bad-input`: unreadable, not UTF-8, larger than 1 MiB, no grammar
 * @example await readGrammarTexts('aequevox/gcp-robust', process.cwd(), { most: 100, seed: 1 })
 */
export async function readGrammarTexts(
  name: string,
  baseFolder: string,
  { most, seed }: { readonly most: number; readonly seed: number },
): Promise<Iterable<string>> {
  const source = publishedGrammars.get(name)?.source ?? (await read(name, baseFolder));
  const random = createRandom({ corpus: 'sentences', grammar: source, seed });
  return grammarTexts(parseGrammar(source, name), most, random);
}

async function read(name: string, baseFolder: string): Promise<string> {
  const file = resolve(baseFolder, name);
  try {
    if ((await stat(file)).size > largestBytes) throw new Error('it is larger than 1 MiB');
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw new EarwitnessError(
      'bad-input',
      `${name}: expected a grammar in UTF-8, but ${messageOf(error)}; check the path`,
      { cause: error },
    );
  }
}
