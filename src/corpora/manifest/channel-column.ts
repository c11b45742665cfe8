import { existsSync } from 'node:fs';
import { writtenChannel } from '../../base/columns/channels.ts';
import { badInput } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Row } from '../../system/delimited-rows.ts';
import type { CorpusServices } from '../contract.ts';
import { type Boundary, checkLinks } from '../shared/folders.ts';
import { createIdRegister } from '../shared/utterance-id.ts';
import type { ColumnOfRole } from './columns.ts';

/** How channels are written in a list, and what it says of them. */
export interface ChannelColumn {
  /** From 1; null for what is not known. */
  channelOf(row: Row): number | null;
  /** Whether it names more than one of a file, so that ids need to say which. */
  readonly several: boolean;
  /** Whether nothing tells from what it counts: all rows say 1. */
  readonly uncertain: boolean;
}

/** What is said of a list. */
interface ListOptions {
  readonly file: string;
  readonly columns?: { readonly channel?: string | null | undefined } | undefined;
  readonly channelsFrom?: 0 | 1 | undefined;
}

/** What is known of a list when its channels are looked for. */
interface ListContext {
  /** Texts that mean "not known". */
  readonly missing: ReadonlySet<string>;
  /** Of its first row. */
  readonly sound: Utterance['sound'];
  readonly boundary: Boundary;
  readonly services: CorpusServices;
}

/**
 * What a list says of channels; null where it says nothing. A column that only happens to be called so (it holds something else, or stands
 * beside files of one channel, of which it says where they come from) is none.
 *
 * @param rows reads the list from its beginning
 * @throws EarwitnessError `bad-input` where the named column holds something else, and where a number is below the first
 */
export async function channelsOfList(
  rows: () => AsyncIterable<Row>,
  columns: ColumnOfRole,
  options: ListOptions,
  { missing, sound, boundary, services }: ListContext,
): Promise<ChannelColumn | null> {
  if (columns.channel === undefined) return null;
  const isNamed = options.columns?.channel !== undefined;
  const named = { ...columns, channel: columns.channel };
  const found = await readChannelColumn(rows(), named, missing, { countsFrom: options.channelsFrom, isNamed });
  if (found === null || found.several) return found;
  if (sound === undefined || !('file' in sound) || !existsSync(sound.file)) return found;
  await checkLinks(sound.file, boundary);
  const facts = await services.sounds.channels(sound.file).catch(() => null);
  if (found.uncertain && facts?.relation === 'unlike') {
    services.warn(
      `${options.file}: all rows say channel 1, which is taken for the first (left) one; if the list counts from 0, set channelsFrom: 0`,
    );
  }
  return !isNamed && facts?.count === 1 ? null : found;
}

/**
 * Reads a list once for what stands in its column of channels. Numbers count from 0 where one is 0, as in cuts of Lhotse; else from 1, as
 * in STM and CTM.
 *
 * @param countsFrom what the options say
 * @param isNamed whether the options name the column: else one that holds something else (near, YouTube) is none
 * @returns null where the column holds something else
 */
async function readChannelColumn(
  rows: AsyncIterable<Row>,
  { channel: name, path }: ColumnOfRole & { readonly channel: string },
  missing: ReadonlySet<string>,
  { countsFrom, isNamed }: { readonly countsFrom: 0 | 1 | undefined; readonly isNamed: boolean },
): Promise<ChannelColumn | null> {
  const textOf = (row: Row): string | null => {
    const text = row.text(name)?.trim() ?? '';
    return missing.has(text) ? null : text;
  };
  const values = new Set<number>();
  const paths = createIdRegister();
  let several = false;
  let counted = false;
  let place: string | null = null;
  for await (const row of rows) {
    const text = textOf(row);
    if (text === null) continue;
    const written = writtenChannel(text);
    if (written === null && !isNamed) return null;
    if (written === null) {
      throw badInput(
        `${row.place(name)}: expected a channel (0, 1, A, left, …) in "${printable(name, 60)}", but found ${JSON.stringify(printable(text, 50))}; ${/^(?:mean|each)$/i.test(text) ? 'leave it empty and set channels for the whole corpus' : 'correct it'}, or set columns: { channel: null }`,
      );
    }
    counted ||= written.counted;
    if (written.counted && written.value === 0) place ??= row.place(name);
    values.add(written.value);
    const before = path === undefined ? null : paths.add(row.text(path) ?? '', written.value);
    several ||= before !== null && before !== written.value;
  }
  const first = countsFrom ?? (place === null ? 1 : 0);
  if (first === 1 && place !== null) {
    throw badInput(`${place}: expected channels from 1 on, as channelsFrom says, but found 0; set channelsFrom: 0`);
  }
  return {
    channelOf(row) {
      const written = writtenChannel(textOf(row) ?? '');
      return written === null ? null : written.value + (written.counted ? 1 - first : 0);
    },
    several,
    uncertain: counted && countsFrom === undefined && values.size === 1 && values.has(1),
  };
}
