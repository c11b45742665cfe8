import { stat } from 'node:fs/promises';
import { channelsByName, writtenChannel } from '../../base/columns/channels.ts';
import { badInput, type EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable } from '../../base/printable.ts';
import { RecognitionError, type RecognizerServices } from '../contract.ts';
import type { RecordedOptions } from './options.ts';
import { type RecordedRow, recordedRows } from './recorded-rows.ts';
import { type Asked, keyReader, RowIndex } from './row-index.ts';
import { whose } from './systems.ts';

/** Who of a table is still to be opened, and the rows of those that were read with another. */
interface Announced {
  readonly options: RecordedOptions;
  rows?: Promise<SystemRows>;
  /** Recognizers that are to take them: a panel is several. */
  takers: number;
}

const announced = new WeakMap<RecognizerServices, Map<string, Map<string, Announced>>>();

/** Of one table, read in one way. */
const tableOf = (path: string, { system: _, systems: __, panel: ___, ...way }: RecordedOptions) =>
  JSON.stringify([path, way]);
const systemOf = ({ system, panel }: RecordedOptions) => JSON.stringify([system ?? null, panel !== undefined]);

/** Says that a recognizer may be opened soon: its rows are read together with those of the first that is. */
export function announce(services: RecognizerServices, path: string, options: RecordedOptions): void {
  const tables = announced.get(services) ?? new Map<string, Map<string, Announced>>();
  announced.set(services, tables);
  const table = tables.get(tableOf(path, options)) ?? new Map<string, Announced>();
  tables.set(tableOf(path, options), table);
  const own = table.get(systemOf(options)) ?? { options, takers: 0 };
  own.takers++;
  table.set(systemOf(options), own);
}

/**
 * The rows of one recognizer. The table is read once for all that were announced, however many systems it has.
 *
 * @throws EarwitnessError `bad-input` where its rows are not as they should be, are none, or the file changes meanwhile
 */
export async function readAnnounced(
  services: RecognizerServices,
  path: string,
  options: RecordedOptions,
): Promise<SystemRows> {
  const table = announced.get(services)?.get(tableOf(path, options));
  const own = table?.get(systemOf(options));
  if (table === undefined || own === undefined) return (await readSystems(path, [options]))[0]!.checked();
  if (own.rows === undefined) {
    const together = [...table.values()].filter(({ rows }) => rows === undefined);
    const reading = readSystems(
      path,
      together.map((one) => one.options),
    );
    for (const [place, one] of together.entries()) {
      one.rows = reading.then((all) => all[place]!);
      // Told to whoever opens it.
      one.rows.catch(() => {});
    }
  }
  if (--own.takers === 0) table.delete(systemOf(options));
  return (await own.rows!).checked();
}

async function readSystems(path: string, all: readonly RecordedOptions[]): Promise<readonly SystemRows[]> {
  const version = async () => {
    const { size, mtimeMs } = await stat(path);
    return `${size} ${mtimeMs}`;
  };
  const opened = await version();
  const systems = all.map((options) => new SystemRows(options));
  const bySystem = Map.groupBy(systems, ({ options }) => options.system);
  const [first] = all;
  const everybody = bySystem.get(undefined) ?? [];
  const others = new Set<string>();
  for await (const row of recordedRows(path, first!)) {
    const system = whose(row);
    const own = system === null ? undefined : bySystem.get(system);
    for (const rows of own ?? []) rows.add(row);
    for (const rows of everybody) rows.add(row);
    if (own === undefined && others.size < maxNamed) others.add(system ?? '');
    // What is wrong with one alone is no fault of the others.
    if (systems.every(({ fault }) => fault !== null)) break;
  }
  const isChanged = (await version()) !== opened;
  const named = new Set([...others, ...all.flatMap(({ system }) => system ?? [])]);
  for (const rows of systems) rows.end(isChanged, named);
  return systems;
}

/** Other systems of a table that are kept to be named where the wanted one is not there. */
const maxNamed = 100;

/** The rows of one system, or of all rows, by what they answer. */
class SystemRows {
  readonly options: RecordedOptions;
  fault: EarwitnessError | null = null;
  readonly #keyOf: (asked: Asked) => string;
  readonly #index = new RowIndex();
  /** Rows say the channel, and some are of different channels of one recording. */
  #apart = false;
  readonly #channels = new Set<string>();
  #named: ReadonlyMap<number, string> | null = null;

  constructor(options: RecordedOptions) {
    this.options = options;
    this.#keyOf = keyReader(options);
  }

