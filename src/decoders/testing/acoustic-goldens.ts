import { existsSync, readFileSync } from 'node:fs';
import type { Clip } from '../../audio/clip.ts';
import {
  clipOfSteps,
  formulaNoise,
  formulaResponse,
  formulaSyllables,
  inSteps,
} from '../../audio/testing/formula-signals.ts';
import { golden } from '../../base/testing/golden.ts';
import { flac } from '../flac/flac.ts';
import { wav } from '../wav/wav.ts';

const data = new URL('../../../../shared/data/', import.meta.url);

/** What numpy, scipy, soxr, pyroomacoustics and torchaudio made: of recordings where these stand beside the repository, else of signals by formula. */
export function acousticGoldens(otherwise = 'formula/acoustics.json') {
  return JSON.parse(readFileSync(golden('acoustics/acoustics.json', otherwise), 'utf8'));
}

interface Made {
  readonly file?: string;
  readonly formula?: readonly [count: number, seed: number];
}

/** A clip that the goldens speak of. */
export async function goldenSpeech({ file, formula }: Made): Promise<Clip> {
  return formula ? clipOfSteps(formulaSyllables(...formula)) : read(file!);
}

/** A noise or room response that the goldens speak of. */
export async function goldenSound(
  kind: 'noise' | 'rir',
  of: { readonly noise?: string; readonly rir?: string; readonly formula?: readonly number[] },
): Promise<Clip> {
  if (!of.formula) return read(`acoustics/${of[kind]}`);
  const [count, seed, rt60Seconds, delay] = of.formula as [number, number, number, number];
  if (kind === 'noise') return clipOfSteps(inSteps(formulaNoise(count, seed).map((value) => 8000 * value)));
  return { samples: Float32Array.from(formulaResponse(count, seed, rt60Seconds, delay)), sampleRate: 16_000 };
}

async function read(path: string): Promise<Clip> {
  const url = new URL(path, data);
  if (!existsSync(url)) throw new Error(`the goldens speak of ${path}, which is not beside the repository`);
  return (path.endsWith('flac') ? flac : wav).decode(new Uint8Array(readFileSync(url)), path);
}
