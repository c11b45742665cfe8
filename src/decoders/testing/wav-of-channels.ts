/** A WAV file of 16 bits, written by the letter and not by the code under test. */
export function wavOfChannels(channels: readonly (readonly number[])[], sampleRate: number): Uint8Array {
  const [frames, count] = [channels[0]!.length, channels.length];
  const bytes = Buffer.alloc(44 + 2 * count * frames);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + 2 * count * frames, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  for (const [at, value] of [
    [20, 1],
    [22, count],
    [32, 2 * count],
    [34, 16],
  ] as const)
    bytes.writeUInt16LE(value, at);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(2 * count * sampleRate, 28);
  bytes.write('data', 36);
  bytes.writeUInt32LE(2 * count * frames, 40);
  for (let frame = 0, at = 44; frame < frames; frame++) {
    for (const channel of channels) at = bytes.writeInt16LE(channel[frame]!, at);
  }
  return bytes;
}
