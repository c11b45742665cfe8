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

/** How files begin that have no place for ID3v2, and another tag. Taggers write one before them all the same. */
const beginnings = [
  'ID3',
  'fLaC',
  'RIFF',
  'RIFX',
  'RF64',
  'OggS',
  'FORM',
  'TTA1',
  'MAC ',
  'wvpk',
  '\xff\xf0',
  '\xff\xf1',
  '\xff\xf8',
  '\xff\xf9',
];

/** Whether the file behind a tag is no MP3, of which the tag is a part: by how it begins; the last four are AAC (ADTS). */
export function standsBehindTag(head: Uint8Array): boolean {
  const latin1 = String.fromCharCode(...head.subarray(0, 4));
  return beginnings.some((beginning) => latin1.startsWith(beginning));
}

/** What is no sound behind the sound of a file: zeros, an ID3v1 or an APE tag, or fewer bytes than anything has. */
export function isFiller(bytes: Uint8Array): boolean {
  const beginning = String.fromCharCode(...bytes.subarray(0, 8));
  const isTag = beginning.startsWith('TAG') || beginning === 'APETAGEX';
  return isTag || bytes.length < 8 || bytes.every((byte) => byte === 0);
}
