import { isWav, readsWavFormat, wavLayout, wavParts } from '../../audio/wav-layout.ts';
import { pcmDecoder } from '../shared/pcm-decoder.ts';

/** WAV with PCM of 8 to 32 bits, floats, A-law or mu-law. Compressed WAV is left to other decoders. */
export const wav = pcmDecoder({
  name: 'wav',
  version: '1',
  recognizes: (head) => isWav(head) && readsWavFormat(head) !== false,
  layout: wavLayout,
  parts: wavParts,
});
