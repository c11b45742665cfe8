import type { Command } from 'commander';
import { capitalized } from '../../base/wording.ts';
import { publishedGrammars } from '../../corpora/sentences/grammar/published-grammars.ts';
import { readGrammarTexts } from '../../corpora/sentences/grammar/read-grammar.ts';
import { harper } from '../../grammar-checkers/harper/harper.ts';
import { type CheckedGrammar, findingOfGrammars } from '../../studies/fault-validation/finding-of-grammars.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { naturalNumber, outFlag, wholeFrom } from '../options.ts';
import { reportFinding } from '../print-report.ts';

const flags = [
  ['--sentences <number>', 'number of sentences drawn from each grammar', { read: wholeFrom(1, 10_000), default: 100 }],
  ['--seed <number>', 'seed of the random sample', { read: naturalNumber, default: 1 }],
  outFlag,
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `grammar GRAMMAR …` */
export const grammar: CliCommand = {
  examples: ['grammar sentences.jsgf', 'grammar aequevox --out report'],
  notes: `A grammar is a JSGF file or a published one: ${[...publishedGrammars.keys()].join(', ')}; aequevox means all of these. Sentences get a capital letter and a full stop, and are checked by Harper on this machine; install it with: npm install harper.js. Without it nothing is checked.`,
  flags,
  configure(command: Command) {
    command.argument('<grammars...>', 'JSGF files, or names of published grammars').action(run);
  },
};

async function run(named: readonly string[], { sentences, seed, ...flags }: Options): Promise<void> {
  const names = named.flatMap((name) => (name === 'aequevox' ? [...publishedGrammars.keys()] : [name]));
  const checker = await harper.open();
  try {
    const grammars: CheckedGrammar[] = [];
    for (const name of new Set(names)) {
      const texts = [...(await readGrammarTexts(name, process.cwd(), { most: sentences, seed }))];
      const checked = [];
      for (const text of texts) checked.push({ text, complaints: await checker.check(asWritten(text)) });
      const about = publishedGrammars.get(name)?.about;
      grammars.push({ name: about ?? name, whole: texts.length < sentences, sentences: checked });
    }
    const finding = findingOfGrammars(grammars, { sentences, seed, checker: checker.identity, limits: checker.limits });
    await reportFinding(finding, named.join(', '), { ...flags, transcripts: true }, seed);
  } finally {
    await checker.close();
  }
}

/** As in a book: what is spoken has no capital letters, and the checker would complain of that. */
function asWritten(text: string): string {
  const sentence = capitalized(text);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
