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
import { rateColumn } from './rate-column.ts';

/** Groups on clean sound and in the worst condition; null where there are none. */
export function groupsSection(results: Results, design: Design): Section | null {
  if (results.groups.length === 0) return null;
  const decisive = [...new Set(results.groups.map(({ condition }) => condition))];
  const columns: Column[] = [
    attributeColumn,
    groupColumn,
    recognizerColumn,
    rateColumn,
    wordsSaidColumn,
    speakersColumn,
  ];
  const tables = decisive.map(
    (condition, index): Table => ({
      id: `robustness-groups-${index === 0 ? 'clean' : 'worst-condition'}`,
      title: `Groups, ${design.conditions[condition]!.name}`,
      columns,
      rows: results.groups.filter((row) => row.condition === condition).map((row) => groupRow(row, design)),
    }),
  );
  return {
    id: 'robustness-groups',
    title: 'Groups of speakers',
    text: decisive.flatMap((condition) =>
      design.recognizers.map((_, recognizer) => worstGroupSentence(results, design, condition, recognizer)),
    ),
    tables,
  };
}

function groupRow({ group, recognizer, wordErrorRate }: GroupResult, design: Design): Record<string, Cell> {
  return {
    attribute: group.attribute,
    group: group.value,
    recognizer: design.recognizers[recognizer]!.name,
    wordErrorRate,
    words: wordErrorRate.n.words ?? null,
    speakers: wordErrorRate.n.speakers,
  };
}

function worstGroupSentence(results: Results, design: Design, condition: number, recognizer: number): string {
  const rows = results.groups.filter(
    (row) => row.condition === condition && row.recognizer === recognizer && row.wordErrorRate.value !== null,
  );
  const highest = (among: readonly GroupResult[]) =>
    among.toSorted((a, b) => b.wordErrorRate.value! - a.wordErrorRate.value!)[0];
  const name = named(design.recognizers[recognizer]!.name);
  const where = `${name} in ${named(design.conditions[condition]!.name)}`;
  const enough = highest(rows.filter(({ wordErrorRate }) => wordErrorRate.low !== null));
  const any = highest(rows);
  const inWords = ({ group }: GroupResult) => `${named(group.attribute)} ${named(group.value)}`;
  if (any === undefined) return `${where}: no group has a rate.`;
  if (enough === undefined) {
    return `${where}: ${inWords(any)} has the highest measured rate, but no group has speakers enough for an interval, so nothing can be claimed.`;
  }
  const few =
    any === enough
      ? ''
      : ` (${inWords(any)} measures higher, from ${any.wordErrorRate.n.speakers === 0 ? 'unknown speakers' : counted(any.wordErrorRate.n.speakers, 'speaker')}: too few to claim anything)`;
  return `${where}: ${inWords(enough)} has the highest measured rate of the groups with speakers enough for an interval${few}.`;
}
