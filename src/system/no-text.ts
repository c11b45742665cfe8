import { badInput } from '../base/errors.ts';
import { beginsAs, certainKinds, isHtml, isSqlite } from '../base/first-bytes.ts';

interface Kind {
  readonly what: string;
  readonly advice: string;
}

const audio = { what: 'audio', advice: 'name the file of its words' };
/** What begins so, byte by byte, is no text. */
const kinds: readonly (Kind & { readonly begins: readonly string[] })[] = [
  { begins: ['BZh91AY', 'BZh61AY', 'BZh11AY'], what: 'packed by bzip2', advice: 'unpack it: bunzip2' },
  { begins: ['\xfd7zXZ'], what: 'packed by xz', advice: 'unpack it: unxz' },
  { begins: ['\x28\xb5\x2f\xfd'], what: 'packed by zstd', advice: 'unpack it: unzstd' },
  { begins: ['\x1f\x8b'], what: 'packed by gzip twice', advice: 'unpack it: gunzip' },
  { begins: ['7z\xbc\xaf', 'Rar!\x1a'], what: 'an archive', advice: 'unpack it and name a file or folder of it' },
  { begins: ['\xd0\xcf\x11\xe0'], what: 'a document of an old Office', advice: 'save a table as CSV, a text as .txt' },
  { begins: ['%PDF-'], what: 'PDF', advice: 'save its text as plain text (.txt)' },
  {
    begins: ['@UTF8', '@Begin'],
    what: 'CHAT, whose lines hold codes and tiers',
    advice: 'write its words as plain text (.txt), an utterance on each line',
  },
  { begins: ['<SAMI', '<sami'], what: 'SAMI', advice: 'save its captions as .srt or .vtt' },
  { begins: ['{\\rtf'], what: 'RTF, a text with marks for its looks', advice: 'save it as plain text (.txt)' },
  { begins: ['ARROW1\0', 'FEA1', '\xff\xff\xff\xff'], what: 'Arrow', advice: 'write it as Parquet or CSV' },
  { begins: ['PAR1\x15'], what: 'Parquet', advice: 'give it a name that ends in .parquet' },
  { begins: ['\x93NUMPY'], what: 'an array of NumPy', advice: 'write its texts to lines of a text file' },
  {
    begins: ['\x80\x02', '\x80\x03', '\x80\x04', '\x80\x05'],
    what: 'pickled by Python',
    advice: 'write it as CSV or JSON',
  },
  { begins: ['\xff\xfb'], ...audio },
  { begins: ['\x89PNG', '\xff\xd8\xff', 'GIF87a', 'GIF89a'], what: 'an image', advice: 'name another file' },
];
const spreadsheet = { what: 'a spreadsheet', advice: 'save it as CSV' };
/** By the ending of the name what is packed as ZIP. */
const zipped: readonly (Kind & { readonly ending: RegExp })[] = [
  { ending: /\.(?:xlsx|xlsm|ods|numbers)$/i, ...spreadsheet },
  {
    ending: /\.(?:docx|odt|pages)$/i,
    what: 'a document with marks for its looks',
    advice: 'save it as plain text (.txt)',
  },
  { ending: /\.(?:npz|pt|pth)$/i, what: 'arrays of a program', advice: 'write its texts to lines of a text file' },
  { ending: /(?:)/, what: 'an archive (ZIP)', advice: 'unpack it and name a file or folder of it' },
];
/** Captions (TTML) and annotations (ELAN) are read by their own names. */
const readMarkup = /\.(?:ttml|dfxp|eaf)$/i;
/** In so many of the first bytes texts have few zeros. */
const maxZeros = 0.1;

/**
 * Refuses archives, documents, tables of programs, audio and markup in place of a text: by the first bytes, whatever the name says.
 *
 * @param bytes the first of a file, in UTF-8 where they are a text
 * @param shownName how errors name the file
 * @throws EarwitnessError `bad-input`
 */
export function refuseNoText(bytes: Uint8Array, shownName: string): void {
  const head = Buffer.from(bytes.subarray(0, 512))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '');
  const found = kindOf(bytes, head, shownName) ?? (isMostlyZeros(bytes) ? noLetters : null);
  if (found === null) return;
  throw badInput(`${shownName}: expected a text file, but it is ${found.what}; ${found.advice}`);
}

const noLetters = { what: 'made of bytes that are no letters', advice: 'name a text file or a table' };

function kindOf(bytes: Uint8Array, head: string, shownName: string): Kind | null {
  const known = kinds.find(({ begins }) => begins.some((bytes) => head.startsWith(bytes)));
  if (known !== undefined) return known;
  if (beginsAs(bytes, 'id3', 'adts', ...certainKinds)) return audio;
  if (isSqlite(bytes)) return { what: 'a database of SQLite', advice: 'write its table as CSV: sqlite3 -header -csv' };
  if (head.startsWith('PK\x03\x04')) return zipped.find(({ ending }) => ending.test(shownName))!;
  // The name of its first file stands in 100 bytes, filled up with zeros.
  if (head.slice(257, 262) === 'ustar')
    return { what: 'an archive (tar)', advice: 'unpack it: tar -xf, and name a file or folder of it' };
  if (isHtml(head) || /^\s*<table\b/i.test(head))
    return { what: 'HTML', advice: 'save a table as CSV, a text as plain text (.txt)' };
  if (/^\s*<\?xml/.test(head) && !readMarkup.test(shownName))
    return { what: 'XML', advice: 'write its words as plain text (.txt), subtitles (.srt) or a table (.csv)' };
  return null;
}

function isMostlyZeros(bytes: Uint8Array): boolean {
  const first = bytes.subarray(0, 4096);
  return first.filter((byte) => byte === 0).length > maxZeros * first.length;
}
