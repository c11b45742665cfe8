import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sabineRt60Seconds } from '../../audio/rooms/shoebox.ts';
import { badInput, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { oneOf } from '../../base/option-kinds.ts';
import type { SoundCollectionKind } from '../contract.ts';
import { type FoundFolder, folderOption, listedSounds, partFolder, stemOf } from '../shared/listed-sounds.ts';

/** Folders of rooms of one size, and how their rooms are called in `room_info`. */
const sizes = { smallroom: 'small', mediumroom: 'medium', largeroom: 'large' } as const;

const options = z.strictObject({
  folder: folderOption,
  part: oneOf(['simulated', 'real', 'real-and-noises', 'noises', 'point-source-noises']).describe(
    'Simulated responses (60,000), measured ones (325), those together with the recordings of noise in the same folder (as Speech Robust Bench takes them), those noises alone (92), or the noises of single sources (843)',
  ),
});

const licence = 'Apache-2.0';
/** Of the parts that have one of their own. */
const folders: ReadonlyMap<string, string> = new Map([
  ['simulated', 'simulated_rirs'],
  ['point-source-noises', 'pointsource_noises'],
]);

/**
 * OpenSLR 28, RIRS_NOISES (Ko et al., 2017), 16 kHz. Of simulated rooms `room_info` knows size and absorption, from which
 * Sabine's reverberation time follows.
 */
export const slr28: SoundCollectionKind<z.infer<typeof options>> = {
  name: 'slr28',
  about: 'OpenSLR 28: room responses, simulated with known sizes or measured, and noises of the measured rooms.',
  options,
  async list({ folder, part }, { baseFolder }) {
    const name = folders.get(part) ?? 'real_rirs_isotropic_noises';
    const found = await partFolder(folder, baseFolder, [name, `RIRS_NOISES/${name}`], 'SLR28');
    if (part === 'simulated') {
      const rooms = await readRooms(found);
      return listedSounds(found, (file) => ({ kind: 'simulated', licence, ...rooms(file) }));
    }
    if (part === 'point-source-noises') return listedSounds(found, () => ({ kind: 'noise', licence }));
    const sounds = await listedSounds(found, (file) => {
      const [corpus] = stemOf(file).split('_');
      return { kind: /_noise_/i.test(stemOf(file)) ? 'noise' : 'measured', corpus: corpus ?? '', licence };
    });
    if (part === 'real-and-noises') return sounds;
    return sounds.filter(({ facts }) => facts.kind === (part === 'real' ? 'measured' : 'noise'));
  },
};

/**
 * What `room_info` knows of each room: a line for each, `small-Room001 length width height x y z absorption` (the three in
 * the middle are the place of the microphone), in metres.
 *
 * @returns gives the facts of a file by its path, as smallroom/Room001/Room001-00001.wav
 * @throws EarwitnessError `bad-input` for a line that is not so, or where there is no `room_info`
 */
async function readRooms({ folder, shownName }: FoundFolder): Promise<(file: string) => JsonObject> {
  const rooms = new Map<string, JsonObject>();
  let read = 0;
  for (const [size, short] of Object.entries(sizes)) {
    const shown = join(shownName, size, 'room_info');
    const text = await readFile(join(folder, size, 'room_info'), 'utf8').catch((thrown) => {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
      throw badInput(`${shown}: expected a text file, but ${messageOf(thrown)}; check it`);
    });
    if (text === null) continue;
    read++;
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      if (line.trim() === '') continue;
      const [name = '', ...numbers] = line.trim().split(/\s+/);
      const facts = factsOf(numbers.map(Number));
      // A line of headings, as some copies have it.
      if (facts === null && index === 0 && numbers.every((word) => Number.isNaN(Number(word)))) continue;
      if (facts === null) {
        throw badInput(
          `${shown}:${index + 1}:1: expected a room's name, length, width, height, the microphone's place and the absorption, but got ${numbers.length} numbers that are not these; unpack the file again`,
        );
      }
      // Rooms are called small-Room001, or smallroom-Room001.
      const room = name.slice(name.lastIndexOf('-') + 1);
      rooms.set(`${size}/${room}`, { roomSize: short, room: `${short}-${room}`, ...facts });
    }
  }
  if (read === 0) {
    throw badInput(
      `${shownName}: expected room_info in smallroom, mediumroom or largeroom, but there is none; unpack the data set again`,
    );
  }
  return (file) => {
    const [size = '', room = ''] = file.split('/');
    return rooms.get(`${size}/${room}`) ?? {};
  };
}

function factsOf(numbers: readonly number[]): JsonObject | null {
  if (numbers.length !== 7 || !numbers.every(Number.isFinite)) return null;
  const [lengthMetres, widthMetres, heightMetres] = numbers as [number, number, number];
  const absorption = numbers[6]!;
  if (Math.min(lengthMetres, widthMetres, heightMetres) <= 0 || !(absorption > 0 && absorption <= 1)) return null;
  const room = { lengthMetres, widthMetres, heightMetres };
  return { ...room, absorption, rt60Seconds: sabineRt60Seconds(room, absorption) };
}
