import { libraryDecoder } from '../shared/library-decoder.ts';
import { firstPacket, isOggOf, type OggPage, oggLinks } from '../shared/ogg.ts';

const packetBeginning = 'OpusHead';
const kind = 'an Ogg Opus file';

/** Opus in Ogg, at 48 kHz. */
export const oggOpus = libraryDecoder({
  name: 'ogg-opus',
  library: 'ogg-opus-decoder',
  kind,
  revision: 4,
  recognizes: (head) => isOggOf(head, packetBeginning),
  promisedChannels: (head) => firstPacket(head)[9] ?? null,
  links: (bytes, nameForErrors, warn) =>
    oggLinks(bytes, kind, packetBeginning, nameForErrors, warn).map((link) => ({
      bytes: link.bytes,
      samples: samplesOf(bytes, link.pages),
      gain: gainOf(firstPacket(link.bytes)),
    })),
  async open() {
    const { OggOpusDecoder } = await import('ogg-opus-decoder');
    return new OggOpusDecoder();
  },
});

/** Output gain, which no player may leave out: 256ths of a decibel (RFC 7845, section 5.1). */
function gainOf(head: Uint8Array): number {
  const [low = 0, high = 0] = head.subarray(16, 18);
  return 10 ** ((((high << 24) >> 16) + low) / 256 / 20);
}

/** The head and the comments come before the sound. */
const headerPackets = 2;

/**
 * How many samples a stream has: from where its first page of sound begins (a recording of a running stream does not begin at 0) to where
 * its last one ends, without what the encoder needs to settle (RFC 7845, section 4). Null where no page says.
 */
function samplesOf(bytes: Uint8Array, pages: readonly OggPage[]): number | null {
  let [packets, packetAt, last] = [0, -1, null as number | null];
  let start: number | null = null;
  let preSkip = 0;
  for (const { bodyAt, segments, granule } of pages) {
    let [at, samplesHere] = [bodyAt, 0];
    for (const length of segments) {
      if (packetAt < 0) packetAt = at;
      at += length;
      if (length === 255) continue;
      if (packets === 0) preSkip = bytes[packetAt + 10]! + 256 * bytes[packetAt + 11]!;
      if (packets >= headerPackets) samplesHere += samplesOfPacket(bytes.subarray(packetAt, at));
      packets++;
      packetAt = -1;
    }
    if (samplesHere === 0 || granule === null) continue;
    // The last page of a short stream ends before its last packet does.
    start ??= Math.max(0, granule - samplesHere);
    last = granule;
  }
  return last === null || start === null ? null : Math.max(0, last - start - preSkip);
}

/** Samples at 48 kHz of a packet, by its first byte or two (RFC 6716, section 3.1). */
function samplesOfPacket([head = 0, count = 0]: Uint8Array): number {
  const configuration = head >> 3;
  const milliseconds =
    configuration < 12
      ? [10, 20, 40, 60][configuration % 4]!
      : configuration < 16
        ? [10, 20][configuration % 2]!
        : [2.5, 5, 10, 20][configuration % 4]!;
  const frames = [1, 2, 2, count & 63][head & 3]!;
  return 48 * milliseconds * frames;
}
