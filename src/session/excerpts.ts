import type { Clip } from '../audio/clip.ts';
import { encodeWav } from '../audio/encode-wav.ts';
import { messageOf } from '../base/errors.ts';
import type { ClipMaker } from '../engine/clips.ts';
import type { ConditionBook } from '../engine/conditions.ts';
import type { Condition } from '../model/condition.ts';
import { clean } from '../model/condition.ts';
import type { Example, Finding } from '../model/finding.ts';
import type { Utterance } from '../model/utterance.ts';
import type { Store } from '../store/contract.ts';

const maxSeconds = 15;

/** The sound of an example before and after, as WAV bytes. */
export interface Excerpt {
  readonly clean?: Uint8Array;
  readonly changed?: Uint8Array;
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
}: Pick<Example, 'utteranceId' | 'conditionName' | 'draw'>): string {
  return JSON.stringify([utteranceId, conditionName, draw]);
}

/**
 * Makes the sounds that a report plays, each again from its recipe; where it is not what was heard, the note says so.
 */
export async function makeExcerpts(
  findings: readonly Finding[],
  sources: ExcerptSources,
): Promise<ReadonlyMap<string, Excerpt>> {
  const excerpts = new Map<string, Excerpt>();
  const examples = findings.flatMap(({ sections }) => sections.flatMap((section) => section.examples ?? []));
  for (const example of examples) {
    const key = excerptKey(example);
    if (!excerpts.has(key)) excerpts.set(key, await makeExcerpt(example, sources));
  }
  return excerpts;
}

async function makeExcerpt(example: Example, sources: ExcerptSources): Promise<Excerpt> {
  const utterance = sources.utterance(example.utteranceId);
  const condition = sources.named.get(example.conditionName);
  if (!utterance?.sound || !condition) return { note: 'No audio: only names and transcripts are known.' };
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
    return { note: `The audio cannot be made again: ${messageOf(error)}` };
  }
}

function cut({ samples, sampleRate }: Clip, startSeconds: number): Uint8Array {
  const from = Math.floor(startSeconds * sampleRate);
  const part = samples.subarray(from, from + maxSeconds * sampleRate);
  return encodeWav({ samples: part, sampleRate }, { format: 's16' });
}
