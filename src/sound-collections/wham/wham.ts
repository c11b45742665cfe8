import { z } from 'zod';
import { oneOf } from '../../base/option-kinds.ts';
import type { SoundCollectionKind } from '../contract.ts';
import { folderOption, listedSounds, partFolder } from '../shared/listed-sounds.ts';

const options = z.strictObject({
  folder: folderOption,
  part: oneOf(['tt', 'cv', 'tr']).default('tt').describe('Test (3,000 files), validation or training noises'),
});

/** WHAM! (Wichern et al., 2019): wham_noise/tt and so on; two channels at 16 kHz, recorded in San Francisco. */
export const wham: SoundCollectionKind<z.infer<typeof options>> = {
  name: 'wham',
  about: 'WHAM!: noises of cafes, bars and parks.',
  options,
  async list({ folder, part }, { baseFolder }) {
    const found = await partFolder(folder, baseFolder, [part, `wham_noise/${part}`], 'WHAM!');
    return listedSounds(found, () => ({ part, licence: 'CC BY-NC 4.0' }));
  },
};
