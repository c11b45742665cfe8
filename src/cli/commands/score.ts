import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
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
import type { PairSimilarity } from '../score/score-similarity.ts';
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
  readonly silence?: number;
  readonly embedder?: string;
  readonly language?: string;
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
      .option(
        '--silence <seconds>',
        'two .ctm files are cut where neither has a word for so long (default: 0.5; "none" for whole channels)',
        silenceSeconds,
      )
      .option(
        '--embedder <spec>',
        'also the similarity of meanings, by a model of sentences (earwitness list embedders); never computed without one',
      )
      .option('--language <tag>', 'of the texts, for the embedder (default: the column language, else en)')
      .action(run);
  },
};

async function run(file: string | undefined, options: Options): Promise<void> {
  const source = sourceOf(file, options);
  if (options.embedder === undefined) {
    if (options.language !== undefined) throw new EarwitnessError('bad-usage', 'expected --embedder with --language');
    return scoreSource(file, source, options, null);
  }
  // Loaded when asked for: without a model `score` starts sooner.
  const { openPairSimilarity } = await import('../score/score-similarity.ts');
  const similarity = await openPairSimilarity(options.embedder, options.language ?? null);
  try {
    await scoreSource(file, source, options, similarity);
  } finally {
    await similarity.close();
  }
}

async function scoreSource(
  file: string | undefined,
  source: PairSource,
  options: Options,
  similarity: PairSimilarity | null,
): Promise<void> {
  const rules: ScoringRules = {
    normalizer: await resolveNormalizer(options.normalizer),
    rule: options.alignment,
    letterCase: options.case,
    glm: options.glm === undefined ? null : await readGlm(options.glm),
  };
  const attribute = options.by ?? null;
  const groups = createScoreGroups(attribute, similarity !== null);
  const silence =
    source.silenceSeconds !== undefined && source.silenceSeconds < Infinity ? source.silenceSeconds : null;
  const scoredOf = async (pair: ScoringPair) => {
    const scored = scorePair(pair, rules);
    return similarity === null ? scored : { ...scored, similarity: await similarity.of(pair) };
  };
  if (options.json) {
    const json = createScoreJson(rules, {
      ...(silence === null ? {} : { silenceSeconds: silence }),
      ...(similarity === null ? {} : { embedder: { model: similarity.model, language: similarity.language } }),
    });
    for await (const pair of source.pairs) {
      const scored = await scoredOf(pair);
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
    const scored = await scoredOf(pair);
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
    similarity: similarity && { model: similarity.model.name, language: similarity.language },
    silenceSeconds: silence,
  };
  await printLine(scoreText(summary, terminalWidth()));
}

/** For commander. */
function silenceSeconds(text: string): number {
  const seconds = text === 'none' ? Number.POSITIVE_INFINITY : Number(text);
  if (text.trim() === '' || !(seconds > 0)) throw new InvalidArgumentError('expected seconds above 0, or none');
  return seconds;
}

function sourceOf(file: string | undefined, { reference, hypothesis, alternatives, silence }: Options): PairSource {
  const noSilence = () => {
    if (silence === undefined) return;
    throw new EarwitnessError('bad-usage', 'expected two .ctm files with --silence; pairs are not cut: leave it out');
  };
  if (file !== undefined) {
    if (reference !== undefined || hypothesis !== undefined) {
      throw new EarwitnessError(
        'bad-usage',
        'expected either a file of pairs or --reference and --hypothesis, but got both',
      );
    }
    noSilence();
    return pairsOfTable(file, alternatives === true);
  }
  if (reference === undefined || hypothesis === undefined) {
    throw new EarwitnessError('bad-usage', 'expected a file of pairs, or both --reference and --hypothesis');
  }
  const formats = [transcriptFormatOf(reference), transcriptFormatOf(hypothesis)];
  if (formats.every((format) => format === null)) {
    noSilence();
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
  return pairsOfTranscripts(reference, hypothesis, silence);
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
