import { createHash } from 'node:crypto';
import type { ChannelMixer } from '../../audio/channels.ts';
import { type ChannelSamples, type Clip, mixToMono } from '../../audio/clip.ts';
import { DamagedFlac, isFlac, readStreamInfo, type StreamInfo } from '../../audio/flac/bit-reader.ts';
import { isFrameSync, readFrame, type Samples } from '../../audio/flac/frame.ts';
import { firstPlace } from '../../audio/pcm.ts';
import type { Decoder, Warn } from '../contract.ts';
import { bytesOfLeadingTag, isFiller } from '../shared/id3.ts';
import { joinClips } from '../shared/join-clips.ts';
import { isOggOf, joined, oggLinks } from '../shared/ogg.ts';
import { cutOff, leftOver, maxSamples, tooLong, unreadable } from '../shared/refusals.ts';

const kind = 'a FLAC file';

/** FLAC and FLAC in Ogg (RFC 9639). Nothing is kept from one file to the next. */
export const flac: Decoder = {
  name: 'flac',
  version: '1',
  recognizes: (head) => isFlac(head) || isOggOf(head, '\x7fFLAC'),
  async decode(bytes, nameForErrors, mix = mixToMono, warn) {
    try {
      const streams = isFlac(bytes) ? [bytes] : unpacked(bytes, nameForErrors, warn);
      const clips = streams.flatMap((stream) => [...decodeStreams(stream, nameForErrors, mix)]);
      return joinClips(clips, nameForErrors);
    } catch (thrown) {
      if (!(thrown instanceof DamagedFlac)) throw thrown;
      throw unreadable(kind, nameForErrors, thrown.message);
    }
  },
  // Of streams one behind the other the first alone was read once. Behind the mark stands the head of the first block: of 34 bytes.
  async apart(totalBytes, read) {
    const second = await firstPlace(/fLaC[\0\x80]\0\0"/g, 1, totalBytes, read);
    return second === null || !isFlac(await read(0, 4)) ? {} : { second };
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
  // Behind the mark, the head of the first block and 10 bytes of it: three bits within (RFC 9639, section 8.2).
  promisedChannels: (head) => (isFlac(head) ? ((head[20]! >> 1) & 7) + 1 : null),
};

/** Before the native stream, the first packet of FLAC in Ogg has a mark, a version and a count: 9 bytes (RFC 9639, section 10.1). */
const mappingHeaderBytes = 9;

/** The native streams of the links of an Ogg file: the packets of each one behind the other. */
function unpacked(bytes: Uint8Array, nameForErrors: string, warn: Warn | undefined): Uint8Array[] {
  return oggLinks(bytes, kind, '\x7fFLAC', nameForErrors, warn).map(({ pages }) =>
    joined(bytes, pages, ({ bodyAt }) => bodyAt).subarray(mappingHeaderBytes),
  );
}

/** Streams that stand one behind the other, as `cat` leaves them. */
function* decodeStreams(bytes: Uint8Array, nameForErrors: string, mix: ChannelMixer): Generator<Clip> {
  let seconds = 0;
  for (let rest = bytes; ; ) {
    const { clip, end } = decodeStream(rest, nameForErrors, mix, seconds);
    yield clip;
    seconds += clip.samples.length / clip.sampleRate;
    rest = rest.subarray(end);
    rest = rest.subarray(bytesOfLeadingTag(rest));
    if (isFlac(rest)) continue;
    if (!isFiller(rest)) throw leftOver(nameForErrors, rest.length, bytes.length - rest.length);
    return;
  }
}

function decodeStream(bytes: Uint8Array, nameForErrors: string, mix: ChannelMixer, secondsBefore: number) {
  const stream = readStreamInfo(bytes);
  const { sampleRate, bitsPerSample, totalSamples, md5 } = stream;
  // Speech takes half a byte to a byte for a sample; a header that promises far more gets its room as the sound comes.
  const sound = new SoundBuffer(Math.min(totalSamples ?? bytes.length, 8 * bytes.length, maxSamples));
  const digest = md5 === null ? null : createSampleDigest(bitsPerSample);
  let at = stream.framesAt;
  while (at < bytes.length && (isFrameSync(bytes, at) || !isBehindLast(bytes, at, sound.length, totalSamples))) {
    const frame = frameAt(bytes, at, stream, secondsBefore + sound.length / sampleRate);
    if (sound.length + frame.blockSize > maxSamples) throw tooLong(nameForErrors, sampleRate);
    sound.add(
      mix(
        frame.channels.map((samples) => scaled(samples, bitsPerSample)),
        sampleRate,
      ),
    );
    digest?.add(frame.channels);
    at = frame.end;
  }
  if (sound.length < (totalSamples ?? 0)) throw cutOff(nameForErrors, totalSamples!, sound.length, sampleRate);
  if (sound.length === 0) throw new DamagedFlac('there is no sound in it');
  if (digest !== null && digest.hex() !== md5) {
    throw new DamagedFlac('its sound is not that of which its header has the MD5');
  }
  return { clip: { samples: sound.samples(), sampleRate }, end: at };
}

/** @throws DamagedFlac with the second where the frame is damaged */
function frameAt(bytes: Uint8Array, at: number, stream: StreamInfo, seconds: number) {
  try {
    return readFrame(bytes, at, stream);
  } catch (thrown) {
    throw thrown instanceof DamagedFlac ? new DamagedFlac(`${thrown.message}, after ${seconds.toFixed(2)} s`) : thrown;
  }
}

/** Other programs hang tags and padding behind the last frame: all of it where the length is known, else an ID3v1 tag. */
function isBehindLast(bytes: Uint8Array, at: number, length: number, totalSamples: number | null): boolean {
  if (totalSamples !== null) return length >= totalSamples;
  if (isFlac(bytes.subarray(at)) || bytesOfLeadingTag(bytes.subarray(at)) > 0) return true;
  const isTag = bytes[at] === 0x54 && bytes[at + 1] === 0x41 && bytes[at + 2] === 0x47;
  return isTag && bytes.length - at === 128;
}

/** The MD5 of samples as FLAC makes it: interleaved, signed, lowest byte first, whole bytes (RFC 9639, section 8.2). */
interface SampleDigest {
  add(channels: readonly Samples[]): void;
  hex(): string;
}

function createSampleDigest(bitsPerSample: number): SampleDigest {
  const hash = createHash('md5');
  const width = Math.ceil(bitsPerSample / 8);
  return {
    add(channels) {
      const step = width * channels.length;
      const bytes = new Uint8Array(step * channels[0]!.length);
      for (const [channel, samples] of channels.entries()) {
        let at = channel * width;
        for (let n = 0; n < samples.length; n++, at += step) {
          const value = samples[n]!;
          bytes[at] = value;
          for (let byte = 1; byte < width; byte++) bytes[at + byte] = value >> (8 * byte);
        }
      }
      hash.update(bytes);
    },
    hex: () => hash.digest('hex'),
  };
}

/** Whole numbers to full scale 1: exactly. */
function scaled(samples: Samples, bitsPerSample: number): ChannelSamples {
  const scale = 2 ** (1 - bitsPerSample);
  const values = bitsPerSample > 24 ? new Float64Array(samples.length) : new Float32Array(samples.length);
  for (let n = 0; n < values.length; n++) values[n] = samples[n]! * scale;
  return values;
}

/** Takes what was mixed of the frames as they come. Grows, since headers promise what they like. */
class SoundBuffer {
  length = 0;
  #samples: Float32Array;

  constructor(expectedSamples: number) {
    this.#samples = new Float32Array(expectedSamples);
  }

  /** @throws RangeError where the file has more than `maxSamples` */
  add(samples: Float32Array): void {
    const length = this.length + samples.length;
    if (length > maxSamples) throw new RangeError(`expected at most ${maxSamples} samples`);
    if (length > this.#samples.length) {
      const larger = new Float32Array(Math.min(maxSamples, Math.max(length, 2 * this.#samples.length)));
      larger.set(this.#samples.subarray(0, this.length));
      this.#samples = larger;
    }
    this.#samples.set(samples, this.length);
    this.length = length;
  }

  /** What was added; the buffer must not be used any more. */
  samples(): Float32Array {
    return this.length === this.#samples.length ? this.#samples : this.#samples.slice(0, this.length);
  }
}
