import type { Command } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { loadNormalizer } from '../../session/members/load-normalizer.ts';
import type { CliCommand } from '../command.ts';
import { print, say, terminalWidth } from '../output.ts';
import { explainedSteps } from '../terminal/explained-steps.ts';

interface Options {
  readonly normalizer: string;
  readonly explain?: true;
  readonly json?: true;
}

/** A line is a transcript; what goes on for longer is no text. */
const longestLineBytes = 16 * 1024 * 1024;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** `normalize --normalizer NAME [--explain]` */
export const normalize: CliCommand = {
  examples: [
    'normalize --normalizer basic < transcripts.txt > normalized.txt',
    'normalize --normalizer english --explain < transcripts.txt',
    'normalize --normalizer ./mine.ts < transcripts.txt',
  ],
  notes:
    'Reads lines from stdin and writes a line for each; with --json an object for each. A normalizer of your own is a module whose default export is what makeNormalizer of earwitness/scoring gives.',
  configure(command: Command) {
    command
      .option('-n, --normalizer <name>', 'which one (earwitness list normalizers), or a module (./mine.ts)', 'basic')
      .option('--explain', 'show what each step made of a line')
      .action(run);
  },
};

async function run(options: Options): Promise<void> {
  const normalizer = await loadNormalizer(options.normalizer, process.cwd());
  if (process.stdin.isTTY) say('reading lines from the terminal; end with Ctrl-D');
  for await (const line of linesOf(process.stdin)) {
    await print(`${answer(line, normalizer, options)}\n`);
  }
}

function answer(line: string, normalizer: Normalizer, { explain, json }: Options): string {
  const words = normalizer.words(line);
  const normalized = words.join(' ');
  if (!explain) return json ? JSON.stringify({ text: line, normalized }) : normalized;
  const steps = normalizer.explain(line);
  return json
    ? JSON.stringify({ text: line, steps, normalized, words })
    : `${explainedSteps(line, steps, words, terminalWidth())}\n`;
}

/** Lines end with LF or CR LF and nothing else, so that as many go out as came in. */
async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let read = 0;
  const line = (last: Uint8Array): string => {
    read++;
    const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
    pieces = [];
    held = 0;
    return decoded(bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes, read);
  };
  for await (const bytes of stream) {
    let from = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, from)) {
      yield line(bytes.subarray(from, end));
      from = end + 1;
    }
    const rest = bytes.subarray(from);
    if (rest.length > 0) pieces.push(rest);
    held += rest.length;
    if (held > longestLineBytes) {
      throw new EarwitnessError(
        'bad-input',
        `stdin:${read + 1}: expected lines of at most 16 MB, but this one is longer`,
      );
    }
  }
  if (held > 0) yield line(new Uint8Array());
}

function decoded(bytes: Uint8Array, line: number): string {
  try {
    // A mark of byte order belongs to the start of a text only.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: line > 1 }).decode(bytes);
  } catch (error) {
    throw new EarwitnessError(
      'bad-input',
      `stdin:${line}: expected text in UTF-8, but it has other bytes; save it as UTF-8`,
      {
        cause: error,
      },
    );
  }
}
