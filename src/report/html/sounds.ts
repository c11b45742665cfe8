import { limitText } from '../../base/printable.ts';
import type { Example } from '../../model/finding.ts';

/** The sound of an example: WAV files, cut to the stretch worth hearing (at most 15 seconds). */
interface ExampleClips {
  /** Before: the sound as it was. */
  readonly clean?: Uint8Array;
  /** After: the sound under the example's condition. */
  readonly changed?: Uint8Array;
  /** Both are under the example's condition, as two runs heard it. */
  readonly ofTwoRuns?: true;
  /** What to tell the reader: why a sound is missing, or that it was made again and is not what was heard. */
  readonly note?: string;
}

/**
 * Gives the sound of an example, or null where there is none. Asked once for each, worst first, until the file is full.
 *
 * @param startSeconds where the stretch worth hearing begins: of a long clip examples may show different ones
 */
export type ClipSource = (
  utteranceId: string,
  conditionName: string,
  draw: number,
  startSeconds: number,
) => ExampleClips | null;

/** What the page shows of an example's sound. */
export interface ShownSound {
  /** Of its players, in the page. */
  readonly id: string;
  /** Whether they stand with another example of the same clip. */
  readonly again: boolean;
  /** In base 64. */
  readonly clean: string | null;
  readonly changed: string | null;
  readonly ofTwoRuns?: true;
  readonly note: string | null;
}

/** At most what the page writes around the sound of an example, but for its note and names. */
const elementBytes = 3000;

const maxNote = 500;

/** At most what a note of ours takes in the page. */
export const noteBytes = 150;

/**
 * Embeds the audio of examples in the given order until the bytes are used up. The rest get a note instead. A clip that several examples
 * are of is taken in once.
 */
export function takeSounds(
  examples: readonly Example[],
  clips: ClipSource,
  maximumBytes: number,
): ReadonlyMap<Example, ShownSound> {
  const sounds = new Map<Example, ShownSound>();
  const taken = new Map<string, ShownSound>();
  let left = maximumBytes;
  let full = false;
  for (const example of examples) {
    const { utteranceId, conditionName, draw, startSeconds = 0 } = example;
    const key = JSON.stringify([utteranceId, conditionName, draw, startSeconds]);
    const before = taken.get(key);
    if (before) {
      sounds.set(example, { ...before, again: before.clean !== null || before.changed !== null });
      continue;
    }
    const own = { id: `clip.${taken.size + 1}`, again: false };
    const keep = (sound: ShownSound) => {
      sounds.set(example, sound);
      taken.set(key, sound);
    };
    const given: ExampleClips | null | undefined = full
      ? undefined
      : clips(utteranceId, conditionName, draw, startSeconds);
    if (given === null) {
      keep({ ...own, clean: null, changed: null, note: 'There is no audio for this example.' });
      continue;
    }
    const bytes: number = given
      ? encodedLength(given.clean) + encodedLength(given.changed) + elementBytes + noteLength(given)
      : 0;
    full ||= bytes > left;
    if (full || !given) {
      keep({
        ...own,
        clean: null,
        changed: null,
        note: 'No audio here: this file has reached its size limit.',
      });
      continue;
    }
    left -= bytes;
    const missing = given.clean || given.changed ? null : 'The audio could not be made.';
    keep({
      ...own,
      clean: encoded(given.clean),
      changed: encoded(given.changed),
      ...(given.ofTwoRuns && { ofTwoRuns: true }),
      note: given.note === undefined ? missing : limitText(given.note, maxNote),
    });
  }
  return sounds;
}

function encodedLength(bytes: Uint8Array | undefined): number {
  return bytes ? Math.ceil(bytes.length / 3) * 4 : 0;
}

/** Escaped, a character takes at most ten bytes. */
function noteLength({ note }: ExampleClips): number {
  return 10 * Math.min(maxNote + 50, note?.length ?? 0);
}

function encoded(bytes: Uint8Array | undefined): string | null {
  return bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64') : null;
}
