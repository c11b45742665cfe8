import type { ChannelMixer } from '../../audio/channels.ts';
import type { Clip } from '../../audio/clip.ts';
import {
  bytesPerFrame,
  decodePcm,
  type PcmLayout,
  type PcmPart,
  type ReadBytes,
  refuseUndivided,
} from '../../audio/pcm.ts';
import type { Decoder } from '../contract.ts';
import { cutOff } from './refusals.ts';

/** A decoder of plain samples, made of what finds them. */
export function pcmDecoder(
  member: Pick<Decoder, 'name' | 'version' | 'recognizes' | 'parts'> & {
    readonly layout: NonNullable<Decoder['layout']>;
  },
): Decoder {
  return {
    ...member,
    async decode(bytes, nameForErrors, mix) {
      const layout = member.layout(bytes, bytes.length, nameForErrors);
      if (layout === null) throw new RangeError('a layout was not found in a whole file');
      refuseTruncated(layout, nameForErrors);
      const read: ReadBytes = async (position, length) => bytes.subarray(position, position + length);
      const parts = (await member.parts?.(layout, bytes.length, read, nameForErrors)) ?? [layout];
      return readParts(parts, layout, { from: 0, to: framesIn(parts) }, read, mix);
    },
  };
}

/** Frames of all parts together. */
export function framesIn(parts: readonly PcmPart[]): number {
  return parts.reduce((sum, { frames }) => sum + frames, 0);
}

/** The frames of a stretch of several parts that follow each other. */
export async function readParts(
  parts: readonly PcmPart[],
  layout: PcmLayout,
  { from, to }: { readonly from: number; readonly to: number },
  read: ReadBytes,
  mix: ChannelMixer | undefined,
): Promise<Clip> {
  const width = bytesPerFrame(layout);
  const pieces: Uint8Array[] = [];
  let before = 0;
  for (const { dataOffset, frames } of parts) {
    const [first, last] = [Math.max(0, from - before), Math.min(frames, to - before)];
    if (first < last) pieces.push(await read(dataOffset + first * width, (last - first) * width));
    before += frames;
  }
  const [only] = pieces;
  return decodePcm(pieces.length === 1 ? only! : new Uint8Array(Buffer.concat(pieces)), layout, mix);
}

/** Frames that are looked at together. */
const atOnce = 2 ** 18;

/** Gives all frames to something that looks at them, one stretch after another. */
export async function readInTurn(
  parts: readonly PcmPart[],
  layout: PcmLayout,
  read: ReadBytes,
  look: ChannelMixer,
): Promise<void> {
  const frames = framesIn(parts);
  for (let from = 0; from < frames; from += atOnce) {
    await readParts(parts, layout, { from, to: Math.min(frames, from + atOnce) }, read, look);
  }
}

const nothing = new Float32Array(0);

/**
 * By all of the file: a stretch of undivided integers may be as quiet as one of floats.
 *
 * @throws EarwitnessError `bad-input` for floats that are larger than any of sound
 */
export async function refuseUndividedParts(
  parts: readonly PcmPart[],
  layout: PcmLayout,
  read: ReadBytes,
  nameForErrors: string,
): Promise<void> {
  if (layout.encoding !== 'f32' && layout.encoding !== 'f64') return;
  await readInTurn(parts, layout, read, (channels) => {
    for (const channel of channels) refuseUndivided(channel, nameForErrors);
    return nothing;
  });
}

/**
 * @throws EarwitnessError `bad-input` where the header promises more than the file holds
 */
export function refuseTruncated({ frames, promisedFrames, sampleRate }: PcmLayout, nameForErrors: string): void {
  if (promisedFrames <= frames) return;
  throw cutOff(nameForErrors, promisedFrames, frames, sampleRate);
}
