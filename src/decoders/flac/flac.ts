import type { Clip } from '../../audio/clip.ts';
import { DamagedFlac } from '../../audio/flac/damaged-flac.ts';
import { readFrame } from '../../audio/flac/frame.ts';
import { isFrameSync } from '../../audio/flac/frame-header.ts';
import { isFlac, readStreamInfo } from '../../audio/flac/stream-info.ts';
import type { ChannelChoice } from '../../audio/pcm.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { Decoder } from '../contract.ts';
import { damagedPage, isOggOf } from '../shared/ogg.ts';
import { nativeStream } from './native-stream.ts';
import { createSampleDigest } from './sample-digest.ts';
import { mostSamples, SoundBuffer } from './sound-buffer.ts';

/** FLAC and FLAC in Ogg (RFC 9639). Nothing is kept from one file to the next. */
export const flac: Decoder = {
  name: 'flac',
  version: '1',
  recognizes: (head) => isFlac(head) || isOggOf(head, '\x7fFLAC'),
  async decode(bytes, nameForErrors, channel = 'mean') {
    try {
      return decodeStream(isFlac(bytes) ? bytes : unpacked(bytes), nameForErrors, channel);
    } catch (thrown) {
      if (!(thrown instanceof DamagedFlac)) throw thrown;
      throw new EarwitnessError(
        'bad-input',
        `${nameForErrors}: expected a FLAC file, but it cannot be read (${thrown.message}); it is damaged, copy it again from its source or take it out`,
      );
    }
  },
  promisedSeconds(head) {
    if (!isFlac(head)) return null;
    try {
      const { sampleRate, totalSamples } = readStreamInfo(head);
      return totalSamples === null ? null : totalSamples / sampleRate;
    } catch (thrown) {
      // Tags and pictures may lie between the head and the first frame.
      if (thrown instanceof DamagedFlac) return null;
      throw thrown;
    }
  },
};

function unpacked(bytes: Uint8Array): Uint8Array {
  const damage = damagedPage(bytes);
  if (damage !== null) throw new DamagedFlac(damage);
  return nativeStream(bytes);
}

function decodeStream(bytes: Uint8Array, nameForErrors: string, channel: ChannelChoice): Clip {
  const stream = readStreamInfo(bytes);
  const { sampleRate, bitsPerSample, totalSamples, md5 } = stream;
  // Speech takes half a byte to a byte for a sample; a header that promises far more gets its room as the sound comes.
  const sound = new SoundBuffer(bitsPerSample, Math.min(totalSamples ?? bytes.length, 8 * bytes.length, mostSamples));
  const digest = md5 === null ? null : createSampleDigest(bitsPerSample);
  let at = stream.framesAt;
  while (at < bytes.length && (isFrameSync(bytes, at) || !isBehindLast(bytes, at, sound.length, totalSamples))) {
    const frame = readFrame(bytes, at, stream);
    if (sound.length + frame.blockSize > mostSamples) throw tooLong(nameForErrors, sampleRate);
    sound.add(channel === 'first' ? frame.channels.slice(0, 1) : frame.channels, frame.blockSize);
    digest?.add(frame.channels);
    at = frame.end;
  }
  if (sound.length < (totalSamples ?? 0)) throw cutOff(nameForErrors, totalSamples!, sound.length, sampleRate);
  if (sound.length === 0) throw new DamagedFlac('there is no sound in it');
  if (digest !== null && digest.hex() !== md5) {
    throw new DamagedFlac('its sound is not that of which its header has the MD5');
  }
  return { samples: sound.samples(), sampleRate };
}

/** Other programs hang tags and padding behind the last frame: all of it where the length is known, else an ID3v1 tag. */
function isBehindLast(bytes: Uint8Array, at: number, length: number, totalSamples: number | null): boolean {
  if (totalSamples !== null) return length >= totalSamples;
  const isTag = bytes[at] === 0x54 && bytes[at + 1] === 0x41 && bytes[at + 2] === 0x47;
  return isTag && bytes.length - at === 128;
}

function cutOff(nameForErrors: string, promised: number, read: number, sampleRate: number): EarwitnessError {
  const seconds = (count: number) => `${(count / sampleRate).toFixed(2)} s`;
  return new EarwitnessError(
    'bad-input',
    `${nameForErrors}: expected ${seconds(promised)} of sound as its header says, but only ${seconds(read)} can be read; it is cut off or damaged, copy it again from its source or take it out`,
  );
}

function tooLong(nameForErrors: string, sampleRate: number): EarwitnessError {
  return new EarwitnessError(
    'bad-input',
    `${nameForErrors}: expected at most ${(mostSamples / sampleRate / 3600).toFixed(1)} hours of sound in one compressed file; cut it into several, or unpack it to WAV, which is read by stretches`,
  );
}
