import type { Clip } from '../../audio/clip.ts';
import { badInput, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Schema } from '../../base/schema.ts';
import type { Corpus, CorpusKind } from '../../corpora/contract.ts';
import type { EmbeddedText, Embedder, EmbedderKind } from '../../embedders/contract.ts';
import type { Finding } from '../../model/finding.ts';
import { storedFinding } from '../../model/stored-finding.ts';
import type { Perturbation, Perturbed } from '../../perturbations/contract.ts';
import type { PredictorKind } from '../../predictors/contract.ts';
import type { QualityMeasure } from '../../quality/contract.ts';
import type { RecognizerKind } from '../../recognizers/contract.ts';
import type { SoundCollectionKind } from '../../sound-collections/contract.ts';
import type { Answer, Batch, Question, Study, StudyContext } from '../../studies/contract.ts';
import type { SynthesizerKind, Voice } from '../../synthesizers/contract.ts';
import { findingShape, questionShapes, shapes, type Watch, watched } from './member-shapes.ts';

// What a user's own module does wrong must be told as that module's fault, in one sentence: a throw, something else than its
// contract says. Its members are wrapped once, where they are loaded, so that nobody behind has to think of it.

/**
 * A user's own member as its contract says, whose faults are told in one sentence with the path of its module. What its contract
 * lets a member leave out may be absent; so may attributes and tags.
 *
 * @param path as the config names it
 * @throws EarwitnessError `bad-config`: then, and whenever something of the member is used, where it is not what its contract says
 */
