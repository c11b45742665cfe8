import { badInput, type EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { timeIn } from '../../base/time-text.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Row } from '../../system/delimited-rows.ts';
import { createIdRegister } from '../shared/utterance-id.ts';
import type { ColumnOfRole } from './columns.ts';
import { isTimeName, timeColumns } from './times.ts';

/** Looks that rows which share a file say which piece of it each means. */
export interface PieceCheck {
  /** @throws EarwitnessError `bad-input`: a row of a file that others name too, of which the piece cannot be told */
  add(row: Row, utterance: Utterance, columns: ColumnOfRole): void;
  /** Rows that name a file again and have no column that could say which part they mean. */
  readonly again: number;
}

/** @param list the file, as errors name it */
export function createPieceCheck(list: string): PieceCheck {
  const named = createIdRegister();
  const untold = createIdRegister();
  let again = 0;
  return {
    add(row, { sound }, columns) {
      if (sound === undefined || !('file' in sound)) return;
      // Each channel of a call is a sound by itself.
      const file = sound.channel === undefined ? sound.file : `${sound.file}\n${sound.channel}`;
      const told = sound.startSeconds !== undefined && sound.endSeconds !== undefined;
      const first = named.add(file, row.line);
      const before = told ? untold.find(file) : first;
      if (!told) untold.add(file, row.line);
      if (before === null) return;
      const left = columnsLeft(row, columns);
      const isWhole = sound.startSeconds === undefined && sound.endSeconds === undefined;
      if (isWhole && left.length === 0 && columns.start === undefined && columns.end === undefined) {
        again++;
        return;
      }
      throw untoldPiece(row, `${list}:${before}`, sound, columns, left);
    },
    get again() {
      return again;
    },
  };
}

/** Columns that are read as nothing else and may hold times: by the name, or a number or a time of a clock. */
function columnsLeft(row: Row, columns: ColumnOfRole): readonly string[] {
  // A duration without a start is not used.
  const { duration: _, ...others } = columns;
  const withRole = new Set(Object.values(columns.start === undefined ? others : columns));
  return row.names.filter(
    (name) => !withRole.has(name) && (isTimeName(name) || timeIn(row.text(name) ?? '', 'seconds') !== null),
  );
}

function untoldPiece(
  row: Row,
  before: string,
  { startSeconds, endSeconds }: { readonly startSeconds?: number; readonly endSeconds?: number },
  columns: ColumnOfRole,
  left: readonly string[],
): EarwitnessError {
  const quoted = (name: string) => JSON.stringify(printable(name, 60));
  const [known, otherwise] =
    startSeconds !== undefined && endSeconds !== undefined
      ? ['that row does not say it', 'columns: { end: null } if it means the rest of the file']
      : startSeconds !== undefined
        ? ['only its start is known', 'columns: { end: null } if each row means the rest of its file']
        : endSeconds !== undefined
          ? ['only its end is known', 'columns: { start: null } if each row begins with its file']
          : ['no column says it', 'columns: { start: null } if each row means the whole file'];
  const shown = left.slice(0, 5).map(quoted).join(', ');
  const leftOver = left.length === 0 ? '' : ` (left over: ${shown}${left.length > 5 ? ', …' : ''})`;
  const times = timeColumns(row.names);
  const named = Object.entries(times ?? {}).map(([role, name]) => `${role}: ${printable(name, 60)}`);
  const haveBoth = columns.start !== undefined && (columns.end ?? columns.duration) !== undefined;
  const remedy = haveBoth
    ? 'fill in start and end of each'
    : `set columns: { ${named.length > 0 ? named.join(', ') : 'start: …, end: …'} }`;
  return badInput(
    `${row.place(columns.path)}: expected to know which part of its file is meant, as ${before} names the same file, but ${known}${leftOver}; ${remedy}, or ${otherwise}`,
  );
}
