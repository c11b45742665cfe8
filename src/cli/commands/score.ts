import { type Command, InvalidArgumentError } from 'commander';
import { badInput, badUsage } from '../../base/errors.ts';
import { statedLanguage, unknownLanguageNotes } from '../../base/language-tag.ts';
import { printableLines } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import { usuallyMissing } from '../../corpora/shared/attributes.ts';
import { createPaint } from '../../report/text/display-width.ts';
import { textDiff } from '../../report/text/text-diff.ts';
import { createConfusionCounts } from '../../scoring/analysis/confusion-pairs.ts';
import { watchSpelling } from '../../scoring/analysis/spelling-errors.ts';
import { errors } from '../../scoring/edit-counts.ts';
import { type Glm, parseGlm } from '../../scoring/glm.ts';
import { watchWords } from '../../scoring/normalizers/basic.ts';
import { byLanguage, goesByLanguage, watched } from '../../scoring/normalizers/by-language.ts';
import type { CorpusScore } from '../../scoring/rates/score-tally.ts';
import { loadNormalizer } from '../../session/members/load-normalizer.ts';
import { readTextLines } from '../../system/text-lines.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { printLine, say, terminalWidth, wantsColor } from '../output.ts';
import { createDoingLine } from '../progress/lines.ts';
import { watchOtherCount } from '../score/other-count.ts';
import { pairSource } from '../score/pair-source.ts';
import { createScoreGroups } from '../score/score-groups.ts';
import { createScoreJson } from '../score/score-json.ts';
import type { PairSimilarity } from '../score/score-similarity.ts';
import { scoreText, watchWorstPairs } from '../score/score-text.ts';
import {
  assumingLanguage,
  languageOf,
  type PairSource,
  type ScoringPair,
  type ScoringRules,
  scorePair,
} from '../score/scoring-pair.ts';

const rateNames = ['wer', 'cer', 'mer', 'wil', 'wip'] as const;