export const guardMember = {
  recognizers: (own: RecognizerKind, path: string): RecognizerKind => {
    const watch = watched(path);
    const { vocabulary } = own;
    return {
      ...named(own, watch),
      isolation: own.isolation === 'none' ? 'none' : 'process',
      describe: async (options, services) =>
        await watch.ask('describe', shapes.description, () => own.describe(options, services)),
      open: async (options, services) => await watch.ask('open', shapes.recognizer, () => own.open(options, services)),
      ...ready(own, watch),
      ...(vocabulary && {
        vocabulary: (options, services) => watch.call('vocabulary', () => vocabulary.call(own, options, services)),
      }),
    };
  },

  synthesizers: (own: SynthesizerKind, path: string): SynthesizerKind => {
    const watch = watched(path);
    return {
      ...named(own, watch),
      open: async (options, services) => {
        const opened = await watch.ask('open', shapes.synthesizer, () => own.open(options, services));
        return {
          identity: opened.identity,
          voices: async () => {
            const voices = await watch.ask('voices', shapes.voices, () => opened.voices());
            return voices.map((voice): Voice => ({ ...voice, attributes: voice.attributes ?? {} }));
          },
          speak: async (said, voice, signal) =>
            sound(watch, 'speak', await watch.call('speak', () => opened.speak(said, voice, signal))),
          close: () => watch.call('close', () => opened.close()),
        };
      },
      ...ready(own, watch),
    };
  },

  corpora: (own: CorpusKind, path: string): CorpusKind => {
    const watch = watched(path);
    return {
      ...named(own, watch),
      open: async (options, services): Promise<Corpus> => {
        const opened = await watch.ask('open', shapes.corpus, () => own.open(options, services));
        return {
          async *utterances() {
            for await (const utterance of walked(watch, 'utterances', () => opened.utterances())) {
              watch.expect('utterances', shapes.utterance, utterance);
              yield { ...utterance, attributes: utterance.attributes ?? {}, tags: utterance.tags ?? [] };
            }
          },
          soundIdentity: async (utterance) =>
            await watch.ask('soundIdentity', shapes.soundIdentity, () => opened.soundIdentity(utterance)),
          clip: async (utterance) => sound(watch, 'clip', await watch.call('clip', () => opened.clip(utterance))),
          close: () => watch.call('close', () => opened.close()),
        };
      },
    };
  },

  perturbations: (own: Perturbation, path: string): Perturbation => {
    const watch = watched(path);
    const { name, version, about, parameters, random, identity = null, example, assetParameters, prepare } = own;
    watch.expect('', shapes.perturbation, { name, version, about, random });
    return {
      name,
      version,
      about,
      parameters: schema(watch, 'parameters', parameters),
      random,
      identity,
      example,
      ...(assetParameters && { assetParameters }),
      ...(prepare && {
        prepare: async (values, services) =>
          await watch.ask('prepare', shapes.prepared, () => prepare.call(own, values, services)),
      }),
      async apply(before, values, services) {
        let perturbed: Perturbed;
        try {
          // A copy, since what it may not change is heard under other conditions too.
          const clip = { ...before, samples: before.samples.slice() };
          perturbed = await watch.call('apply', () => own.apply(clip, values, services));
        } catch (error) {
          // What fails on one sound may do on others: a failed trial, which says why.
          throw badInput(messageOf(error), { cause: error });
        }
        return watch.expect('apply', shapes.perturbed, perturbed);
      },
    };
  },

  studies: (own: Study, path: string): Study => {
    const watch = watched(path);
    const { version } = watch.expect('', shapes.study, own);
    return {
      ...named(own, watch),
      version,
      async *run(options, context): AsyncGenerator<Batch, Finding, AsyncIterable<Answer>> {
        const asking = await watch.call('run', () => own.run(options, context));
        if (typeof asking?.next !== 'function')
          throw watch.fault('expected its run to be `async *run(…)`, but it is no generator');
        // What went wrong in answering (the run was stopped, the store is gone) is nothing that the study did.
        let ours: unknown;
        const passed = async function* (answers: AsyncIterable<Answer>) {
          try {
            yield* answers;
          } catch (error) {
            ours = error;
            throw error;
          }
        };
        const next = (...answers: [] | [AsyncIterable<Answer>]) =>
          watch
            .call('run', () => (answers.length === 0 ? asking.next() : asking.next(passed(answers[0]))))
            .catch((error: unknown) => {
              throw ours !== undefined && error instanceof Error && error.cause === ours ? ours : error;
            });
        let step = await next();
        while (!step.done) {
          const batch = watch.expect('run yields', shapes.batch, step.value);
          step = await next(yield { ...batch, questions: () => questions(watch, batch, context) });
        }
        return storedFinding(watch.expect('run returns', findingShape, step.value));
      },
    };
  },

  embedders: (own: EmbedderKind, path: string): EmbedderKind => {
    const watch = watched(path);
    return {
      ...named(own, watch),
      open: async (options, services): Promise<Embedder> => {
        const opened = await watch.ask('open', shapes.embedder, () => own.open(options, services));
        const embedTexts = async (said: readonly string[], signal?: AbortSignal): Promise<readonly EmbeddedText[]> => {
          const found = await watch.ask('embedTexts', shapes.embeddedTexts, () => opened.embedTexts(said, signal));
          return asMany(watch, 'embedTexts', found, said.length);
        };
        return {
          identity: opened.identity,
          model: opened.model,
          languages: opened.languages,
          dimensions: opened.dimensions,
          maxTokens: opened.maxTokens,
          embedTexts,
          async embed(said) {
            const found = await embedTexts(said);
            const length = found.find(({ vector }) => vector !== null)?.vector?.length ?? 1;
            return found.map(({ vector }) => vector ?? new Float32Array(length));
          },
          close: () => watch.call('close', () => opened.close()),
        };
      },
      ...ready(own, watch),
    };
  },

  predictors: (own: PredictorKind, path: string): PredictorKind => {
    const watch = watched(path);
    return {
      ...named(own, watch),
      open: async (options, services) => {
        const opened = await watch.ask('open', shapes.predictor, () => own.open(options, services));
        return {
          identity: opened.identity,
          async predict(tried, pool, seed, signal) {
            const found = await watch.call('predict', () => opened.predict(tried, pool, seed, signal));
            const { determinable, failing } = watch.expect('predict', shapes.prediction, found);
            for (const list of [determinable, failing]) {
              asMany(watch, 'predict', list, pool.length);
              const wrong = list.find((chance) => !(chance >= 0 && chance <= 1));
              if (wrong !== undefined)
                throw watch.fault(`expected predict to give chances from 0 to 1, but got ${wrong}`);
            }
            return { determinable, failing };
          },
          close: () => watch.call('close', () => opened.close()),
        };
      },
      ...ready(own, watch),
    };
  },

  quality: (own: QualityMeasure, path: string): QualityMeasure => {
    const watch = watched(path);
    const { version, values, needsClean = false, sampleRate = null, readiness } = own;
    watch.expect('', shapes.quality, own);
    return {
      ...named(own, watch),
      version,
      values,
      needsClean,
      sampleRate,
      open: async (options, services) => {
        const opened = await watch.ask('open', shapes.meter, () => own.open(options, services));
        return {
          identity: opened.identity,
          async measure(heard, clean) {
            const found = await watch.ask('measure', shapes.measured, () => opened.measure(heard, clean));
            for (const name of Object.keys(values)) {
              if (found.values[name] === undefined)
                throw watch.fault(`expected measure to give ${name}, which \`values\` names, but it is missing`);
              if (found.values[name] === null && found.reason === undefined)
                throw watch.fault(`expected measure to give a \`reason\` where ${name} is null, but there is none`);
            }
            return found;
          },
          close: () => watch.call('close', () => opened.close()),
        };
      },
      ...(readiness && {
        readiness: async () => await watch.ask('readiness', shapes.readiness, () => readiness.call(own)),
      }),
    };
  },

  'sound-collections': (own: SoundCollectionKind, path: string): SoundCollectionKind => {
    const watch = watched(path);
    return {
      ...named(own, watch),
      list: async (options, services) => {
        const found = await watch.ask('list', shapes.sounds, () => own.list(options, services));
        return found.map((one) => ({ ...one, facts: one.facts ?? {} }));
      },
    };
  },
} as const;

