import type { ReadBytes } from '../../audio/pcm.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { beginsAs } from '../../base/first-bytes.ts';
import { grouped } from '../../base/number-format.ts';
import type { Warn } from '../contract.ts';
import { containerEnd } from '../shared/container-end.ts';
import { bytesOfLeadingTag, isFiller } from '../shared/id3.ts';
import { oggPages } from '../shared/ogg.ts';
import {
  changedChannels,
  leftOver,
  severalFiles,
  unreadable,
  withoutBeginning,
  withoutEnd,
} from '../shared/refusals.ts';

/**
 * The part of a file that ffmpeg is to read: it takes tags and zeros behind samples for some.
 *
 * @throws EarwitnessError `bad-input` for what it would pass over in silence or bend to the first: files that are cut off, or one behind the other that
 *   do not go together, or of which it reads the first alone, and bytes that nobody can account for
 */
export async function oneFile(bytes: Uint8Array, nameForErrors: string, warn?: Warn): Promise<Uint8Array> {
  const read: ReadBytes = async (position, length) => bytes.subarray(position, position + length);
  const end = beginsAs(bytes, 'adts')
    ? adtsProblem(bytes, nameForErrors)
    : beginsAs(bytes, 'ogg')
      ? oggProblem(bytes, nameForErrors, warn)
      : await containerEnd(bytes, bytes.length, read, nameForErrors);
  if (end instanceof EarwitnessError) throw end;
  return end === null ? bytes : bytes.subarray(0, end);
}

/** Pages that are missing or cut off, a stream behind the first ones, and what is no page (Speex, video). */
function oggProblem(bytes: Uint8Array, nameForErrors: string, warn: Warn | undefined): EarwitnessError | null {
  let [behind, isHead, ends] = [0, true, false];
  for (const { start, end, isFirst, isLast, isLate } of oggPages(bytes, (why) =>
    unreadable('an Ogg file', nameForErrors, why),
  )) {
    if (isFirst && !isHead) return severalFiles(nameForErrors, `another begins at byte ${grouped(start)}`);
    if (isLate) warn?.(withoutBeginning(nameForErrors, start));
    [isHead, behind, ends] = [isFirst, end, ends || isLast];
  }
  if (!ends) warn?.(withoutEnd(nameForErrors));
  const rest = bytes.subarray(behind);
  return isFiller(rest) ? null : leftOver(nameForErrors, rest.length, behind);
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
    if (!beginsAs(rest, 'adts') || length < 7) {
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
