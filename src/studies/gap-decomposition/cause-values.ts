import type { Reason } from '../../model/reason.ts';
import type { Cause } from '../../statistics/gap-decomposition/cause-columns.ts';
import type { GroupPair } from '../shared/group-pairs.ts';
import { type CauseName, type ClipFacts, causeFacts, causeNames } from './causes.ts';
import type { Design, Survey } from './design.ts';
import type { GapDecompositionOptions } from './options.ts';
import { placesOf, type Tally } from './tally.ts';

/** The rows of a comparison: utterances with a transcript, and what each cause is in them. */
export interface CauseRows {
  /** Places in the survey. */
  readonly places: readonly number[];
  readonly causes: readonly Cause[];
  /** Causes that were asked for (or could be) and have no values for enough utterances. */
  readonly missing: readonly { readonly name: string; readonly kind: string; readonly reason: Reason }[];
  /** Utterances that were left out because some cause has no value for them. */
  readonly leftOut: number;
}

/** A cause that is not known for more of the utterances than this is left out; otherwise those utterances are. */
const maxMissing = 0.2;

/** Each name but one costs a coefficient and a column over all utterances; more are a list of people or texts. */
const maxValues = 30;

/** The causes of one comparison of one recognizer, over the utterances for which all of them are known. */
export function causeRows(
  recognizer: number,
  pair: GroupPair,
  known: { readonly design: Design; readonly clips: readonly ClipFacts[]; readonly tally: Tally },
  options: GapDecompositionOptions,
): CauseRows {
  const all = placesOf(pair, recognizer, [0], known.design, known.tally);
  const wanted = candidates(recognizer, pair, all, known, options);
  const missing: { readonly name: string; readonly kind: string; readonly reason: Reason }[] = [];
  const kept = wanted.filter(({ name, kind, of, needs }) => {
    const without = all.filter((place) => of(place) === null).length;
    if (without > maxMissing * all.length || without === all.length) {
      missing.push({
        name,
        kind,
        reason: { code: 'cause-not-known', missing: without, of: all.length, needs },
      });
      return false;
    }
    const values = new Set(all.map(of).filter((value) => typeof value === 'string')).size;
    if (values <= maxValues) return true;
    missing.push({
      name,
      kind,
      reason: { code: 'cause-of-many-values', need: maxValues, have: values },
    });
    return false;
  });
  const places = all.filter((place) => kept.every(({ of }) => of(place) !== null));
  const causes = kept.map(({ name, kind, of }): Cause => {
    const values = places.map((place) => of(place)!);
    return { name, kind, values: values as readonly string[] | readonly number[] };
  });
  return { places, causes, missing, leftOut: all.length - places.length };
}

interface Candidate {
  readonly name: string;
  readonly kind: string;
  readonly needs: string;
  /** Of an utterance by its place; null where it is not known. */
  readonly of: (place: number) => number | string | null;
}

function candidates(
  recognizer: number,
  pair: GroupPair,
  all: readonly number[],
  { design, clips, tally }: { readonly design: Design; readonly clips: readonly ClipFacts[]; readonly tally: Tally },
  options: GapDecompositionOptions,
): Candidate[] {
  const { survey } = design;
  const logarithm = (value: number | null) => (value === null || value <= 0 ? null : Math.log2(value));
  const same = options.causes === null || options.causes.includes('same-text');
  const difficulty = same ? sameTextDifficulty(recognizer, pair, all, survey, tally) : () => null;
  const of: Readonly<Record<CauseName, (place: number) => number | null>> = {
    noise: (place) => clips[place]!.snrDb,
    level: (place) => clips[place]!.levelDbfs,
    bandwidth: (place) => clips[place]!.bandwidthHz,
    'speech-rate': (place) => logarithm(clips[place]!.lettersPerSecond),
    pitch: (place) => logarithm(clips[place]!.pitchHz),
    length: (place) => logarithm(survey.utterances[place]!.words),
    rarity: (place) => survey.utterances[place]!.rarity,
    'unknown-words': (place) => survey.utterances[place]!.unknownWords[recognizer]!,
    'same-text': difficulty,
  };
  const measured = [...new Set(options.causes ?? causeNames)].map((name) => {
    const { kind, needs } = causeFacts[name];
    return { name, kind, needs, of: of[name] };
  });
  const attributes = Object.entries(options.attributes)
    .filter(([name]) => name !== pair.attribute)
    .map(([name, kind]) => {
      const place = survey.attributes.indexOf(name);
      const value = (row: number) => survey.utterances[row]!.values[place]!;
      // An attribute may have the name of something that is measured too.
      const label = (causeNames as readonly string[]).includes(name) ? `${name} (attribute)` : name;
      return { name: label, kind, needs: 'the attribute', of: value };
    });
  return [...measured, ...attributes];
}

/** So many others must have said a text. */
const minReaders = 3;

/**
 * How hard a text is by what others have got wrong on it: errors of all other speakers of the two groups on the same words over those
 * that their own groups' rates let expect, as a logarithm; half an error is added to both, so that no text is infinitely hard. Against
 * their own group's rate, because a text that one group alone has read would otherwise carry the group's errors.
 *
 * @param all places of the comparison's utterances
 * @returns null for an utterance whose text fewer than 3 other speakers have said, and for all where there are fewer than 5 such texts
 */
function sameTextDifficulty(
  recognizer: number,
  pair: GroupPair,
  all: readonly number[],
  { utterances }: Survey,
  tally: Tally,
): (place: number) => number | null {
  const sideOf = (place: number) => (utterances[place]!.values[pair.place] === pair.value ? 1 : 0);
  const [errors, words] = [
    [0, 0],
    [0, 0],
  ];
  for (const place of all) {
    errors[sideOf(place)]! += tally.errors(recognizer, 0, place)!;
    words[sideOf(place)]! += utterances[place]!.words;
  }
  /** By text, then by speaker: errors and what was to be expected. */
  const texts = new Map<number, Map<number, { errors: number; expected: number }>>();
  for (const place of all) {
    const { text, cluster, words: count } = utterances[place]!;
    const side = sideOf(place);
    const readers = texts.get(text) ?? new Map();
    const own = readers.get(cluster) ?? { errors: 0, expected: 0 };
    own.errors += tally.errors(recognizer, 0, place)!;
    own.expected += count * (errors[side]! / words[side]!);
    texts.set(text, readers.set(cluster, own));
  }
  const totals = new Map(
    [...texts]
      .filter(([, readers]) => readers.size > minReaders)
      .map(([text, readers]) => {
        const sum = { errors: 0, expected: 0 };
        for (const own of readers.values()) {
          sum.errors += own.errors;
          sum.expected += own.expected;
        }
        return [text, sum] as const;
      }),
  );
  if (totals.size < minTexts) return () => null;
  return (place) => {
    const { text, cluster } = utterances[place]!;
    const total = totals.get(text);
    const own = texts.get(text)?.get(cluster);
    if (total === undefined || own === undefined) return null;
    return Math.log((total.errors - own.errors + 0.5) / (total.expected - own.expected + 0.5));
  };
}

/** With fewer texts there is hardly anything to compare. */
const minTexts = 5;
