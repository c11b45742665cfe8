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
  '.snd',
  'caff',
  'NIST',
  'riff',
  'FLV\x01',
  'Creative Voice',
  '#!AM',
  '\x1aE\xdf\xa3',
  '0&\xb2u',
  'wvpk',
  '\xff\xf0',
  '\xff\xf1',
  '\xff\xf8',
  '\xff\xf9',
];

/** Whether a file of its own begins so, in front of which a tag may stand that is no part of it: all but MP3; the last four are AAC (ADTS). */
export function standsBehindTag(head: Uint8Array): boolean {
  const latin1 = String.fromCharCode(...head.subarray(0, 12));
  return beginnings.some((beginning) => latin1.startsWith(beginning)) || latin1.slice(4, 8) === 'ftyp';
}

/** Whether a file begins so that is certainly one: no tag, and not by two bytes alone. */
export function beginsFile(head: Uint8Array): boolean {
  return !isId3(head) && head[0] !== 0xff && standsBehindTag(head);
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
