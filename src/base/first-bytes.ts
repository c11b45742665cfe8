/** Any of these, of characters of one byte each; * is any. */
function bytes(...patterns: readonly string[]): RegExp {
  return new RegExp(patterns.map((one) => one.replace(/[.&\\]/g, '\\$&').replaceAll('*', '.')).join('|'), 's');
}

/** How files of audio and video begin, by kind. A word alone would be the beginning of a text as well ("FORM 12"), so that what always follows stands here too. */
export const beginnings = {
  /** Versions 2.2 to 2.4. */
  id3: bytes('ID3\x02', 'ID3\x03', 'ID3\x04'),
  flac: bytes('fLaC'),
  ogg: bytes('OggS'),
  wav: bytes('RIFF****WAVE'),
  avi: bytes('RIFF****AVI '),
  otherWav: bytes('RIFX****WAVE', 'RF64****WAVE'),
  aiff: bytes('FORM****AIF'),
  // Head, samples, coding, rate and channels: no sound has four letters and such small numbers behind them.
  au: bytes('.snd\0\0******\0\0\0*\0***\0\0\0*'),
  /** Apple, Core Audio Format 1.0. */
  caf: bytes('caff\0\x01\0\0desc'),
  sphere: bytes('NIST_1A\n'),
  w64: bytes('riff\x2e\x91\xcf\x11'),
  asf: bytes('\x30\x26\xb2\x75\x8e\x66\xcf\x11'),
  voc: bytes('Creative Voice File\x1a'),
  mp4: bytes('****ftyp'),
  flv: bytes('FLV\x01**\0\0'),
  matroska: bytes('\x1aE\xdf\xa3'),
  tta: bytes('TTA1'),
  wavpack: bytes('wvpk'),
  /** Monkey's Audio, whose version is a number of two bytes: 3.98 is 3980. */
  ape: bytes('MAC *\x0e', 'MAC *\x0f'),
  amr: bytes('#!AMR'),
  /** AAC: 12 set bits, layer 0 (ISO/IEC 13818-7, 6.2). */
  adts: bytes('\xff\xf0', '\xff\xf1', '\xff\xf8', '\xff\xf9'),
} as const;

const few = 192;

/** Whether a file begins as one of a kind does. */
export function beginsAs(head: Uint8Array, ...kinds: readonly (keyof typeof beginnings)[]): boolean {
  const latin1 = Buffer.from(head.buffer, head.byteOffset, Math.min(few, head.length)).toString('latin1');
  return kinds.some((kind) => latin1.search(beginnings[kind]) === 0);
}

/** Kinds of audio and video that are certainly one by how they begin: all but a tag, and two bytes alone. */
export const certainKinds = (Object.keys(beginnings) as (keyof typeof beginnings)[]).filter(
  (kind) => kind !== 'id3' && kind !== 'adts',
);

/** Whether a text is a page of HTML, as servers answer instead of what was asked for. */
export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype html|html)\b/i.test(text);
}

/** Whether a file is a database of SQLite. */
export function isSqlite(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 15)).toString('latin1') === 'SQLite format 3';
}
