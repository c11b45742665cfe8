import { z } from 'zod';
import type { SoundCollectionKind } from '../contract.ts';
import { folderOption, listedSounds, partFolder, stemOf } from '../shared/listed-sounds.ts';

const options = z.strictObject({ folder: folderOption });

/** What the fifteen noises are; their files are called so. */
const descriptions: ReadonlyMap<string, string> = new Map([
  ['babble', '100 people in a canteen'],
  ['buccaneer1', 'cockpit of a Buccaneer jet at 190 knots'],
  ['buccaneer2', 'cockpit of a Buccaneer jet at 450 knots'],
  ['destroyerengine', 'engine room of a destroyer'],
  ['destroyerops', 'operations room of a destroyer'],
  ['f16', 'cockpit of an F-16 jet'],
  ['factory1', 'factory with plate cutting and welding'],
  ['factory2', 'car production hall'],
  ['hfchannel', 'short-wave radio channel'],
  ['leopard', 'inside a Leopard tank'],
  ['m109', 'inside an M109 tank'],
  ['machinegun', 'machine gun'],
  ['pink', 'pink noise'],
  ['volvo', 'inside a car'],
  ['white', 'white noise'],
]);

/** Two spellings are about: that of the collection's own disc (factory1), and that of the Signal Processing Information Base. */
const otherSpellings: ReadonlyMap<string, string> = new Map([
  ['buccaneercockpit1', 'buccaneer1'],
  ['buccaneercockpit2', 'buccaneer2'],
  ['factoryfloor1', 'factory1'],
  ['factoryfloor2', 'factory2'],
  ['pinknoise', 'pink'],
  ['whitenoise', 'white'],
]);
const folders = ['NOISEX-92', 'noisex-92', 'NoiseX-92', 'NoiseX92', 'noisex92', '.'];

/** NOISEX-92 (Varga and Steeneken, 1993): fifteen noises of 235 seconds at 19.98 kHz, sold on disc: no licence is declared. */
export const noisex92: SoundCollectionKind<z.infer<typeof options>> = {
  name: 'noisex-92',
  about: 'NOISEX-92: fifteen noises of vehicles, factories and radio.',
  options,
  async list({ folder }, { baseFolder }) {
    const found = await partFolder(folder, baseFolder, folders, 'NOISEX-92');
    return listedSounds(found, (name) => {
      const spelt = stemOf(name).toLowerCase().replaceAll(/[-_ ]/g, '');
      const category = otherSpellings.get(spelt) ?? spelt;
      const description = descriptions.get(category);
      return description === undefined ? {} : { category, description };
    });
  },
};