const flags = [
  ['--by <attribute>', 'print a table by this column, such as speaker; for .stm also label, label1, label2, …'],
  ['--language <tag>', 'language of the texts (default: the column language, else guessed; for the embedder else en)'],
  [
    '-n, --normalizer <name>',
    'text normalizer: a name (earwitness list normalizers), or a module (./mine.ts); default: by-language',
  ],
  ['--only <rate>', 'print only this number', { choices: rateNames }],
  ['--reference-column <name>', 'table column of the references, or its number'],
  ['--hypothesis-column <name>', 'table column of the hypotheses, or its number'],
  ['--reference <file|text>', 'the same as the first argument'],
  ['--hypothesis <file|text>', 'the same as the second argument'],
  ['--id-column <name>', 'table column of the ids, by which rows are matched; default: found by its values'],
  ['--speaker-column <name>', 'table column that says who spoke, if its name is unusual'],
  ['--tier <name>', 'tier of the words, of a TextGrid or an ELAN file with several'],
  [
    '--alignment <rule>',
    'least: fewest edits (Levenshtein); sclite: weights and tie-breaks of NIST sclite',
    { choices: ['least', 'sclite'], default: 'least' },
  ],
  [
    '--case <what>',
    'letter case after normalization: keep, fold, or fold only A to Z as sclite does',
    { choices: ['keep', 'fold', 'fold-ascii'], default: 'keep' },
  ],
  ['--glm <file>', 'a global mapping file of NIST, applied to both sides before the normalizer'],
  ['--alternatives', 'references contain { a / b } and (optional) words, as .trn and .stm always do'],
  ['--ids', 'lines begin with an id, as in Kaldi’s text files, by which they are matched'],
  [
    '--silence <seconds>',
    'cut two .ctm files where neither has a word for this long (default: 0.5; "none" for whole channels)',
    silenceSeconds,
  ],
  ['--embedder <spec>', 'add semantic similarity, by a sentence-embedding model (earwitness list embedders)'],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

const worstShown = 3;
/** What a normalizer does to words that another cannot find. */
const betterWords: Readonly<Record<string, string>> = {
  plain: 'keeps them',
  'basic-unpointed': 'has a word the same with and without them',
};
const confusionsShown = 10;

type RateName = (typeof rateNames)[number];

/** `score REFERENCE HYPOTHESIS` (files or texts), `score TABLE` */
export const score: CliCommand = {
  examples: [
    'score ref.txt hyp.txt',
    'score ref.txt hyp.txt --normalizer none --only wer',
    'score "the cat sat" "a cat sat down"',
    'score pairs.csv --by accent --json',
    `score --reference ref.stm --hypothesis words.ctm \\
      --alignment sclite --normalizer none --case fold-ascii`,
  ],
  notes:
    'Two files: .txt (and any other name) line by line; .csv, .tsv and .jsonl row by row, or by id where both have ids; .trn by id; .stm and .ctm by time. An argument that is no file and does not look like one is taken as a text. Rates are pooled (all errors over all reference words); means over utterances are printed beside them. A column "speaker" (or the one that --speaker-column names) makes the interval respect speakers. NIST sclite’s own counts: --alignment sclite --normalizer none, with --case fold-ascii unless sclite was run with -s (and -D for optional words).',
  flags,
  configure(command: Command) {
    command
      .argument(
        '[reference]',
        'the reference: a file, a text, or - for stdin; alone: a .csv, .tsv or .jsonl file with the columns reference and hypothesis',
      )
      .argument('[hypothesis]', 'the hypothesis: a file, a text, or - for stdin')
      .argument('[parts...]', 'more parts of a set in Parquet')
      .action(run);
  },
};

async function run(
  first: string | undefined,
  second: string | undefined,
  parts: readonly string[],
  options: Options,
): Promise<void> {
  if (options.only !== undefined && (options.json || options.by !== undefined || options.embedder !== undefined)) {
    throw badUsage('expected --only without --json, --by and --embedder, since it prints one number; leave one out');
  }
  const source = await pairSource({
    ...options,
    places: [first, second, ...parts].filter((place) => place !== undefined),
  });
  const language = statedLanguage(options.language, () => '--language');
  if (options.embedder === undefined) return scoreSource(source, options, language, null);
  // Loaded when asked for: without a model `score` starts sooner.
  const { openPairSimilarity } = await import('../score/score-similarity.ts');
  const similarity = await openPairSimilarity(options.embedder, language);
  try {
    await scoreSource(source, options, language, similarity);
  } finally {
    await similarity.close();
  }
}

async function scoreSource(
  source: PairSource,
  options: Options,
  language: string | null,
  similarity: PairSimilarity | null,
): Promise<void> {
  const named = await loadNormalizer(options.normalizer ?? byLanguage.name, process.cwd());
  const { words, settled } = watched(named);
  const { pairs: all, assumed } = goesByLanguage(named)
    ? await assumingLanguage(source.pairs, { language })
    : { pairs: source.pairs, assumed: null };
  const rules: ScoringRules = {
    normalizer: { ...named, words },
    rule: options.alignment,
    letterCase: options.case,
    characters: options.only === undefined || options.only === 'cer',
    glm: options.glm === undefined ? null : await readGlm(options.glm),
    language,
    ...(assumed !== null && { assumed: assumed.language }),
  };
  const attribute = options.by ?? null;
  const groups = createScoreGroups(attribute, similarity !== null, options.speakerColumn);
  const silence =
    source.silenceSeconds !== undefined && source.silenceSeconds < Infinity ? source.silenceSeconds : null;
  const watch = watchWords(rules.normalizer);
  const notKnown = watchNotKnown();
  const spelling = watchSpelling(rules.normalizer);
  const hints = () => [
    ...notKnown.hints(),
    ...spelling.told().map(({ sentence }) => sentence),
    ...watch
      .told(true)
      .map(
        ({ sentence, better }) => `${sentence}; --normalizer ${better} ${betterWords[better] ?? 'counts characters'}`,
      ),
  ];
  using line = createDoingLine(process.stderr);
  // What goes to a terminal itself says how far it is.
  const isSeen = options.json === true && process.stdout.isTTY;
  let pairs = 0;
  const scoredOf = async (pair: ScoringPair) => {
    notKnown.see(pair);
    pairs++;
    if (!isSeen) line.doing('scoring', () => counted(pairs, 'pair'));
    watch.see(pair.reference.text, languageOf(pair, rules), pair.hypothesis.text);
    const scored = scorePair(pair, rules);
    // What has several wordings, or is rewritten by a GLM, is compared by these.
    if (errors(scored.words) > 0 && rules.glm === null && !pair.reference.alternatives && rules.letterCase === 'keep')
      spelling.see(pair.reference.text, pair.hypothesis.text, languageOf(pair, rules));
    return similarity === null ? scored : { ...scored, similarity: await similarity.of(pair) };
  };
  if (options.only !== undefined) {
    for await (const pair of all) groups.add(pair, await scoredOf(pair));
    line.clear();
    warn(source, hints());
    await printOnly(options.only, groups.corpus());
    // Of a number alone nobody sees what was compared, and by what it was counted.
    const compared = source.compared();
    if (compared !== null) say(printableLines(`note: ${compared}`, 500));
    if (assumed !== null) say(`note: ${assumed.told}; normalizer ${settled().name}`);
    return;
  }
  if (options.json) {
    const json = createScoreJson(rules, {
      ...(assumed === null ? {} : { assumedLanguage: assumed.language }),
      ...(silence === null ? {} : { silenceSeconds: silence }),
      ...(similarity === null ? {} : { embedder: { model: similarity.model, language: similarity.language } }),
    });
    for await (const pair of all) {
      const scored = await scoredOf(pair);
      await json.utterance(pair, scored, groups.add(pair, scored));
    }
    line.clear();
    warn(source, hints());
    const [compared, leftovers] = [source.compared(), source.leftovers()];
    await json.end({
      normalizer: settled(),
      compared,
      taken: source.taken(),
      corpus: groups.corpus(),
      groups: groups.groups(),
      attribute,
      leftovers,
    });
    return;
  }
  const worst = watchWorstPairs(worstShown);
  const other = assumed !== null && options.normalizer === undefined ? watchOtherCount(rules) : null;
  const confusions = createConfusionCounts();
  for await (const pair of all) {
    const scored = await scoredOf(pair);
    groups.add(pair, scored);
    worst.see(pair, scored);
    other?.see(pair);
    if (scored.words.substitutions > 0) confusions.add(scored.aligned());
    if (source.compared() === null) {
      line.clear();
      const page = { width: terminalWidth(), paint: createPaint(wantsColor()), maxBlocks: Number.POSITIVE_INFINITY };
      await printLine(`${textDiff([{ label: 'HYP', aligned: scored.aligned() }], page).join('\n')}\n`);
    }
  }
  line.clear();
  const corpus = groups.corpus();
  const summary = {
    compared: source.compared(),
    language:
      assumed === null
        ? unknownLanguageNotes(language)
        : [assumed.told, other?.told(corpus.pooled.wer) ?? ''].filter((one) => one !== ''),
    hints: hints(),
    corpus,
    groups: groups.groups(),
    attribute,
    leftovers: source.leftovers(),
    worst: worst.worst,
    confusions: confusions.top(confusionsShown),
    rules: { ...rules, normalizer: settled() },
    similarity: similarity && { model: similarity.model.name, language: similarity.language },
    silenceSeconds: silence,
  };
  await printLine(scoreText(summary, terminalWidth()));
}

/** Looks out for what programs write where there is no text (pandas and R: NA). */
function watchNotKnown() {
  const counts = { reference: 0, hypothesis: 0 };
  const marks = usuallyMissing.filter((mark) => mark !== '');
  return {
    see(pair: Pick<ScoringPair, 'reference' | 'hypothesis'>): void {
      for (const side of ['reference', 'hypothesis'] as const)
        if (marks.includes(pair[side].text.trim())) counts[side]++;
    },
    hints: () =>
      Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(
          ([side, count]) =>
            `${count} ${count === 1 ? `${side} is` : `${side === 'reference' ? 'references are' : 'hypotheses are'}`} a mark like NA, which counts as a word: if there is no text, leave it empty`,
        ),
  };
}

/** For commander. */
function silenceSeconds(text: string): number {
  const seconds = text === 'none' ? Number.POSITIVE_INFINITY : Number(text);
  if (text.trim() === '' || !(seconds > 0)) throw new InvalidArgumentError('expected seconds above 0, or none');
  return seconds;
}

/** @throws EarwitnessError `bad-input` where there is no such rate */
async function printOnly(name: RateName, { pooled }: CorpusScore): Promise<void> {
  const rate = pooled[name];
  if (rate !== null) return printLine(String(rate));
  throw badInput(`expected texts that have a ${name.toUpperCase()}, but ${pooled.reason}; give references with words`);
}

/** The global mapping file that `--glm` names. */
async function readGlm(file: string): Promise<Glm> {
  const lines: string[] = [];
  for await (const { text } of readTextLines(file, file)) lines.push(text);
  return parseGlm(lines.join('\n'), file);
}

/** With data on stdout, people read of what was left over on stderr. */
function warn(source: PairSource, hints: readonly string[]): void {
  for (const hint of hints) say(printableLines(`note: ${hint}`, 500));
  const leftovers = source.leftovers();
  if (leftovers === null) return;
  const { missingHypotheses, missingReferences } = leftovers;
  const told = (what: string, { count, first }: { count: number; first: readonly string[] }) => {
    if (count > 0)
      say(printableLines(`${what}: ${count} (${first.slice(0, 5).join(', ')}${count > 5 ? ', …' : ''})`, 500));
  };
  told('missing hypotheses, scored as deletions', missingHypotheses);
  told('no reference, not scored', missingReferences);
}
