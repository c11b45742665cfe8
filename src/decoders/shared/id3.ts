import { isFlac } from '../../audio/flac/bit-reader.ts';
import { isWav } from '../../audio/wav-layout.ts';

/** Whether these first bytes are those of an ID3v2 tag (id3.org, ID3v2.4 main structure, section 3.1). */
export function isId3(head: Uint8Array): boolean {
  return head[0] === 0x49 && head[1] === 0x44 && head[2] === 0x33;
}

/** Bytes of the ID3v2 tag that a file begins with, its header and footer with it; 0 where it has none. */
export function bytesOfLeadingTag(head: Uint8Array): number {
  if (!isId3(head) || head.length < 10) return 0;
  const [flags = 0, ...size] = head.subarray(5, 10);
  const footer = flags & 0x10 ? 10 : 0;
  return 10 + size.reduce((sum, bits) => sum * 128 + (bits & 127), 0) + footer;
}

/** Whether a file that has no place for ID3v2 begins here, or another tag. Taggers write one before it all the same. */
export function standsBehindTag(head: Uint8Array): boolean {
  const isOgg = head[0] === 0x4f && head[1] === 0x67 && head[2] === 0x67 && head[3] === 0x53;
  return isFlac(head) || isWav(head) || isOgg || isId3(head);
}
