import { EarwitnessError } from '../base/errors.ts';
import { bytesPerFrame, type PcmLayout } from './pcm.ts';

/** Rates and channel counts beyond these are taken for a damaged header. */
const maxSampleRate = 1_536_000;
const maxChannels = 256;

/** Makes a layout of what a header says, once it makes sense. */
export function checkedLayout(
  header: Omit<PcmLayout, 'frames' | 'promisedFrames'> & {
    readonly promisedBytes: number;
    readonly totalBytes: number;
  },
  nameForErrors: string,
): PcmLayout {
  const { promisedBytes, totalBytes, ...rest } = header;
  const { sampleRate, channels, dataOffset } = rest;
  if (!(sampleRate >= 1 && sampleRate <= maxSampleRate)) {
    throw damaged(nameForErrors, `a sample rate from 1 to ${maxSampleRate}`, `${sampleRate}`);
  }
  if (!(Number.isInteger(channels) && channels >= 1 && channels <= maxChannels)) {
    throw damaged(nameForErrors, `1 to ${maxChannels} channels`, `${channels}`);
  }
  const frameBytes = bytesPerFrame(rest);
  const presentBytes = Math.max(0, Math.min(promisedBytes, totalBytes - dataOffset));
  return {
    ...rest,
    frames: Math.floor(presentBytes / frameBytes),
    promisedFrames: Math.floor(promisedBytes / frameBytes),
  };
}

/** The sentence for a header that makes no sense. */
export function damaged(nameForErrors: string, expected: string, came: string): EarwitnessError {
  return new EarwitnessError(
    'bad-input',
    `${nameForErrors}: expected ${expected} in the header, but it says ${came}; the file is damaged, make it again from its source`,
  );
}
