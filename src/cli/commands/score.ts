import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import { printableLines } from '../../base/printable.ts';
import type { AlignmentRule } from '../../scoring/alignment/alignment-rule.ts';
import type { CliCommand } from '../command.ts';
import { printLine, say, terminalWidth } from '../output.ts';
import { createConfusionCounts } from '../score/confusion-counts.ts';
import { pairsOfTable } from '../score/pairs-of-table.ts';
import { pairsOfTranscripts, transcriptFormatOf } from '../score/pairs-of-transcripts.ts';
import { readGlm } from '../score/read-glm.ts';
import { resolveNormalizer } from '../score/resolve-normalizer.ts';
import { createScoreGroups } from '../score/score-groups.ts';
import { createScoreJson } from '../score/score-json.ts';
import { type LetterCase, type ScoringRules, scorePair } from '../score/score-pair.ts';
import { scoreText } from '../score/score-text.ts';
import { type Leftovers, type PairSource, plainText, type ScoringPair } from '../score/scoring-pair.ts';
import { watchWorstPairs } from '../score/worst-pairs.ts';
import { alignment } from '../terminal/alignment.ts';

interface Options {
  readonly reference?: string;
  readonly hypothesis?: string;
  readonly normalizer: string;
  readonly alignment: AlignmentRule;
  readonly case: LetterCase;
  readonly by?: string;
  readonly glm?: string;
  readonly alternatives?: true;
  readonly json?: true;
}

const worstShown = 3;
const confusionsShown = 10;

/** `score PAIRS`, `score --reference R.trn --hypothesis H.trn`, `score --reference TEXT --hypothesis TEXT` */
export const score: CliCommand = {
  examples: [
    'score --reference "the cat sat" --hypothesis "a cat sat down"',
    'score pairs.tsv --by accent --json',
    `score --reference ref.stm --hypothesis words.ctm \\
      --alignment sclite --normalizer none --case fold-ascii`,
  ],
  notes:
    'Rates are pooled (errors of all utterances over words of all) and, beside that, means over utterances. A column "speaker" makes the interval respect speakers. NIST sclite’s own counts: --alignment sclite --normalizer none, with --case fold-ascii unless sclite was run with -s (and -D for optional words).',
  configure(command: Command) {
    command
      .argument('[pairs]', 'a TSV, CSV or JSONL file with the columns id, reference, hypothesis and any others')
      .option('--reference <text|file>', 'what was said; or a .trn, .stm or .ctm file')
      .option('--hypothesis <text|file>', 'what was recognized; or a .trn or .ctm file')
      .option(
        '-n, --normalizer <name>',
        'makes texts comparable: a name (earwitness list normalizers), or a module (./mine.ts)',
        'basic',
      )
      .addOption(
        new Option('--alignment <rule>', 'fewest edits, or by the weights and the tie-break of NIST sclite')
          .choices(['least', 'sclite'])
          .default('least'),
      )
      .addOption(
        new Option(
          '--case <what>',
          'of letters, after normalization: keep it, fold it, or fold only A to Z as sclite does',
        )
          .choices(['keep', 'fold', 'fold-ascii'])
          .default('keep'),
      )
      .option('--by <attribute>', 'a table by a column, such as speaker; of an stm also by label, label1, label2, …')
      .option('--glm <file>', 'a global mapping file of NIST, applied to both sides before the normalizer')
      .option(
        '--alternatives',
        'references of pairs hold { a / b } and (optional) words, as those of trn and stm always do',
      )
      .action(run);
  },
};

async function run(file: string | undefined, options: Options): Promise<void> {
  const source = sourceOf(file, options);
  const rules: ScoringRules = {
    normalizer: await resolveNormalizer(options.normalizer),
    rule: options.alignment,
    letterCase: options.case,
    glm: options.glm === undefined ? null : await readGlm(options.glm),
  };
  const attribute = options.by ?? null;
  const groups = createScoreGroups(attribute);
  if (options.json) {
    const json = createScoreJson(rules);
    for await (const pair of source.pairs) {
      const scored = scorePair(pair, rules);
      await json.utterance(pair, scored, groups.add(pair, scored));
    }
    const leftovers = source.leftovers();
    if (leftovers !== null) warn(leftovers);
    await json.end({ corpus: groups.corpus(), groups: groups.groups(), attribute, leftovers });
    return;
  }
  const worst = watchWorstPairs(worstShown);
  const confusions = createConfusionCounts();
  for await (const pair of source.pairs) {
    const scored = scorePair(pair, rules);
    groups.add(pair, scored);
    worst.see(pair, scored);
    if (scored.words.substitutions > 0) confusions.add(scored.aligned());
    if (file === undefined && source.leftovers() === null) {
      await printLine(`${alignment(scored.aligned(), terminalWidth())}\n`);
    }
  }
  const summary = {
    corpus: groups.corpus(),
    groups: groups.groups(),
    attribute,
    leftovers: source.leftovers(),
    worst: worst.worst,
    confusions: confusions.top(confusionsShown),
    rules,
  };
  await printLine(scoreText(summary, terminalWidth()));
}

function sourceOf(file: string | undefined, { reference, hypothesis, alternatives }: Options): PairSource {
  if (file !== undefined) {
    if (reference !== undefined || hypothesis !== undefined) {
      throw new EarwitnessError(
        'bad-usage',
        'expected either a file of pairs or --reference and --hypothesis, but got both',
      );
    }
    return pairsOfTable(file, alternatives === true);
  }
  if (reference === undefined || hypothesis === undefined) {
    throw new EarwitnessError('bad-usage', 'expected a file of pairs, or both --reference and --hypothesis');
  }
  const formats = [transcriptFormatOf(reference), transcriptFormatOf(hypothesis)];
  if (formats.every((format) => format === null)) {
    return { pairs: onePair(reference, hypothesis, alternatives === true), leftovers: () => null };
  }
  for (const [index, value] of [reference, hypothesis].entries()) {
    if (formats[index] === null) {
      throw new EarwitnessError(
        'bad-usage',
        `expected --reference and --hypothesis to be both transcript files or both texts, but ${value} is ${existsSync(value) ? 'no .trn, .stm or .ctm file' : 'a text'}; give two files, or two texts`,
      );
    }
  }
  return pairsOfTranscripts(reference, hypothesis);
}

async function* onePair(reference: string, hypothesis: string, alternatives: boolean): AsyncGenerator<ScoringPair> {
  const said = { text: reference, alternatives, place: () => ({ where: '--reference', column: 1 }) };
  yield { id: null, reference: said, hypothesis: plainText(hypothesis), values: () => [], attributes: () => ({}) };
}

/** With data on stdout, people read of what was left over on stderr. */
function warn({ missingHypotheses, strangerHypotheses }: Leftovers): void {
  const told = (what: string, { count, first }: { count: number; first: readonly string[] }) => {
    if (count > 0)
      say(printableLines(`${what}: ${count} (${first.slice(0, 5).join(', ')}${count > 5 ? ', …' : ''})`, 500));
  };
  told('without a hypothesis, scored as deleted', missingHypotheses);
  told('without a reference, not scored', strangerHypotheses);
}
