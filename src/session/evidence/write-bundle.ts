import { createWriteStream, existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { badInput, badUsage, EarwitnessError, fileProblem } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { personal, putInPlace, removeUnfinished, unfinishedName } from '../../base/on-disk.ts';
import { describedConfig, describedUtterance } from '../../engine/freeze-plan.ts';
import { soundHash } from '../../engine/keys.ts';
import type { Observation } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import { withoutTranscripts } from '../../report/prepare/without-transcripts.ts';
import type { AnsweredQuestion, Material, RunRecord, Store } from '../../store/contract.ts';
import { reportOf } from '../stored/report-of.ts';
import { packageVersion } from '../version.ts';
import { type BundlePart, bundleFormat, isBundleTime, type Seal } from './bundle-line.ts';
import { createSealer } from './known-parts.ts';
import type { WrittenBundle } from './verification.ts';

/**
 * Writes everything that is known of a finished run into one file: JSON lines, compressed with gzip. The file is put in place
 * whole.
 *
 * @param options whether what was said is in it; when it is made
 * @throws EarwitnessError `bad-usage` where the file exists, or the run cannot be bundled; `bad-input` where it cannot be written
 * @example await writeBundle(store, findRun(store, 'last'), 'evidence.jsonl.gz', { transcripts: true, bundled: new Date() })
 */
export async function writeBundle(
  store: Store,
  run: RunRecord,
  file: string,
  options: { readonly transcripts: boolean; readonly bundled: Date },
): Promise<WrittenBundle> {
  if (existsSync(file)) throw badUsage(`${file}: expected a new file, but it already exists; choose another name`);
  const sealer = createSealer();
  let seal: Seal | null = null;
  function* texts() {
    for (const line of linesOfRun(store, run, options)) {
      const text = JSON.stringify(line);
      sealer.add(line.part, text);
      yield `${text}\n`;
    }
    seal = sealer.seal();
    yield `${JSON.stringify(seal)}\n`;
  }
  const half = unfinishedName(file);
  removeUnfinished(dirname(file));
  try {
    await pipeline(Readable.from(inPieces(texts())), createGzip(), createWriteStream(half, { mode: personal.file }));
    putInPlace(half, file);
  } catch (error) {
    await rm(half, { force: true });
    if (error instanceof EarwitnessError || !isSystemError(error)) throw error;
    throw badInput(`${file}: the bundle cannot be written (${fileProblem(error)}); choose another path`, {
      cause: error,
    });
  }
  const { hash, frozenAtMs } = store.frozenPlan(run.id)!;
  return { file, bytes: (await stat(file)).size, seal: seal!, plan: { hash, frozenAtMs } };
}

/** Many small lines at once: a stream costs more for each piece than gzip does for a line. */
function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < 1 << 16) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

const pageSize = 500;

/** A line before it is written. Its values are those of the store, whose types `lineShapes` repeats for reading. */
type WrittenLine = JsonObject & { readonly part: BundlePart };

/**
 * Everything that is known of a finished run, line by line, in the order of a bundle.
 *
 * @param options whether what was said (and meant to be said) is in it; when it is made
 * @throws EarwitnessError `bad-usage` where the run is not finished, or of a version that kept no plan
 */
function* linesOfRun(
  store: Store,
  run: RunRecord,
  { transcripts, bundled }: { readonly transcripts: boolean; readonly bundled: Date },
): Generator<WrittenLine> {
  const findings = store.findings(run.id);
  if (findings === null || run.finishedAtMs === null) {
    throw badUsage(`expected a finished run, but ${run.id} is not; continue it: earwitness resume ${run.id}`);
  }
  if (run.forgottenAtMs !== null) {
    throw badUsage(
      `expected a run that can be verified, but a speaker was removed from ${run.id}, so that its numbers cannot be recomputed; run its config again with --new: it reuses all other answers`,
    );
  }
  const plan = store.frozenPlan(run.id);
  if (plan === null) {
    throw badUsage(
      `expected a run that kept its plan, but ${run.id} was made by an earwitness that did not; run its config again with --new: it reuses all answers`,
    );
  }
  if ([run.startedAtMs, run.finishedAtMs, plan.frozenAtMs].some((ms) => !isBundleTime(ms))) {
    throw badUsage(
      `expected a run whose store says when it was begun, planned and finished, but of ${run.id} it has other values there; run its config again with --new: it reuses all answers`,
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
