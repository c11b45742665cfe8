import { Readable } from 'node:stream';
import { plainWords } from '../../base/columns/texts.ts';
import { badInput } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { listed } from '../../studies/shared/wording.ts';
import { collected, openTable } from '../score/open-table.ts';
import { maxDiffering } from '../score/other-order.ts';
import { pairsOfTable } from '../score/pairs-of-table.ts';
import { type PairSource, plainText, type ScoringPair } from '../score/scoring-pair.ts';
import type { TextFile } from '../score/text-file.ts';

/** One output, and where its pairs come from. Of all outputs the pairs come in the order of the references. */
export interface Output {
  readonly name: string;
  readonly source: PairSource;
}

/**
 * The outputs of a table with a row for each utterance and system, in the order in which utterances are named first.
 *
 * @param system the columns that name it and the utterance
 * @throws EarwitnessError `bad-input` where one system has two rows of an utterance
 */
export async function outputsBySystem(
  file: TextFile,
  system: { readonly name: string; readonly id: string },
  columns: {
    readonly referenceColumn?: string;
    readonly hypothesisColumn?: string;
    readonly speakerColumn?: string;
  },
): Promise<readonly Output[]> {
  const { referenceColumn: reference, hypothesisColumn: hypothesis, speakerColumn: speaker } = columns;
  const wanted = { reference, hypothesis, speaker, id: system.id };
  const { rows } = await openTable(file);
  const systems = new Set<string>();
  for await (const row of rows()) systems.add(row.text(system.name) ?? '');
  const outputs = [...systems].map((name) => ({
    name,
    source: pairsOfTable(file, wanted, false, { column: system.name, value: name }),
  }));
  const pairs = await Promise.all(outputs.map(({ source }) => collected(source.pairs)));
  const again = pairs.flat().find((pair) => pair.id === null);
  if (again !== undefined) {
    throw badInput(
      `${printable(file.name)}:${again.line}:1: expected each utterance once for each ${printable(system.name)}, but this row has no ${printable(system.id)} of its own; name the column that tells them apart with --id-column`,
    );
  }
  const first = new Map(pairs.flat().map((pair) => [pair.id, pair]));
  return outputs.map(({ name, source }, place) => {
    const own = new Map(pairs[place]!.map((pair) => [pair.id, pair]));
    const ordered = [...first.values()].map(
      (one) => own.get(one.id) ?? { ...one, hypothesis: plainText(''), missing: true as const },
    );
    return { name, source: { ...source, pairs: Readable.from(ordered) } };
  });
}

/** What was compared, by which columns, and how it was put together. */
export function comparedFiles(reference: TextFile, heard: readonly TextFile[], outputs: readonly Output[]): string {
  const taken = outputs.map(({ source }) => source.taken());
  const column = (name: string | null | undefined) => (name == null ? '' : printable(name, 60));
  // A file that has the references beside its output is put together with itself.
  const ways = new Set(taken.flatMap(({ how }, place) => (heard[place] === reference ? [] : [how])));
  const [how] = ways;
  const shown = outputs.map(({ name }, place) => {
    const told = [
      column(taken[place]?.hypothesis),
      ways.size > 1 && heard[place] !== reference ? (taken[place]?.how ?? '') : '',
    ];
    const inside = told.filter((one) => one !== '').join(', ');
    return `${printable(name, 60)}${inside === '' ? '' : ` (${inside})`}`;
  });
  const said = column(taken[0]?.reference);
  const [before, after] = heard.includes(reference)
    ? ['', `; references in ${said} of ${reference.name}`]
    : [`${reference.name}${said === '' ? '' : ` (${said})`} with `, ''];
  return `${before}${listed(shown)}${ways.size === 1 ? `, ${how}` : ''}${after}`;
}

/**
 * An output that is its own reference has no errors.
 *
 * @throws EarwitnessError `bad-input` where one column was taken for both
 */
export function refuseOwnReference(reference: TextFile, heard: readonly TextFile[], outputs: readonly Output[]): void {
  const own = outputs.find((_, place) => heard[place]!.path === reference.path)?.source.taken?.();
  if (own === undefined || own.reference === null || own.reference !== own.hypothesis) return;
  throw badInput(
    `${printable(reference.name)}: expected the references and the output in a column each, but both are ${JSON.stringify(printable(own.reference, 60))}; name them with --reference-column and --hypothesis-column`,
  );
}

/**
 * Of files that hold references beside their outputs: where few of them differ, how many, and the first.
 *
 * @throws EarwitnessError `bad-input` where many do: whose are right nobody can tell
 */
export function differingReferences(
  reference: TextFile,
  heard: readonly TextFile[],
  pairs: readonly (readonly ScoringPair[])[],
): string {
  if (!heard.includes(reference)) return '';
  const told = heard.flatMap((file, place) => {
    const all = pairs[place]!;
    const differing = all.filter(
      ({ ownReference = '', reference }) =>
        ownReference.trim() !== '' && plainWords(ownReference) !== plainWords(reference.text),
    );
    const [one] = differing;
    if (one === undefined) return [];
    const id = JSON.stringify(printable(one.id ?? `row ${all.indexOf(one) + 1}`, 60));
    if (differing.length > maxDiffering * all.length) {
      const texts = [one.reference.text, one.ownReference!].map((text) => JSON.stringify(printable(text, 60)));
      throw badInput(
        `expected the same references in ${reference.name} and ${file.name}, but ${differing.length} of ${all.length} differ (of ${id} ${texts.join(' and ')}); name a file of the right ones: --reference FILE`,
      );
    }
    return [`; ${file.name} has other references for ${differing.length} of ${all.length} (first ${id}), not taken`];
  });
  return told.join('');
}
