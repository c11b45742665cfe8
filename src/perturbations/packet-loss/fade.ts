/** Until here a concealment keeps its level, in seconds. */
const heldSeconds = 0.01;
/** Share of the level that is taken away in each second after that: gone after 60 ms. */
const fallPerSecond = 20;

/** Level of a concealment so long after the loss began (ITU-T G.711 Appendix I, section I.2.7). */
export function fade(seconds: number): number {
  const level = 1 - fallPerSecond * (seconds - heldSeconds);
  return level > 1 ? 1 : level > 0 ? level : 0;
}
