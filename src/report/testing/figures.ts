import { formatFixed, pValuePhrase } from '../../base/number-format.ts';
import { shownDifference } from '../../model/comparison.ts';
import type { Cell, Comparison, Estimate, Finding, Statement, Table } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';

// For tests: whether sentences of a report say what its tables say. Nothing here knows any study: sentences are taken apart again, and
// what they tell must stand in one row of one table.

type Row = Table['rows'][number];

/** What a row of a table has to tell. */
interface RowFacts {
  readonly table: string;
  /** Everything in it that is text, with the titles that it stands under. */
  readonly texts: readonly string[];
  /** Numbers by themselves. */
  readonly numbers: readonly number[];
  readonly estimates: readonly Estimate[];
  readonly pValues: readonly { readonly value: number; readonly least?: number | null | undefined }[];
  /** How many more speakers would settle it. */
  readonly more: readonly number[];
  /** Sentences that are quoted whole: why there is no number, no interval, no verdict. */
  readonly quotes: readonly string[];
}

const nothing: RowFacts = {
  table: 'no table',
  texts: [],
  numbers: [],
  estimates: [],
  pValues: [],
  more: [],
  quotes: [],
};

/** A number of a sentence, and whether a row has it. */
interface Figure {
  readonly text: string;
  readonly isIn: (row: RowFacts) => boolean;
}

/**
 * Sentences of a finding (answers, notices, what stands above tables) that take their figures from no row, or from several. A name alone is
 * no figure: a list of recognizers may be of several rows. `No verdict: …` belongs to the sentence before it.
 *
 * @param names by kind (recognizers, groups, conditions) all that may be named; where there is one of a kind, rows need not name it
 */
export function tornSentences(finding: Finding, names: readonly (readonly string[])[]): string[] {
  // What was decided beforehand may stand in any sentence.
  const settings: RowFacts = { ...nothing, table: 'settings', numbers: [...numbersIn(finding.settings)] };
  const rows = rowsOf(finding);
  const told = [...finding.answer, ...(finding.timing?.answer ?? [])];
  const sections = [...finding.sections, ...(finding.timing?.sections ?? [])];
  const texts = [...told.map(({ text }) => text), ...sections.flatMap(({ text = [] }) => text), ...finding.warnings];
  return [
    ...texts.flatMap(sentencesOf).flatMap((whole) => {
      const { sentence, items } = withoutItems(whole, names);
      const untrue = items.filter(
        ({ name, figures }) => !rows.some((row) => isNamed(row, name) && figures.every(({ isIn }) => isIn(row))),
      );
      if (untrue.length > 0) return [`${whole} LACKS ${untrue.map(({ text }) => text).join(' and ')} in any table`];
      const [least] = [nothing, ...rows]
        .map((row) => ({ table: row.table, absent: lackingIn(row, sentence, settings, names) }))
        .toSorted((one, other) => one.absent.length - other.absent.length);
      return least!.absent.length === 0 ? [] : [`${whole} LACKS ${least!.absent.join(' and ')} in ${least!.table}`];
    }),
    ...told
      .filter((one) => !hasRow(one, rows, names))
      .map(({ text }) => `${text} LACKS a row for the numbers beside it`),
  ];
}

