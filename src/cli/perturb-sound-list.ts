import type { Json, JsonObject } from '../base/json.ts';
import type { SoundDone } from '../session/export/perturb-corpus.ts';
import { print } from './output.ts';

/** The answer of `perturb --json`, printed as it comes: a corpus under a hundred conditions fits into no memory. */
export interface SoundList {
  add(sound: SoundDone, condition: string): Promise<void>;
  end(): Promise<void>;
}

/** @param head members that stand before the list `files` */
export function openSoundList(head: JsonObject & { readonly conditions: readonly Json[] }): SoundList {
  let begun = false;
  const begin = async () => {
    if (begun) return;
    begun = true;
    await print(`${JSON.stringify(head).slice(0, -1)},"files":[`);
  };
  let first = true;
  return {
    async add({ utterance, output, measurement, failure, skipped }, condition) {
      await begin();
      const { id, sound } = utterance.utterance;
      const input = sound !== undefined && 'file' in sound ? sound.file : null;
      const entry = { id, input, condition, output, ...(failure === null ? { measurement, skipped } : { failure }) };
      await print(`${first ? '' : ','}\n${JSON.stringify(entry)}`);
      first = false;
    },
    async end() {
      await begin();
      await print('\n]}\n');
    },
  };
}
