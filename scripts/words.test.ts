import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

// The words that docs/glossary.md says are not used, out of names and sentences.

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');

interface Banned {
  readonly word: string;
  readonly instead: string;
  readonly inNames: boolean;
  readonly inSentences: boolean;
}

function bannedWords(): readonly Banned[] {
  const [, table] = read('docs/glossary.md').split('## Words not used');
  const rows = table!.split('\n').filter((line) => /^\| [^-N]/.test(line));
  return rows.flatMap((line) => {
    const [words, instead, where] = line.split('|').slice(1, 4);
    return words!.split(',').map((word) => ({
      word: word.trim(),
      instead: instead!.trim(),
      inNames: where!.includes('N'),
      inSentences: where!.includes('S'),
    }));
  });
}

/** `most…` stands for the beginning of a name in camel case; any other word for itself wherever it is part of a name. */
function inName(name: string, word: string): boolean {
  if (word.endsWith('…')) return new RegExp(`^${word.slice(0, -1)}[A-Z]`).test(name);
  return new RegExp(`^${word}(?![a-z])|(?<=[a-z])${word[0]!.toUpperCase()}${word.slice(1)}(?![a-z])`).test(name);
}

function inSentence(text: string, word: string): boolean {
  return new RegExp(`\\b${word}s?\\b`, 'i').test(text);
}

/** Every identifier of a file, and every text in it that has a blank: those are what users may see. */
function namesAndTexts(path: string): { readonly names: ReadonlySet<string>; readonly texts: readonly string[] } {
  const names = new Set<string>();
  const texts: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, name, value } = node as { type?: string; name?: unknown; value?: unknown };
    if (type === 'Identifier' && typeof name === 'string') names.add(name);
    if (type === 'Literal' && typeof value === 'string' && value.includes(' ')) texts.push(value);
    if (type === 'TemplateElement') texts.push((value as { cooked: string | null }).cooked ?? '');
    for (const inner of Object.values(node)) {
      if (Array.isArray(inner)) for (const one of inner) visit(one);
      else visit(inner);
    }
  };
  visit(parseSync(path, read(path)).program);
  return { names, texts };
}

const sources = globSync('src/**/*.ts', { cwd: root }).filter(
  (path) =>
    !/\.test\.ts$|\/testing\/|migrations|written-config|members\/removed|stored-finding|report-schema/.test(path),
);

const parsed = sources.map((path) => ({ path, ...namesAndTexts(path) }));

/** Names from elsewhere: columns of published tables, superlatives that are no limits. */
const allowedNames = new Set([
  'mostFrequent',
  'mostTelling',
  'mostMisheard',
  'mostErrors',
  'leastUnequal',
  'mostOthers',
  'mostOf',
  'leastOf',
]);

test('names in the source have none of the words that the glossary bans', () => {
  const banned = bannedWords().filter(({ inNames }) => inNames);
  assert.ok(banned.length >= 8);
  const wrong = parsed.flatMap(({ path, names }) =>
    [...names].flatMap((name) =>
      banned
        .filter(({ word }) => !allowedNames.has(name) && inName(name, word))
        .map(({ instead }) => `${path}: ${name} (instead: ${instead})`),
    ),
  );
  assert.deepEqual(wrong, []);
});

test('sentences of commands, reports and docs have none of the words that the glossary bans', () => {
  const banned = bannedWords().filter(({ inSentences }) => inSentences);
  assert.ok(banned.length >= 10);
  const texts = [
    ...parsed.flatMap(({ path, texts }) => texts.map((text) => ({ path, text }))),
    // Not what runs left in folders of the examples.
    ...globSync(['README.md', 'docs/**/*.md', 'examples/*/*.md'], { cwd: root })
      .filter((path) => !path.endsWith('glossary.md'))
      // What stands in code are names, and what commands print is in the source already.
      .map((path) => ({ path, text: read(path).replace(/```[\s\S]*?```|`[^`\n]*`/g, '') })),
  ];
  const wrong = texts.flatMap(({ path, text }) =>
    banned
      .filter(({ word }) => inSentence(text, word))
      .map(({ word, instead }) => `${path}: ${word} (instead: ${instead})`),
  );
  assert.deepEqual(wrong, []);
});

test('the check tells words in names and sentences from those that only look alike', () => {
  assert.ok(inName('withHearsay', 'hearsay') && inName('mostCases', 'most…') && inName('strangers', 'strangers'));
  assert.ok(!inName('almostCases', 'most…') && !inName('mostly', 'most…') && !inName('worldsApart', 'world'));
  assert.ok(inSentence('A sound file.', 'sound file') && !inSentence('unsound files', 'sound file'));
});
