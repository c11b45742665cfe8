/** A triangle over bins of a spectrum. */
export interface MelBand {
  readonly firstBin: number;
  readonly weights: Float64Array;
}

/**
 * Mel bands as librosa makes them: Slaney's scale (Auditory Toolbox, 1998: straight below 1 kHz, logarithmic above), triangles
 * of equal area. From 0 to half the sample rate.
 */
export function melBands(bands: number, sampleRate: number, transformSize: number): MelBand[] {
  const highest = hertzToMel(sampleRate / 2);
  const edges = Array.from({ length: bands + 2 }, (_, n) => melToHertz((highest * n) / (bands + 1)));
  const bins = Math.floor(transformSize / 2) + 1;
  return Array.from({ length: bands }, (_, band) => {
    const [low, centre, high] = [edges[band]!, edges[band + 1]!, edges[band + 2]!];
    const weightAt = (bin: number) => {
      const frequency = (bin * sampleRate) / transformSize;
      const height = Math.min((frequency - low) / (centre - low), (high - frequency) / (high - centre));
      return (Math.max(0, height) * 2) / (high - low);
    };
    const firstBin = Math.ceil((low * transformSize) / sampleRate);
    const endBin = Math.min(bins, Math.floor((high * transformSize) / sampleRate) + 1);
    const length = Math.max(0, endBin - firstBin);
    return { firstBin, weights: Float64Array.from({ length }, (_value, n) => weightAt(firstBin + n)) };
  });
}

const linearHertzPerMel = 200 / 3;
const logStartHertz = 1000;
const logStartMel = logStartHertz / linearHertzPerMel;
const logStep = Math.log(6.4) / 27;

function hertzToMel(hertz: number): number {
  return hertz < logStartHertz ? hertz / linearHertzPerMel : logStartMel + Math.log(hertz / logStartHertz) / logStep;
}

function melToHertz(mel: number): number {
  return mel < logStartMel ? mel * linearHertzPerMel : logStartHertz * Math.exp(logStep * (mel - logStartMel));
}
