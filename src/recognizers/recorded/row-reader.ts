import { hypothesisColumn, usualColumn } from '../../base/columns/roles.ts';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable } from '../../base/printable.ts';
import { type SplitFields, splitPlain, splitQuoted } from '../../system/delimited-rows.ts';
import type { FileRecord } from './scan-records.ts';

/** What a row says. */
export interface RecordedRow {
  readonly utterance: string;
  /** Which channel of a recording, as it is written; null where nobody says. */
  readonly channel: string | null;
  /** Null where there is no such column. */
  readonly system: string | null;
  readonly condition: string;
  readonly repeat: number;
  readonly text: string | null;
  readonly error: string | null;
  /** As it stands in JSON; null where there is none. */
  readonly words: unknown;
  /** Who of several people wrote it; null where nobody says. */
  readonly listener: string | null;
  /** Whether somebody speaks of whom the listener could make out no word. */
  readonly unintelligible: boolean;
}

/** Reads rows, whatever the format. */
export interface RowReader {
  /** Whether the file's first record names the columns. */
  readonly hasHeader: boolean;
  readHeader(record: Pick<FileRecord, 'line' | 'text'>): void;
  /** Whether the header, or a record of a format without one, has a column for listeners. */
  namesListeners(record: Pick<FileRecord, 'line' | 'text'>): boolean;
  /** @throws EarwitnessError `bad-input` with file, line and column */
  read(record: Pick<FileRecord, 'line' | 'text'>): RecordedRow;
}

const roles = [
  'utterance',
  'channel',
  'system',
  'condition',
  'repeat',
  'text',
  'error',
  'words',
  'listener',
  'unintelligible',
] as const;
type Role = (typeof roles)[number];

/** Which column holds what, where the options say so. */
export type Columns = Readonly<Partial<Record<Role, string | undefined>>>;

/** The column of a role: as the options say, else by its name. */
function columnOf(role: Role, names: readonly string[], wanted: string | undefined): string | undefined {
  if (wanted !== undefined) return wanted;
  if (role === 'text') return hypothesisColumn(names);
  return usualColumn(names, role === 'utterance' ? 'id' : role);
}

const told = { utterance: 'utterance, utterance_id, utt or id', text: 'text, transcript, hypothesis or hyp' } as const;

const yes = ['yes', 'true', '1'];
const no = ['', 'no', 'false', '0'];
const notUnintelligible = 'expected yes or nothing, where yes stands beside an empty text';

/** Null where it is neither, or where there are words all the same. */
function unintelligibleOf(value: string, text: string | null): boolean | null {
  const said = value.trim().toLowerCase();
  if (yes.includes(said)) return text === null || text === '' ? true : null;
  return no.includes(said) ? false : null;
}

/** Rows of a table with a header. */
export function delimitedReader(shownName: string, columns: Columns, delimiter: string, quotes: boolean): RowReader {
  let names: readonly string[] = [];
  let index: Readonly<Partial<Record<Role, number>>> = {};
  const fieldsOf = ({ line, text }: Pick<FileRecord, 'line' | 'text'>): SplitFields => {
    const split = quotes ? splitQuoted(text, delimiter) : splitPlain(text, delimiter);
    const wrongAt = split.openedAt ?? split.strayAt;
    if (wrongAt === null) return split;
    const problem = 'expected a quoted field to end with a quote before the delimiter; double quotes inside it';
    throw bad(shownName, line, text, wrongAt, problem);
  };
  return {
    hasHeader: true,
    readHeader(record) {
      const { fields, starts } = fieldsOf(record);
      names = fields.map((text) => text.trim());
      const doubled = names.findIndex((name, position) => names.indexOf(name) !== position);
      if (doubled !== -1) {
        const name = printable(names[doubled]!, 60);
        throw bad(
          shownName,
          record.line,
          record.text,
          starts[doubled]!,
          `expected every column once, but "${name}" stands here again; rename it`,
        );
      }
      const found: Partial<Record<Role, number>> = {};
      for (const role of roles) {
        const wanted = columns[role];
        const name = columnOf(role, names, wanted);
        const position = name === undefined ? -1 : names.indexOf(name);
        if (position !== -1) found[role] = position;
        else if (wanted !== undefined || role === 'utterance' || role === 'text') {
          throw missingColumn(shownName, record.line, role, wanted, names);
        }
      }
      index = found;
    },
    namesListeners({ text }) {
      const { fields } = quotes ? splitQuoted(text, delimiter) : splitPlain(text, delimiter);
      const header = fields.map((name) => name.trim());
      return [columns.listener ?? 'listener', columns.unintelligible ?? 'unintelligible'].some((name) =>
        header.includes(name),
      );
    },
    read(record) {
      const { fields, starts } = fieldsOf(record);
      if (fields.length !== names.length) {
        const at = starts[names.length] ?? record.text.length;
        throw bad(
          shownName,
          record.line,
          record.text,
          at,
          `expected ${names.length} fields as in the header, but found ${fields.length}; is a delimiter missing, or part of a text?`,
        );
      }
      const cell = (role: Role) => (index[role] === undefined ? undefined : fields[index[role]]);
      const startOf = (role: Role) => (index[role] === undefined ? 0 : starts[index[role]]!);
      const utterance = cell('utterance')!;
      if (utterance === '')
        throw bad(
          shownName,
          record.line,
          record.text,
          startOf('utterance'),
          'expected the id of an utterance, but the field is empty; fill it in',
        );
      const unintelligible = unintelligibleOf(cell('unintelligible') ?? '', cell('error') ? null : cell('text')!);
      if (unintelligible === null)
        throw bad(shownName, record.line, record.text, startOf('unintelligible'), notUnintelligible);
      return {
        utterance,
        channel: cell('channel')?.trim() || null,
        system: cell('system') ?? null,
        condition: cell('condition') || 'clean',
        repeat: repeatOf(cell('repeat') || '0', () =>
          bad(shownName, record.line, record.text, startOf('repeat'), notRepeat),
        ),
        text: cell('text')!,
        error: cell('error') || null,
        words: null,
        listener: cell('listener') || null,
        unintelligible,
      };
    },
  };
}

