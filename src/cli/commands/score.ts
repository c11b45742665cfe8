import type { Command } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { readRows, rowFormatOf } from '../../corpora/shared/read-rows.ts';
import { align } from '../../scoring/alignment/align.ts';
import { countCharacterEdits } from '../../scoring/alignment/characters.ts';
import { countEdits } from '../../scoring/alignment/count-edits.ts';
import { addCounts, type EditCounts, errorRate, noEdits, referenceLength } from '../../scoring/edit-counts.ts';
import { type Normalizer, normalizerNamed } from '../../scoring/normalizers/normalizers.ts';
import type { CliCommand } from '../command.ts';
import { printJson, printLine, terminalWidth } from '../output.ts';
import { alignment } from '../terminal/alignment.ts';
import { columns } from '../terminal/text-table.ts';

interface Options {
  readonly reference?: string;
  readonly hypothesis?: string;
  readonly normalizer: string;
  readonly json?: true;
}

interface Pair {
  readonly id: string | null;
  readonly reference: string;
  readonly hypothesis: string;
}

/** `score --reference TEXT --hypothesis TEXT`, `score PAIRS` */
export const score: CliCommand = {
  examples: ['score --reference "the cat sat" --hypothesis "a cat sat down"', 'score pairs.tsv --json'],
  configure(command: Command) {
    command
      .argument('[pairs]', 'a TSV, CSV or JSONL file with the columns id, reference, hypothesis')
      .option('--reference <text>', 'what was said')
      .option('--hypothesis <text>', 'what was recognized')
      .option('-n, --normalizer <name>', 'makes texts comparable (earwitness list normalizers)', 'basic')
      .action(run);
  },
};

async function run(file: string | undefined, options: Options): Promise<void> {
  const normalizer = normalizerNamed(options.normalizer);
  const pairs = file === undefined ? onePair(options) : pairsOf(file, options);
  let words = noEdits;
  let characters = noEdits;
  let count = 0;
  const scored: Json[] = [];
  for await (const pair of pairs) {
    const { reference, hypothesis } = normalized(pair, normalizer);
    const counts = { words: countEdits(reference, hypothesis), characters: countCharacterEdits(reference, hypothesis) };
    words = addCounts(words, counts.words);
    characters = addCounts(characters, counts.characters);
    count++;
    if (options.json) {
      scored.push({
        ...(pair.id === null ? {} : { id: pair.id }),
        words: rated(counts.words, 'wer'),
        characters: rated(counts.characters, 'cer'),
      });
    } else if (file === undefined) {
      await printLine(`${alignment(align(reference, hypothesis), terminalWidth())}\n`);
    }
  }
  if (options.json) {
    await printJson({
      normalizer: { name: normalizer.name, version: normalizer.version },
      pairs: scored,
      pooled: { pairs: count, words: rated(words, 'wer'), characters: rated(characters, 'cer') },
    });
    return;
  }
  const row = (unit: string, rate: string, counts: EditCounts) => [
    unit,
    String(referenceLength(counts)),
    String(counts.correct),
    String(counts.substitutions),
    String(counts.deletions),
    String(counts.insertions),
    `${rate} ${percent(errorRate(counts))}`,
  ];
  const head = ['', 'reference', 'correct', 'substituted', 'deleted', 'inserted', 'rate'];
  const rows = [row('words', 'WER', words), row('characters', 'CER', characters)];
  await printLine(columns(head, rows, [false, true, true, true, true, true, false]));
  await printLine(
    `${count} ${count === 1 ? 'pair' : 'pairs, pooled'}; normalizer ${normalizer.name} ${normalizer.version}`,
  );
}

function normalized({ reference, hypothesis }: Pair, normalizer: Normalizer) {
  return { reference: normalizer.words(reference), hypothesis: normalizer.words(hypothesis) };
}

/** Counts first; a rate of an empty reference does not exist. */
function rated(counts: EditCounts, name: 'wer' | 'cer'): Json {
  const rate = errorRate(counts);
  return { ...counts, [name]: rate, ...(rate === null ? { reason: 'the reference is empty' } : {}) };
}

function percent(rate: number | null): string {
  return rate === null ? '- (empty reference)' : `${(100 * rate).toFixed(2)} %`;
}

async function* onePair({ reference, hypothesis }: Options): AsyncGenerator<Pair> {
  if (reference === undefined || hypothesis === undefined) {
    throw new EarwitnessError('bad-usage', 'expected a file of pairs, or both --reference and --hypothesis');
  }
  yield { id: null, reference, hypothesis };
}

async function* pairsOf(file: string, options: Options): AsyncGenerator<Pair> {
  if (options.reference !== undefined || options.hypothesis !== undefined) {
    throw new EarwitnessError(
      'bad-usage',
      'expected either a file of pairs or --reference and --hypothesis, but got both',
    );
  }
  if (!/\.(tsv|tab|csv|jsonl|ndjson|json)$/i.test(file)) {
    throw new EarwitnessError(
      'bad-input',
      `${file}: expected a name that ends in .tsv, .csv or .jsonl; rename the file`,
    );
  }
  let found = false;
  for await (const row of readRows(file, file, rowFormatOf(file))) {
    found = true;
    const need = (name: string): string => {
      const text = row.text(name);
      if (text !== undefined) return text;
      const nearest = nearestName(name, row.names);
      const hint = nearest === null || nearest === name ? 'add it' : `rename "${nearest}"`;
      throw new EarwitnessError(
        'bad-input',
        `${row.place()}: expected a text under "${name}", but there is none; ${hint}`,
      );
    };
    yield { id: row.text('id') ?? null, reference: need('reference'), hypothesis: need('hypothesis') };
  }
  if (!found) throw new EarwitnessError('bad-input', `${file}: expected at least one pair, but the file has none`);
}
