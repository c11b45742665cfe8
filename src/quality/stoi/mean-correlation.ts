import type { EnvelopePair } from './band-envelopes.ts';

const epsilon = Number.EPSILON;

/**
 * Mean, over all bands and all stretches of `stretch` frames, of the correlation between both envelopes, after that of the clip
 * is scaled to the clean one's norm and limited to a ratio above it (Taal et al., 2011, equations 3 to 6).
 *
 * @param largestRatio the clipped envelope over the clean one, at most
 */
export function meanCorrelation(
  { frames, clip, clean }: EnvelopePair,
  bands: number,
  stretch: number,
  largestRatio: number,
): number {
  const stretches = frames - stretch + 1;
  const limited = new Float64Array(stretch);
  let total = 0;
  for (let band = 0; band < bands; band++) {
    const start = band * frames;
    for (let place = start; place < start + stretches; place++) {
      let cleanPower = 0;
      let clipPower = 0;
      let cleanSum = 0;
      for (let n = place; n < place + stretch; n++) {
        const cleanValue = clean[n]!;
        const clipValue = clip[n]!;
        cleanPower += cleanValue * cleanValue;
        clipPower += clipValue * clipValue;
        cleanSum += cleanValue;
      }
      const scale = Math.sqrt(cleanPower) / (Math.sqrt(clipPower) + epsilon);
      let limitedSum = 0;
      for (let n = 0, at = place; n < stretch; n++, at++) {
        const scaled = clip[at]! * scale;
        const most = clean[at]! * largestRatio;
        const value = scaled < most ? scaled : most;
        limited[n] = value;
        limitedSum += value;
      }
      const cleanMean = cleanSum / stretch;
      const limitedMean = limitedSum / stretch;
      let product = 0;
      let cleanSpread = 0;
      let limitedSpread = 0;
      for (let n = 0, at = place; n < stretch; n++, at++) {
        const cleanOff = clean[at]! - cleanMean;
        const limitedOff = limited[n]! - limitedMean;
        product += cleanOff * limitedOff;
        cleanSpread += cleanOff * cleanOff;
        limitedSpread += limitedOff * limitedOff;
      }
      total += product / ((Math.sqrt(cleanSpread) + epsilon) * (Math.sqrt(limitedSpread) + epsilon));
    }
  }
  return total / (bands * stretches);
}
