import { partsOfColumn, type ReadColumn, type RowColumns } from './index-columns.ts';

/** A word of the reference, normalized, and what stands in its place; an empty one: it was inserted, or deleted. */
export interface Confusion {
  readonly reference: string;
  readonly hypothesis: string;
}

/** How often a confusion happened. */
export interface CountedConfusion extends Confusion {
  readonly times: number;
  /** In so many trials. */
  readonly trials: number;
  /** How often the word of the reference was said in the trials that were scored; 0 where there is none. */
  readonly said: number;
}

/** 1 for each row in which a confusion happened. */
export function rowsWith({ reference, hypothesis }: Confusion, read: ReadColumn, rows: number): Uint8Array {
  const hits = new Uint8Array(rows);
  const lexicon = lexiconOf(read);
  const [from, to] = [lexicon.indexOf(reference), lexicon.indexOf(hypothesis)];
  const pairs = read('pairs');
  let wanted = 0;
  while (2 * wanted < pairs.length && (pairs[2 * wanted] !== from || pairs[2 * wanted + 1] !== to)) wanted++;
  if (2 * wanted === pairs.length) return hits;
  for (const { first, starts, values } of partsOfColumn(read, 'confusionStart', 'confusions', rows)) {
    for (let part = 0, at = 0; at < values.length; at++) {
      if (values[at] !== wanted) continue;
      while (starts[part + 1]! <= at) part++;
      hits[first + part] = 1;
    }
  }
  return hits;
}

/** The most frequent confusions of selected rows, most frequent first. */
export function countConfusions(
  { utterance, errors }: RowColumns,
  read: ReadColumn,
  selected: Uint8Array,
  limit: number,
): CountedConfusion[] {
  const pairs = read('pairs');
  const count = pairs.length / 2;
  const [times, trials, last] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)];
  const scored: number[] = [];
  for (const { first, starts, values } of partsOfColumn(read, 'confusionStart', 'confusions', selected.length)) {
    for (let part = 0; part < starts.length - 1; part++) {
      const row = first + part;
      if (selected[row] === 0) continue;
      if (errors[row]! >= 0) scored[utterance[row]!] = (scored[utterance[row]!] ?? 0) + 1;
      for (let at = starts[part]!; at < starts[part + 1]!; at++) {
        const pair = values[at]!;
        times[pair]!++;
        if (last[pair] === row + 1) continue;
        last[pair] = row + 1;
        trials[pair]!++;
      }
    }
  }
  const shown = mostFrequent(times, limit);
  const said = new Map(shown.map((pair) => [pairs[2 * pair]!, 0]));
  const lexicon = lexiconOf(read);
  for (const { first, starts, values } of partsOfColumn(read, 'saidStart', 'said', scored.length)) {
    for (let part = 0; part < starts.length - 1; part++) {
      for (let at = starts[part]!; scored[first + part] !== undefined && at < starts[part + 1]!; at++) {
        const before = said.get(values[at]!);
        if (before !== undefined) said.set(values[at]!, before + scored[first + part]!);
      }
    }
  }
  return shown.map((pair) => {
    const [from, to] = [pairs[2 * pair]!, pairs[2 * pair + 1]!];
    const [reference, hypothesis] = [lexicon[from]!, lexicon[to]!];
    return {
      reference,
      hypothesis,
      times: times[pair]!,
      trials: trials[pair]!,
      said: from === 0 ? 0 : said.get(from)!,
    };
  });
}

function lexiconOf(read: ReadColumn): string[] {
  return new TextDecoder().decode(read('lexicon')).split('\n');
}

/** Of equally frequent ones the first. */
function mostFrequent(times: Uint32Array, limit: number): number[] {
  let most: number[] = [];
  let least = 1;
  const cut = () => {
    most = most.sort((a, b) => times[b]! - times[a]! || a - b).slice(0, limit);
    if (most.length === limit) least = times[most.at(-1)!]! + 1;
  };
  for (let pair = 0; pair < times.length; pair++) {
    if (times[pair]! < least) continue;
    most.push(pair);
    if (most.length >= 4 * limit) cut();
  }
  cut();
  return most;
}
