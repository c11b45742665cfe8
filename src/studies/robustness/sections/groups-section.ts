import type { Cell, Column, Section, Table } from '../../../model/finding.ts';
import {
  attributeColumn,
  groupColumn,
  recognizerColumn,
  speakersColumn,
  wordsSaidColumn,
} from '../../shared/columns.ts';
import { counted, named } from '../../shared/wording.ts';
import type { Design } from '../design.ts';
import type { GroupResult, Results } from '../results.ts';
import { datasetColumn } from './gaps-sections.ts';
import { rateColumn } from './rate-column.ts';

/** Groups on clean sound and in the worst condition; null where there are none. */
export function groupsSection(results: Results, design: Design): Section | null {
  if (results.groups.length === 0) return null;
  const decisive = [...new Set(results.groups.map(({ condition }) => condition))].sort((a, b) => a - b);
  const several = results.groups.some(({ group }) => group.dataset !== undefined);
  const columns: Column[] = [
    ...(several ? [datasetColumn] : []),
    attributeColumn,
    groupColumn,
    recognizerColumn,
    rateColumn,
    wordsSaidColumn,
    speakersColumn,
  ];
  const tableOf = (id: string, where: string, conditions: readonly number[]): Table[] =>
    conditions.length === 0
      ? []
      : [
          {
            id: `robustness-groups-${id}`,
            title: `Groups, ${where}`,
            columns,
            rows: results.groups
              .filter((row) => conditions.includes(row.condition))
              .map((row) => groupRow(row, design)),
          },
        ];
  const ofWorst = decisive.filter((condition) => condition > 0 && condition < design.disturbed);
  const tables = [
    ...tableOf('clean', design.conditions[0]!.name, decisive.slice(0, decisive[0] === 0 ? 1 : 0)),
    ...tableOf('worst-condition', ofWorst.map((condition) => design.conditions[condition]!.name).join(), ofWorst),
    ...tableOf(
      'recorded',
      'recordings',
      decisive.filter((condition) => condition >= design.disturbed),
    ),
  ];
  return {
    id: 'robustness-groups',
    title: 'Groups of speakers',
    text: decisive.flatMap((condition) =>
      design.recognizers.flatMap((_, recognizer) =>
        [...new Set(results.groups.filter((row) => row.condition === condition).map(({ group }) => group.dataset))].map(
          (dataset) => worstGroupSentence(results, design, { condition, dataset }, recognizer),
        ),
      ),
    ),
    tables,
  };
}

function groupRow({ group, recognizer, wordErrorRate }: GroupResult, design: Design): Record<string, Cell> {
  return {
    dataset: group.dataset ?? null,
    attribute: group.attribute,
    group: group.value,
    recognizer: design.recognizers[recognizer]!.name,
    wordErrorRate,
    words: wordErrorRate.n.words ?? null,
    speakers: wordErrorRate.n.speakers,
  };
}

function worstGroupSentence(
  results: Results,
  design: Design,
  { condition, dataset }: { readonly condition: number; readonly dataset: string | undefined },
  recognizer: number,
): string {
  const rows = results.groups.filter(
    (row) =>
      row.condition === condition &&
      row.group.dataset === dataset &&
      row.recognizer === recognizer &&
      row.wordErrorRate.value !== null,
  );
  const highest = (among: readonly GroupResult[]) =>
    among.toSorted((a, b) => b.wordErrorRate.value! - a.wordErrorRate.value!)[0];
  const name = named(design.recognizers[recognizer]!.name);
  const where = `${name} in ${named(design.conditions[condition]!.name)}${dataset === undefined || condition >= design.disturbed ? '' : ` of ${named(dataset)}`}`;
  const enough = highest(rows.filter(({ wordErrorRate }) => wordErrorRate.low !== null));
  const any = highest(rows);
  const inWords = ({ group }: GroupResult) => `${named(group.attribute)} ${named(group.value)}`;
  if (any === undefined) return `${where}: no group has a rate.`;
  if (rows.length > 1 && rows.every(({ wordErrorRate }) => wordErrorRate.value === any.wordErrorRate.value)) {
    return `${where}: all groups have the same measured rate.`;
  }
  if (enough === undefined) {
    return `${where}: ${inWords(any)} has the highest measured rate, but no group has speakers enough for an interval, so nothing can be claimed.`;
  }
  const few =
    any === enough
      ? ''
      : ` (${inWords(any)} measures higher, from ${any.wordErrorRate.n.speakers === 0 ? 'unknown speakers' : counted(any.wordErrorRate.n.speakers, 'speaker')}: too few to claim anything)`;
  return `${where}: ${inWords(enough)} has the highest measured rate of the groups with speakers enough for an interval${few}.`;
}
