/** How a delay goes up and down: a sine, or straight there and straight back. */
export type ModulationShape = 'sine' | 'triangle';

/**
 * One period of whole numbers that swing between two bounds, as SoX makes them for its modulated delays (14.4.2): rounded,
 * the phase too.
 *
 * @param length of the period in samples, at least 1
 * @param phaseShare where in the period to begin: 0 in the middle, rising; .25 at the most
 */
export function modulationTable(
  shape: ModulationShape,
  length: number,
  least: number,
  most: number,
  phaseShare: number,
): Int32Array {
  const begin = Math.floor(phaseShare * length + 0.5);
  return Int32Array.from({ length }, (_, n) => {
    const place = ((n + begin) % length) / length;
    const height = shape === 'sine' ? (Math.sin(2 * Math.PI * place) + 1) / 2 : triangle(place);
    const value = least + height * (most - least);
    return value < 0 ? Math.ceil(value - 0.5) : Math.floor(value + 0.5);
  });
}

/** 0 to 1, in the middle at place 0 and rising. */
function triangle(place: number): number {
  if (place < 0.25) return 2 * place + 0.5;
  return place < 0.75 ? 1.5 - 2 * place : 2 * place - 1.5;
}
