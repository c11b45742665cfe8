import { createHash } from 'node:crypto';
import { canonicalJson, hashJson } from '../base/hash.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Utterance } from '../model/utterance.ts';
import type { EvidenceKeeper, FrozenPlan, RunReader } from '../store/contract.ts';
import type { StudyContext } from '../studies/contract.ts';
import { type RunSetup, toldOf } from './setup.ts';
import { storedUtterances } from './utterances.ts';

/** Number of the plan's form: raised when a member changes its meaning. */
const planFormat = 1;

/**
 * Keeps what a run is to ask, of whom and with what, before it asks anything: studies with all their options, groups and
 * conditions, recognizers with their identities, seed, and a hash of the utterances with everything that is known of their
 * speakers. A run that goes on keeps the plan that it began with.
 */
export async function freezePlan(setup: RunSetup, context: StudyContext): Promise<FrozenPlan> {
  const { store, runId, clock } = setup;
  return store.frozenPlan(runId) ?? store.freezePlan(runId, await planOf(setup, context), clock.wallMs());
}

async function planOf(setup: RunSetup, context: StudyContext): Promise<JsonObject> {
  const { store, runId, recognizers, studies, seed, ladders, quality } = setup;
  const run = store.run(runId)!;
  const keep = (kind: string, name: string, value: Json) => store.keepMaterial(runId, kind, name, value);
  return {
    format: planFormat,
    program: setup.program ?? null,
    name: run.name,
    seed,
    fresh: run.fresh,
    parent: run.parent,
    config: hashJson(describedConfig(run.config)),
    utterances: await hashUtterances(store, runId),
    recognizers: recognizers.map((recognizer) => {
      const { vocabulary, ...told } = toldOf(recognizer);
      const { name, identity } = recognizer;
      const words = vocabulary === null ? null : keep('vocabulary', name, [...vocabulary]);
      return plainJson({ ...told, identity, vocabulary: words });
    }),
    studies: studies.map(({ study: { name, version }, options, module }) => ({
      name,
      version,
      options: plainJson(options),
      module: module === undefined ? null : { ...module },
    })),
    ladders: keep('ladders', '', plainJson(ladders)),
    quality: plainJson(
      quality?.measures.map(({ name, key, values, needsClean }) => ({ name, key, values, needsClean })) ?? null,
    ),
    embedders: plainJson(context.embedders ?? null),
    predictors: plainJson(context.predictors ?? null),
  };
}

/** The config of a run as others may have it: without the folder that it lay in. */
export function describedConfig({ config = {}, limit = null }: JsonObject): JsonObject {
  return { config, limit };
}

async function hashUtterances(store: EvidenceKeeper & RunReader, runId: string): Promise<JsonObject> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const utterance of storedUtterances(store, runId)) {
    hash.update(`${canonicalJson(plainJson(describedUtterance(utterance)))}\n`);
    count++;
  }
  return { count, sha256: hash.digest('hex') };
}

function plainJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/**
 * An utterance as others may have it: of the file of its sound only the name is left, because folders tell about the machine
 * and the person whose it is.
 */
export function describedUtterance(utterance: Utterance): Utterance {
  const { sound } = utterance;
  if (sound === undefined || !('file' in sound)) return utterance;
  return { ...utterance, sound: { ...sound, file: sound.file.replace(/^.*[/\\]/s, '') } };
}
