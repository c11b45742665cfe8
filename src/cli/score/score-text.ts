import { printable } from '../../base/printable.ts';
import { capitalized } from '../../base/wording.ts';
import { reasonText } from '../../model/reason.ts';
import { createPaint, cutMiddle, displayWidth, wrapToWidth } from '../../report/text/display-width.ts';
import { textDiff } from '../../report/text/text-diff.ts';
import type { Confusion } from '../../scoring/analysis/confusion-pairs.ts';
import { errorRate, errors, referenceLength } from '../../scoring/edit-counts.ts';
import type { AlignedNetworkWord } from '../../scoring/reference-network/align-network.ts';
import { decisiveSentences } from '../../studies/shared/decisive.ts';
import type { GroupScore, IntervalScore } from './score-groups.ts';
import type { Leftover, Leftovers, ScoredPair, ScoringPair, ScoringRules } from './scoring-pair.ts';

/** An utterance worth reading. */
interface WorstPair {
  readonly id: string | null;
  readonly line: number;
  readonly errors: number;
  readonly wer: number | null;
  readonly aligned: readonly AlignedNetworkWord[];
}

/** Keeps the utterances with the most errors; of equally many the first. */
export function watchWorstPairs(most: number): {
  see(pair: ScoringPair, scored: ScoredPair): void;
  readonly worst: readonly WorstPair[];
} {
  const worst: WorstPair[] = [];
  return {
    worst,
    see(pair, scored) {
      const count = errors(scored.words);
      if (count === 0 || (worst.length === most && count <= worst.at(-1)!.errors)) return;
      const index = worst.findIndex((other) => other.errors < count);
      const entry = {
        id: pair.id,
        line: pair.line,
        errors: count,
        wer: errorRate(scored.words),
        aligned: scored.aligned(),
      };
      worst.splice(index === -1 ? worst.length : index, 0, entry);
      if (worst.length > most) worst.pop();
    },
  };
}

/** What is told to people. */
interface ScoreSummary {
  /** What was compared with what; null for two texts. */
  readonly compared: string | null;
  /** What their language was taken for, and what that changes; none where it is known, or nobody asks. */
  readonly language: readonly string[];
  /** What in the files may not be meant. */
  readonly hints: readonly string[];
  readonly corpus: IntervalScore;
  readonly groups: readonly GroupScore[] | null;
  readonly attribute: string | null;
  readonly leftovers: Leftovers | null;
  readonly worst: readonly WorstPair[];
  readonly confusions: readonly Confusion[];
  readonly rules: ScoringRules;
  /** Which model said how near meanings are; null where none was asked. */
  readonly similarity: { readonly model: string; readonly language: string } | null;
  /** At which silences two ctm files were cut into pairs; null where nothing was. */
  readonly silenceSeconds: number | null;
}

const maxRows = 40;

