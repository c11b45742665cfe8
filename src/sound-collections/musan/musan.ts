import { z } from 'zod';
import { oneOf } from '../../base/option-kinds.ts';
import type { SoundCollectionKind } from '../contract.ts';
import { folderOption, listedSounds, partFolder } from '../shared/listed-sounds.ts';

const options = z.strictObject({
  folder: folderOption,
  part: oneOf(['noise', 'music', 'speech']).describe('Which of its three parts'),
});

/** MUSAN (Snyder, Chen and Povey, 2015; OpenSLR 17): part/source/part-source-0000.wav, 16 kHz. */
export const musan: SoundCollectionKind<z.infer<typeof options>> = {
  name: 'musan',
  about: 'MUSAN: noise, music or speech of free licences.',
  options,
  async list({ folder, part }, { baseFolder }) {
    const found = await partFolder(folder, baseFolder, [part, `musan/${part}`], 'MUSAN');
    return listedSounds(found, (name) => {
      const source = name.includes('/') ? name.slice(0, name.indexOf('/')) : null;
      // Of the collection; what single files allow stands in the LICENSE files beside them.
      return { part, ...(source !== null && { source }), licence: 'CC BY 4.0' };
    });
  },
};
