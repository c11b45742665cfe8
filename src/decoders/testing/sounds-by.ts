import { createFileHasher, type Decoder, type SoundFiles } from '../contract.ts';
import { createSoundFiles } from '../sound-files.ts';

/** What a corpus needs to read sound files with these decoders. */
export function soundsBy(...decoders: readonly Decoder[]): { readonly sounds: SoundFiles } {
  return { sounds: createSoundFiles({ decoders, fileHash: createFileHasher() }) };
}
