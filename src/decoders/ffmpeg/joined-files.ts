import type { EarwitnessError } from '../../base/errors.ts';
import { grouped } from '../../base/number-format.ts';
import { bytesOfLeadingTag, isFiller } from '../shared/id3.ts';
import { changedChannels, leftOver, severalFiles } from '../shared/refusals.ts';

/**
 * What ffmpeg would pass over in silence or bend to the first: files one behind the other that do not go together, or of which it reads the
 * first alone, and bytes behind AAC (ADTS) that nobody can account for. Null where there is nothing of it.
 */
export function joinedFilesProblem(bytes: Uint8Array, nameForErrors: string): EarwitnessError | null {
  if (isAdts(bytes)) return adtsProblem(bytes, nameForErrors);
  const second = boxType(bytes, 0) === 'ftyp' ? secondFileAt(bytes) : null;
  if (second === null) return null;
  return severalFiles(nameForErrors, `another begins at byte ${grouped(second)}, and ffmpeg reads the first alone`);
}

/** A frame header of ADTS: 12 set bits, layer 0 (ISO/IEC 13818-7, 6.2). */
function isAdts(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && (bytes[1]! & 0xf6) === 0xf0;
}

const sampleRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];
/** By the configuration's number; 0: the frames say it themselves. */
const channelCounts = [0, 1, 2, 3, 4, 5, 6, 8];

/** Frames follow each other, with ID3 tags between them, to the end or a last one that is cut off. */
function adtsProblem(bytes: Uint8Array, nameForErrors: string): EarwitnessError | null {
  let at = 0;
  let first: { readonly rate: number | undefined; readonly count: number } | null = null;
  while (at < bytes.length) {
    const rest = bytes.subarray(at, at + 10);
    const tag = bytesOfLeadingTag(rest);
    if (tag > 0) {
      at += tag;
      continue;
    }
    const [, , third = 0, fourth = 0, fifth = 0, sixth = 0] = rest;
    const length = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
    if (!isAdts(rest) || length < 7) {
      return isFiller(bytes.subarray(at)) ? null : leftOver(nameForErrors, bytes.length - at, at);
    }
    const rate = sampleRates[(third >> 2) & 15];
    const count = channelCounts[((third & 1) << 2) | (fourth >> 6)]!;
    first ??= { rate, count };
    const where = `at byte ${grouped(at)}`;
    if (rate !== first.rate) {
      return severalFiles(nameForErrors, `${where} the sample rate changes from ${first.rate} to ${rate} Hz`);
    }
    if (count !== first.count) return changedChannels(nameForErrors, where, first.count, count);
    at += length;
  }
  return null;
}

function boxType(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at + 4, at + 8));
}

/** Where another MP4 or MOV file begins behind the first: its boxes one after another (ISO/IEC 14496-12, 4.2). */
function secondFileAt(bytes: Uint8Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 16 <= bytes.length; ) {
    if (at > 0 && boxType(bytes, at) === 'ftyp') return at;
    const size = view.getUint32(at);
    const boxBytes = size === 1 ? Number(view.getBigUint64(at + 8)) : size;
    // The last one may say 0: to the end.
    if (boxBytes < 8) return null;
    at += boxBytes;
  }
  return null;
}
