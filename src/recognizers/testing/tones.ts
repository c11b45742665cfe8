import { readFile } from 'node:fs/promises';
import type { Clip } from '../../audio/clip.ts';
import { sha256 } from '../../base/hash.ts';
import type { RecognizerServices } from '../contract.ts';

/** A sound for models that are made in tests: tones one after the other, each with silence after it. */
export function tones(
  frequenciesHz: readonly number[],
  { sampleRate = 16_000, toneSeconds = 0.32, pauseSeconds = 0.16, startSeconds = 0.16 } = {},
): Clip {
  const place = (index: number) => startSeconds + index * (toneSeconds + pauseSeconds);
  const samples = new Float32Array(Math.round(place(frequenciesHz.length) * sampleRate));
  for (const [index, frequencyHz] of frequenciesHz.entries()) {
    const from = Math.round(place(index) * sampleRate);
    const length = Math.round(toneSeconds * sampleRate);
    for (let at = 0; at < length; at++) {
      samples[from + at] = 0.5 * Math.sin((2 * Math.PI * frequencyHz * at) / sampleRate);
    }
  }
  return { samples, sampleRate };
}

/** Services as the program gives them, for tests and measurements. */
export function plainServices(
  baseFolder: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): RecognizerServices {
  const hashes = new Map<string, Promise<string>>();
  return {
    baseFolder,
    environment: (name) => environment[name],
    fileHash(path) {
      const known = hashes.get(path) ?? readFile(path).then((bytes) => sha256(bytes));
      hashes.set(path, known);
      return known;
    },
  };
}