/** Rows of JSON lines: one object each. */
export function jsonReader(shownName: string, columns: Columns): RowReader {
  const read = (record: Pick<FileRecord, 'line' | 'text'>): RecordedRow => {
    const object = parseObject(record, shownName);
    const value = (role: Role): unknown => {
      const name = columnOf(role, Object.keys(object), columns[role]);
      return name !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
    };
    const fail = (role: Role, problem: string) => {
      const at = record.text.indexOf(JSON.stringify(columns[role] ?? role));
      return bad(shownName, record.line, record.text, Math.max(at, 0), problem);
    };
    const utterance = value('utterance');
    const text = value('text') ?? null;
    const error = value('error') ?? null;
    const condition = value('condition') ?? 'clean';
    if ((typeof utterance !== 'string' && typeof utterance !== 'number') || utterance === '') {
      throw fail(
        'utterance',
        `expected the member ${columns.utterance ?? told.utterance} with an utterance's id; add it, or name it in columns`,
      );
    }
    if (text === null ? error === null : typeof text !== 'string') {
      throw fail(
        'text',
        `expected the member ${columns.text ?? told.text} with a transcript; add it, or name it in columns`,
      );
    }
    if (error !== null && typeof error !== 'string') throw fail('error', 'expected a text that says what went wrong');
    if (typeof condition !== 'string') throw fail('condition', "expected a condition's name as text");
    const unintelligible = unintelligibleOf(String(value('unintelligible') ?? ''), text as string | null);
    if (unintelligible === null) throw fail('unintelligible', notUnintelligible);
    return {
      utterance: String(utterance),
      channel: nameOf(value('channel'), () => fail('channel', 'expected a channel as text or number')) || null,
      system: nameOf(value('system'), () => fail('system', "expected a system's name as text")),
      condition: condition || 'clean',
      repeat: repeatOf(String(value('repeat') ?? 0), () => fail('repeat', notRepeat)),
      text: text as string | null,
      error: error || null,
      words: value('words') ?? null,
      listener: nameOf(value('listener'), () => fail('listener', "expected a listener's name as text")) || null,
      unintelligible,
    };
  };
  return {
    hasHeader: false,
    readHeader() {},
    read,
    namesListeners: (record) =>
      [columns.listener ?? 'listener', columns.unintelligible ?? 'unintelligible'].some((name) =>
        Object.hasOwn(parseObject(record, shownName), name),
      ),
  };
}

function nameOf(value: unknown, failure: () => EarwitnessError): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' && typeof value !== 'number') throw failure();
  return String(value);
}

const notRepeat = 'expected the number of a repeat, a whole number from 0';

function repeatOf(text: string, failure: () => EarwitnessError): number {
  if (!/^\d{1,9}$/.test(text.trim())) throw failure();
  return Number(text);
}

function parseObject({ line, text }: Pick<FileRecord, 'line' | 'text'>, shownName: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    const at = Number(/position (\d+)/.exec(messageOf(error))?.[1] ?? text.length);
    throw bad(
      shownName,
      line,
      text,
      at,
      'expected one JSON object on the line, but from here on it is no JSON; correct it',
    );
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw bad(shownName, line, text, 0, 'expected one JSON object on the line; write {"utterance": …, "text": …}');
}

function missingColumn(
  shownName: string,
  line: number,
  role: Role,
  wanted: string | undefined,
  names: readonly string[],
): EarwitnessError {
  const expected = wanted === undefined ? told[role as keyof typeof told] : JSON.stringify(printable(wanted, 60));
  const near = nearestName(wanted ?? role, names);
  const found = names
    .slice(0, 12)
    .map((name) => printable(name, 40))
    .join(', ');
  const hint = near === null ? 'name it in columns' : `did you mean "${printable(near, 60)}"?`;
  return new EarwitnessError(
    'bad-input',
    `${shownName}:${line}:1: expected a column for the ${role} (${expected}), but found ${found}; ${hint}`,
  );
}

function bad(shownName: string, line: number, text: string, at: number, problem: string): EarwitnessError {
  const before = text.slice(0, at);
  const place = `${line + before.split('\n').length - 1}:${before.length - before.lastIndexOf('\n')}`;
  return new EarwitnessError('bad-input', `${shownName}:${place}: ${problem}`);
}
