import { capitalized } from '../../../base/wording.ts';
import type { Section } from '../../../model/finding.ts';
import { decisiveSentences, type Measured, whoDecides } from '../decisive.ts';
import { column, recognizerColumn, tableOf } from '../tables.ts';
import type { DecidedCell } from './contract.ts';

/** Rates of a finding that one utterance or one speaker decides: what a reader must know, and all of them in a table. */
export interface DecidedRates {
  readonly warnings: readonly string[];
  /** None where nobody decides a rate. */
  readonly sections: readonly Section[];
}

/**
 * Cells that one utterance or one speaker decides, in sentences and a table.
 *
 * @param study names the table
 * @param cells the most important first
 * @param measured how the ratio is called, and what it counts
 * @param placeOf what a cell is called beside its series; its names if absent
 * @example decidedRates('mine', cube.decisive('all', 'wer'), { measure: 'WER' }).warnings // ['a, clean: one of 120 utterances, u23, has …']
 */
export function decidedRates(
  study: string,
  cells: readonly DecidedCell[],
  measured: Measured,
  placeOf: (path: readonly string[]) => string = (path) => path.join(', '),
): DecidedRates {
  if (cells.length === 0) return { warnings: [], sections: [] };
  const { measure, counts: [errors, words] = ['errors', 'words'], unit } = measured;
  const kind = unit === undefined ? 'rate' : 'number';
  const rows = cells.map((cell) => ({ ...cell, place: placeOf(cell.path) }));
  const sentences = decisiveSentences(
    rows.map(({ series, place, decisive }) => ({
      where: [series, place].filter((part) => part !== '').join(', '),
      decisive,
    })),
    measured,
  );
  const [first = '', ...others] = sentences;
  const table = tableOf(`${study}-decided`, `${capitalized(measure)} with and without them`, rows, [
    { ...recognizerColumn, of: ({ series }) => series },
    column('place', 'Where', 'text', ({ place }) => place),
    column('who', 'Utterances or speaker', 'text', ({ decisive }) => whoDecides(decisive)),
    column('errors', capitalized(errors), 'count', ({ decisive }) => decisive.errors),
    column('ofErrors', `Of all ${errors}`, 'count', ({ decisive }) => decisive.all.errors),
    column('words', capitalized(words), unit === undefined ? 'count' : 'number', ({ decisive }) => decisive.words),
    column('loop', 'Words repeated', 'text', ({ decisive: { utterances } }) =>
      utterances.flatMap(({ loop }) => (loop === null ? [] : [`${loop.words}, ${loop.repeats} times`])).join('; '),
    ),
    column('with', capitalized(measure), kind, ({ decisive }) => decisive.value),
    column('without', `${capitalized(measure)} without`, kind, ({ decisive }) => decisive.without),
  ]);
  const hear = `To hear ${(cells[0]?.decisive.utterances.length ?? 0) > 1 ? 'one' : 'it'}, search for it in \`earwitness view\`.`;
  return {
    warnings: [`${first} ${hear}`, ...others],
    sections: [{ id: `${study}-decided`, title: 'Rates that one utterance or speaker decides', tables: [table] }],
  };
}
