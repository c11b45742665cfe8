import { badInput, type EarwitnessError } from '../../base/errors.ts';
import { grouped } from '../../base/number-format.ts';

/** The sentence for a file with several tracks: languages, a commentary, a speaker on each. */
export function severalTracks(nameForErrors: string, tracks: number): string {
  return `${nameForErrors} has ${tracks} tracks of audio, of which the first is read; to read the second, make a file of it: ffmpeg -i FILE -map 0:a:1 OUT.wav`;
}

/** The sentence for a stream that may be all there is, or half of it. */
export function withoutEnd(nameForErrors: string): string {
  return `${nameForErrors} ends without the mark of its last page: it is cut off, or its recorder was stopped; what there is of it is read`;
}

/** The sentence for a stream that somebody joined while it ran, or whose first sound is lost. */
export function withoutBeginning(nameForErrors: string, at: number): string {
  return `${nameForErrors} has the headers of a stream, but its sound begins later, with the page at byte ${grouped(at)}: it is a recording of a stream that was running, or its first pages are lost; what there is of it is read`;
}

/**
 * The sentence for recordings one behind the other that are no single sound.
 *
 * @param why with the byte or the second
 */
export function severalFiles(nameForErrors: string, why: string): EarwitnessError {
  return badInput(
    `${nameForErrors}: expected one recording, but several files are joined in it: ${why}; make a file of each`,
  );
}

/** The sentence for a file in which channels come or go. */
export function changedChannels(nameForErrors: string, where: string, from: number, to: number): EarwitnessError {
  return severalFiles(nameForErrors, `${where} the number of channels changes from ${from} to ${to}`);
}

/** The sentence for a file of which nobody knows what its last bytes are: audio of another kind, it may be. */
export function leftOver(nameForErrors: string, bytes: number, at: number): EarwitnessError {
  return badInput(
    `${nameForErrors}: expected a file that ends where its audio does, at byte ${grouped(at)}, but ${grouped(bytes)} more bytes follow that are neither audio nor a tag; make a file of them, or cut them off`,
  );
}

/** @param kind what a file of this coding is called: `an MP3 file` */
export function unreadable(kind: string, nameForErrors: string, why: string): EarwitnessError {
  const readable = why.replace(/[^ -~]+/g, ' ').slice(0, 200);
  return badInput(
    `${nameForErrors}: expected ${kind}, but it cannot be read (${readable}); it is damaged, copy it again from its source or take it out`,
  );
}

/** The sentence for a file in which there is less than its header says, in samples of one channel. */
export function cutOff(nameForErrors: string, promised: number, read: number, sampleRate: number): EarwitnessError {
  const seconds = (count: number) => `${(count / sampleRate).toFixed(2)} s`;
  // Where so little is missing, seconds would say that nothing is.
  const [said, came] =
    seconds(promised) === seconds(read)
      ? [`${grouped(promised)} samples`, `${grouped(read)}`]
      : [`${seconds(promised)} of audio`, seconds(read)];
  return lessThan(nameForErrors, said, `only ${came} can be read`);
}

/** The sentence for a file in which there are fewer bytes than its header says. */
export function cutAt(nameForErrors: string, promised: number, bytes: number): EarwitnessError {
  return lessThan(nameForErrors, `${grouped(promised)} bytes`, `there are only ${grouped(bytes)}`);
}

function lessThan(nameForErrors: string, promised: string, came: string): EarwitnessError {
  return badInput(
    `${nameForErrors}: expected ${promised} as its header says, but ${came}; it is cut off or damaged, copy it again from its source or take it out`,
  );
}

/** Samples that one compressed file may have: a gigabyte, 4.6 hours at 16 kHz. */
export const maxSamples = 2 ** 28;

/** The sentence for a file of more than `maxSamples`. */
export function tooLong(nameForErrors: string, sampleRate: number): EarwitnessError {
  return badInput(
    `${nameForErrors}: expected at most ${(maxSamples / sampleRate / 3600).toFixed(1)} hours of audio in one compressed file, but it has more; cut it into several, or unpack it to WAV, which is read by stretches`,
  );
}
