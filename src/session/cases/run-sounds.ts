import { dirname, join } from 'node:path';
import type { Clip } from '../../audio/clip.ts';
import { createClosing } from '../../base/closing.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { createClipMaker } from '../../engine/clips.ts';
import { createConditionBook } from '../../engine/conditions.ts';
import { createUtteranceIndex } from '../../engine/utterances.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { RunRecord, Store } from '../../store/contract.ts';
import type { CaseSound } from '../../studies/differential/case.ts';
import type { LoadedConfig } from '../config/config.ts';
import { keptSpeech } from '../kept-speech.ts';
import { loadMember } from '../members/load-member.ts';
import { openCorpus } from '../open-corpus.ts';
import { createServices } from '../services.ts';

/** The sounds of a run, made again. */
export interface RunSounds extends AsyncDisposable {
  utterance(id: string): Utterance;
  /** @throws EarwitnessError `bad-input` where it cannot be made, or is not what the recognizers heard */
  clip(sound: CaseSound): Promise<Clip>;
}

const cacheBytes = 16 * 1024 * 1024;

/**
 * Opens the corpora of a run as its config names them, so that its sounds can be made again: what was spoken is kept beside the store
 * and heard again, whether or not the synthesizer is there.
 *
 * @param storeFile where the store is
 * @throws EarwitnessError where a corpus or synthesizer cannot be opened
 */
export async function openRunSounds(store: Store, run: RunRecord, storeFile: string): Promise<RunSounds> {
  const { config, baseFolder, limit } = run.config as unknown as Pick<LoadedConfig, 'config' | 'baseFolder'> & {
    readonly limit: number | null;
  };
  const closing = createClosing();
  const services = createServices({
    baseFolder,
    synthesizers: config.synthesizers,
    ...(config.sounds && { soundCollections: config.sounds }),
    speechThrough: (source) => keptSpeech(source, join(dirname(storeFile), 'spoken')),
  });
  closing.defer(() => services.close());
  try {
    const corpus = await openCorpus(config, limit, services.corpus);
    closing.defer(() => corpus.close());
    const perturbation = async (name: string) => {
      const { member, moduleHash } = await loadMember('perturbations', name, baseFolder);
      return moduleHash === null ? member : { ...member, name: `${member.name} ${moduleHash}` };
    };
    const book = createConditionBook(store, run.id, perturbation, services.assets);
    const conditions = new Map(store.conditions(run.id).map((condition) => [condition.name, condition]));
    const clips = createClipMaker({ store, corpus, seed: run.seed, cacheBytes, keepChanged: true, save: false });
    const index = createUtteranceIndex(store, run.id);
    return {
      utterance: (id) => index.at(index.position(id)),
      async clip({ utteranceId, conditionName, draw }) {
        const condition = conditions.get(conditionName);
        if (condition === undefined) throw missing(`condition ${printable(conditionName, 100)}`, run.id);
        const made = await clips.make(index.at(index.position(utteranceId)), await book.ready(condition), draw);
        const heard = store.clip(made.hash);
        // Where recognizers know only names, nobody has heard it.
        if (heard !== null && heard.sampleHash !== made.measurement.sampleHash) {
          throw new EarwitnessError(
            'bad-input',
            `${printable(utteranceId, 200)}: expected the sound that was heard in ${run.id}, but what can be made now is another; put back its file or synthesizer as it was then`,
          );
        }
        return made.clip;
      },
      [Symbol.asyncDispose]: () => closing[Symbol.asyncDispose](),
    };
  } catch (error) {
    await closing[Symbol.asyncDispose]();
    throw error;
  }
}

function missing(what: string, run: string): EarwitnessError {
  return new EarwitnessError('bad-input', `expected the ${what} in run ${run}, but it is not there; name another run`);
}
