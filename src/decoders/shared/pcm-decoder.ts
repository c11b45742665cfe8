import { bytesPerFrame, decodePcm, type PcmLayout } from '../../audio/pcm.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { Decoder } from '../contract.ts';

/** A decoder of plain samples, made of what finds them. */
export function pcmDecoder(
  member: Pick<Decoder, 'name' | 'version' | 'recognizes'> & { readonly layout: NonNullable<Decoder['layout']> },
): Decoder {
  return {
    ...member,
    async decode(bytes, nameForErrors, channel) {
      const layout = member.layout(bytes, bytes.length, nameForErrors);
      if (layout === null) throw new RangeError('a layout was not found in a whole file');
      refuseTruncated(layout, nameForErrors);
      const { dataOffset, frames } = layout;
      return decodePcm(bytes.subarray(dataOffset, dataOffset + frames * bytesPerFrame(layout)), layout, channel);
    },
  };
}

/**
 * @throws EarwitnessError `bad-input` where the header promises more than the file holds
 */
export function refuseTruncated({ frames, promisedFrames, sampleRate }: PcmLayout, nameForErrors: string): void {
  if (promisedFrames <= frames) return;
  const seconds = (count: number) => `${(count / sampleRate).toFixed(2)} s`;
  throw new EarwitnessError(
    'bad-input',
    `${nameForErrors}: expected ${seconds(promisedFrames)} of audio as its header says, but the file ends after ${seconds(frames)}; it is cut off, copy it again from its source or take it out`,
  );
}
