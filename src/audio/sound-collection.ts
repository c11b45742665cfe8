import type { JsonObject } from '../base/json.ts';
import type { Clip } from './clip.ts';

/** One sound of a collection. */
export interface CollectedSound {
  /** For people: a file's name. Never part of a key. */
  readonly name: string;
  /** What the collection knows of it: category, `rt60Seconds`, licence, … */
  readonly facts: JsonObject;
}

/** Sounds to be mixed in or to be convolved with: noises, music, talkers, room responses. */
export interface SoundCollection {
  /** For people: the name it has in the config, or its folder. */
  readonly name: string;
  /** What the sounds are, whatever they are called: hashes of their contents in order. */
  readonly identity: JsonObject;
  /** In the order in which they are numbered: at least one. */
  readonly sounds: readonly CollectedSound[];
  /** Length of one, without its being decoded where its format allows that. */
  durationSeconds(index: number): Promise<number>;
  /**
   * One of them at its own sample rate, whole or a stretch of it.
   *
   * @param channel of files with several: their mean (if absent), or the first alone
   * @throws EarwitnessError `bad-input` where the file vanished, is another than it was, or cannot be read
   */
  read(
    index: number,
    stretch?: { readonly startSeconds: number; readonly endSeconds: number },
    channel?: 'mean' | 'first',
  ): Promise<Clip>;
}
