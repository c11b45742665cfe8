import { z } from 'zod';
import { oneOf } from '../../base/option-kinds.ts';
import type { SoundCollectionKind } from '../contract.ts';
import { folderOption, listedSounds, partFolder, stemOf } from '../shared/listed-sounds.ts';

const options = z.strictObject({
  folder: folderOption,
  part: oneOf(['test', 'train']).default('test').describe('Noises for testing (51 files) or for training'),
});

/** MS-SNSD (Reddy et al., 2019): noise_test and noise_train, files are called Category_1.wav, 16 kHz. */
export const msSnsd: SoundCollectionKind<z.infer<typeof options>> = {
  name: 'ms-snsd',
  about: "MS-SNSD: Microsoft's noises of offices, streets, kitchens and the like.",
  options,
  async list({ folder, part }, { baseFolder }) {
    const ways = [`noise_${part}`, `MS-SNSD/noise_${part}`, `MS-SNSD-master/noise_${part}`];
    const found = await partFolder(folder, baseFolder, ways, 'MS-SNSD');
    return listedSounds(found, (name) => ({
      category: stemOf(name).replace(/_\d+$/, ''),
      part,
      // The repository is under MIT; its noises come from Freesound (CC0) and DEMAND.
      licence: 'CC0 1.0 (Freesound) or CC BY-SA 3.0 (DEMAND)',
    }));
  },
};
