import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { badInput, messageOf } from '../../../base/errors.ts';
import { nearestName } from '../../../base/nearest-name.ts';
import { limitText } from '../../../base/printable.ts';
import { createRandom, type Random } from '../../../base/random.ts';
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
    throw badInput(`${name}: expected a grammar in UTF-8, but ${messageOf(error)}; check the path`, { cause: error });
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

/** What can be said at a place of a grammar. */
type Expansion =
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Expansion[] }
  /** One of several; likelier by weight. */
  | { readonly kind: 'choice'; readonly of: readonly { readonly weight: number; readonly expansion: Expansion }[] };

/** A grammar whose rules all exist and none of which contains itself. */
interface Grammar {
  /** Rules that a text may be. */
  readonly start: readonly string[];
  readonly rules: ReadonlyMap<string, Expansion>;
}

interface Token {
  readonly text: string;
  readonly place: string;
}

const nothing: Expansion = { kind: 'sequence', parts: [] };
const deepest = 100;

/**
 * Reads a grammar in the JSpeech Grammar Format (JSGF; A. Hunt, W3C Note, 5 June 2000) that can say finitely much: words, `"quoted
 * words"`, `<rules>`, `( )`, `[ ]` for what may be left out, `|` with weights `/2/`, comments; tags `{ }` are passed over. No repeats
 * (`*`, `+`), no imports, no rules that contain themselves.
 *
 * @param shownName how errors name the file
 * @throws EarwitnessError `bad-input` with file, line and column
 * @example parseGrammar('#JSGF V1.0; grammar g; public <order> = turn (left | right);', 'g.jsgf')
 */
