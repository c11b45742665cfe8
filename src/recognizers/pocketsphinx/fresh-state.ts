import type { Binding, Pointer } from './binding.ts';
import { frontEndMemory } from './front-end-memory.ts';
import { gaussianMemory } from './gaussian-memory.ts';

/** Sets a decoder back to what it was when it had heard nothing. */
export interface FreshState {
  restore(): void;
}

/**
 * Remembers everything that a decoder of 0.8 or 5prealpha carries from one clip to the next. What its searches hold is
 * cleared by the library itself when an utterance starts.
 *
 * @param decoder one that has heard nothing yet
 * @returns null where its memory does not look as expected; then only a new decoder is a fresh one
 */
export function freshState(binding: Binding, decoder: Pointer, config: Pointer): FreshState | null {
  const frontEnd = frontEndMemory(binding, decoder, config);
  const gaussians = frontEnd && gaussianMemory(binding, decoder, config);
  if (!frontEnd || !gaussians) return null;
  const memory = [...frontEnd, ...gaussians];
  return {
    restore() {
      for (const { live, fresh } of memory) live.set(fresh);
    },
  };
}
