import type { JsonObject } from '../../base/json.ts';
import { formatFixed } from '../../base/number-format.ts';
import { limitText, visibleText } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { Example, Finding, Section, Statement, Table } from '../../model/finding.ts';
import { failuresInWords } from '../../model/observation.ts';
import type { FailureReason, RecognizerFailures, RunReport, RunTally } from '../../model/run.ts';
import { sizeInBrief } from '../format/wording.ts';
import type { ResultTable } from './result-table.ts';

/**
 * What became of the trials, in a sentence or two.
 *
 * @example tallySentence(tally) // '1,280 trials: 1,270 answered (600 of them taken from the store), 10 failed.'
 */
export function tallySentence(tally: RunTally): string {
  const reused = tally.reused > 0 ? ` (${formatFixed(tally.reused, 0)} of them taken from the store)` : '';
  const failed = tally.failed > 0 ? `${formatFixed(tally.failed, 0)} failed` : 'none failed';
  // A condition that cannot be applied to a clip, or a run that has not come to them yet.
  const unasked = tally.trials - tally.answered - tally.failed;
  const others = unasked > 0 ? `, ${formatFixed(unasked, 0)} not asked` : '';
  const sentence = `${counted(tally.trials, 'trial')}: ${tally.answered === 0 && tally.trials > 0 ? 'none' : formatFixed(tally.answered, 0)} answered${reused}, ${failed}${others}.`;
  if (tally.possiblyPaid === 0) return sentence;
  return `${sentence} ${counted(tally.possiblyPaid, 'call')} sent but not answered, possibly paid.`;
}

/**
 * The same in half a line, beside what else numbers rest on.
 *
 * @example tallyInBrief(tally) // '1,280 trials, 10 failed'
 */
export function tallyInBrief({ trials, answered, failed, reused, possiblyPaid }: RunTally): string {
  const unasked = trials - answered - failed;
  const some = (count: number, what: string) => (count > 0 ? [`${formatFixed(count, 0)} ${what}`] : []);
  return [
    counted(trials, 'trial'),
    ...some(reused, 'taken from the store'),
    answered === 0 && trials > 0 ? 'none answered' : failed === 0 ? 'none failed' : `${formatFixed(failed, 0)} failed`,
    ...some(unasked, 'not asked'),
    ...some(possiblyPaid, 'possibly paid without an answer'),
  ].join(', ');
}

/** What to know before believing it, each sentence once: what moves a number most, of the run before its studies, and last what may move none. */
export function warningsOf({ warnings, findings }: Pick<RunReport, 'warnings' | 'findings'>): readonly string[] {
  return [...new Set([...warnings, ...findings.flatMap((finding) => finding.warnings)])].toSorted(
    (a, b) => placeOf(a) - placeOf(b),
  );
}

/** By their words: what moves a number most, that nobody of a group spoke, and what may move none. */
const first = [/\bmoves? the .+ from .+ to /s, / spoken by synthesizers: /];
const last = [
  /\((?:guessed from the references|assumed); .+ says another\)/,
  / (?:spelling only|may be (?:spelling|numbers))\b/,
];

function placeOf(warning: string): number {
  const place = first.findIndex((kind) => kind.test(warning));
  return place >= 0 ? place - 1 - first.length : last.findIndex((kind) => kind.test(warning));
}

/** Of a page, where no line ends. */
const isBrief = (text: string) => text.length <= 170;

/**
 * The most important warning in words, and how many there are; as much of it as fits. Null where there is none.
 *
 * @param warnings as `warningsOf` sorts them
 * @example foremostWarning(warnings) // '3 warnings; the most important: 102 of 150 groups have too few speakers.'
 */
export function foremostWarning(warnings: readonly string[], fits: (text: string) => boolean = isBrief): string | null {
  const [foremost] = warnings;
  if (foremost === undefined) return null;
  const opening = warnings.length === 1 ? '' : `${warnings.length} warnings; the most important: `;
  return opening + (shorter(foremost).find((text) => fits(opening + text)) ?? foremost);
}

/** A warning, then less and less of it, each a whole sentence: it ends where a part of it does, and what stands in brackets goes first. */
function shorter(warning: string): readonly string[] {
  const ends = [...warning.matchAll(/[.:;](?= )|, (?=so |which )|\.?$/gu)].map(({ index }) => index);
  return ends.toReversed().flatMap((end) => {
    const text = warning.slice(0, end).replace(/\.$/, '');
    return [`${text}.`, `${text.replace(/ \([^()]*\)/gu, '')}.`];
  });
}

/**
 * What the run has spent, or may have spent, by currency; null where that is nothing.
 *
 * @param timing of the report
 * @example spentSentence({ spent: { EUR: { total: 0.3, speech: 0.1 } } }) // 'Spent by this run: EUR 0.3000 (recognition 0.2000, speech 0.1000).'
 */
