import { stat } from 'node:fs/promises';
import { channelsByName, writtenChannel } from '../../base/columns/channels.ts';
import { badConfig, badInput, type EarwitnessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable } from '../../base/printable.ts';
import { recognizerFailureKinds, type Transcript } from '../../model/observation.ts';
import { existingFile } from '../../packages/model-files.ts';
import { partsOf } from '../../system/parquet-rows.ts';
import { RecognitionError, type RecognizerKind } from '../contract.ts';
import { recordedWords } from '../shared/recorded-words.ts';
import { type RecordedOptions, recordedOptions } from './options.ts';
import { formatOf, hasColumn, listening, type RecordedRow, recordedRows } from './recorded-rows.ts';
import { keyReader, RowIndex } from './row-index.ts';
import { panelsOf, systemsOf, whose } from './systems.ts';

/** Other systems of a table that are kept to be named where the wanted one is not there. */
const maxNamed = 100;

/** Transcripts that somebody else made, by utterance, condition and repeat. No sound is needed. */
export const recorded: RecognizerKind<RecordedOptions> = {
  name: 'recorded',
  about:
    'Transcripts from a table (TSV, CSV, JSON lines or Parquet) by utterance, condition and repeat; recognizes nothing itself',
  options: recordedOptions,
  isolation: 'none',

  async several(options, services) {
    if (options.systems === undefined) {
      const path = await existingFile(services, 'file', options.file);
      const panels = await panelsOf(path, options);
      if (panels === 1) return null;
      return Array.from({ length: panels }, (_, place) => ({
        name: `people-${place + 1}`,
        options: { ...options, panel: place + 1 },
      }));
    }
    if (options.system !== undefined) {
      throw badConfig('systems: expected either system or systems, but both are there; take one out');
    }
    const path = await existingFile(services, 'file', options.file);
    const systems = await systemsOf(path, options);
    const { systems: _, ...rest } = options;
    return systems.map(({ name, system }) => ({ name, options: { ...rest, system } }));
  },

  async describe(options, services) {
    const path = await existingFile(services, 'file', options.file);
    const [file, ...parts] = await Promise.all((await partsOf(path)).map((part) => services.fileHash(part)));
    return {
      identity: {
        engine: 'recorded',
        method: 1,
        file: file!,
        ...(parts.length > 0 && { parts }),
        ...formatOf(options),
        columns: JSON.parse(JSON.stringify(options.columns)) as JsonObject,
        ...(options.system !== undefined && { system: options.system }),
        ...(options.panel !== undefined && { panel: options.panel }),
        ...(options.fileEndings === 'ignored' && { fileEndings: options.fileEndings }),
        // Answers say who listened, which they did not say in earlier versions.
        ...((await hasColumn(path, options, listening)) && { listeners: true }),
        // Channels that the table calls otherwise than the corpus were taken for others, or had no row.
        ...((await hasColumn(path, options, ['channel'])) && { channels: 'by place' }),
      },
      input: 'names',
      pinned: true,
      concurrency: 64,
      usesProcessor: false,
      facts: {},
    };
  },

  async open(options, services) {
    const path = await existingFile(services, 'file', options.file);
    const version = async () => {
      const { size, mtimeMs } = await stat(path);
      return `${size} ${mtimeMs}`;
    };
    const opened = await version();
    const keyOf = keyReader(options);
    const index = new RowIndex();
    const others = new Set<string>();
    const find = (key: string, panel: number) => {
      for (const { row, place } of index.candidates(panelKey(key, panel)))
        if (keyOf(row) === key || keyOf({ ...row, channel: null }) === key) return { row, place };
      return null;
    };
    /** Rows say the channel, and some are of different channels of one recording. */
    let apart = false;
    const channels = new Set<string>();
    for await (const row of recordedRows(path, options)) {
      const system = whose(row);
      if (options.system !== undefined && system !== options.system) {
        if (others.size < maxNamed) others.add(system ?? '');
        continue;
      }
      const key = keyOf(row);
      let panel = 1;
      for (let earlier = find(key, panel); earlier !== null; earlier = find(key, ++panel)) {
        const other = options.panel !== undefined && isOther(row, earlier.row);
        if (!other) throw doubled(options, row, earlier.row);
      }
      index.add(panelKey(key, panel), row);
      if (row.channel === null) continue;
      channels.add(row.channel);
      const alone = keyOf({ ...row, channel: null });
      const other = find(alone, panel);
      if (other === null) index.again(panelKey(alone, panel), find(key, panel)!.place);
      else apart ||= other.row.channel !== row.channel;
    }
    if (index.size === 0 && others.size > 0) throw noSystem(options, others);
    if (index.size === 0) throw badInput(`${options.file}:1:1: expected a table with rows, but there are none`);
    if ((await version()) !== opened) {
      throw badInput(`${options.file} changed while it was read; run again when it is complete`);
    }
    const named = apart ? new Map([...channelsByName(channels)].map(([name, place]) => [place, name])) : null;
    /** What the corpus calls `call#0` may be `call#1` here, or `call#A`. */
    const asNamedHere = (utterance: string, channel: number | undefined) => {
      const name = channel === undefined ? undefined : named?.get(channel);
      const own = /#([^#]+)$/.exec(utterance)?.[1];
      const isChannel = own !== undefined && writtenChannel(own) !== null;
      return name === undefined || !isChannel ? utterance : `${utterance.slice(0, -own.length)}${name}`;
    };
    return {
      async recognize({ utteranceId, channel, conditionName, repeat }) {
        const key = keyOf({ utterance: asNamedHere(utteranceId, channel), condition: conditionName, repeat });
        const found = find(key, options.panel ?? 1);
        if (found && apart && found.row.channel !== null && keyOf(found.row) !== key)
          throw untoldChannel(utteranceId, found.row);
        if (!found) {
          throw new RecognitionError(
            'unknown-utterance',
            `no row for utterance "${printable(utteranceId, 100)}", condition "${printable(conditionName, 100)}", repeat ${repeat}`,
          );
        }
        return answerOf(found.row);
      },
      async close() {},
    };
  },

  async readiness() {
    return { ready: true, found: 'built in' };
  },
};

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

function answerOf(row: RecordedRow): Transcript {
  if (row.error !== null) throw failureOf(row.error);
  const words = row.words === null ? null : recordedWords(row.words);
  if (row.words !== null && words === null) {
    throw new RecognitionError('garbage', 'the words of this row are no list of texts or of objects with a text');
  }
  const { listener, unintelligible } = row;
  const details = { ...(listener !== null && { listener }), ...(unintelligible && { unintelligible }) };
  return {
    text: row.text ?? '',
    ...(words && words.length > 0 ? { words } : {}),
    ...(listener !== null || unintelligible ? { details } : {}),
  };
}

/** `timeout: no answer` is a failure of that kind, any other text one of kind `error`. */
function failureOf(text: string): RecognitionError {
  const [, prefix, rest] = /^([a-z-]+)(?::\s*(.*))?$/s.exec(text) ?? [];
  const kind = recognizerFailureKinds.find((known) => known === prefix);
  return new RecognitionError(kind ?? 'error', printable(kind === undefined ? text : rest || kind, 1000));
}

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
