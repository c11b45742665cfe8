import { EarwitnessError } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { describedConfig, describedUtterance } from '../../engine/freeze-plan.ts';
import { soundHash } from '../../engine/keys.ts';
import type { Observation } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import { withoutTranscripts } from '../../report/prepare/without-transcripts.ts';
import type { AnsweredQuestion, Material, RunRecord, Store } from '../../store/contract.ts';
import { reportOf } from '../report-of.ts';
import { packageVersion } from '../version.ts';
import { type BundlePart, bundleFormat } from './bundle-line.ts';

const pageSize = 500;

/** A line before it is written. Its values are those of the store, whose types `lineShapes` repeats for reading. */
export type WrittenLine = JsonObject & { readonly part: BundlePart };

/**
 * Everything that is known of a finished run, line by line, in the order of a bundle.
 *
 * @param options whether what was said (and meant to be said) is in it; when it is made
 * @throws EarwitnessError `bad-usage` where the run is not finished, or of a version that kept no plan
 */
export function* linesOfRun(
  store: Store,
  run: RunRecord,
  { transcripts, bundled }: { readonly transcripts: boolean; readonly bundled: Date },
): Generator<WrittenLine> {
  const findings = store.findings(run.id);
  if (findings === null || run.finishedAtMs === null) {
    throw new EarwitnessError(
      'bad-usage',
      `expected a finished run, but ${run.id} is not; go on with it: earwitness resume ${run.id}`,
    );
  }
  if (run.forgottenAtMs !== null) {
    throw new EarwitnessError(
      'bad-usage',
      `expected a run that can be checked, but a person was forgotten in ${run.id}, so that its numbers cannot be computed again; run its config again with --new: it takes over every other answer`,
    );
  }
  const plan = store.frozenPlan(run.id);
  if (plan === null) {
    throw new EarwitnessError(
      'bad-usage',
      `expected a run that kept its plan, but ${run.id} was made by an earwitness that did not; run its config again with --new: it takes over every answer`,
    );
  }
  const line = (part: BundlePart, values: object): WrittenLine => ({ part, ...values }) as WrittenLine;

  yield line('header', {
    evidence: 'earwitness',
    format: bundleFormat,
    transcripts,
    earwitness: packageVersion(),
    timing: { bundled: bundled.toISOString() },
  });
  const { id, name, seed, fresh, parent, recognizers, startedAtMs, finishedAtMs } = run;
  yield line('run', {
    ...{ id, name, seed, fresh, parent, recognizers, startedAtMs, finishedAtMs },
    tally: store.tally(id),
  });
  yield line('config', { config: describedConfig(run.config) });
  yield line('plan', { hash: plan.hash, frozenAtMs: plan.frozenAtMs, plan: plan.plan });
  for (const material of store.materials(id)) yield line('material', shownMaterial(material, transcripts));
  for (const [index, condition] of store.conditions(id).entries()) yield line('condition', { index, condition });
  for (let from = 0; ; from += pageSize) {
    const page = store.utterances(id, { from, limit: pageSize });
    const sounds = store.sounds(id, { from, limit: pageSize });
    for (const [index, utterance] of page.entries()) {
      yield line('utterance', shownUtterance(utterance, from + index, sounds.get(from + index) ?? null, transcripts));
    }
    if (page.length < pageSize) break;
  }
  for (const { batch, study, size, keysHash } of store.batches(id)) {
    yield line('batch', { batch, study, size, keysHash });
    const times = store.askedTimes(id, batch)[Symbol.iterator]();
    for (let from = 0; from < size; from += pageSize) {
      for (const answered of store.answers(id, batch, { from, limit: pageSize })) {
        yield line('answer', { ...shownAnswer(answered, transcripts), ...times.next().value });
      }
    }
  }
  const report = { ...reportOf(store, run, findings, [], null), findings };
  for (const finding of (transcripts ? report : withoutTranscripts(report)).findings)
    yield line('finding', { finding });
}

/** Texts that studies read may hold what was said. */
function shownMaterial({ kind, name, hash, value }: Material, transcripts: boolean): object {
  return { kind, name, hash, ...(kind === 'text' && !transcripts ? {} : { value }) };
}

function shownUtterance(
  utterance: Utterance,
  position: number,
  identity: JsonObject | null,
  transcripts: boolean,
): object {
  const described = describedUtterance(utterance);
  const known = { position, sound: identity, soundHash: identity === null ? null : soundHash(identity) };
  if (transcripts) return { ...known, utterance: described };
  const { reference: _reference, sound, ...rest } = described;
  if (sound === undefined || 'file' in sound) return { ...known, utterance: { ...rest, ...(sound && { sound }) } };
  return { ...known, sound: null, utterance: { ...rest, sound: { withheld: true } } };
}

function shownAnswer(answered: AnsweredQuestion, transcripts: boolean): object {
  const { position, key, utterance, condition, draw, recognizer, repeat, quality, asks } = answered;
  const { observation, measurement, similarity, prediction, elapsedSeconds } = answered;
  return {
    ...{ position, key, utterance, condition, draw, recognizer, repeat },
    ...(quality && { quality }),
    ...(asks && { asks }),
    ...(observation && { observation: transcripts ? observation : withheld(observation) }),
    ...(measurement && { measurement }),
    ...(similarity && { similarity }),
    ...(prediction && {
      prediction: {
        determinable: [...prediction.determinable],
        failing: [...prediction.failing],
        seconds: prediction.seconds,
      },
    }),
    ...(elapsedSeconds !== null && { elapsedSeconds }),
  };
}

/** That there was an answer, and how long it took. */
function withheld(observation: Observation): Observation | { readonly withheld: true; readonly timing: Json } {
  if (observation.transcript === undefined) return observation;
  const { transcript: _transcript, timing, ...rest } = observation;
  return { ...rest, timing: timing as unknown as Json, withheld: true };
}
