import type { Cause } from '../../statistics/gap-decomposition/cause-columns.ts';
import type { GroupPair } from '../shared/group-pairs.ts';
import { type CauseName, causeFacts, causeNames } from './causes.ts';
import type { ClipFacts } from './clip-facts.ts';
import type { Design } from './design.ts';
import type { GapDecompositionOptions } from './options.ts';
import { sameTextDifficulty } from './same-text.ts';
import type { Tally } from './tally.ts';

/** The rows of a comparison: utterances with a transcript, and what each cause is in them. */
export interface CauseRows {
  /** Places in the survey. */
  readonly places: readonly number[];
  readonly causes: readonly Cause[];
  /** Causes that were asked for (or could be) and have no values for enough utterances. */
  readonly missing: readonly { readonly name: string; readonly kind: string; readonly reason: string }[];
  /** Utterances that were left out because some cause has no value for them. */
  readonly leftOut: number;
}

/** A cause that is not known for more of the utterances than this is left out; otherwise those utterances are. */
const mostMissing = 0.2;

/** Each name but one costs a coefficient and a column over all utterances; more are a list of people or texts. */
const mostValues = 30;

/** The causes of one comparison of one recognizer, over the utterances for which all of them are known. */
export function causeRows(
  recognizer: number,
  pair: GroupPair,
  known: { readonly design: Design; readonly clips: readonly ClipFacts[]; readonly tally: Tally },
  options: GapDecompositionOptions,
): CauseRows {
  const { survey } = known.design;
  const all = survey.utterances.flatMap(({ values, words }, place) => {
    const value = values[pair.place];
    const isMember = value === pair.value || value === pair.comparedWith;
    return isMember && words > 0 && known.tally.errors(recognizer, 0, place) !== null ? [place] : [];
  });
  const wanted = candidates(recognizer, pair, all, known, options);
  const missing: { readonly name: string; readonly kind: string; readonly reason: string }[] = [];
  const kept = wanted.filter(({ name, kind, of, needs }) => {
    const without = all.filter((place) => of(place) === null).length;
    if (without > mostMissing * all.length || without === all.length) {
      missing.push({
        name,
        kind,
        reason: `it is not known for ${without} of ${all.length} utterances (it needs ${needs})`,
      });
      return false;
    }
    const values = new Set(all.map(of).filter((value) => typeof value === 'string')).size;
    if (values <= mostValues) return true;
    missing.push({
      name,
      kind,
      reason: `it has ${values} values, of which at most ${mostValues} can be told apart; divide numbers with bins, or name an attribute of fewer`,
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
