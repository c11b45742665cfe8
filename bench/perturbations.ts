/**
 * How long each perturbation takes: seconds of processor time per hour of sound, on pieces of 10 seconds.
 *
 *   node bench/perturbations.ts [REPEATS]
 *
 * Prints one JSON line per perturbation (its example parameters; one warm-up, then the least and the median of the
 * repeats over 12 pieces), and one for each family of the ladder `aequevox` at its worst. Input: noise of the linear
 * congruential generator x <- 69069 x + 1 (mod 2^32) at 16,000 samples per second.
 */
import { readdirSync } from 'node:fs';
import type { Clip } from '../src/audio/clip.ts';
import { createRandom } from '../src/base/random.ts';
import type { Step } from '../src/model/condition.ts';
import { applySteps } from '../src/perturbations/apply-steps.ts';
import type { Perturbation } from '../src/perturbations/contract.ts';
import { aequevox } from '../src/perturbations/ladders/aequevox.ts';

const repeats = Number(process.argv[2] ?? 5);
const pieces = 12;
const pieceSeconds = 10;
const sampleRate = 16000;

let state = 12345;
const clips = Array.from({ length: pieces }, (): Clip => {
  const samples = Float32Array.from({ length: pieceSeconds * sampleRate }, () => {
    state = (Math.imul(69069, state) + 1) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
  return { samples, sampleRate };
});

const folder = new URL('../src/perturbations/', import.meta.url);
const bank = new Map<string, Perturbation>();
for (const entry of readdirSync(folder, { withFileTypes: true })) {
  if (!entry.isDirectory() || entry.name === 'ladders' || entry.name === 'shared') continue;
  const module: object = await import(new URL(`${entry.name}/${entry.name}.ts`, folder).href);
  const member = Object.values(module).find((value) => value?.name === entry.name) as Perturbation;
  bank.set(entry.name, member);
}

function measure(work: string, steps: readonly Step[]): void {
  const run = () => {
    for (const [index, clip] of clips.entries()) {
      applySteps(clip, steps, {
        perturbation: (name) => bank.get(name)!,
        randomFor: (position) => createRandom({ index, position }),
      });
    }
  };
  run();
  const perHour = Array.from({ length: repeats }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return ((user + system) / 1e6) * (3600 / (pieces * pieceSeconds));
  }).sort((a, b) => a - b);
  const figures = { min: perHour[0]!, median: perHour[perHour.length >> 1]! };
  console.log(JSON.stringify({ work, units: 'processor seconds per hour of sound', repeats, ...figures }));
}

for (const [name, { example }] of bank) measure(name, [{ perturbation: name, parameters: example }]);
for (const { name, rungs } of aequevox.families) measure(`aequevox/${name}:${rungs.length}`, rungs.at(-1)!.steps);
