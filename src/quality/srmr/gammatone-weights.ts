/** Glasberg and Moore's equivalent rectangular bandwidths (Hearing Research 47, 1990): quality and least bandwidth in Hz. */
const earQ = 9.26449;
const minBandwidthHz = 24.7;
/** Bandwidth of a gammatone filter of order 4 over its equivalent rectangular one. */
const bandwidthRatio = 1.019;

/** Centre frequencies evenly spaced on the ERB scale, rising from `lowestHz` to one step below `highestHz`. */
export function centreFrequencies(lowestHz: number, highestHz: number, channels: number): number[] {
  const offset = earQ * minBandwidthHz;
  const ratio = Math.log((lowestHz + offset) / (highestHz + offset));
  return Array.from(
    { length: channels },
    (_, n) => Math.exp((ratio * (channels - n)) / channels) * (highestHz + offset) - offset,
  );
}

/** Equivalent rectangular bandwidth at a frequency, in Hz. */
export function equivalentBandwidthHz(frequencyHz: number): number {
  return frequencyHz / earQ + minBandwidthHz;
}

/**
 * How much a gammatone filter of order 4 lets through at each bin of a spectrum, 1 at its centre: the magnitude of Slaney's
 * digital filter (Apple Technical Report 35, 1993), which has four zeros and a pole pair of order 4.
 */
export function gammatoneWeights(centreHz: number, sampleRate: number, transformSize: number): Float64Array {
  const angle = (2 * Math.PI * centreHz) / sampleRate;
  const radius = Math.exp((-2 * Math.PI * bandwidthRatio * equivalentBandwidthHz(centreHz)) / sampleRate);
  const zeros = [Math.sqrt(3 + 2 ** 1.5), Math.sqrt(3 - 2 ** 1.5)].flatMap((root) => [
    radius * (Math.cos(angle) + root * Math.sin(angle)),
    radius * (Math.cos(angle) - root * Math.sin(angle)),
  ]);
  const magnitudeAt = (at: number) => {
    const [cosine, sine] = [Math.cos(at), Math.sin(at)];
    const numerator = zeros.reduce((product, zero) => product * Math.hypot(cosine - zero, sine), 1);
    const poles =
      Math.hypot(radius * Math.cos(angle) - cosine, radius * Math.sin(angle) - sine) *
      Math.hypot(radius * Math.cos(angle) - cosine, radius * Math.sin(angle) + sine);
    return numerator / poles ** 4;
  };
  const gain = magnitudeAt(angle);
  return Float64Array.from(
    { length: transformSize / 2 + 1 },
    (_, bin) => magnitudeAt((2 * Math.PI * bin) / transformSize) / gain,
  );
}
