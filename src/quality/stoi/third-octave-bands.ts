/** A band as bins of a spectrum: from the first up to, not including, the end. */
export interface BandBins {
  readonly first: number;
  readonly end: number;
}

/**
 * One-third octave bands as STOI takes them (Taal et al., 2011, equation 1): edges are moved to the nearest bin, the lower of two
 * equally near ones.
 */
export function thirdOctaveBands(
  lowestCentreHz: number,
  bands: number,
  sampleRate: number,
  transformSize: number,
): BandBins[] {
  const nearestBin = (frequency: number) => Math.ceil((frequency * transformSize) / sampleRate - 0.5);
  return Array.from({ length: bands }, (_, band) => ({
    first: nearestBin(lowestCentreHz * 2 ** ((2 * band - 1) / 6)),
    end: nearestBin(lowestCentreHz * 2 ** ((2 * band + 1) / 6)),
  }));
}
