import { libraryDecoder } from '../shared/library-decoder.ts';
import { firstPacket, isOggOf, oggLinks, oggPageProblem } from '../shared/ogg.ts';

const packetBeginning = '\x01vorbis';

/** Vorbis in Ogg. */
export const oggVorbis = libraryDecoder({
  name: 'ogg-vorbis',
  library: '@wasm-audio-decoders/ogg-vorbis',
  kind: 'an Ogg Vorbis file',
  recognizes: (head) => isOggOf(head, packetBeginning),
  promisedChannels: (head) => firstPacket(head)[11] ?? null,
  revision: 2,
  // The library loses the beginning of a second link.
  links: (bytes, nameForErrors, warn) =>
    oggLinks(bytes, packetBeginning, nameForErrors, warn).map((link) => ({ bytes: link, samples: null })),
  damage: oggPageProblem,
  async open() {
    const { OggVorbisDecoder } = await import('@wasm-audio-decoders/ogg-vorbis');
    return new OggVorbisDecoder();
  },
});
