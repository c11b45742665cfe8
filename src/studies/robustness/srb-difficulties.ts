import type { RobustnessValue } from '../../scoring/srb/quality-difficulty.ts';
import { srbTable3 } from '../../scoring/srb/table-3.ts';
import type { Dataset } from './design.ts';

/** How hard the scenarios of a data set are, by family and rank; null where there is none. */
type Difficulties = Readonly<Record<string, readonly (number | null)[]>>;

/**
 * The divisors of Speech Robust Bench, frozen: recomputed from the means of DNSMOS and PESQ in its repository
 * (results/speechmetrics.csv, commit b858dbf) as its program does, PESQ centred at 62.5; they reproduce Table 3 of the paper.
 */
const published: Readonly<Record<string, Difficulties>> = {
  LibriSpeech: {
    bass: [14.093, 18.4787, 31.9581, 52.3921],
    chorus: [44.5024, 54.0554, 59.6591, 60.7836],
    crosstalk: [22.0087, 38.4553, 52.4826, 60.0159],
    echo: [54.2781, 53.3766, 51.676, 48.3517],
    env_noise: [44.6897, 61.6102, 74.3841, 88.009],
    env_noise_esc50: [34.7325, 47.5526, 62.8599, 80.3847],
    env_noise_musan: [23.4395, 42.6045, 62.3866, 75.1479],
    env_noise_wham: [21.7776, 45.2008, 72.4489, 90.5819],
    gain: [47.6525, 65.8149, 73.2251, 77.3899],
    gnoise: [65.0538, 83.9509, 95.3818, 103.1935],
    highpass: [36.6563, 51.4614, 65.1909, 74.3933],
    lowpass: [34.0272, 39.4703, 54.8237, 81.7418],
    music: [22.3797, 43.5839, 65.5975, 78.2708],
    phaser: [12.9332, 30.1829, 58.1855, 78.9393],
    pitch_down: [59.2016, 67.9987, 76.6279, 84.7825],
    pitch_up: [56.7012, 59.4414, 62.6316, 62.9814],
    real_rir: [35.9646, 51.4671, 66.0479, 82.9424],
    resample: [12.6801, 32.7529, 52.9977, 67.7516],
    rir: [54.5596, 68.216, 75.3934, 76.9194],
    slowdown: [48.0312, 54.5487, 63.1028, 76.2705],
    speedup: [50.2303, 57.825, 65.5671, 71.9817],
    tempo_down: [46.5724, 49.5159, 51.6854, 55.559],
    tempo_up: [49.1965, 56.3707, 62.3662, 68.6861],
    treble: [8.0562, 19.7587, 43.6986, 66.4012],
    tremolo: [13.8847, 25.0765, 52.4446, 92.8048],
    universal_adv: [10.2704],
    voice_conversion_vctk: [49.1422],
  },
  'MLS-ES': {
    bass: [19.0131, 26.4734, 35.2394, 51.9575],
    chorus: [17.798, 28.1537, 36.7252, 39.1144],
    crosstalk: [13.8401, 21.7214, 25.9586, 28.6833],
    echo: [28.6738, 26.0148, 26.6378, 27.1759],
    env_noise: [55.1623, 59.204, 76.3248, 95.9731],
    env_noise_esc50: [9.6962, 18.6753, 34.5313, 49.7562],
    env_noise_musan: [14.6789, 27.9726, 48.0069, 65.5561],
    env_noise_wham: [12.1449, 31.2688, 66.7446, 97.9787],
    gain: [27.0736, 52.1698, 64.7312, 71.9945],
    gnoise: [32.8071, 62.8206, 87.2139, 110.5952],
    highpass: [26.9307, 35.7183, 57.4696, 75.1284],
    lowpass: [40.1221, 38.5527, 55.8944, 96.4842],
    music: [17.1939, 36.1004, 59.0312, 74.7258],
    phaser: [10.0742, 23.37, 48.7987, 72.3098],
    pitch_down: [30.2524, 45.2394, 62.4399, 77.8612],
    pitch_up: [24.7528, 30.7337, 36.6436, 38.6017],
    resample: [15.0663, 23.1715, 54.9714, 70.5936],
    rir: [28.3332, 42.1563, 46.303, 42.8898],
    slowdown: [9.8293, 23.3673, 40.5756, 63.8498],
    speedup: [12.5553, 27.1929, 43.5443, 58.6713],
    tempo_down: [8.455, 11.9825, 15.9089, 24.4201],
    tempo_up: [13.1399, 23.225, 36.3869, 50.9251],
    treble: [6.3923, 15.4544, 29.1513, 47.8485],
    tremolo: [12.0905, 26.6589, 63.5871, 106.9442],
  },
  TEDLIUM: {
    bass: [21.7094, 23.9332, 37.894, 61.2536],
    chorus: [54.9865, 62.5313, 66.7908, 67.6748],
    crosstalk: [25.721, 41.996, 58.5593, 66.3158],
    echo: [60.0662, 59.7331, 60.0784, 57.3983],
    env_noise: [27.5663, 46.1487, 69.4968, 84.4741],
    env_noise_esc50: [34.6593, 49.5397, 64.8265, 81.2597],
    env_noise_musan: [28.9047, 45.9603, 66.1673, 79.5727],
    env_noise_wham: [25.5653, 48.0796, 75.5885, 94.8755],
    gain: [71.4853, 83.8712, 89.169, 92.225],
    gnoise: [62.9601, 83.3596, 95.6438, 103.5357],
    highpass: [44.1253, 62.1631, 73.8198, 83.1989],
    lowpass: [36.8337, 40.1203, 50.9879, 75.271],
    music: [25.5157, 44.5969, 67.8582, 81.4256],
    phaser: [23.5884, 40.7776, 67.3143, 83.154],
    pitch_down: [68.4574, 69.5813, 76.8856, 84.0747],
    pitch_up: [65.0182, 68.5271, 71.4964, 72.7819],
    real_rir: [41.4068, 56.0514, 71.7713, 85.452],
    resample: [22.0211, 38.9216, 49.8577, 63.0223],
    rir: [60.2945, 71.947, 78.1851, 79.3403],
    slowdown: [59.0979, 64.3199, 67.9964, 78.0254],
    speedup: [59.7049, 65.8063, 71.3494, 76.0901],
    tempo_down: [57.8437, 61.3431, 65.6624, 70.3831],
    tempo_up: [59.4215, 65.338, 69.8604, 74.5385],
    treble: [20.3388, 29.4852, 48.7281, 72.8918],
    tremolo: [24.5511, 35.2561, 60.9029, 96.3532],
    voice_conversion_vctk: [50.0269],
  },
  ami: {
    itw_ff_ami: [83.853],
    itw_nf_ami: [35.7671],
  },
  chime6: {
    itw_ff: [100.0786],
    itw_nf: [78.1174],
  },
  common_voice: {
    accent: [31.6312],
  },
};

