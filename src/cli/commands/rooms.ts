import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { badInput } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { createServices } from '../../session/open/services.ts';
import {
  type ClassifiedRoom,
  classifyRooms,
  type MeasuredRoom,
  measureRooms,
} from '../../session/rooms/measure-rooms.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { wholeFrom } from '../options.ts';
import { print, printJson, say } from '../output.ts';
import { createCountingLine } from '../progress/lines.ts';

const maxClips = 1000;

const flags = [
  ['--speech <folder>', 'clean speech without reverberation, one sentence per file', { required: true }],
  [
    '--clips <number>',
    'number of speech files used, spread over the folder',
    { read: wholeFrom(1, maxClips), default: 10 },
  ],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

const columns = ['path', 'rt60Seconds', 'rt60Class', 'srmr', 'srmrClass', 'srmrLow', 'srmrHigh', 'srmrClips'] as const;

/** `rooms FOLDER --speech FOLDER > rooms.tsv` */
export const rooms: CliCommand = {
  examples: ['rooms responses --speech LibriSpeech/test-clean > rooms.tsv'],
  notes:
    'Measures the reverberation time of each room response (Schroeder) and the mean SRMR of clear speech convolved with it, and puts both into four classes of severity as Speech Robust Bench does. Prints a table that the collection `folder` takes as its manifest: sounds: { slr28-real: { type: folder, folder: …, manifest: rooms.tsv } }. The same files give the same table.',
  flags,
  configure(command: Command) {
    command.argument('<folder>', 'of room responses').action(run);
  },
};

async function run(folder: string, options: Options): Promise<void> {
  for (const path of [folder, options.speech]) await needFolder(path);
  const services = createServices({ baseFolder: process.cwd() });
  try {
    const [responses, speech] = [await services.assets.sounds(folder), await services.assets.sounds(options.speech)];
    const odd = responses.sounds.find(({ name }) => /[\t\r\n]/.test(name));
    if (odd) {
      throw badInput(
        `${printable(odd.name)}: expected a file name without tabs and line ends, which no table can hold; rename the file`,
      );
    }
    const found: MeasuredRoom[] = [];
    const line = createCountingLine(process.stderr, 'rooms');
    for await (const room of measureRooms(responses, speech, options.clips)) {
      found.push(room);
      line.done(found.length, responses.sounds.length);
    }
    line.clear();
    const classified = classifyRooms(found);
    if (options.json) return await printJson(classified as unknown as Json);
    await print(`${columns.join('\t')}\n`);
    for (const room of classified) await print(`${columns.map((column) => cell(room, column)).join('\t')}\n`);
    const without = classified.filter(({ rt60Seconds }) => rt60Seconds === null);
    if (without.length > 0) {
      say(`${without.length} of ${classified.length} have no reverberation time: ${without[0]!.rt60Reason}`);
    }
  } finally {
    await services.close();
  }
}

async function needFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return;
  throw badInput(
    `${path}: expected a folder of audio files, but ${found === null ? 'there is none' : 'this is a file'}; check the path`,
  );
}

/** Empty where there is no value; file names may hold anything. */
function cell(room: ClassifiedRoom, column: (typeof columns)[number]): string {
  const value = column === 'path' ? room.name : room[column];
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toPrecision(6);
  return value === null ? '' : value;
}
