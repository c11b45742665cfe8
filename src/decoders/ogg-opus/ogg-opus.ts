import { libraryDecoder } from '../shared/library-decoder.ts';
import { isOggOf, oggPageProblem } from '../shared/ogg.ts';

/** Opus in Ogg, at 48 kHz. */
export const oggOpus = libraryDecoder({
  name: 'ogg-opus',
  library: 'ogg-opus-decoder',
  kind: 'an Ogg Opus file',
  recognizes: (head) => isOggOf(head, 'OpusHead'),
  damage: oggPageProblem,
  async open() {
    const { OggOpusDecoder } = await import('ogg-opus-decoder');
    return new OggOpusDecoder();
  },
});
