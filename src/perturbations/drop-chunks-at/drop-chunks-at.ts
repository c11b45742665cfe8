import { z } from 'zod';
import { between, list } from '../../base/option-kinds.ts';
import type { PlainPerturbation } from '../contract.ts';
import { zeroChunks } from '../shared/effect-pairs.ts';

type DropChunksAtParameters = { readonly chunkSeconds: number; readonly startsSeconds: readonly number[] };

/** Silences chunks at given places, which may overlap. Places beyond the end of the sound change nothing. */
export const dropChunksAt: PlainPerturbation<DropChunksAtParameters> = {
  name: 'drop-chunks-at',
  version: 1,
  about: 'Silences chunks at given places.',
  parameters: z.strictObject({
    chunkSeconds: between(0.001, 3600).describe('Length of a chunk in seconds'),
    startsSeconds: list(between(0, 86_400), 0, 10_000).describe(
      'Where chunks begin, in seconds from the start of the sound; those beyond its end change nothing',
    ),
  }),
  random: false,
  identity: { chunkSeconds: 0.02, startsSeconds: [] },
  example: { chunkSeconds: 0.2, startsSeconds: [0.5, 1.5] },
  apply(clip, { chunkSeconds, startsSeconds }) {
    const { sampleRate } = clip;
    const starts = startsSeconds.map((start) => Math.floor(start * sampleRate + 1e-9));
    const dropped = zeroChunks(clip, starts, Math.floor(sampleRate * chunkSeconds + 1e-9));
    const missedChunks = startsSeconds.length - Number(dropped.facts.droppedChunks);
    return { clip: dropped.clip, facts: { ...dropped.facts, missedChunks } };
  },
};