/** The data sets of English and Spanish whose difficulties stand in for those of corpora that the benchmark has not. */
const standIns: Readonly<Record<string, string>> = { en: 'LibriSpeech', es: 'MLS-ES' };

/**
 * The data set of the benchmark whose difficulties a corpus has that is none of these; null for those, and where there is none.
 *
 * @example standInFor({ corpus: 'timit', language: 'en' }) // 'LibriSpeech'
 */
export function standInFor({ corpus, language }: Pick<Dataset, 'corpus' | 'language'>): string | null {
  if (corpus !== null && benchmarkDataset(corpus) !== null) return null;
  return Object.hasOwn(standIns, language) ? standIns[language]! : null;
}

/**
 * The published difficulty of a scenario of Speech Robust Bench: of the corpus, where the benchmark has it (`LibriSpeech`,
 * `TEDLIUM`, `MLS-ES`, however they are written), else of LibriSpeech for English and of MLS for Spanish.
 *
 * @param family last part of the family's name: `gnoise`
 * @param rank from 1
 * @example srbDifficulty({ corpus: null, language: 'en' }, 'bass', 1).value // 14.093
 */
export function srbDifficulty(
  { corpus, language }: Pick<Dataset, 'corpus' | 'language'>,
  family: string,
  rank: number,
): RobustnessValue {
  const dataset = (corpus === null ? null : benchmarkDataset(corpus)) ?? standIns[language];
  if (dataset === undefined) return { value: null, reason: { code: 'difficulty-of-other-language', language } };
  const ranks = published[dataset]!;
  const value = (Object.hasOwn(ranks, family) ? ranks[family]![rank - 1] : null) ?? null;
  return value === null
    ? { value, reason: { code: 'difficulty-not-published', corpus: dataset, of: `${family}:${rank}` } }
    : { value };
}

/**
 * What Table 3 of the paper prints of a scenario, to one decimal: a mean over all corpora of both languages, whichever the corpus is. Of
 * `pitch_down:3` it holds rows of another perturbation (design/srb.md).
 *
 * @example srbPrintedDifficulty('bass', 1).value // 18.3
 */
export function srbPrintedDifficulty(family: string, rank: number): RobustnessValue {
  const value = srbTable3.find((row) => row.family === family)?.average[rank - 1] ?? null;
  return value === null ? { value, reason: { code: 'difficulty-not-published', of: `${family}:${rank}` } } : { value };
}

/**
 * The published difficulty of recordings that are a scenario of their own: `common_voice/accent`, `ami/itw_nf_ami`,
 * `chime6/itw_ff`, `LibriSpeech/voice_conversion_vctk`, …
 */
export function srbRecordedDifficulty(name: string): RobustnessValue {
  const [dataset = '', scenario = ''] = name.split('/');
  const ranks = Object.hasOwn(published, dataset) ? published[dataset]! : {};
  const value = (Object.hasOwn(ranks, scenario) ? ranks[scenario]![0] : null) ?? null;
  return value === null ? { value, reason: { code: 'difficulty-not-published', of: name.slice(0, 100) } } : { value };
}

/** Data sets of Speech Robust Bench whose sounds are disturbed, by what their names are once only letters and digits are left. */
const datasets: Readonly<Record<string, string>> = { librispeech: 'LibriSpeech', tedlium: 'TEDLIUM', mlses: 'MLS-ES' };

/**
 * The data set of the benchmark that a corpus is, by its own name or by that of the loader; null where it is none.
 *
 * @example benchmarkDataset('ted-lium') // 'TEDLIUM'
 */
function benchmarkDataset(corpus: string): string | null {
  const name = letters(corpus);
  return Object.hasOwn(datasets, name) ? datasets[name]! : null;
}

/**
 * Whether the paper compares recordings that are a scenario of their own with this corpus (arXiv 2403.07937v3):
 * LibriSpeech for English, Multilingual LibriSpeech for other languages. Its program takes the least clean rate of any.
 */
export function isPaperBaseline(corpus: string | null, language: string): boolean {
  if (corpus === null) return false;
  const name = letters(corpus);
  return language === 'en'
    ? name === 'librispeech'
    : ['multilinguallibrispeech', 'mls', `mls${language}`].includes(name);
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
