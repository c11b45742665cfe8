/**
 * Brings energies into 30 dB below the largest mean over the channels, as SRMRnorm does (J. F. Santos, M. Senoussaoui and
 * T. H. Falk, "An improved non-intrusive intelligibility metric for noisy and reverberant speech", IWAENC 2014).
 *
 * @param energies one row of bands and stretches for each channel
 * @returns new energies
 */
export function limitEnergies(energies: Float64Array, channels: number): Float64Array {
  const row = energies.length / channels;
  let largest = 0;
  for (let place = 0; place < row; place++) {
    let sum = 0;
    for (let at = place; at < energies.length; at += row) sum += energies[at]!;
    largest = Math.max(largest, sum / channels);
  }
  const least = largest / 1000;
  return energies.map((energy) => Math.min(largest, Math.max(least, energy)));
}
