import type { Random } from '../base/random.ts';

/** Layers under the curve exp(-x^2 / 2), all of one area; the lowest ends here, its tail behind that. */
const layers = 256;
const tailStart = 3.6541528853610088;
const area = 0.00492867323399;

/**
 * So many draws of the standard normal distribution: white noise. A few times as fast as `random.normal()`, of which they
 * are other draws. 23 bits and a sign fine, and beyond 8 as rarely as it should be.
 *
 * Method: the ziggurat of Marsaglia and Tsang (Journal of Statistical Software 5(8), 2000), with the layer, the sign and
 * the place in the layer taken from bits of their own (Doornik, An improved ziggurat method, 2005).
 */
export function gaussianNoise(length: number, random: Random): Float32Array {
  const noise = new Float32Array(length);
  for (let n = 0; n < length; n++) {
    for (;;) {
      const bits = (random.next() * 4294967296) | 0;
      const layer = bits & 255;
      const place = bits >>> 9;
      const distance = place * steps[layer]!;
      if (place < sure[layer]! || underCurve(layer, distance, random)) {
        noise[n] = (bits & 256) === 0 ? distance : -distance;
        break;
      }
      if (layer === 0) {
        const far = tail(random);
        noise[n] = (bits & 256) === 0 ? far : -far;
        break;
      }
    }
  }
  return noise;
}

/** Where each layer ends on the right: the lowest as if its tail were part of its rectangle, 0 behind the highest. */
const ends = layerEnds();
/** Places of a layer are its width over 2^23. */
const steps = ends.subarray(0, layers).map((end) => end / 2 ** 23);
/** Places below this lie under the curve in all of the layer. */
const sure = Int32Array.from({ length: layers }, (_, layer) => Math.floor((ends[layer + 1]! / ends[layer]!) * 2 ** 23));
const heights = ends.map(curve);

function layerEnds(): Float64Array {
  const found = new Float64Array(layers + 1);
  found[0] = area / curve(tailStart);
  found[1] = tailStart;
  for (let layer = 2; layer < layers; layer++) {
    const below = found[layer - 1]!;
    found[layer] = Math.sqrt(-2 * Math.log(area / below + curve(below)));
  }
  return found;
}

function curve(distance: number): number {
  return Math.exp((-distance * distance) / 2);
}

/** Whether a place near the right end of a layer lies under the curve, at a height drawn for it. Never in the lowest. */
function underCurve(layer: number, distance: number, random: Random): boolean {
  if (layer === 0) return false;
  const [low, high] = [heights[layer]!, heights[layer + 1]!];
  return low + random.next() * (high - low) < curve(distance);
}

/** A distance behind the start of the tail (Marsaglia, 1964). */
function tail(random: Random): number {
  for (;;) {
    const beyond = -Math.log(1 - random.next()) / tailStart;
    const height = -Math.log(1 - random.next());
    if (2 * height > beyond * beyond) return tailStart + beyond;
  }
}
