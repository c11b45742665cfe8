import { stringify } from 'yaml';
import type { Json, JsonObject } from '../base/json.ts';
import { defaultSeed } from '../base/random.ts';
import type { OptionDescription } from '../session/members/option-schema.ts';
import { wrap } from './terminal/text-table.ts';

/** A member in a config that is to be written. */
export interface TemplateMember {
  readonly family: string;
  readonly type: string;
  /** What is set; everything else stands there as a comment. */
  readonly options: JsonObject;
  readonly about: string;
  readonly described: readonly OptionDescription[];
}

/** What a new config says. */
export interface Template {
  readonly corpus: TemplateMember;
  readonly synthesizers: Readonly<Record<string, TemplateMember>>;
  readonly recognizers: Readonly<Record<string, TemplateMember>>;
  readonly studies: readonly TemplateMember[];
}

export type TemplateFormat = 'yaml' | 'ts';

const lineWidth = 100;

/** So many options stand there as comments; a long list would hide what is set. */
const shownOptions = 6;

/**
 * The text of a config with comments: what is set, and options that could be, with what their member says of them.
 *
 * @param schema where editors find that of configs; null: it is not beside it
 */
export function configTemplate(template: Template, format: TemplateFormat, schema: string | null): string {
  const write = format === 'yaml' ? yamlWriter : moduleWriter;
  const lines = [
    ...(schema === null || format !== 'yaml' ? [] : [`# yaml-language-server: $schema=${schema}`]),
    ...write.head,
    ...write.comment('Random seed: the same seed gives the same run.', 0),
    ...write.entry('seed', defaultSeed, 0),
    '',
    ...write.comment('The utterances. `earwitness list corpora` shows other corpora.', 0),
    ...write.open('corpus', 0),
    ...memberLines(template.corpus, 1, write),
    ...write.comment('select: which utterances are used: where, sample, stratify, limit', 1),
    ...write.close(0),
    '',
    ...(Object.keys(template.synthesizers).length === 0
      ? []
      : [
          ...write.comment('Text-to-speech engines, by a name of your own.', 0),
          ...write.open('synthesizers', 0),
          ...named(template.synthesizers, write),
          ...write.close(0),
          '',
        ]),
    ...write.comment(
      'The recognizers to test, by a name of your own. Besides their own options all take limits (concurrency, perSecond, perMinute, timeLimitSeconds, attempts), epoch, isolate, pricePerMinute and facts.',
      0,
    ),
    ...write.open('recognizers', 0),
    ...named(template.recognizers, write),
    ...write.close(0),
    '',
    ...write.comment('The studies to run. `earwitness list studies` shows others.', 0),
    ...write.openList('studies', 0),
    ...template.studies.flatMap((study) => [
      ...write.openItem(1),
      ...memberLines(study, 2, write).map((line, index) => write.itemLine(line, index)),
      ...write.close(1),
    ]),
    ...write.closeList(0),
    '',
    ...write.comment('The run stops before it exceeds these: calls, audioMinutes, money: { amount, currency }.', 0),
    ...write.commented('budget', { audioMinutes: 600 }, 0),
    ...write.comment('Recognitions at once on this machine (default: one per core).', 0),
    ...write.commented('workers', 2, 0),
    ...write.comment('Where the report is written, and what it contains.', 0),
    ...write.commented('report', { folder: 'earwitness-report', sound: true, transcripts: true }, 0),
    ...write.foot,
  ];
  return `${lines.join('\n')}\n`;
}

interface Writer {
  readonly head: readonly string[];
  readonly foot: readonly string[];
  comment(text: string, depth: number): string[];
  entry(key: string, value: Json, depth: number): string[];
  /** An entry that is switched off. */
  commented(key: string, value: Json, depth: number): string[];
  open(key: string, depth: number): string[];
  close(depth: number): string[];
  openList(key: string, depth: number): string[];
  closeList(depth: number): string[];
  openItem(depth: number): string[];
  /** A line of an item of a list, by its number in the item. */
  itemLine(line: string, index: number): string;
}

