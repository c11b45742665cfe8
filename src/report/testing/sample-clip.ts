/** A WAV file of a quiet tone (16 kHz, 16 bits, mono), for tests of the page. */
export function sampleClip(seconds: number): Uint8Array {
  const rate = 16000;
  const count = Math.round(seconds * rate);
  const bytes = new Uint8Array(44 + count * 2);
  const view = new DataView(bytes.buffer);
  const text = (at: number, value: string) => bytes.set(new TextEncoder().encode(value), at);
  text(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, count * 2, true);
  for (let at = 0; at < count; at++) view.setInt16(44 + at * 2, 2000 * Math.sin((2 * Math.PI * 440 * at) / rate), true);
  return bytes;
}