function named<Options>(
  { name, about, options }: { readonly name: string; readonly about: string; readonly options: Schema<Options> },
  watch: Watch,
): { readonly name: string; readonly about: string; readonly options: Schema<Options> } {
  watch.expect('', shapes.member, { name, about });
  return { name, about, options: schema(watch, 'options', options) };
}

function schema<Value>(watch: Watch, what: string, given: Schema<Value>): Schema<Value> {
  if (typeof given === 'object' && given !== null && '_zod' in given) return given;
  throw watch.fault(
    `expected \`${what}\` to be a schema of zod 4, as in \`${what}: z.strictObject({})\` with \`import { z } from 'zod'\`, but it is none`,
  );
}

function ready<Services, Result>(
  own: { readiness?(services: Services): Promise<Result> },
  watch: Watch,
): { readiness(services: Services): Promise<Result> } {
  return {
    readiness: async (services) =>
      own.readiness === undefined
        ? ({ ready: true, found: 'a module of your own' } as Result)
        : await watch.ask('readiness', shapes.readiness, () => own.readiness!(services)),
  };
}

async function* walked<Item>(watch: Watch, what: string, open: () => AsyncIterable<Item>): AsyncGenerator<Item> {
  const items = await watch.call(what, open);
  if (typeof items?.[Symbol.asyncIterator] !== 'function' && !(Symbol.iterator in Object(items)))
    throw watch.fault(`expected \`async *${what}()\`, but what ${what} returns cannot be iterated`);
  const walk = (async function* () {
    yield* items;
  })();
  try {
    for (;;) {
      const step = await watch.call(what, () => walk.next());
      if (step.done) return;
      yield step.value;
    }
  } finally {
    await walk.return(undefined);
  }
}

async function* questions(watch: Watch, batch: Batch, context: StudyContext): AsyncGenerator<Question> {
  const known = (kind: string, name: string, names: readonly string[]) => {
    if (names.includes(name)) return;
    const has = names.length === 0 ? 'none' : names.join(', ');
    throw watch.fault(`its questions ask the ${kind} ${JSON.stringify(printable(name, 60))}, but the run has ${has}`);
  };
  const recognizers = context.recognizers.map(({ name }) => name);
  const measures = (context.quality ?? []).map(({ name }) => name);
  for await (const asked of walked(watch, 'questions', () => batch.questions())) {
    watch.expect('questions', shapes.asked, asked);
    watch.expect('questions', questionShapes[asked.ask], asked);
    if (asked.ask === 'recognition') known('recognizer', asked.trial.recognizer, recognizers);
    if (asked.ask === 'similarity') known('embedder', asked.embedder, context.embedders ?? []);
    if (asked.ask === 'prediction') known('predictor', asked.predictor, context.predictors ?? []);
    for (const name of (asked.ask === 'measurement' && asked.quality) || []) known('quality measure', name, measures);
    yield asked;
  }
}

/** A sound that a module made. One that is empty or no numbers is a failure of what was to be heard, not of the run. */
function sound(watch: Watch, what: string, made: Clip): Clip {
  const { samples } = watch.expect(what, shapes.clip, made);
  if (samples.length > 0 && samples.every(Number.isFinite)) return made;
  const problem = samples.length === 0 ? 'a clip without samples' : 'samples that are no numbers (NaN or infinite)';
  throw badInput(watch.fault(`${what} gave ${problem}`).message);
}

function asMany<List extends ArrayLike<unknown>>(watch: Watch, what: string, list: List, length: number): List {
  if (list.length === length) return list;
  throw watch.fault(`expected ${what} to give ${length} answers, one for each text, but got ${list.length}`);
}