/** What is the most, or the worst, of nothing: the last number before the word, or the first behind it. */
const superlative = /\b(?:most|largest|highest|greatest|worst|lowest|fewest|widest)\b/;
const beginsWithNothing = /^[^\d]*?(?<![\d.,])0(?:\.0+)?(?![\d.,]*\d)/;
const endsWithNothing = /(?<![\d.,])0(?:\.0+)?(?![\d.,]*\d)[^\d]*$/;
const isOfNothing = (sentence: string) => {
  const word = superlative.exec(sentence);
  if (word === null) return false;
  const [before, behind] = [sentence.slice(0, word.index), sentence.slice(word.index)];
  return /\d/.test(before) ? endsWithNothing.test(before) : beginsWithNothing.test(behind);
};
/** Nothing, with an interval on one side of it. */
const nothingBesideInterval =
  /(?<![\d.,])0(?:\.0+)? (?:points|%)[^();:]*[([](?:\d+(?:\.\d)? % CI )?(\d*[1-9]\d*\.\d+|\d+\.\d*[1-9]\d*)(?:-|, )\d/;
/** A sentence for a case that is not there. */
const absent =
  /\b(?:of|Of) 0 gaps|\bno (?:of the \w+|of \w+|number|difference|WER)\b[^.]*\((?:there is nothing|the denominator|nothing was|not known)/;

/** Sentences that say something of nothing. */
export function hollowSentences({ answer, warnings }: Finding, names: readonly (readonly string[])[]): string[] {
  return [...answer.map(({ text }) => text), ...warnings].flatMap(sentencesOf).filter((sentence) => {
    const { rest } = withoutNames(sentence, names);
    return isOfNothing(rest) || nothingBesideInterval.test(rest) || absent.test(rest);
  });
}

/** Numbers of settings, and 1 less each: a level of .95 is an error of .05. */
function* numbersIn(value: unknown): Generator<number> {
  if (typeof value === 'number') yield* [value, Number((1 - value).toFixed(9))];
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) yield* numbersIn(member);
}

function rowsOf({ sections, timing }: Finding): RowFacts[] {
  return [...sections, ...(timing?.sections ?? [])].flatMap((section) =>
    (section.tables ?? []).flatMap((table) => table.rows.map((row) => factsOf(row, table, section.title))),
  );
}

function factsOf(row: Row, { id, title, columns, note = '' }: Table, section: string): RowFacts {
  const cells = Object.values(row);
  const texts = cells.filter((cell) => typeof cell === 'string');
  const numbers = cells.filter((cell) => typeof cell === 'number');
  const comparisons = cells.filter(isComparison);
  const estimates = [...cells.filter(isEstimate), ...comparisons.map(shownDifference)];
  return {
    table: id,
    texts: [...texts, title, section, note, ...columns.map(({ label }) => label)],
    numbers: [
      ...numbers,
      ...estimates.flatMap(({ n }) => Object.values(n).filter((count) => typeof count === 'number')),
    ],
    estimates,
    pValues: [
      ...columns.flatMap(({ key, kind }) =>
        kind === 'pvalue' && typeof row[key] === 'number' ? [{ value: row[key] }] : [],
      ),
      ...comparisons.flatMap(({ pValue, adjustedPValue, minPValue: least }) =>
        [pValue, adjustedPValue].flatMap((value) => (value === null ? [] : [{ value, least }])),
      ),
    ],
    more: comparisons.flatMap(({ open }) => open?.more ?? []),
    quotes: [
      ...texts.filter((text) => text.length > 10),
      ...estimates.flatMap(({ reason }) => (reason ? reasonText(reason) : [])),
      ...comparisons.flatMap(({ reason, open }) =>
        [reason, open?.reason].flatMap((one) => (one ? reasonText(one) : [])),
      ),
    ].sort((a, b) => b.length - a.length),
  };
}

const isComparison = (cell: Cell): cell is Comparison =>
  typeof cell === 'object' && cell !== null && 'difference' in cell;
const isEstimate = (cell: Cell): cell is Estimate => typeof cell === 'object' && cell !== null && 'n' in cell;

/** `No verdict: …` and what a name ends in a period with are no sentences of their own. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.?]) (?!No verdict: )(?=[A-Z]|engine)/)
    .flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
}

/** What a sentence tells and neither a row nor what was decided beforehand: figures, and names beside those that the row has. */
function lackingIn(
  row: RowFacts,
  sentence: string,
  settings: RowFacts,
  names: readonly (readonly string[])[],
): string[] {
  const left = row.quotes.reduce((text, quote) => text.replaceAll(quote, '…'), sentence);
  const { rest, named } = withoutNames(left, names);
  const figures = figuresIn(rest).filter(({ isIn }) => !isIn(settings));
  if (figures.length === 0) return [];
  const absent = named.filter((name) => !isNamed(row, name));
  return [...figures.filter(({ isIn }) => !isIn(row)).map(({ text }) => text), ...absent];
}

const isNamed = ({ texts }: RowFacts, name: string) => texts.some((text) => patternOf(name).test(text));

/** A sentence without the items of lists that have figures of their own, as in `one (3 s), two (4 s)`: each is of a row of its own. */
function withoutItems(text: string, names: readonly (readonly string[])[]) {
  const items: { readonly text: string; readonly name: string; readonly figures: readonly Figure[] }[] = [];
  const sentence = names.flat().reduce((left, name) => {
    const item = new RegExp(`${patternOf(name).source} \\(([\\d.,]+)((?: of [\\d,]+)?)([^()]*)\\)`, 'g');
    return left.replace(item, (whole: string, count: string, of: string, unit: string) => {
      if (unit.startsWith(' % CI')) return whole;
      const figures = figuresIn(
        /\d[^,.]/.test(unit) ? whole : `${count}${of}${unit === '' || of !== '' ? ' trials' : unit}`,
      );
      items.push({ text: whole, name, figures });
      return name;
    });
  }, text);
  return { sentence, items };
}

const patternOf = (name: string) =>
  new RegExp(`(?<![\\w/:])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w/]|:\\d)`, 'g');

/** The sentence without the names in it, and those that a row must have. */
function withoutNames(sentence: string, names: readonly (readonly string[])[]) {
  const named: string[] = [];
  let rest = sentence;
  for (const kind of names) {
    for (const name of kind.toSorted((a, b) => b.length - a.length)) {
      if (!patternOf(name).test(rest)) continue;
      rest = rest.replace(patternOf(name), '§');
      if (kind.length > 1) named.push(name);
    }
  }
  return { rest, named };
}

/** No part of a longer number. */
const number = String.raw`(?<![\d.,])([−+]?\d[\d,]*(?:\.\d+)?)(?![\d]|[.,]\d)`;
const side = '(?: (?:less|fewer|more|below|above))?';
const unit = `(?: ?(?:%|points|percent|dB|s|min|ms|times|words per minute)(?![a-z]))`;
/** What rows have a number of. */
const countable =
  'words?|speakers?|utterances?|recordings?|clips?|trials?|texts?|sentences?|pairs?|cases?|violations?|errors?|answers?|people|ratings?|listeners?|tests?|minutes?|recognitions?|calls?|questions?';
type Pattern = readonly [pattern: RegExp, isIn: (row: RowFacts, groups: readonly string[], text: string) => boolean];
const patterns: readonly Pattern[] = [
  // A value with its interval: both of one cell.
  ...[`${number}${unit}[^();:]*?`, `${number}[^()\\d;:]*`].map(
    (value): Pattern => [
      new RegExp(`${value} ?[([](?:\\d+(?:\\.\\d)? % CI )?${number}${side}(?:-| to |, )${number}${side}[)\\]]`, 'g'),
      ({ estimates }, [shown, first, second]) =>
        estimates.some(
          ({ value, low, high }) =>
            is(shown!, value) && ((is(first!, low) && is(second!, high)) || (is(first!, high) && is(second!, low))),
        ),
    ],
  ),
  [
    /(?:adjusted )?\bp (?:[=≤<>] )?\.\d+/g,
    ({ pValues }, _, text) =>
      pValues.some(({ value, least }) =>
        [pValuePhrase(value), pValuePhrase(value, 'p', least)].includes(text.replace('adjusted ', '')),
      ),
  ],
  [/([\d,]+) more (?:speaker|recording)s?/g, ({ more }, [count]) => more.includes(whole(count!))],
  [
    new RegExp(`${number} of (?:its )?${number} (?:${countable})\\b`, 'g'),
    ({ numbers }, counts) => counts.every((count) => numbers.includes(whole(count))),
  ],
  [
    new RegExp(`${number}(?: [a-z]+)? (?:${countable})\\b`, 'g'),
    ({ numbers, estimates }, [count]) =>
      numbers.includes(whole(count!)) ||
      estimates.some(({ value }) => is(count!, value)) ||
      (count!.includes('.') && numbers.some((value) => is(count!, value))),
  ],
  [
    new RegExp(`${number}(?:${unit}|(?<=\\.\\d+))`, 'g'),
    ({ numbers, estimates }, [shown]) =>
      [...numbers, ...estimates.map(({ value }) => value)].some((value) => is(shown!, value)),
  ],
];

const whole = (text: string) => Number(text.replaceAll(',', ''));

/** Whether a number as it is printed is this one: as it is, or as percent, with so many decimals and either sign. */
function is(text: string, value: number | null): boolean {
  if (value === null) return false;
  const plain = text.replace(/[−+]/, '');
  const decimals = plain.split('.')[1]?.length ?? 0;
  return [1, 100, 60, 1 / 60].some((scale) => formatFixed(Math.abs(scale * value), decimals) === plain);
}

function figuresIn(sentence: string): Figure[] {
  const figures: Figure[] = [];
  // A hundred is no count, but what a rate is of.
  let rest = sentence.replaceAll('in 100 words', '');
  for (const [pattern, isIn] of patterns) {
    rest = rest.replace(pattern, (text, ...match) => {
      const groups = match.filter((group) => typeof group === 'string').slice(0, -1);
      // A cell may be the figure as it is written: how severe a condition is.
      figures.push({ text, isIn: (row) => row.texts.includes(text.trim()) || isIn(row, groups, text) });
      return '…';
    });
  }
  return figures;
}

/** Whether estimate and comparison that are printed beside a claim each stand in a row of what it is about. */
function hasRow(
  { estimate, comparison, about }: Statement,
  rows: readonly RowFacts[],
  names: readonly (readonly string[])[],
): boolean {
  const isSame = (one: Estimate, { estimates }: RowFacts) =>
    one.value === null ||
    estimates.some(({ value, low, high }) => {
      const sides = [[value, low, high], [value, high, low].map((end) => (end === null ? null : 0 - end))];
      return sides.some((ends) => JSON.stringify(ends) === JSON.stringify([one.value, one.low, one.high]));
    });
  const told = (wanted: readonly (string | undefined)[]) => {
    const own = names.flatMap((kind) => (kind.length > 1 ? kind : [])).filter((name) => wanted.includes(name));
    return rows.filter((row) => own.every((name) => isNamed(row, name)));
  };
  const group = Object.values(about?.group ?? {});
  const ofIt = told([about?.recognizer, ...group]);
  const ofBoth = told([about?.recognizer, about?.than?.recognizer, ...group]);
  return (
    (estimate === undefined || ofIt.some((row) => isSame(estimate, row))) &&
    (comparison === undefined ||
      ofBoth.some(
        (row) =>
          isSame(shownDifference(comparison), row) &&
          [comparison.pValue, comparison.adjustedPValue].every(
            (p) => p === null || row.pValues.some(({ value }) => value === p),
          ),
      ))
  );
}
