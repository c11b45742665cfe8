import { beginsAs } from '../../base/first-bytes.ts';

/** Bytes of the ID3v2 tag that a file begins with, its header and footer with it; 0 where it has none (id3.org, ID3v2.4 main structure, section 3.1). */
export function bytesOfLeadingTag(head: Uint8Array): number {
  if (!beginsAs(head, 'id3') || head.length < 10) return 0;
  const [flags = 0, ...size] = head.subarray(5, 10);
  const footer = flags & 0x10 ? 10 : 0;
  return 10 + size.reduce((sum, bits) => sum * 128 + (bits & 127), 0) + footer;
}

/** What is no sound behind the sound of a file: zeros, ID3v1 and APE tags, or fewer bytes than anything has. */
export function isFiller(bytes: Uint8Array): boolean {
  const tag = bytesOfTrailingTag(bytes);
  if (tag > 0) return isFiller(bytes.subarray(tag));
  return bytes.length < 8 || bytes.every((byte) => byte === 0);
}

/** Bytes of a tag that stands behind sound, where one begins here: ID3v1, or APEv2 with its header (wiki.hydrogenaud.io, APEv2). */
function bytesOfTrailingTag(bytes: Uint8Array): number {
  const beginning = String.fromCharCode(...bytes.subarray(0, 8));
  if (beginning.startsWith('TAG')) return 128;
  if (beginning !== 'APETAGEX' || bytes.length < 32) return 0;
  return 32 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
}