export function spentSentence({ spent = {} }: JsonObject): string | null {
  const parts = Object.entries(spent as Record<string, { total: number; speech: number }>).map(
    ([currency, { total, speech }]) => {
      const parts = `recognition ${formatFixed(total - speech, 4)}, speech ${formatFixed(speech, 4)}`;
      return `${currency} ${formatFixed(total, 4)}${speech === 0 ? '' : ` (${parts})`}`;
    },
  );
  return parts.length === 0 ? null : `Spent by this run: ${parts.join('; ')}.`;
}

/**
 * Why trials failed, in words, with the message of the first that failed so.
 *
 * @example failureText({ kind: 'timeout', message: 'no answer within 5 s', varied: true, count: 3 }) // 'timed out (the first: no answer within 5 s)'
 */
export function failureText({ kind, message, varied }: FailureReason): string {
  return varied ? `${failuresInWords[kind]} (the first: ${message})` : `${failuresInWords[kind]}: ${message}`;
}

const maxFailing = 3;

/** Who failed, and most often why, a line each. */
export function failedInBrief(failures: readonly RecognizerFailures[]): readonly string[] {
  const lines = failures.slice(0, maxFailing).map(({ recognizer, failed, trials, reasons: [most] }) => {
    const why = most === undefined ? '' : `, ${most.count < failed ? 'most often ' : ''}${failureText(most)}`;
    return `${visibleText(recognizer)}: ${failed.toLocaleString('en')} of ${counted(trials, 'trial')} failed${limitText(visibleText(why), 300)}`;
  });
  const more = failures.length - maxFailing;
  return more > 0 ? [...lines, `${more} more recognizers failed in some trials`] : lines;
}

/** `400 utterances, 328 speakers; normalizer english; 4,800 trials, none failed.` Null where numbers rest on nothing. */
export function restsInBrief(
  { recognizers, tally }: Pick<RunReport, 'recognizers' | 'tally'>,
  table: ResultTable | null,
): string | null {
  const size = table?.rows[0]?.cells[table.ranks]?.estimate.n;
  const parts = [
    ...(size === undefined ? [] : [sizeInBrief(size)]),
    // A finding that belongs to no run has asked nobody.
    ...(recognizers.length === 0 ? [] : [tallyInBrief(tally)]),
  ];
  return parts.length === 0 ? null : `${parts.join('; ')}.`;
}

/** What rests on no number stands in no table: why groups cannot be compared. */
export const besideNumbers = ({ answer }: Pick<Finding, 'answer'>): readonly string[] =>
  answer.flatMap(({ headline, estimate, comparison, text }) =>
    headline && estimate === undefined && comparison === undefined ? [text] : [],
  );

/** Failed trials for reasons that are not listed. */
export function otherFailures({ failed, reasons }: RecognizerFailures): number {
  return failed - reasons.reduce((sum, { count }) => sum + count, 0);
}

/** Why trials failed, as a table for reports. */
export function reasonsTable(failures: readonly RecognizerFailures[]): Table {
  return {
    id: 'failure-reasons',
    title: 'Why trials failed',
    columns: [
      { key: 'recognizer', label: 'Recognizer', kind: 'text' },
      { key: 'failed', label: 'Failed', kind: 'count' },
      { key: 'trials', label: 'Of its trials', kind: 'count' },
      { key: 'reason', label: 'Reason', kind: 'text' },
    ],
    rows: failures.flatMap((one) => {
      const { recognizer, trials, reasons } = one;
      const rows = reasons.map((reason) => ({ recognizer, trials, failed: reason.count, reason: failureText(reason) }));
      const others = otherFailures(one);
      return others === 0 ? rows : [...rows, { recognizer, trials, failed: others, reason: 'other reasons' }];
    }),
  };
}

/** Every example of a finding: those of its claims, then those of its sections. */
export function examplesOf({ answer, sections, timing }: Finding): readonly Example[] {
  const parts = [...answer, ...sections, ...(timing?.sections ?? [])];
  return parts.flatMap(({ examples = [] }) => examples);
}

/** A finding with other examples in the places of its own. */
export function withExamples(finding: Finding, change: (example: Example) => Example): Finding {
  const changed = <Part extends Section | Statement>(part: Part): Part =>
    part.examples === undefined ? part : { ...part, examples: part.examples.map(change) };
  return {
    ...finding,
    answer: finding.answer.map(changed),
    sections: finding.sections.map(changed),
    ...(finding.timing && { timing: { ...finding.timing, sections: finding.timing.sections.map(changed) } }),
  };
}