/** The whole answer for a terminal of so many columns. */
export function scoreText(summary: ScoreSummary, width: number): string {
  const { corpus, worst, confusions, leftovers } = summary;
  const one = corpus.utterances === 1;
  return [
    wrapped(leadOf(summary), width),
    table(summary, width),
    one ? '' : wrapped(decisiveLines(summary), width),
    wrapped(ratesOf(corpus, one), width),
    one ? '' : wrapped(macroOf(corpus), width),
    wrapped(similarityOf(summary, one), width),
    wrapped(howItWasMade(summary, one), width),
    wrapped(leftovers === null ? [] : leftoverLines(leftovers), width),
    wrapped(
      summary.hints.map((hint) => `Note: ${printable(hint, 500)}.`),
      width,
    ),
    confusions.length === 0 || one ? '' : wrapped([confusionLine(confusions)], width),
    one && summary.compared === null ? '' : worst.map((pair) => worstText(pair, width)).join('\n\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** What was compared, and in which language. */
function leadOf({ compared, language }: ScoreSummary): string[] {
  return compared === null ? [] : [[`Compared: ${printable(compared, 300)}`, ...language].map(sentence).join(' ')];
}

const sentence = (text: string) => `${capitalized(text)}.`;

function table({ corpus, groups, attribute, similarity }: ScoreSummary, width: number): string {
  const shown = rowsShown(groups ?? []);
  const cells = [
    row('all', corpus),
    ...shown.map((group) =>
      row(group.value === null ? `(no ${printable(attribute!, 30)})` : printable(group.value), group),
    ),
  ];
  const head = [
    attribute === null ? '' : `by ${printable(attribute, 30)}`,
    'words',
    'correct',
    'subst',
    'del',
    'ins',
    'WER',
    '95 % interval',
    ...(similarity === null ? [] : ['meaning']),
  ];
  const rows = [head, ...cells];
  const widths = head.map((_, column) => Math.max(...rows.map((one) => displayWidth(one[column]!))));
  const others = widths.slice(1).reduce((sum, one) => sum + one + 2, 0);
  widths[0] = Math.min(widths[0]!, Math.max(8, width - others));
  const lines = rows.map((one) =>
    one
      .map((cell, column) => {
        const text = column === 0 ? cutMiddle(cell, widths[0]!) : cell;
        const blanks = ' '.repeat(Math.max(0, widths[column]! - displayWidth(text)));
        return column === 0 ? text + blanks : blanks + text;
      })
      .join('  ')
      .trimEnd(),
  );
  const left = (groups?.length ?? 0) - shown.length;
  if (shown.some(({ interval }) => interval.low === null) && corpus.interval.low !== null) {
    lines.push('- no interval: too few speakers or utterances, or one dominates');
  }
  if (left > 0) lines.push(`… and ${number(left)} more with fewer words (all in --json)`);
  return lines.join('\n');
}

/** Who decides the rates: of all, and of the groups that somebody else decides, those that move most. */
function decisiveLines({ corpus, groups, attribute }: ScoreSummary): string[] {
  const named = [
    { name: '', decisive: corpus.decisive },
    ...(groups ?? []).map(({ value, decisive }) => ({
      name: value === null ? `(no ${attribute})` : value,
      decisive,
    })),
  ];
  return decisiveSentences(
    named.flatMap(({ name, decisive }) => (decisive === undefined ? [] : [{ where: name, decisive }])),
    { measure: 'WER' },
  ).map((sentence) => printable(sentence, 400));
}

function rowsShown(groups: readonly GroupScore[]): readonly GroupScore[] {
  if (groups.length <= maxRows) return groups;
  const most = groups.toSorted((a, b) => referenceLength(b.words) - referenceLength(a.words)).slice(0, maxRows);
  const kept = new Set(most);
  return groups.filter((group) => kept.has(group));
}

function row(name: string, { words, pooled, interval, similarity }: IntervalScore): string[] {
  const range =
    interval.low === null || interval.high === null
      ? '-'
      : `${(100 * interval.low).toFixed(1)} to ${(100 * interval.high).toFixed(1)}`;
  return [
    name,
    number(referenceLength(words)),
    number(words.correct),
    number(words.substitutions),
    number(words.deletions),
    number(words.insertions),
    percent(pooled.wer),
    range,
    ...(similarity === undefined ? [] : [similarity.mean === null ? '-' : similarity.mean.toFixed(3)]),
  ];
}

function ratesOf(
  { pooled, characters, sentenceErrors, sentenceErrorRate, utterances }: IntervalScore,
  one: boolean,
): string[] {
  const reason = pooled.reason === undefined ? '' : ` (${one ? '' : 'everywhere '}${pooled.reason})`;
  return [
    `CER ${percent(pooled.cer)} of ${number(referenceLength(characters))} characters   MER ${percent(pooled.mer)}   WIL ${percent(pooled.wil)}   WIP ${percent(pooled.wip)}${reason}`,
    ...(one
      ? []
      : [`Utterances with errors: ${number(sentenceErrors)} of ${number(utterances)} (${percent(sentenceErrorRate)})`]),
  ];
}

function macroOf({ macro, clippedMacro }: IntervalScore): string[] {
  const empty =
    macro.leftOut === 0
      ? []
      : [
          `Empty references: ${number(macro.leftOut)}. They have no rate and are not in these means; words recognized there count as insertions above.`,
        ];
  return [
    `Mean over utterances: WER ${percent(macro.wer)}, clipped at 100 %: ${percent(clippedMacro.wer)}; CER ${percent(macro.cer)}, clipped: ${percent(clippedMacro.cer)} (n = ${number(macro.utterances)})`,
    ...empty,
  ];
}

/** What the model said of the meanings, and of how many pairs it could not. */
function similarityOf({ corpus, similarity: asked }: ScoreSummary, one: boolean): string[] {
  if (asked === null || corpus.similarity === undefined) return [];
  const { mean, utterances, leftOut, cut, interval } = corpus.similarity;
  const reasons = Object.entries(leftOut).map(([reason, count]) => `${one ? '' : `${number(count)}: `}${reason}`);
  const range =
    interval.low === null || interval.high === null
      ? one
        ? ''
        : `, no interval: ${reasonText(interval.reason!)}`
      : ` (95 % interval ${interval.low.toFixed(3)} to ${interval.high.toFixed(3)})`;
  const value = mean === null ? '-' : `${mean.toFixed(3)}${range}, n = ${number(utterances)}`;
  return [
    `Semantic similarity by ${printable(asked.model, 60)}, language ${printable(asked.language, 40)}: ${value}`,
    reasons.length === 0 ? '' : `Without a similarity: ${reasons.map((reason) => printable(reason, 120)).join('; ')}`,
    cut === 0 ? '' : `Truncated to the model's input length: ${number(cut)} ${cut === 1 ? 'pair' : 'pairs'}`,
  ].filter((line) => line !== '');
}

function howItWasMade({ corpus, compared, language, rules, silenceSeconds }: ScoreSummary, one: boolean): string[] {
  const { normalizer, rule, letterCase, glm } = rules;
  const { interval } = corpus;
  const folded = letterCase === 'keep' ? '' : `, letter case folded${letterCase === 'fold-ascii' ? ' (A to Z)' : ''}`;
  const mapped = glm === null ? '' : `, mapping ${printable(glm.name, 60)} of ${number(glm.rules.length)} rules`;
  const utterances = `${number(corpus.utterances)} ${one ? 'utterance' : 'utterances, pooled'}`;
  const made = `${utterances}; normalizer ${printable(normalizer.name, 60)} ${normalizer.version}, alignment ${rule}${folded}${mapped}.`;
  const cut =
    silenceSeconds === null ? [] : [`Channels were cut where neither file has a word for ${silenceSeconds} s.`];
  if (one) return [made, ...(compared === null ? language.map(sentence) : []), ...cut];
  const told =
    interval.low === null
      ? `No interval: ${reasonText(interval.reason!)}.`
      : `Interval over ${number(interval.clusters)} ${interval.over}${interval.note === undefined ? '' : ` (${interval.note})`}; --json says how it is made.`;
  return [made, ...cut, told];
}

function leftoverLines({ missingHypotheses, missingReferences, ignoredSegments, ignoredWords }: Leftovers): string[] {
  return [
    missingHypotheses.count === 0 ? '' : `Missing hypotheses, scored as deletions: ${listed(missingHypotheses)}`,
    missingReferences.count === 0 ? '' : `No reference, not scored: ${listed(missingReferences)}`,
    ignoredSegments === 0
      ? ''
      : `Not scored, as marked in the reference: ${number(ignoredSegments)} segments, ${number(ignoredWords)} recognized words in them`,
  ].filter((line) => line !== '');
}

function listed({ count, first }: Leftover): string {
  const names = first.slice(0, 5).map((name) => printable(name, 40));
  return `${number(count)} (${names.join(', ')}${count > names.length ? ', …' : ''})`;
}

function confusionLine(confusions: readonly Confusion[]): string {
  const pairs = confusions.map(
    ({ reference, hypothesis, count }) =>
      `${printable(reference, 30)} → ${printable(hypothesis, 30)} (${number(count)})`,
  );
  return `Most frequent confusions: ${pairs.join(', ')}`;
}

function worstText({ id, line, errors: count, wer, aligned }: WorstPair, width: number): string {
  const name = id === null ? `line ${line}` : printable(id, 60);
  const head = `${name}: ${number(count)} ${count === 1 ? 'error' : 'errors'}, WER ${percent(wer)}`;
  return [head, ...textDiff([{ label: 'HYP', aligned }], { width, paint: createPaint(false) })].join('\n');
}

function wrapped(lines: readonly string[], width: number): string {
  return lines.flatMap((line) => wrapToWidth(line, width)).join('\n');
}

function percent(rate: number | null): string {
  return rate === null ? '-' : `${(100 * rate).toFixed(1)} %`;
}

function number(count: number): string {
  return count.toLocaleString('en-US');
}
