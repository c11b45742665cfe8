import { libraryDecoder } from '../shared/library-decoder.ts';
import { isOggOf, oggPageProblem } from '../shared/ogg.ts';

/** Vorbis in Ogg. */
export const oggVorbis = libraryDecoder({
  name: 'ogg-vorbis',
  library: '@wasm-audio-decoders/ogg-vorbis',
  kind: 'an Ogg Vorbis file',
  recognizes: (head) => isOggOf(head, '\x01vorbis'),
  damage: oggPageProblem,
  async open() {
    const { OggVorbisDecoder } = await import('@wasm-audio-decoders/ogg-vorbis');
    return new OggVorbisDecoder();
  },
});