  add(row: RecordedRow): void {
    if (this.fault !== null) return;
    const key = this.#keyOf(row);
    let panel = 1;
    for (let earlier = this.#rowOf(key, panel); earlier !== null; earlier = this.#rowOf(key, ++panel)) {
      const other = this.options.panel !== undefined && isOther(row, earlier.row);
      if (other) continue;
      this.fault = doubled(this.options, row, earlier.row);
      return;
    }
    this.#index.add(panelKey(key, panel), row);
    if (row.channel === null) return;
    this.#channels.add(row.channel);
    const alone = this.#keyOf({ ...row, channel: null });
    const other = this.#rowOf(alone, panel);
    if (other === null) this.#index.again(panelKey(alone, panel), this.#rowOf(key, panel)!.place);
    else this.#apart ||= other.row.channel !== row.channel;
  }

  /** @param systems of the table, some of them */
  end(isChanged: boolean, systems: ReadonlySet<string>): void {
    const { file, system } = this.options;
    if (this.#index.size === 0) {
      const others = new Set([...systems].filter((name) => name !== system));
      this.fault ??=
        system !== undefined && others.size > 0
          ? noSystem(this.options, others)
          : badInput(`${file}:1:1: expected a table with rows, but there are none`);
    }
    if (isChanged) this.fault ??= badInput(`${file} changed while it was read; run again when it is complete`);
    if (this.#apart) this.#named = new Map([...channelsByName(this.#channels)].map(([name, place]) => [place, name]));
  }

  /** @throws EarwitnessError `bad-input` what was wrong with them */
  checked(): this {
    if (this.fault !== null) throw this.fault;
    return this;
  }

  /** @throws RecognitionError `unknown-utterance` where there is none */
  find(utterance: string, channel: number | undefined, condition: string, repeat: number, panel: number): RecordedRow {
    const key = this.#keyOf({ utterance: this.#asNamedHere(utterance, channel), condition, repeat });
    const found = this.#rowOf(key, panel);
    if (found && this.#apart && found.row.channel !== null && this.#keyOf(found.row) !== key)
      throw untoldChannel(utterance, found.row);
    if (found) return found.row;
    throw new RecognitionError(
      'unknown-utterance',
      `no row for utterance "${printable(utterance, 100)}", condition "${printable(condition, 100)}", repeat ${repeat}`,
    );
  }

  #rowOf(key: string, panel: number) {
    for (const { row, place } of this.#index.candidates(panelKey(key, panel)))
      if (this.#keyOf(row) === key || this.#keyOf({ ...row, channel: null }) === key) return { row, place };
    return null;
  }

  /** What the corpus calls `call#0` may be `call#1` here, or `call#A`. */
  #asNamedHere(utterance: string, channel: number | undefined): string {
    const name = channel === undefined ? undefined : this.#named?.get(channel);
    const own = /#([^#]+)$/.exec(utterance)?.[1];
    const isChannel = own !== undefined && writtenChannel(own) !== null;
    return name === undefined || !isChannel ? utterance : `${utterance.slice(0, -own.length)}${name}`;
  }
}

function untoldChannel(utterance: string, row: RecordedRow): RecognitionError {
  return new RecognitionError(
    'unknown-utterance',
    `utterance "${printable(utterance, 100)}" does not say which channel is meant, of which the table has several; name it "${printable(`${utterance}#${row.channel}`, 110)}"`,
  );
}

/** Whether somebody else wrote down the same clip. */
function isOther(row: RecordedRow, earlier: RecordedRow): boolean {
  return row.listener !== null && earlier.listener !== null && row.listener !== earlier.listener;
}

/** The same words for the first of several people as where there is one. */
const panelKey = (key: string, panel: number) => (panel === 1 ? key : `${panel} ${key}`);

function doubled({ file, system }: RecordedOptions, row: RecordedRow, earlier: RecordedRow): EarwitnessError {
  const several = system === undefined && row.system !== null && row.system !== earlier.system;
  const remedy = several
    ? `it holds several systems: say which with system: ${JSON.stringify(printable(row.system, 60))}, or take them all with systems: all`
    : 'take one out';
  return badInput(
    `${file}:${row.line}:1: expected each utterance once for each condition and repeat, but "${printable(row.utterance, 100)}", "${printable(row.condition, 100)}", ${row.repeat} stands in line ${earlier.line} already; ${remedy}`,
  );
}

function noSystem({ file, system = '', columns }: RecordedOptions, others: ReadonlySet<string>): EarwitnessError {
  const names = [...others].filter((name) => name !== '');
  if (names.length === 0) {
    return badInput(
      `${file}: expected a column ${columns.system ?? 'system'} for the system ${JSON.stringify(printable(system, 60))}, but there is none; name it in columns.system`,
    );
  }
  const near = nearestName(system, names);
  const hint =
    near === null
      ? `it has ${names
          .slice(0, 12)
          .map((name) => printable(name, 40))
          .join(', ')}`
      : `did you mean "${printable(near, 60)}"?`;
  return badInput(
    `${file}: expected rows of the system ${JSON.stringify(printable(system, 60))}, but there are none; ${hint}`,
  );
}
