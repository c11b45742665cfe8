/** Whether a file is Ogg, and its first packet begins so (RFC 3533, section 6; the codecs' own documents). */
export function isOggOf(head: Uint8Array, packetBeginning: string): boolean {
  const latin1 = new TextDecoder('latin1');
  if (latin1.decode(head.subarray(0, 4)) !== 'OggS') return false;
  const packet = 27 + (head[26] ?? 0);
  return latin1.decode(head.subarray(packet, packet + packetBeginning.length)) === packetBeginning;
}

/**
 * What is wrong with the pages of an Ogg file, null if nothing is: a page that is cut off, or whose checksum does not agree
 * (RFC 3533, section 6). The libraries read on over both and invent sound there. The mark of the last page is not asked
 * for: recorders that are switched off never write it. Anything behind the last page that is none is left alone.
 */
export function oggPageProblem(bytes: Uint8Array): string | null {
  let start = 0;
  for (let page = 0; start + 27 <= bytes.length && isPage(bytes, start); page++) {
    const segments = bytes[start + 26]!;
    let length = 27 + segments;
    for (let segment = 0; segment < segments; segment++) length += bytes[start + 27 + segment] ?? 0;
    if (start + length > bytes.length) return `it ends within its page ${page + 1}`;
    if (checksum(bytes, start, start + length) !== storedChecksum(bytes, start)) {
      return `the checksum of its page ${page + 1} does not agree`;
    }
    start += length;
  }
  if (start < bytes.length && bytes.length - start < 27 && isPage(bytes, start)) return 'it ends within a page';
  for (let at = start; at + 4 <= bytes.length; at++) {
    if (bytes[at] === 0x4f && isPage(bytes, at)) return 'there is something else between its pages';
  }
  return null;
}

function isPage(bytes: Uint8Array, start: number): boolean {
  return bytes[start] === 0x4f && bytes[start + 1] === 0x67 && bytes[start + 2] === 0x67 && bytes[start + 3] === 0x53;
}

function storedChecksum(bytes: Uint8Array, start: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + start + 22, 4).getUint32(0, true);
}

/** CRC-32 with the polynomial 04c11db7, nothing reflected or inverted; the checksum's own bytes count as 0. */
function checksum(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at++) {
    const byte = at >= start + 22 && at < start + 26 ? 0 : bytes[at]!;
    crc = (crc << 8) ^ crcTable[((crc >>> 24) ^ byte) & 0xff]!;
  }
  return crc >>> 0;
}

const crcTable = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  return value;
});
