import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Clip } from '../src/audio/clip.ts';
import { sha256 } from '../src/base/hash.ts';
import { createServices } from '../src/session/open/services.ts';

const data = fileURLToPath(new URL('../../shared/data/', import.meta.url));
/** Of the raw little-endian 16-bit samples, as ../shared/peers/README.md gives it. */
const expectedHash = '167b8f255c2167d9df7a9650316cb540560ec422500d00363e813079013f64b1';
const wanted = 9_600_000;

/**
 * The 600 s of speech at 16 kHz that every peer is measured on: all clips of the corpora timit, then vctk, of
 * ../shared/data/speech one after another. Null, with a reason on stderr, where they are absent.
 */
export async function speechInput(): Promise<Float32Array | null> {
  if (!existsSync(`${data}speech/manifest.tsv`)) {
    console.error(`no speech at ${data}: skipped`);
    return null;
  }
  const rows = readFileSync(`${data}speech/manifest.tsv`, 'utf8').split('\n').slice(1);
  const { sounds } = createServices({ baseFolder: data });
  const speech = new Float32Array(wanted);
  let filled = 0;
  for (const corpus of ['timit', 'vctk']) {
    for (const row of rows) {
      const [path, of] = row.split('\t');
      if (of !== corpus || filled >= wanted) continue;
      const { samples } = await sounds.read(`${data}${path}`);
      speech.set(samples.subarray(0, wanted - filled), filled);
      filled += samples.length;
    }
  }
  // Not `Int16Array.from`, whose list of numbers would leave hundreds of megabytes to the first effect that is measured.
  const steps = new Int16Array(speech.length);
  for (const [n, sample] of speech.entries()) steps[n] = Math.round(sample * 32768);
  const hash = sha256(new Uint8Array(steps.buffer));
  if (hash !== expectedHash) throw new Error(`expected the speech whose hash is ${expectedHash}, but got ${hash}`);
  return speech;
}

/** Pieces of 10 s, as the peers get them. */
export function pieces(speech: Float32Array, count: number): Clip[] {
  const sampleRate = 16_000;
  const length = 10 * sampleRate;
  return Array.from({ length: count }, (_, index) => ({
    samples: speech.subarray(index * length, (index + 1) * length),
    sampleRate,
  }));
}
