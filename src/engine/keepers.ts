import type { Json, JsonObject } from '../base/json.ts';
import type { EvidenceKeeper } from '../store/contract.ts';
import type { StudyContext } from '../studies/contract.ts';
import type { Models } from './answers.ts';
import type { ConditionBook } from './conditions.ts';

/** Keeps what the sounds of a run are, many at a time: each by itself would be a commit of its own. */
interface SoundKeeper {
  add(utteranceId: string, identity: JsonObject): void;
  keep(): void;
}

export function createSoundKeeper(
  store: Pick<EvidenceKeeper, 'saveSounds'>,
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

type Keeper = Pick<EvidenceKeeper, 'keepMaterial'>;

/** The same context, and everything that studies learn from it besides utterances is kept with the run. */
export function keepMaterials(context: StudyContext, store: Keeper, runId: string): StudyContext {
  const { isRandom, readText, soundNames } = context;
  return {
    ...context,
    ...(isRandom && {
      async isRandom(perturbation: string) {
        const random = await isRandom(perturbation);
        store.keepMaterial(runId, 'random', perturbation, random);
        return random;
      },
    }),
    ...(readText && {
      async readText(path: string) {
        const text = await readText(path);
        store.keepMaterial(runId, 'text', path, text);
        return text;
      },
    }),
    ...(soundNames && {
      async soundNames(collection: string) {
        const names = await soundNames(collection);
        store.keepMaterial(runId, 'sounds', collection, [...names]);
        return names;
      },
    }),
  };
}

/** The same book, and of each condition is kept what its sounds depend on: the keys of answers are made from it. */
export function keepRecipes(book: ConditionBook, store: Keeper, runId: string): ConditionBook {
  const kept = new Set<number>();
  return {
    ...book,
    async ready(condition) {
      const ready = await book.ready(condition);
      if (!kept.has(ready.index)) {
        kept.add(ready.index);
        store.keepMaterial(runId, 'recipe', condition.name, {
          steps: ready.recipe,
          random: ready.random,
          ...(ready.readsText && { readsText: true }),
        });
      }
      return ready;
    },
  };
}

/** The same models, each kept with its identity when a study first hears of it. */
export function keepModels(
  models: { readonly [Kind in keyof Models]: (name: string) => Promise<{ identity: JsonObject; model: JsonObject }> },
  store: Keeper,
  runId: string,
): Models {
  const known = new Map<string, Promise<JsonObject>>();
  const keep = async (kind: keyof Models, name: string): Promise<JsonObject> => {
    const { identity, model } = await models[kind](name);
    store.keepMaterial(runId, kind, name, { identity, model } satisfies Json);
    return model;
  };
  const once = (kind: keyof Models) => (name: string) => {
    const place = JSON.stringify([kind, name]);
    const model = known.get(place) ?? keep(kind, name);
    known.set(place, model);
    return model;
  };
  return { embedder: once('embedder'), predictor: once('predictor') };
}
