import { systemClock } from '../../base/clock.ts';
import { hashJson } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RecognizerKind } from '../contract.ts';
import { givenUp } from '../shared/abortable.ts';
import { existingFile } from '../shared/existing-file.ts';
import { clipOf } from '../shared/request-clip.ts';
import { createAnswering, readAnswers } from './answering.ts';
import { createFailing } from './failing.ts';
import { type ScriptedOptions, scriptedOptions } from './options.ts';

/**
 * A recognizer that does what it is told: declared answers, delays and failures, for trying out a study and for proving
 * that the program survives any recognizer.
 */
export const scripted: RecognizerKind<ScriptedOptions> = {
  name: 'scripted',
  about: 'Answers, delays and failures as declared: for trials of a study without any engine',
  options: scriptedOptions,
  isolation: 'none',

  async describe(options, services) {
    const file =
      options.file === undefined ? null : await services.fileHash(await existingFile(services, 'file', options.file));
    const { answers, rule, dropShares, seed, failures, hearsSound, hugeCharacters } = options;
    const declared = {
      answers: hashJson(answers),
      rule,
      dropShares,
      seed,
      default: options.default,
      failures,
      hearsSound,
      hugeCharacters,
    };
    return {
      // Delays and the counting of failures change no answer.
      identity: { engine: 'scripted', method: 1, ...(JSON.parse(JSON.stringify(declared)) as JsonObject), file },
      input: options.hearsSound ? 'sound' : 'names',
      pinned: options.pinned,
      concurrency: options.concurrency,
      usesProcessor: false,
      facts: {},
    };
  },

  async open(options, services) {
    const fromFile =
      options.file === undefined
        ? {}
        : await readAnswers(await existingFile(services, 'file', options.file), options.file);
    const answer = createAnswering(options, fromFile);
    const failing = options.failures.length === 0 ? null : createFailing(options, services.baseFolder);
    return {
      async recognize(request, signal) {
        if (signal.aborted) throw givenUp(signal);
        if (options.hearsSound) clipOf(request);
        if (options.delaySeconds > 0) {
          await systemClock.sleep(options.delaySeconds * 1000, signal).catch(() => Promise.reject(givenUp(signal)));
        }
        const rubbish = failing === null ? null : await failing(request);
        return rubbish ?? { text: answer(request) };
      },
      async close() {},
    };
  },

  async readiness() {
    return { ready: true, found: 'built in' };
  },
};
