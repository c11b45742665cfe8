import type { JsonObject } from '../base/json.ts';
import type { Store } from '../store/contract.ts';

/** Keeps what the sounds of a run are, many at a time: each by itself would be a commit of its own. */
export interface SoundKeeper {
  add(utteranceId: string, identity: JsonObject): void;
  keep(): void;
}

export function createSoundKeeper(
  store: Pick<Store, 'saveSounds'>,
  runId: string,
  position: (utteranceId: string) => number,
): SoundKeeper {
  // What a study made gets its position only after its sound was asked for.
  let waiting: { utteranceId: string; identity: JsonObject }[] = [];
  return {
    add(utteranceId, identity) {
      waiting.push({ utteranceId, identity });
    },
    keep() {
      const sounds = waiting.map(({ utteranceId, identity }) => ({ utterance: position(utteranceId), identity }));
      if (sounds.length > 0) store.saveSounds(runId, sounds);
      waiting = [];
    },
  };
}