function named(members: Readonly<Record<string, TemplateMember>>, write: Writer): string[] {
  return Object.entries(members).flatMap(([name, member]) => [
    ...write.open(name, 1),
    ...memberLines(member, 2, write),
    ...write.close(1),
  ]);
}

function memberLines(
  { family, type, options, about, described }: TemplateMember,
  depth: number,
  write: Writer,
): string[] {
  const further = described
    .filter(({ name }) => !Object.hasOwn(options, name))
    .toSorted((a, b) => Number(b.required) - Number(a.required));
  return [
    ...write.entry('type', type, depth),
    ...write.comment(about, depth),
    ...Object.entries(options).flatMap(([key, value]) => write.entry(key, value, depth)),
    ...further.slice(0, shownOptions).flatMap((option) => {
      const usual = option.default === null ? '' : `, default ${option.default}`;
      const state = `${option.kind}${option.required ? ', required: fill it in' : usual}`;
      return write.comment(`${option.name}: ${option.about.replace(/\.$/, '')} (${state})`, depth);
    }),
    ...(further.length > shownOptions
      ? write.comment(`and ${further.length - shownOptions} more: earwitness list ${family} ${type}`, depth)
      : []),
  ];
}

function comment(mark: string, indent: string): (text: string, depth: number) => string[] {
  return (text, depth) => {
    const margin = indent.repeat(depth);
    return wrap(text, lineWidth - margin.length - mark.length).map((line) => `${margin}${mark}${line}`);
  };
}

const yamlWriter: Writer = {
  head: [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is this that the user may write
    '# Config of earwitness. Unquoted values may be taken from the environment: ${NAME:-default}. Keys of services are',
    '# not written here: recognizers read them from the environment.',
    '',
  ],
  foot: [],
  comment: comment('# ', '  '),
  entry: (key, value, depth) => indentedYaml({ [key]: value }, depth),
  commented: (key, value, depth) => indentedYaml({ [key]: value }, depth).map((line) => `# ${line}`),
  open: (key, depth) => indentedYaml({ [key]: null }, depth).map((line) => line.replace(/ null$/, '')),
  close: () => [],
  openList: (key, depth) => [`${'  '.repeat(depth)}${key}:`],
  closeList: () => [],
  openItem: () => [],
  itemLine: (line, index) => (index === 0 ? `  - ${line.trimStart()}` : line),
};

function indentedYaml(value: Json, depth: number): string[] {
  const text = stringify(value, { lineWidth: 0 }).trimEnd();
  return text.split('\n').map((line) => `${'  '.repeat(depth)}${line}`);
}

const moduleComment = comment('// ', '  ');
const moduleWriter: Writer = {
  head: [
    "import { defineConfig } from 'earwitness';",
    '',
    '// Data only: no functions or instances. Keys of services are not written here: recognizers read them from the',
    '// environment.',
    'export default defineConfig({',
  ],
  foot: ['});'],
  comment: (text, depth) => moduleComment(text, depth + 1),
  entry: (key, value, depth) => [`${margin(depth)}${propertyName(key)}: ${literal(value)},`],
  commented: (key, value, depth) => [`${margin(depth)}// ${propertyName(key)}: ${literal(value)},`],
  open: (key, depth) => [`${margin(depth)}${propertyName(key)}: {`],
  close: (depth) => [`${margin(depth)}},`],
  openList: (key, depth) => [`${margin(depth)}${key}: [`],
  closeList: (depth) => [`${margin(depth)}],`],
  openItem: (depth) => [`${margin(depth)}{`],
  itemLine: (line) => line,
};

function margin(depth: number): string {
  return '  '.repeat(depth + 1);
}

function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}

/** JSON in the quotes that TypeScript is usually written with. */
function literal(value: Json): string {
  if (typeof value === 'string') {
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  }
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([key, part]) => `${propertyName(key)}: ${literal(part)}`)
      .join(', ')} }`;
  }
  return String(value);
}
