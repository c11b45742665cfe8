import type { Clip } from '../../audio/clip.ts';
import { encodeWav } from '../../audio/encode-wav.ts';
import { createClosing } from '../../base/closing.ts';
import { messageOf } from '../../base/errors.ts';
import type { ClipMaker } from '../../engine/clips.ts';
import type { ConditionBook } from '../../engine/conditions.ts';
import type { Example, Finding } from '../../model/finding.ts';
import { type Condition, clean } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { examplesOf } from '../../report/prepare/report-parts.ts';
import type { RunRecord, Store } from '../../store/contract.ts';
import { openRunSounds, type RunSounds } from '../cases/run-sounds.ts';

const maxSeconds = 15;

/** The sound of an example before and after, as WAV bytes. */
export interface Excerpt {
  readonly clean?: Uint8Array;
  readonly changed?: Uint8Array;
  /** The two are not of one run: what two runs heard in the same condition. */
  readonly ofTwoRuns?: true;
  readonly note?: string;
}

export interface ExcerptSources {
  readonly store: Store;
  readonly clips: ClipMaker;
  readonly conditions: ConditionBook;
  readonly named: ReadonlyMap<string, Condition>;
  utterance(id: string): Utterance | null;
}

/** Finds an excerpt by what it is of. */
export function excerptKey({
  utteranceId,
  conditionName,
  draw,
  startSeconds = 0,
}: Pick<Example, 'utteranceId' | 'conditionName' | 'draw' | 'startSeconds'>): string {
  return JSON.stringify([utteranceId, conditionName, draw, startSeconds]);
}

/**
 * Makes the sounds that a report plays, each again from its recipe; where it is not what was heard, the note says so.
 */
export async function makeExcerpts(
  findings: readonly Finding[],
  sources: ExcerptSources,
): Promise<ReadonlyMap<string, Excerpt>> {
  const excerpts = new Map<string, Excerpt>();
  for (const [key, example] of examplesByKey(findings)) excerpts.set(key, await makeExcerpt(example, sources));
  return excerpts;
}

function examplesByKey(findings: readonly Finding[]): ReadonlyMap<string, Example> {
  return new Map(findings.flatMap(examplesOf).map((example) => [excerptKey(example), example]));
}

/**
 * The same of a finished run, from its store and the recordings that its config names. What cannot be made has a note that says why.
 * No module and no program that the store names is run.
 */
export async function excerptsOfRun(
  store: Store,
  run: RunRecord,
  storeFile: string,
  findings: readonly Finding[],
): Promise<ReadonlyMap<string, Excerpt>> {
  const examples = examplesByKey(findings);
  if (examples.size === 0) return new Map();
  await using closing = createClosing();
  let sounds: RunSounds;
  try {
    sounds = await openRunSounds(store, run, storeFile, { modules: null, programs: false });
    closing.defer(async () => sounds[Symbol.asyncDispose]());
  } catch (error) {
    const excerpt = { note: cannotBeMade(error) };
    return new Map([...examples.keys()].map((key) => [key, excerpt]));
  }
  const excerpts = new Map<string, Excerpt>();
  for (const [key, example] of examples) excerpts.set(key, await storedExcerpt(example, sounds));
  return excerpts;
}

/**
 * The audio of examples that compare two runs: that of the later one, as in its own report, and where the earlier one heard another sound that can still be made, what each of them heard.
 *
 * @param storeFile beside which sounds are kept
 */
export async function excerptsOfTwoRuns(
  store: Store,
  [before, after]: readonly [RunRecord, RunRecord],
  storeFile: string,
  findings: readonly Finding[],
): Promise<ReadonlyMap<string, Excerpt>> {
  const later = await excerptsOfRun(store, after, storeFile, findings);
  if (before.id === after.id) return later;
  const earlier = await excerptsOfRun(store, before, storeFile, findings);
  const heard = (excerpt: Excerpt | undefined) => excerpt?.changed ?? excerpt?.clean;
  return new Map(
    [...later].map(([key, own]) => {
      const [first, second] = [heard(earlier.get(key)), heard(own)];
      if (first === undefined || (second !== undefined && Buffer.compare(first, second) === 0)) return [key, own];
      if (second === undefined) return [key, earlier.get(key)!];
      return [
        key,
        { clean: first, changed: second, ofTwoRuns: true, note: 'The two runs recognized different audio.' },
      ];
    }),
  );
}

async function storedExcerpt(example: Example, sounds: RunSounds): Promise<Excerpt> {
  const { utteranceId, conditionName, draw, startSeconds = 0 } = example;
  try {
    if (!sounds.utterance(utteranceId).sound) return { note: withoutSound };
    const before = cut(await sounds.clip({ utteranceId, conditionName: clean.name, draw: 0 }), startSeconds);
    if (conditionName === clean.name) return { clean: before };
    return { clean: before, changed: cut(await sounds.clip({ utteranceId, conditionName, draw }), startSeconds) };
  } catch (error) {
    return { note: cannotBeMade(error) };
  }
}

const withoutSound = 'No audio: only names and transcripts are known.';

function cannotBeMade(error: unknown): string {
  return `The audio cannot be made again: ${messageOf(error)}`;
}

async function makeExcerpt(example: Example, sources: ExcerptSources): Promise<Excerpt> {
  const utterance = sources.utterance(example.utteranceId);
  const condition = sources.named.get(example.conditionName);
  if (!utterance?.sound || !condition) return { note: withoutSound };
  try {
    const before = await sources.clips.make(utterance, await sources.conditions.ready(clean), 0);
    const start = example.startSeconds ?? 0;
    if (condition.steps.length === 0) return { clean: cut(before.clip, start) };
    const after = await sources.clips.make(utterance, await sources.conditions.ready(condition), example.draw);
    const heard = sources.store.clip(after.hash);
    const differs = heard !== null && heard.sampleHash !== after.measurement.sampleHash;
    return {
      clean: cut(before.clip, start),
      changed: cut(after.clip, start),
      ...(differs
        ? { note: 'This audio was made again and differs from the samples that the recognizers received.' }
        : {}),
    };
  } catch (error) {
    return { note: cannotBeMade(error) };
  }
}

function cut({ samples, sampleRate }: Clip, startSeconds: number): Uint8Array {
  const from = Math.floor(startSeconds * sampleRate);
  const part = samples.subarray(from, from + maxSeconds * sampleRate);
  return encodeWav({ samples: part, sampleRate }, { format: 's16' });
}
