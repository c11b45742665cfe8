/**
 * What the grammar checker finds of sentences that were spoilt on purpose, so that "no complaint" can be read for what it is.
 *
 *   node bench/grammar.ts [SENTENCES]
 *
 * From each of AequeVox's six grammars 50 sentences by default, as they are and spoilt in one way each; half a minute. One JSON
 * line for each way, with the share of sentences that have a complaint.
 */
import { publishedGrammars } from '../src/corpora/sentences/grammar/published-grammars.ts';
import { readGrammarTexts } from '../src/corpora/sentences/grammar/read-grammar.ts';
import { harper } from '../src/grammar-checkers/harper/harper.ts';
import { exactProportionInterval } from '../src/statistics/exact-intervals.ts';

const most = Number(process.argv[2] ?? 50);

/** Undefined where a sentence cannot be spoilt so. */
const ways: Readonly<Record<string, (words: readonly string[]) => readonly string[] | undefined>> = {
  'as it is': (words) => words,
  'verb without its s': (words) => (words[1] === 'is' ? undefined : words.with(1, words[1]!.replace(/s$/, ''))),
  'are for is': (words) => (words[1] === 'is' ? words.with(1, 'are') : undefined),
  'a before a plural': (words) => (/s$/.test(words.at(-1)!) ? [...words.slice(0, -1), 'a', words.at(-1)!] : undefined),
  'last word twice': (words) => [...words, words.at(-1)!],
  'letters swapped in the last word': (words) => words.with(-1, words.at(-1)!.replace(/^(.)(.)(.)/, '$1$3$2')),
  'verb left out': (words) => (words[1] === 'is' ? undefined : words.toSpliced(1, 1)),
  'of left out': (words) => (words.at(-2) === 'of' ? words.toSpliced(-2, 1) : undefined),
};

const checker = await harper.open();
const texts: string[] = [];
for (const name of publishedGrammars.keys()) texts.push(...(await readGrammarTexts(name, '.', { most, seed: 1 })));
for (const [way, spoil] of Object.entries(ways)) {
  const spoilt = texts.flatMap((text) => spoil(text.split(' '))?.join(' ') ?? []);
  let found = 0;
  for (const text of spoilt) if ((await checker.check(`${text}.`)).length > 0) found++;
  const { value, low, high } = exactProportionInterval(found, spoilt.length);
  console.log(JSON.stringify({ way, sentences: spoilt.length, found, share: value, low, high }));
}
console.log(JSON.stringify(checker.identity));
await checker.close();
