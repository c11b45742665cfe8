import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clip } from '../audio/clip.ts';
import { encodeWav } from '../audio/encode-wav.ts';
import { removeAbandoned } from '../base/abandoned.ts';
import { hashJson } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { SpeechSource } from '../corpora/contract.ts';
import { wav } from '../decoders/wav/wav.ts';
import { writeKept } from './kept-sounds.ts';

/**
 * Keeps what a synthesizer spoke: the same text is never spoken twice, and what was recognized can be heard again even
 * when the engine is gone.
 *
 * @param folder where the sounds are kept, 32-bit float WAV files by hash
 */
export function keptSpeech(source: SpeechSource, folder: string): SpeechSource {
  removeAbandoned(folder, 'p');
  // One sentence can stand in several utterances, which are spoken side by side.
  const speaking = new Map<string, Promise<Clip>>();

  const keep = async (hash: string, text: string, voice: string): Promise<Clip> => {
    const file = fileOf(folder, hash);
    const kept = await readFile(file).catch(() => null);
    if (kept) return wav.decode(kept, file);
    const clip = await source.speak(text, voice);
    await writeKept(folder, file, encodeWav(clip, { format: 'f32' }));
    return clip;
  };

  return {
    voices: source.voices,
    identity: source.identity,
    speak(text, voice): Promise<Clip> {
      const hash = hashJson({ synthesizer: source.identity(), voice, text });
      let clip = speaking.get(hash);
      if (!clip) {
        clip = keep(hash, text, voice).finally(() => speaking.delete(hash));
        speaking.set(hash, clip);
      }
      return clip;
    },
  };
}

/**
 * Where speech is kept.
 *
 * @param identity what it is: `text`, `voice` and the identity of the `synthesizer`
 */
export function keptSpeechFile(folder: string, { synthesizer = null, voice = null, text = null }: JsonObject): string {
  return fileOf(folder, hashJson({ synthesizer, voice, text }));
}

function fileOf(folder: string, hash: string): string {
  return join(folder, hash.slice(0, 2), `${hash}.wav`);
}

/** Where a store keeps what was spoken. */
export function speechFolder(storeFile: string): string {
  return join(dirname(storeFile), 'spoken');
}
