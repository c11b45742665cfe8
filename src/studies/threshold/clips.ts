import { hashJson } from '../../base/hash.ts';
import { attributeOf, type Utterance } from '../../model/utterance.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { StudyContext } from '../contract.ts';
import { keepBest } from '../shared/examples.ts';

/** An utterance with words in its reference. */
export interface SpokenClip {
  readonly utterance: Utterance;
  readonly words: readonly string[];
  /** Whose words they are: a speaker, or the utterance where nobody knows who speaks. */
  readonly cluster: string;
}

/** Everybody, or those with one value of an attribute. */
export interface Listeners {
  readonly group: { readonly attribute: string; readonly value: string } | null;
  /** In the order in which they are asked about: one of each speaker before the second of anybody. */
  readonly clips: readonly SpokenClip[];
}

export interface ChosenClips {
  readonly parts: readonly Listeners[];
  readonly skipped: { readonly withoutReference: number; readonly withoutWords: number };
  readonly withoutSpeaker: number;
  /** Attributes with more values than are searched apart. */
  readonly manyValued: readonly string[];
}

/** More clips are looked at than are needed, so that their speakers can be spread. */
const spare = 4;
const maxValues = 12;

/**
 * The clips of a study, by group. They are drawn by a hash of seed and utterance, so that every recognizer is asked about the
 * same ones in the same order; memory follows `most`, not the corpus.
 */
export async function chooseClips(
  context: StudyContext,
  groupBy: readonly string[],
  most: number,
  normalizer: Normalizer,
): Promise<ChosenClips> {
  const room = spare * most;
  const drawn = () => keepBest<Utterance>(room);
  const everybody = drawn();
  const attributes = new Map(groupBy.map((attribute) => [attribute, new Map<string, ReturnType<typeof drawn>>()]));
  const manyValued = new Set<string>();
  const skipped = { withoutReference: 0, withoutWords: 0 };
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined) {
      skipped.withoutReference++;
      continue;
    }
    if (normalizer.words(utterance.reference, utterance.language).length === 0) {
      skipped.withoutWords++;
      continue;
    }
    const rank = [lot(context.seed, utterance.id)];
    everybody.offer(rank, utterance);
    for (const [attribute, values] of attributes) {
      const value = attributeOf(utterance, attribute);
      if (value === undefined || manyValued.has(attribute)) continue;
      let kept = values.get(value);
      if (kept === undefined) {
        if (values.size === maxValues) {
          manyValued.add(attribute);
          values.clear();
          continue;
        }
        kept = drawn();
        values.set(value, kept);
      }
      kept.offer(rank, utterance);
    }
  }
  const clipOf = (utterance: Utterance): SpokenClip => ({
    utterance,
    words: normalizer.words(utterance.reference!, utterance.language),
    cluster: utterance.speaker === undefined ? `u ${utterance.id}` : `s ${utterance.speaker}`,
  });
  const listeners = (group: Listeners['group'], utterances: readonly Utterance[]): Listeners => ({
    group,
    clips: spread(utterances.map(clipOf)).slice(0, most),
  });
  const parts = [
    listeners(null, everybody.items()),
    ...[...attributes].flatMap(([attribute, values]) =>
      values.size < 2
        ? []
        : [...values]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([value, kept]) => listeners({ attribute, value }, kept.items())),
    ),
  ];
  return {
    parts,
    skipped,
    withoutSpeaker: parts[0]!.clips.filter(({ utterance }) => utterance.speaker === undefined).length,
    manyValued: [...manyValued].sort(),
  };
}

/** A number from 0 to 1 that belongs to an utterance of a run. */
function lot(seed: number, id: string): number {
  return Number.parseInt(hashJson({ seed, study: 'threshold', clip: id }).slice(0, 12), 16) / 2 ** 48;
}

/** The first clip of every speaker, then the second of everybody who has one, and so on. */
function spread(clips: readonly SpokenClip[]): SpokenClip[] {
  const turns = new Map<string, number>();
  return clips
    .map((clip, place) => {
      const turn = turns.get(clip.cluster) ?? 0;
      turns.set(clip.cluster, turn + 1);
      return { clip, turn, place };
    })
    .sort((a, b) => a.turn - b.turn || a.place - b.place)
    .map(({ clip }) => clip);
}
