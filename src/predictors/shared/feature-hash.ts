/**
 * Features are known by 32 bits in place of their names, so that no table of names is kept (K. Weinberger et al., "Feature
 * hashing for large scale multitask learning", ICML 2009). FNV-1a over the UTF-16 codes of a stretch of text, begun with the
 * kind of feature, and mixed at the end as in MurmurHash3.
 *
 * @example hashStretch(1, 'vote', 0, 4)
 */
export function hashStretch(kind: number, text: string, start: number, end: number): number {
  let hash = 0x811c9dc5 ^ kind;
  for (let place = start; place < end; place++) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  return mix(hash);
}

/** The hash of two features that follow each other. */
export function hashPair(first: number, second: number): number {
  return mix(Math.imul(first, 0x9e3779b1) ^ second);
}

function mix(hash: number): number {
  let mixed = hash;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
