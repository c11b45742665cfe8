import { libraryDecoder } from '../shared/library-decoder.ts';
import { firstPacket, isOggOf, oggLinks } from '../shared/ogg.ts';

const packetBeginning = '\x01vorbis';
const kind = 'an Ogg Vorbis file';

/** Vorbis in Ogg. */
export const oggVorbis = libraryDecoder({
  name: 'ogg-vorbis',
  library: '@wasm-audio-decoders/ogg-vorbis',
  kind,
  recognizes: (head) => isOggOf(head, packetBeginning),
  promisedChannels: (head) => firstPacket(head)[11] ?? null,
  revision: 3,
  // The library loses the beginning of a second link.
  links: (bytes, nameForErrors, warn) =>
    oggLinks(bytes, kind, packetBeginning, nameForErrors, warn).map((link) => ({ bytes: link.bytes, samples: null })),
  async open() {
    const { OggVorbisDecoder } = await import('@wasm-audio-decoders/ogg-vorbis');
    return new OggVorbisDecoder();
  },
});
