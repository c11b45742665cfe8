import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { badConfig, badInput, fileProblem } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { between, flag, list, matching, whole } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import { publishedGrammars } from '../../corpora/sentences/grammar/published-grammars.ts';
import { readGrammarTexts } from '../../corpora/sentences/grammar/read-grammar.ts';
import { yamlSource } from '../../session/config/yaml-source.ts';
import { explainIssue } from '../../session/members/explain-issue.ts';
import { knownKeys, writtenJsonSchema } from '../../session/members/option-schema.ts';

const word = matching(/^[A-Za-z][A-Za-z0-9]{0,30}$/, 'expected letters and digits');
const line = z.string().trim().min(1).max(300);
const name = matching(/^[a-z][a-z0-9-]{0,30}$/, 'expected lower-case letters, digits and -');

const attribute = z.strictObject({
  name: word,
  question: line,
  choices: list(line, 0, 60).default([]),
  /** More than one may be true. */
  several: flag(false),
  /** People may use their own words, instead or besides. */
  ownWords: flag(true),
});

const script = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('read'), name, file: line, each: whole(1, 2000).optional() }),
  z.strictObject({ type: z.literal('grammar'), name, grammar: line, each: whole(1, 2000) }),
  z.strictObject({ type: z.literal('dictation'), name, file: line, each: whole(1, 2000).optional() }),
  z.strictObject({
    type: z.literal('free'),
    name,
    prompts: list(line, 1, 200),
    transcribe: flag(true),
  }),
  z.strictObject({ type: z.literal('dialogue'), name, file: line }),
]);

const shape = z.strictObject({
  title: line,
  language: matching(/^[a-z]{2,3}(-[A-Za-z0-9]+)*$/, 'expected a language tag such as en or de-AT'),
  licence: line,
  consent: line,
  contact: line,
  attributes: list(attribute, 1, 20),
  environments: list(line, 0, 20).default([]),
  devices: list(line, 0, 20).default([]),
  scripts: list(script, 1, 20),
  maxSeconds: between(2, 85).default(30),
  maxClipsEach: whole(1, 5000).default(500),
  /** How many speakers every combination of these is to have. */
  quota: z.strictObject({ attributes: list(word, 1, 4), speakers: whole(1) }).optional(),
  seed: whole(0).default(1),
});

type Written = z.infer<typeof shape>;
type Script = Written['scripts'][number];

/** What a researcher wants to record, of whom, and what people are told before. */
export interface CollectionPlan extends Omit<Written, 'consent'> {
  /** What people agree to: paragraphs. */
  readonly consent: string;
  /** Of the text: stands with each recording. */
  readonly consentSha256: string;
  /** What can be said, by script. */
  readonly texts: ReadonlyMap<string, readonly ScriptLine[]>;
}

export interface ScriptLine {
  readonly text: string;
  /** Who says it, in a dialogue. */
  readonly role: 'A' | 'B' | null;
}

