import { z } from 'zod';
import type { SoundCollectionKind } from '../contract.ts';
import { folderOption } from '../shared/folder-option.ts';
import { listedSounds, stemOf } from '../shared/listed-sounds.ts';
import { partFolder } from '../shared/part-folder.ts';
import { readRooms } from './read-rooms.ts';

const options = z.strictObject({
  folder: folderOption,
  part: z
    .enum(['simulated', 'real', 'real-and-noises', 'noises', 'point-source-noises'])
    .describe(
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
