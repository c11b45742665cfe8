import { centreFrequencies, equivalentBandwidthHz } from './gammatone-weights.ts';
import { modulationCentresHz, modulationQ } from './modulation-energies.ts';

const bands = modulationCentresHz.length;
/** Bands up to here hold the modulation of speech, those above also that of reverberation. */
const speechBands = 4;

/**
 * Energy of the slow modulation bands over that of the fast ones, of which the bandwidth of the channel that completes 90 % of
 * the energy says how many count (Falk et al., 2010, section IV). As in SRMRpy's spectral form the energy is summed from the
 * highest channel down, while bandwidths are taken from the lowest up, and the bands' edges are those at the sample rate.
 *
 * @param energies as `modulationEnergies` gives them
 * @returns null where there is no energy
 */
export function modulationRatio(
  energies: Float64Array,
  channels: number,
  { lowestHz, sampleRate }: { lowestHz: number; sampleRate: number },
): number | null {
  const stretches = energies.length / (channels * bands);
  const means = Float64Array.from({ length: channels * bands }, (_, row) => {
    let sum = 0;
    for (let place = row * stretches; place < (row + 1) * stretches; place++) sum += energies[place]!;
    return sum / stretches;
  });
  const total = means.reduce((sum, mean) => sum + mean, 0);
  if (!(total > 0)) return null;
  let reached = 0;
  let channel = channels;
  while (channel > 0 && reached <= 0.9 * total) {
    channel--;
    for (let band = 0; band < bands; band++) reached += means[channel * bands + band]!;
  }
  const centres = centreFrequencies(lowestHz, sampleRate / 2, channels);
  const bandwidthHz = equivalentBandwidthHz(centres[channels - 1 - channel]!);
  let counted = speechBands + 1;
  while (counted < bands && bandwidthHz > lowerEdgeHz(modulationCentresHz[counted]!, sampleRate)) counted++;
  let slow = 0;
  let fast = 0;
  for (let row = 0; row < means.length; row++) {
    const band = row % bands;
    if (band < speechBands) slow += means[row]!;
    else if (band < counted) fast += means[row]!;
  }
  return slow / fast;
}

function lowerEdgeHz(centreHz: number, sampleRate: number): number {
  const halfWidth = Math.tan((Math.PI * centreHz) / sampleRate) / modulationQ;
  return centreHz - (halfWidth * sampleRate) / (2 * Math.PI);
}