/** One clip that a person is asked for. */
export interface CollectionItem {
  /** Unique among those of a person: `read-17`. */
  readonly id: string;
  readonly script: string;
  readonly type: Script['type'];
  /** What is said, or what is spoken about. */
  readonly text: string;
  /** In a dialogue: who speaks, and what was said just before and comes after. */
  readonly role: 'A' | 'B' | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** The two who read a dialogue. */
export interface Pair {
  readonly a: string;
  readonly b: string;
}

/** Name of the plan in its folder. */
export const planFile = 'collect.yaml';

/**
 * Reads the plan of a collection with all texts that it names, which lie in its folder.
 *
 * @throws EarwitnessError `bad-config` with all that is wrong at once, each with line and column; `bad-input` for texts that cannot be read
 * @example const plan = await readCollectionPlan('voices');
 */
export async function readCollectionPlan(folder: string): Promise<CollectionPlan> {
  const file = join(folder, planFile);
  const written = checked(await textOf(file), file);
  const consent = (await textOf(within(folder, written.consent))).trim();
  if (consent === '') throw badInput(`${written.consent}: expected what people agree to, but it is empty`);
  const texts = new Map<string, readonly ScriptLine[]>();
  for (const one of written.scripts) texts.set(one.name, await linesOf(one, folder, written.seed));
  return { ...written, consent, consentSha256: sha256(consent), texts };
}

function checked(text: string, file: string): Written {
  const shown = printable(file, 300);
  const refuse = (problem: string, position?: { readonly line: number; readonly column: number } | null): never => {
    throw badConfig(`${shown}${position ? `:${position.line}:${position.column}` : ''}: ${problem}`);
  };
  const source = yamlSource(text, 'YAML', () => undefined, refuse);
  const { data, error } = shape.safeParse(source.data);
  const keys = writtenJsonSchema(shape) as JsonObject;
  const issues =
    error?.issues.flatMap((issue) => explainIssue(issue, source.data, (path) => knownKeys(keys, path))) ?? [];
  const problems = [...source.problems, ...issues];
  if (data !== undefined && problems.length === 0) {
    for (const [what, names] of [
      ['attributes', data.attributes.map((one) => one.name)],
      ['scripts', data.scripts.map((one) => one.name)],
    ] as const) {
      const twice = names.find((one, at) => names.indexOf(one) !== at);
      if (twice !== undefined)
        problems.push({
          path: [what],
          at: 'value',
          text: `expected names that differ, but "${twice}" stands there twice`,
        });
    }
    const taken = data.attributes.find((one) => ownColumns.includes(one.name));
    if (taken !== undefined)
      problems.push({
        path: ['attributes'],
        at: 'value',
        text: `expected other names than those of the list's own columns, but got "${taken.name}"; rename it`,
      });
    const unknown = data.quota?.attributes.find((one) => !data.attributes.some((known) => known.name === one));
    if (unknown !== undefined)
      problems.push({
        path: ['quota', 'attributes'],
        at: 'value',
        text: `expected attributes that people are asked about, but got "${unknown}"`,
      });
    if (problems.length === 0) return data;
  }
  throw badConfig(
    problems
      .map(({ path, at, text: problem }) => {
        const position = source.position(path, at);
        return `${shown}${position ? `:${position.line}:${position.column}` : ''}: ${path.length > 0 ? `${path.join('.')}: ` : ''}${problem}`;
      })
      .join('\n'),
  );
}

/** Columns of the list that are no attributes of people. */
const ownColumns: readonly string[] = [
  ...[
    'id',
    'path',
    'speaker',
    'language',
    'text',
    'script',
    'style',
    'environment',
    'recordingDevice',
    'dialogue',
    'pair',
    'role',
  ],
  ...['turn', 'rooms', 'duration', 'licence', 'consent', 'sha256'],
];

async function textOf(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw badInput(`${printable(path, 300)}: expected a text, but it cannot be read (${fileProblem(error)})`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badInput(`${printable(path, 300)}: expected text in UTF-8, but it has other bytes; save it as UTF-8`);
  }
}

function within(folder: string, file: string): string {
  const path = join(folder, file);
  const way = relative(folder, path);
  if (way !== '' && !way.startsWith('..')) return path;
  throw badConfig(`${printable(file, 200)}: expected a file in the folder of ${planFile}; put it there`);
}

async function linesOf(one: Script, folder: string, seed: number): Promise<readonly ScriptLine[]> {
  const plain = (text: string): ScriptLine => ({ text, role: null });
  if (one.type === 'free') return one.prompts.map(plain);
  if (one.type === 'grammar') {
    const source = publishedGrammars.has(one.grammar) ? one.grammar : within(folder, one.grammar);
    return [...(await readGrammarTexts(source, dirname(folder), { most: 5000, seed }))].map(plain);
  }
  const file = within(folder, one.file);
  const rows = (await textOf(file)).split(/\r?\n/).map((text, at) => ({ text: text.trim(), number: at + 1 }));
  const filled = rows.filter(({ text }) => text !== '');
  if (filled.length === 0) throw badInput(`${file}: expected one text a line, but it has none`);
  if (one.type !== 'dialogue') return filled.map(({ text }) => plain(text));
  return filled.map(({ text, number }) => {
    const [, role, said] = /^([AB]):\s*(\S.*)$/.exec(text) ?? [];
    if (role !== undefined && said !== undefined) return { text: said, role: role as 'A' | 'B' };
    throw badInput(
      `${file}:${number}: expected a line that begins with A: or B:, but got ${JSON.stringify(printable(text, 40))}`,
    );
  });
}

/**
 * What a person is asked for, in the order of the scripts. Of texts of which each person reads some, all are read about alike often: the
 * order is drawn by seed, and each person goes on where the one before ended.
 *
 * @param seat how many people were invited before, from 0
 * @param role whom they are in dialogues; null: they have no partner, and read none
 */
export function itemsOf(plan: CollectionPlan, seat: number, role: 'A' | 'B' | null): readonly CollectionItem[] {
  const items = plan.scripts.flatMap((one): CollectionItem[] => {
    const lines = plan.texts.get(one.name)!;
    const common = { script: one.name, type: one.type };
    if (one.type === 'dialogue') {
      return lines.flatMap(({ text, role: whose }, at) =>
        whose !== role
          ? []
          : [
              {
                ...common,
                id: `${one.name}-${at + 1}`,
                text,
                role,
                before: lines[at - 1]?.text ?? null,
                after: lines[at + 1]?.text ?? null,
              },
            ],
      );
    }
    const each = 'each' in one && one.each !== undefined ? Math.min(one.each, lines.length) : lines.length;
    const order = lines
      .map((_, at) => ({ at, lot: each === lines.length ? '' : sha256(JSON.stringify([plan.seed, one.name, at])) }))
      .sort((x, y) => (x.lot < y.lot ? -1 : x.lot > y.lot ? 1 : x.at - y.at));
    return Array.from({ length: each }, (_, step) => order[(seat * each + step) % order.length]!.at).map((at) => ({
      ...common,
      ...{ id: `${one.name}-${at + 1}`, text: lines[at]!.text, role: null, before: null, after: null },
    }));
  });
  return items.slice(0, plan.maxClipsEach);
}

/** What a new folder begins with: a plan to be changed, what people agree to, and texts. */
export const template: Readonly<Record<string, string>> = {
  [planFile]: `# What is recorded, and of whom. \`earwitness collect\` shows people pages that follow from it.
title: Voices of our town
language: en
licence: CC BY 4.0
consent: consent.txt # read before anything is recorded; its hash stands with each recording
contact: voices@example.org # for questions, and for withdrawing

# Self-identified, never inferred. Nobody has to answer; "ownWords" adds a field.
attributes:
  - { name: sex, question: How do you describe your gender?, choices: [female, male, non-binary] }
  - { name: ageGroup, question: How old are you?, choices: ["18-29", "30-44", "45-59", "60+"], ownWords: false }
  - { name: accent, question: How would you describe your accent? }
  - { name: nativeLanguage, question: Which languages did you grow up with?, choices: [English, Spanish, Arabic], several: true }
environments: [at home, in an office, outdoors, in a car]
devices: [phone, laptop, headset]

scripts:
  - { type: read, name: sentences, file: sentences.txt, each: 5 } # each person reads five; all are read alike often
  - { type: grammar, name: commands, grammar: aequevox/gcp-robust, each: 5 } # sentences of AequeVox
  - { type: dictation, name: letter, file: dictation.txt } # punctuation is spoken
  - { type: free, name: story, prompts: [What did you do yesterday?] } # said freely, then written down by who said it
  - { type: dialogue, name: kiosk, file: dialogue.txt } # for pairs: --pair anna+ben

quota: { attributes: [sex, ageGroup], speakers: 5 } # of each combination; says whom to recruit next
maxSeconds: 30
seed: 1
`,
  'consent.txt': `We record your voice to find out for whom speech recognizers work and for whom they do not.

What is kept: the recordings, what you read or said in them, and what you tell about yourself. Your name is kept apart from them and is not published.

You can stop at any time. You can withdraw later, with your code or on your own page: then your recordings and what you told about yourself are removed here.

Replace this text with your own before you invite anybody.
`,
  'sentences.txt': `The harbour was quiet before the morning ferry came.
She put the last of the apples into a paper bag.
Nobody had told him that the meeting was moved to Thursday.
Turn left at the bakery and walk up to the old school.
Thirty-eight people signed the letter within an hour.
It rained so hard that we could not hear each other.
My brother keeps two goats behind the blue house.
Could you bring the ladder when you come over?
The train to the coast leaves from platform nine.
He laughed, shook his head and went on reading.
`,
  'dictation.txt': `dear Maria comma thank you for your letter full stop
shall we meet on Friday question mark
`,
  'dialogue.txt': `A: Good morning, what can I get you?
B: Two coffees, please, and one of those rolls.
A: With butter or without?
B: Without, thanks. How much is that?
`,
};