export function parseGrammar(source: string, shownName: string): Grammar {
  const tokens = tokensOf(source, shownName);
  let next = 0;
  const refuse = (expected: string): never => {
    const { text, place } = tokens[next]!;
    const came = text === '' ? 'the end of the file' : JSON.stringify(limitText(text, 40));
    throw badInput(`${place}: expected ${expected}, but found ${came}`);
  };
  const take = (wanted: string, expected: string) => {
    if (tokens[next]!.text !== wanted) refuse(expected);
    next++;
  };
  const ends = new Set(['', ';', '|', ')', ']', '=', '<']);

  const choice = (depth: number): Expansion => {
    if (depth > deepest) refuse(`at most ${deepest} brackets within each other`);
    const of: { weight: number; expansion: Expansion }[] = [];
    do {
      let weight = 1;
      const weighed = /^\/(.*)\/$/.exec(tokens[next]!.text);
      if (weighed) {
        weight = Number(weighed[1]);
        if (!(weight > 0 && weight < 1e9)) refuse('a weight above 0 between the two "/"');
        next++;
      }
      of.push({ weight, expansion: sequence(depth) });
    } while (tokens[next]!.text === '|' && next++ >= 0);
    return of.length === 1 ? of[0]!.expansion : { kind: 'choice', of };
  };
  const sequence = (depth: number): Expansion => {
    const parts: Expansion[] = [];
    for (;;) {
      const { text } = tokens[next]!;
      if (text === '(' || text === '[') {
        next++;
        const inner = choice(depth + 1);
        take(text === '(' ? ')' : ']', text === '(' ? '")"' : '"]"');
        parts.push(text === '(' ? inner : optional(inner));
      } else if (text === '*' || text === '+') {
        refuse('no repeats: a text must be finite, so write the numbers of times out with "|"');
      } else if (/^<.+>$/.test(text)) {
        next++;
        if (text !== '<NULL>') parts.push({ kind: 'rule', name: text });
      } else if (ends.has(text)) {
        if (parts.length === 0 && tokens[next - 1]!.text !== '<NULL>') refuse('words, a <rule> or a group');
        return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
      } else {
        next++;
        parts.push({ kind: 'word', word: text.replace(/^"|"$/g, '') });
      }
    }
  };

  if (/^#JSGF\b/.test(tokens[0]!.text)) next++;
  if (tokens[next]!.text === 'grammar') {
    next += 2;
    take(';', '";" after the name of the grammar');
  }
  const rules = new Map<string, Expansion>();
  const places = new Map<string, string>();
  const start: string[] = [];
  while (tokens[next]!.text !== '') {
    const isPublic = tokens[next]!.text === 'public';
    if (isPublic) next++;
    const { text: name, place } = tokens[next]!;
    if (!/^<.+>$/.test(name)) refuse('a rule: <name> = what it says;');
    if (rules.has(name)) refuse(`each rule once (the other is at ${places.get(name)})`);
    next++;
    take('=', '"=" after the name of a rule');
    rules.set(name, choice(0));
    places.set(name, place);
    if (isPublic) start.push(name);
    take(';', '";" at the end of a rule');
  }
  if (start.length === 0) {
    throw badInput(`${shownName}: expected a public rule, but found none; write: public <name> = … ;`);
  }
  check(rules, places);
  return { start, rules };
}

function optional(expansion: Expansion): Expansion {
  return {
    kind: 'choice',
    of: [
      { weight: 1, expansion },
      { weight: 1, expansion: nothing },
    ],
  };
}

/** @throws EarwitnessError `bad-input` for rules that do not exist, or contain themselves */
function check(rules: ReadonlyMap<string, Expansion>, places: ReadonlyMap<string, string>): void {
  const state = new Map<string, 'open' | 'done'>();
  for (const first of rules.keys()) {
    const path: { name: string; uses: string[] }[] = [];
    const enter = (name: string) => {
      state.set(name, 'open');
      path.push({ name, uses: usedBy(rules.get(name)!) });
    };
    if (state.get(first) === undefined) enter(first);
    while (path.length > 0) {
      const { name, uses } = path.at(-1)!;
      const used = uses.pop();
      if (used === undefined) {
        state.set(name, 'done');
        path.pop();
        continue;
      }
      const place = places.get(name)!;
      if (!rules.has(used)) {
        const near = nearestName(used, [...rules.keys()]);
        throw badInput(
          `${place}: expected ${name} to use rules of this file, but there is no ${limitText(used, 60)}; ${near === null ? 'write it' : `did you mean ${near}?`}`,
        );
      }
      if (state.get(used) === 'open') {
        throw badInput(`${place}: expected finite texts, but ${name} is a part of itself; take that out`);
      }
      if (state.get(used) === undefined) enter(used);
    }
  }
}

function usedBy(expansion: Expansion): string[] {
  if (expansion.kind === 'rule') return [expansion.name];
  if (expansion.kind === 'sequence') return expansion.parts.flatMap(usedBy);
  return expansion.kind === 'choice' ? expansion.of.flatMap((one) => usedBy(one.expansion)) : [];
}

function tokensOf(source: string, shownName: string): Token[] {
  const pattern =
    /(?<blank>\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\{[^}\n]*\})|(?<token>#JSGF[^;\n]*;|<[^<>\s][^<>\n]*>|"[^"\n]*"|\/[\d.eE+-]+\/|[|()[\];=*+]|[^\s|()[\]{};=*+<>"/]+)/y;
  const tokens: Token[] = [];
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < source.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    const place = `${shownName}:${line}:${at - lineStart + 1}`;
    if (found === null) {
      const sign = JSON.stringify(String.fromCodePoint(source.codePointAt(at)!));
      throw badInput(`${place}: expected words, <rules>, groups or ";", but found ${sign}`);
    }
    if (found.groups!.token !== undefined) tokens.push({ text: found.groups!.token, place });
    for (let newline = found[0].indexOf('\n'); newline !== -1; newline = found[0].indexOf('\n', newline + 1)) {
      line++;
      lineStart = at + newline + 1;
    }
  }
  tokens.push({ text: '', place: `${shownName}:${line}:${source.length - lineStart + 1}` });
  return tokens;
}
