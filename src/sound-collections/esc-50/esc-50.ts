import { z } from 'zod';
import type { SoundCollectionKind } from '../contract.ts';
import { folderOption, listedSounds, partFolder, stemOf } from '../shared/listed-sounds.ts';

/** The categories of ESC-50 by their number (its table meta/esc50.csv). */
const categories: readonly string[] = [
  ...['dog', 'rooster', 'pig', 'cow', 'frog', 'cat', 'hen', 'insects', 'sheep', 'crow'],
  ...['rain', 'sea_waves', 'crackling_fire', 'crickets', 'chirping_birds'],
  ...['water_drops', 'wind', 'pouring_water', 'toilet_flush', 'thunderstorm'],
  ...['crying_baby', 'sneezing', 'clapping', 'breathing', 'coughing'],
  ...['footsteps', 'laughing', 'brushing_teeth', 'snoring', 'drinking_sipping'],
  ...['door_wood_knock', 'mouse_click', 'keyboard_typing', 'door_wood_creaks', 'can_opening'],
  ...['washing_machine', 'vacuum_cleaner', 'clock_alarm', 'clock_tick', 'glass_breaking'],
  ...['helicopter', 'chainsaw', 'siren', 'car_horn', 'engine'],
  ...['train', 'church_bells', 'airplane', 'fireworks', 'hand_saw'],
];

/** Those of the smaller set ESC-10. */
const esc10Targets: ReadonlySet<number> = new Set([0, 1, 10, 11, 12, 20, 21, 38, 40, 41]);

const options = z.strictObject({ folder: folderOption });

/** ESC-50 (Piczak, 2015): 2,000 clips of five seconds at 44.1 kHz. Files are called FOLD-CLIP-TAKE-TARGET.wav. */
export const esc50: SoundCollectionKind<z.infer<typeof options>> = {
  name: 'esc-50',
  about: 'ESC-50: environmental sounds of 50 categories, five seconds each.',
  options,
  async list({ folder }, { baseFolder }) {
    const found = await partFolder(folder, baseFolder, ['audio', 'ESC-50-master/audio', 'ESC-50/audio', '.'], 'ESC-50');
    return listedSounds(found, (name) => {
      const parts = /^([1-5])-(\d+)-([A-Z])-(\d{1,2})$/.exec(stemOf(name));
      const target = Number(parts?.[4] ?? -1);
      const category = categories[target];
      if (!parts || category === undefined) return {};
      const esc10 = esc10Targets.has(target);
      // Of the clips of ESC-10 the authors chose those that allow any use with attribution.
      const licence = esc10 ? 'CC BY 3.0' : 'CC BY-NC 3.0';
      return { category, target, fold: Number(parts[1]), freesoundId: Number(parts[2]), esc10, licence };
    });
  },
};
