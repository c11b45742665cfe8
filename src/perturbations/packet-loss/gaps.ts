/** A stretch of samples that never arrived. */
export interface Gap {
  readonly start: number;
  /** Behind the last sample. */
  readonly end: number;
  /** Where the next gap begins, or the sound ends: up to there the samples are good. */
  readonly goodUntil: number;
}

/**
 * Packets lost in a row, as samples.
 *
 * @param packetSamples length of a packet, not necessarily whole; packets begin at the nearest sample
 */
export function gapsOf(lost: Uint8Array, packetSamples: number, length: number): Gap[] {
  const stretches: { start: number; end: number }[] = [];
  for (let packet = 0; packet < lost.length; packet++) {
    if (lost[packet] === 0) continue;
    const start = Math.min(length, Math.round(packet * packetSamples));
    let behind = packet;
    while (behind < lost.length && lost[behind] !== 0) behind++;
    const end = behind === lost.length ? length : Math.min(length, Math.round(behind * packetSamples));
    stretches.push({ start, end });
    packet = behind;
  }
  return stretches.map(({ start, end }, index) => ({ start, end, goodUntil: stretches[index + 1]?.start ?? length }));
}
