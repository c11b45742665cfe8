import { existsSync } from 'node:fs';
import { counted } from '../../base/wording.ts';
import type { Corpus } from '../../corpora/contract.ts';

import type { Doing } from '../progress/lines.ts';

/** An attribute by which groups can be told apart. */
export interface Group {
  readonly name: string;
  /** Utterances by value, the most frequent first. */
  readonly values: readonly (readonly [value: string, utterances: number])[];
}

const maxValues = 1000;

/** What a corpus has, counted. */
interface Counted {
  /** Of recordings that are there; or utterances, where none are wanted. */
  clips: number;
  texts: number;
  speakers: number;
  /** Distinct files that are there. */
  readonly files: readonly string[];
  /** Files that are there, each of the channels that are meant by itself. */
  readonly sounds: number;
  /** Whether it is said of some which channel is meant. */
  readonly isChosen: boolean;
  stretchSeconds: number;
  longestStretch: number;
  /** Where segments end in each file, in seconds; empty where that is not in doubt. */
  readonly endsOf: ReadonlyMap<string, readonly number[]>;
  readonly groups: readonly Group[];
  /** As the data says, that of most utterances first. */
  readonly languages: readonly string[];
  readonly someTexts: readonly string[];
}

/** Texts that the language is guessed from. */
const maxTexts = 2000;

/** What says nothing of a person or a recording. */
const noGroups = new Set(['corpus', 'licence', 'split', 'style']);

/**
 * Counts what a corpus has, by reading it once.
 *
 * @param segmentEnds whether to keep where segments end
 * @param soundless whether utterances without audio count too
 */
export async function countUtterances(
  corpus: Corpus,
  doing: Doing,
  { segmentEnds = false, soundless = false }: { readonly segmentEnds?: boolean; readonly soundless?: boolean },
): Promise<Counted> {
  const endsOf = new Map<string, number[]>();
  const speakers = new Set<string>();
  const files = new Set<string>();
  const sides = new Set<string>();
  const languages = new Map<string, number>();
  const attributes = new Map<string, Map<string, number>>();
  let someTexts: string[] = [];
  let step = 1;
  let clips = 0;
  let texts = 0;
  let stretchSeconds = 0;
  let longestStretch = 0;
  let last: string | null = null;
  let isChosen = false;
  for await (const { sound, reference, speaker, language, attributes: own } of corpus.utterances()) {
    const recording = sound !== undefined && 'file' in sound ? sound : null;
    if (recording === null && !soundless) continue;
    if (recording !== null && recording.file !== last && !files.has(recording.file)) {
      if (!existsSync(recording.file)) continue;
      files.add(recording.file);
    }
    last = recording?.file ?? null;
    if (recording !== null) sides.add(`${recording.file}\n${recording.channel ?? ''}`);
    isChosen ||= recording?.channel !== undefined;
    clips++;
    doing('reading references and speakers', () => counted(clips, 'recording'));
    if (recording?.endSeconds !== undefined) {
      const length = recording.endSeconds - (recording.startSeconds ?? 0);
      stretchSeconds += length;
      longestStretch = Math.max(longestStretch, length);
      if (segmentEnds) {
        const ends = endsOf.get(recording.file);
        if (ends === undefined) endsOf.set(recording.file, [recording.endSeconds]);
        else ends.push(recording.endSeconds);
      }
    }
    if (reference !== undefined && reference !== '') {
      texts++;
      if (texts % step === 0) someTexts.push(reference);
      if (someTexts.length === maxTexts) {
        // Every second one is left, so that they come from everywhere: lists are sorted by language.
        step *= 2;
        someTexts = someTexts.filter((_, place) => place % 2 === 1);
      }
    }
    if (speaker !== undefined) speakers.add(speaker);
    if (language !== 'und') languages.set(language, (languages.get(language) ?? 0) + 1);
    for (const [name, value] of Object.entries(own)) {
      if (noGroups.has(name)) continue;
      const values = attributes.get(name) ?? new Map<string, number>();
      if (values.size < maxValues) values.set(value, (values.get(value) ?? 0) + 1);
      attributes.set(name, values);
    }
  }
  const groups = [...attributes].flatMap(([name, values]) =>
    // As many values as the study `robustness` looks at.
    values.size < 2 || values.size > 8 ? [] : [{ name, values: [...values].sort((a, b) => b[1] - a[1]) }],
  );
  return {
    clips,
    texts,
    speakers: speakers.size,
    files: [...files],
    sounds: sides.size,
    isChosen,
    stretchSeconds,
    longestStretch,
    endsOf,
    groups,
    languages: [...languages].sort((a, b) => b[1] - a[1]).map(([language]) => language),
    someTexts,
  };
}
