import type { Random } from '../base/random.ts';
import type { Clip } from './clip.ts';

/** Layers under the curve exp(-x^2 / 2), all of one area; the lowest ends here, its tail behind that. */
const layers = 256;
const tailStart = 3.6541528853610088;
const area = 0.00492867323399;
/** Bits of a draw that tell the layer and the side; the others tell the place in it. */
const signedLayer = 2 * layers - 1;
const places = 2 ** 23;
const table = makeTable();
/** Draws made at a time. */
const most = 4096;

/**
 * So many draws of the standard normal distribution: white noise. Many times as fast as `random.normal()`, and other draws;
 * 23 bits and a sign fine.
 *
 * Method: the ziggurat of Marsaglia and Tsang (Journal of Statistical Software 5(8), 2000), with the layer, the sign and
 * the place in the layer taken from bits of their own (Doornik, An improved ziggurat method, 2005).
 */
export function gaussianNoise(length: number, random: Random): Float32Array {
  const noise = new Float32Array(length);
  const words = new Int32Array(Math.min(length, most));
  for (let start = 0; start < length; start += most) {
    random.words(words);
    place(words, noise.subarray(start, start + most), random);
  }
  return noise;
}

function place(words: Int32Array, noise: Float32Array, random: Random): void {
  const { steps, sure } = table;
  for (let n = 0; n < noise.length; n++) {
    const bits = words[n]!;
    const layer = bits & signedLayer;
    const place = bits >>> 9;
    // Nine of a thousand draws end near the curve, where more is asked.
    noise[n] = place < sure[layer]! ? place * steps[layer]! : atTheEdge(layer, place, random);
  }
}

/** A draw that began near the right end of a layer: what it is there, behind it, or in another layer. */
function atTheEdge(firstLayer: number, firstPlace: number, random: Random): number {
  const { steps, sure, heights } = table;
  for (let layer = firstLayer, place = firstPlace; ; ) {
    const distance = place * steps[layer]!;
    if (place < sure[layer]!) return distance;
    if (layer % layers === 0) return Math.sign(steps[layer]!) * tail(random);
    const [low, high] = [heights[layer % layers]!, heights[(layer % layers) + 1]!];
    if (low + random.next() * (high - low) < curve(distance)) return distance;
    layer = random.integer(2 * layers);
    place = random.integer(places);
  }
}

/** A distance behind the start of the tail (Marsaglia, 1964). */
function tail(random: Random): number {
  for (;;) {
    const beyond = -Math.log(1 - random.next()) / tailStart;
    const height = -Math.log(1 - random.next());
    if (2 * height > beyond * beyond) return tailStart + beyond;
  }
}

function makeTable() {
  // Where each layer ends on the right: the lowest as if its tail were part of its rectangle, the highest in the middle.
  const ends = new Float64Array(layers + 1);
  ends[0] = area / curve(tailStart);
  ends[1] = tailStart;
  for (let layer = 2; layer < layers; layer++) {
    const below = ends[layer - 1]!;
    ends[layer] = Math.sqrt(-2 * Math.log(area / below + curve(below)));
  }
  const both = Array.from({ length: 2 * layers }, (_, layer) => layer);
  return {
    heights: ends.map(curve),
    /** From place to place of each layer: those on the right of the middle, then those on its left. */
    steps: Float64Array.from(both, (layer) => ((layer < layers ? 1 : -1) * ends[layer % layers]!) / places),
    /** Places before this lie under the curve in the whole of the layer. */
    sure: Int32Array.from(both, (layer) => Math.floor((ends[(layer % layers) + 1]! / ends[layer % layers]!) * places)),
  };
}

function curve(distance: number): number {
  return Math.exp((-distance * distance) / 2);
}

/**
 * A clip with noise that follows its own amplitude, as the modulated noise reference unit of ITU-T P.810 adds it (without its filters): y = x (1 + 10^(-Q/20) n), n being
 * white noise of power 1. ITU-T P.800 takes it as an anchor that is known to be bad.
 *
 * @param ratioDb speech over noise (Q)
 * @example addModulatedNoise(clip, 5, createRandom('an anchor'))
 */
export function addModulatedNoise({ samples, sampleRate }: Clip, ratioDb: number, random: Random): Clip {
  const noise = gaussianNoise(samples.length, random);
  const gain = 10 ** (-ratioDb / 20);
  return { samples: samples.map((sample, n) => sample * (1 + gain * noise[n]!)), sampleRate };
}
