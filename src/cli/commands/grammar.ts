import type { Command } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import { capitalized } from '../../base/wording.ts';
import { publishedGrammars } from '../../corpora/sentences/grammar/published-grammars.ts';
import { readGrammarTexts } from '../../corpora/sentences/grammar/read-grammar.ts';
import { harper } from '../../grammar-checkers/harper/harper.ts';
import { type CheckedGrammar, findingOfGrammars } from '../../studies/fault-validation/finding-of-grammars.ts';
import type { CliCommand } from '../command.ts';
import { type ReportFlags, reportFinding } from '../print-report.ts';

interface Options extends Omit<ReportFlags, 'transcripts'> {
  readonly sentences: string;
  readonly seed: string;
}

const most = 10_000;

/** `grammar GRAMMAR …` */
export const grammar: CliCommand = {
  examples: ['grammar sentences.jsgf', 'grammar aequevox --out report'],
  notes: `A grammar is a JSGF file or a published one: ${[...publishedGrammars.keys()].join(', ')}; aequevox means all of these. Sentences get a capital letter and a full stop, and are checked by Harper on this machine; install it with: npm install harper.js. Without it nothing is checked.`,
  configure(command: Command) {
    command
      .argument('<grammars...>', 'JSGF files, or names of published grammars')
      .option('--sentences <number>', 'number of sentences drawn from each grammar', '100')
      .option('--seed <number>', 'seed of the random sample', '1')
      .option('--out <folder>', 'also write the report to this folder, as HTML, JSON, Markdown and CSV')
      .action(run);
  },
};

async function run(named: readonly string[], { sentences, seed, ...flags }: Options): Promise<void> {
  const drawn = { sentences: wholeNumber('--sentences', sentences, 1, most), seed: wholeNumber('--seed', seed, 0) };
  const names = named.flatMap((name) => (name === 'aequevox' ? [...publishedGrammars.keys()] : [name]));
  const checker = await harper.open();
  try {
    const grammars: CheckedGrammar[] = [];
    for (const name of new Set(names)) {
      const texts = [...(await readGrammarTexts(name, process.cwd(), { most: drawn.sentences, seed: drawn.seed }))];
      const checked = [];
      for (const text of texts) checked.push({ text, complaints: await checker.check(asWritten(text)) });
      const about = publishedGrammars.get(name)?.about;
      grammars.push({ name: about ?? name, whole: texts.length < drawn.sentences, sentences: checked });
    }
    const finding = findingOfGrammars(grammars, { ...drawn, checker: checker.identity, limits: checker.limits });
    await reportFinding(finding, named.join(', '), { ...flags, transcripts: true }, drawn.seed);
  } finally {
    await checker.close();
  }
}

/** As in a book: what is spoken has no capital letters, and the checker would complain of that. */
function asWritten(text: string): string {
  const sentence = capitalized(text);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function wholeNumber(flag: string, text: string, least: number, greatest = Number.MAX_SAFE_INTEGER): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(number) && number >= least && number <= greatest) return number;
  throw new EarwitnessError(
    'bad-usage',
    `expected ${flag} to be a whole number from ${least}${greatest === Number.MAX_SAFE_INTEGER ? ' on' : ` to ${greatest}`}, but got ${JSON.stringify(text.slice(0, 40))}`,
  );
}
