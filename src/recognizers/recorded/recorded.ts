import { badConfig } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { recognizerFailureKinds, type Transcript } from '../../model/observation.ts';
import { existingFile } from '../../packages/model-files.ts';
import { partsOf } from '../../system/parquet-rows.ts';
import { RecognitionError, type RecognizerKind } from '../contract.ts';
import { recordedWords } from '../shared/recorded-words.ts';
import { type RecordedOptions, recordedOptions } from './options.ts';
import { announce, readAnnounced } from './read-systems.ts';
import { formatOf, hasColumn, listening, type RecordedRow } from './recorded-rows.ts';
import { panelsOf, systemsOf } from './systems.ts';

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
    announce(services, path, options);
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
    const rows = await readAnnounced(services, path, options);
    return {
      recognize: async ({ utteranceId, channel, conditionName, repeat }) =>
        answerOf(rows.find(utteranceId, channel, conditionName, repeat, options.panel ?? 1)),
      async close() {},
    };
  },

  async readiness() {
    return { ready: true, found: 'built in' };
  },
};

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
