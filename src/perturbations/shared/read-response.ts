import { resample } from '../../audio/resample.ts';
import { directSound } from '../../audio/rooms/room-shape.ts';
import type { SoundCollection } from '../../audio/sound-collection.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { RoomOutput, RoomResponse } from './apply-room.ts';
import { nameOf } from './chosen-sounds.ts';

/**
 * A room response of a collection, at the rate of a clip.
 *
 * @param step which perturbation asks, for errors
 * @param dropSeconds how much of its beginning is left out
 * @throws EarwitnessError `bad-input` where nothing of it sounds
 */
export async function readResponse(
  step: string,
  collection: SoundCollection,
  index: number,
  sampleRate: number,
  {
    channel,
    dropSeconds,
    align,
  }: Pick<RoomOutput, 'align'> & { readonly channel: 'mean' | 'first'; readonly dropSeconds: number },
): Promise<RoomResponse> {
  const whole = resample(await collection.read(index, undefined, channel), sampleRate).samples;
  const dropped = Math.floor(dropSeconds * sampleRate + 1e-9);
  const samples = whole.slice(dropped);
  if (!samples.some((sample) => sample !== 0)) {
    throw new EarwitnessError(
      'bad-input',
      `${step}: expected a room response, but ${JSON.stringify(nameOf(collection, index))} of ${JSON.stringify(collection.name)} is digital silence${dropped > 0 ? ` behind its first ${dropSeconds} s` : ''}; take it out`,
    );
  }
  // What was dropped came before: the direct sound may have been in it.
  const directSample = Math.max(0, directSound(whole, align === 'onset' ? 'onset' : 'peak') - dropped);
  return { samples, directSample: directSample < samples.length ? directSample : 0 };
}
