import type { Command } from 'commander';
import { badUsage } from '../../base/errors.ts';
import { languageTag } from '../../base/language-tag.ts';
import { printable } from '../../base/printable.ts';
import { plain } from '../../scoring/normalizers/basic.ts';
import { byLanguage, goesByLanguage } from '../../scoring/normalizers/by-language.ts';
import type { ExplainedStep, Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { loadNormalizer } from '../../session/members/load-normalizer.ts';
import { readTextLines } from '../../system/text-lines.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { print, say, terminalWidth } from '../output.ts';
import { glossary } from '../terminal/text-table.ts';

const flags = [
  [
    '-n, --normalizer <name>',
    'normalizer name (earwitness list normalizers), or a module (./mine.ts); default: by-language, without --language plain',
  ],
  ['--language <tag>', 'language of the lines'],
  ['--explain', 'show the line after each step'],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `normalize [FILE] --normalizer NAME [--explain]` */
export const normalize: CliCommand = {
  examples: [
    'normalize transcripts.txt > normalized.txt',
    'normalize --normalizer english --explain < transcripts.txt',
    'normalize --normalizer ./mine.ts transcripts.txt',
  ],
  notes:
    'Reads lines from a file or stdin and writes one normalized line for each; with --json one object. A normalizer of your own is a module whose default export is made by makeNormalizer of earwitness/scoring.',
  flags,
  configure(command: Command) {
    command.argument('[file]', 'a text file; - or nothing for stdin').action(run);
  },
};

async function run(file: string | undefined, options: Options): Promise<void> {
  const normalizer = await loadNormalizer(
    options.normalizer ?? (options.language === undefined ? plain.name : byLanguage.name),
    process.cwd(),
  );
  if (goesByLanguage(normalizer) && options.language === undefined) {
    throw badUsage(`expected --language TAG with --normalizer ${byLanguage.name}`);
  }
  const language = options.language === undefined ? undefined : languageTag(options.language, () => '--language');
  const name = file === undefined || file === '-' ? null : file;
  if (name === null && process.stdin.isTTY) say('reading lines from the terminal; end with Ctrl-D');
  for await (const { text } of readTextLines(name ?? process.stdin, name ?? 'stdin')) {
    await print(`${answer(text, normalizer, { ...options, language })}\n`);
  }
}

function answer(
  line: string,
  normalizer: Normalizer,
  { explain, json, language }: Pick<Options, 'explain' | 'json'> & { readonly language: string | undefined },
): string {
  const words = normalizer.words(line, language);
  const normalized = words.join(' ');
  if (!explain) return json ? JSON.stringify({ text: line, normalized }) : normalized;
  const steps = normalizer.explain(line, language);
  return json
    ? JSON.stringify({ text: line, steps, normalized, words })
    : `${explainedSteps(line, steps, words, terminalWidth())}\n`;
}

/** Of hostile text, what is longer than this is cut where it is shown. */
const longestShown = 2000;

/**
 * A text, what each step of a normalizer that changed something made of it, and the words at the end. Runs of white space
 * are shown as one blank.
 */
function explainedSteps(
  text: string,
  steps: readonly ExplainedStep[],
  words: readonly string[],
  width: number,
): string {
  const rows: [string, string][] = [];
  let before = text;
  for (const { step, text: after } of steps) {
    if (after !== before) rows.push([printable(step, 60), differing(before, after)]);
    before = after;
  }
  rows.push([words.length === 1 ? '1 word' : `${words.length} words`, shown(words.join(' '))]);
  const termWidth = Math.max(...rows.map(([step]) => step.length));
  return `${shown(text)}\n${glossary(rows, { width, indent: 2, termWidth })}`;
}

function differing(before: string, after: string): string {
  const [was, is] = [shown(before), shown(after)];
  return oneBlank(was) === oneBlank(is) ? '(white space only)' : is;
}

function shown(text: string): string {
  return text.trim() === '' ? '(nothing)' : printable(text, longestShown);
}

function oneBlank(text: string): string {
  return text.split(/\s+/).join(' ').trim();
}
