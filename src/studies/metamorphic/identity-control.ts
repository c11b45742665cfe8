import { same } from './output-relation.ts';

/** What became of the clean clip when nothing was changed. */
export interface IdentityControl {
  readonly recognitions: number;
  /** Share of the pairs of recognitions that differ: what two recognitions of the same sound are worth. */
  readonly differing: number;
  /** Whether all of them agree. */
  readonly steady: boolean;
}

/**
 * Compares recognitions of the same sound, each with each: the share of pairs that differ estimates how often a relation
 * would be "violated" if nothing had been changed, without bias whatever their number. Null with fewer than two.
 *
 * @example identityControl([['a'], ['a'], ['b']]).differing // 2 / 3
 */
export function identityControl(recognitions: readonly (readonly string[])[]): IdentityControl | null {
  const count = recognitions.length;
  if (count < 2) return null;
  const kinds: { readonly tokens: readonly string[]; times: number }[] = [];
  for (const tokens of recognitions) {
    const known = kinds.find((kind) => same(kind.tokens, tokens));
    if (known) known.times++;
    else kinds.push({ tokens, times: 1 });
  }
  const pairs = (times: number) => (times * (times - 1)) / 2;
  const agreeing = kinds.reduce((sum, { times }) => sum + pairs(times), 0);
  return { recognitions: count, differing: 1 - agreeing / pairs(count), steady: kinds.length === 1 };
}
