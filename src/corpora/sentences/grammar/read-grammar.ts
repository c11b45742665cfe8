import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EarwitnessError, messageOf } from '../../../base/errors.ts';
import { createRandom, type Random } from '../../../base/random.ts';
import { type Expansion, type Grammar, parseGrammar } from './parse-grammar.ts';
import { publishedGrammars } from './published-grammars.ts';

const maxBytes = 1 << 20;

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
    if ((await stat(file)).size > maxBytes) throw new Error('it is larger than 1 MiB');
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    throw new EarwitnessError(
      'bad-input',
      `${name}: expected a grammar in UTF-8, but ${messageOf(error)}; check the path`,
      { cause: error },
    );
  }
}

/** A text of so many words is cut off: rules that contain others twice, and so on, double at each step. */
const maxWords = 5000;

/** Draws in a row that give nothing new, after which the grammar is taken to have nothing more that is likely enough. */
const maxRepeats = 1000;

/**
 * The texts that a grammar can say, each once: all of them in the order of its rules where they are at most `most`, else so many
 * that are drawn at random, alternatives by their weights.
 *
 * @example [...grammarTexts(parseGrammar('public <a> = one | two;', 'a'), 10, random)] // ['one', 'two']
 */
export function* grammarTexts({ start, rules }: Grammar, most: number, random: Random): Generator<string> {
  const counts = new Map<string, number>();
  const count = (expansion: Expansion): number => {
    switch (expansion.kind) {
      case 'word':
        return 1;
      case 'rule': {
        const known = counts.get(expansion.name) ?? count(rules.get(expansion.name)!);
        counts.set(expansion.name, known);
        return known;
      }
      case 'sequence':
        return expansion.parts.reduce((product, part) => product * count(part), 1);
      case 'choice':
        return expansion.of.reduce((sum, one) => sum + count(one.expansion), 0);
    }
  };
  const whole: Expansion = {
    kind: 'choice',
    of: start.map((name) => ({ weight: 1, expansion: { kind: 'rule', name } as const })),
  };
  const said = new Set<string>();
  if (count(whole) <= most) {
    for (const words of all([whole], rules)) {
      const text = words.join(' ');
      if (said.has(text)) continue;
      said.add(text);
      yield text;
    }
    return;
  }
  for (let repeats = 0; said.size < most && repeats < maxRepeats; ) {
    const text = draw(whole, rules, random).join(' ');
    if (said.has(text)) repeats++;
    else {
      repeats = 0;
      said.add(text);
      yield text;
    }
  }
}

/** Everything that several expansions can say one after the other. */
function* all(parts: readonly Expansion[], rules: Grammar['rules']): Generator<readonly string[]> {
  const [first, ...rest] = parts;
  if (first === undefined) yield [];
  else if (first.kind === 'word') for (const words of all(rest, rules)) yield [first.word, ...words];
  else if (first.kind === 'rule') yield* all([rules.get(first.name)!, ...rest], rules);
  else if (first.kind === 'sequence') yield* all([...first.parts, ...rest], rules);
  else for (const { expansion } of first.of) yield* all([expansion, ...rest], rules);
}

function draw(whole: Expansion, rules: Grammar['rules'], random: Random): string[] {
  const words: string[] = [];
  const open: Expansion[] = [whole];
  while (open.length > 0 && words.length < maxWords) {
    const expansion = open.pop()!;
    if (expansion.kind === 'word') words.push(expansion.word);
    else if (expansion.kind === 'rule') open.push(rules.get(expansion.name)!);
    else if (expansion.kind === 'sequence') open.push(...expansion.parts.toReversed());
    else {
      const total = expansion.of.reduce((sum, { weight }) => sum + weight, 0);
      let left = random.next() * total;
      let chosen = 0;
      while (chosen < expansion.of.length - 1 && left >= expansion.of[chosen]!.weight) {
        left -= expansion.of[chosen]!.weight;
        chosen++;
      }
      open.push(expansion.of[chosen]!.expansion);
    }
  }
  return words;
}
