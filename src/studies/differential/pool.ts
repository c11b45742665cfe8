import type { Condition } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { likelyWords } from '../../scoring/alignment/open-words.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { StudyContext } from '../contract.ts';
import type { DifferentialOptions } from './options.ts';

/** A text as one voice speaks it. */
export interface SpokenText {
  /** Normalized words with single blanks between them. */
  readonly text: string;
  readonly utterance: Utterance;
}

/** Everything that one voice says in one condition: the pool of one search. */
export interface Pool {
  /** `<voice>`, or `<voice> in <condition>` where something is done to the sound. */
  readonly name: string;
  /** `<synthesizer>:<voice>`; of a recording what its attribute says, or `recorded`. */
  readonly voice: string;
  readonly synthesizer: string;
  readonly condition: Condition;
  readonly texts: readonly SpokenText[];
}

/** What became of the utterances of the corpus. */
export interface Dropped {
  /** Without a text. */
  readonly withoutText: number;
  /** Of which the normalizer leaves nothing. */
  readonly empty: number;
  /** That the same voice says already. */
  readonly doubled: number;
  /** Spoken as they were written and not as they are compared: none of these is dropped. */
  readonly spokenAsWritten: number;
}

/** The voice of an utterance whose sound was not synthesized here, and of which nobody says who speaks. */
const recordedVoice = 'recorded';

/**
 * The texts of each voice, in the order of the corpus, each once; a pool for each voice and condition.
 *
 * @param voiceBy the attribute of recordings that says which voice speaks: `<synthesizer>:<voice>`, or any name
 */
export async function gatherPools(
  context: Pick<StudyContext, 'utterances'>,
  conditions: readonly Condition[],
  normalizer: Normalizer,
  voiceBy: string,
): Promise<{ readonly pools: readonly Pool[]; readonly dropped: Dropped }> {
  const voices = new Map<string, { synthesizer: string; texts: Map<string, SpokenText> }>();
  const dropped = { withoutText: 0, empty: 0, doubled: 0, spokenAsWritten: 0 };
  for await (const utterance of context.utterances()) {
    const { sound, reference } = utterance;
    const spoken = sound !== undefined && 'text' in sound ? sound : null;
    const written = spoken?.text ?? reference;
    if (written === undefined) {
      dropped.withoutText++;
      continue;
    }
    const text = likelyWords(normalizer.words(written, utterance.language)).join(' ');
    if (text === '') {
      dropped.empty++;
      continue;
    }
    const voice = spoken === null ? toldVoice(utterance, voiceBy) : `${spoken.synthesizer}:${spoken.voice}`;
    const synthesizer = spoken?.synthesizer ?? voice.split(':', 1)[0]!;
    let known = voices.get(voice);
    if (known === undefined) {
      known = { synthesizer, texts: new Map() };
      voices.set(voice, known);
    }
    if (known.texts.has(text)) {
      dropped.doubled++;
      continue;
    }
    // Blanks beside characters are none that somebody says.
    const said = (one: string) => (normalizer.hasCharacterWords?.(utterance.language) ? one.replaceAll(' ', '') : one);
    if (spoken !== null && said(spoken.text) !== said(text)) dropped.spokenAsWritten++;
    known.texts.set(text, { text, utterance });
  }
  const pools = [...voices].flatMap(([voice, { synthesizer, texts }]) => {
    const spoken = [...texts.values()];
    return conditions.map(
      (condition): Pool => ({
        name: condition.steps.length === 0 ? voice : `${voice} in ${condition.name}`,
        voice,
        synthesizer,
        condition,
        texts: spoken,
      }),
    );
  });
  return { pools, dropped };
}

/** Who speaks some texts of a pool: people, or the voice that is told of; nobody of whom it is not known. */
export function speakersOf({ texts, voice }: Pool, places: readonly number[]): ReadonlySet<string> {
  const told = voice === recordedVoice ? [] : [voice];
  return new Set(places.flatMap((place) => texts[place]!.utterance.speaker ?? told));
}

function toldVoice({ attributes }: Utterance, voiceBy: string): string {
  return (Object.hasOwn(attributes, voiceBy) && attributes[voiceBy]) || recordedVoice;
}

/** How the texts of an iteration are chosen: by both stages (the search itself), by chance, or by either stage alone. */
export const ways = ['predictor', 'random', 'stage 1 alone', 'stage 2 alone'] as const;

export type Way = (typeof ways)[number];

/** What is predicted of the candidates, in their order. */
export interface Chances {
  readonly determinable: Float64Array;
  readonly failing: Float64Array;
}

/** How texts are chosen, and how many. */
export interface Choice extends Pick<DifferentialOptions, 'ranking'> {
  readonly batch: number;
  /** So many are kept by the first of two stages. */
  readonly keep: number;
  /** How many recognizers are asked about a text only where the first one is right; null: all are asked. */
  readonly others: number | null;
}

/**
 * The places of the texts to be tried next, likeliest first. Two stages as in CrossASR (section II): of the `keep` candidates that
 * are likeliest to be determinable those `batch` that are likeliest to fail; by `yield` those that together give the most failed
 * tests for each recognition. Of equal chances the earlier candidate is taken, so that candidates in random order are chosen at random
 * where nothing is known.
 *
 * @param candidates how many there are
 * @param chances null where nothing is predicted: the first are taken
 * @example chooseTexts('predictor', 3, { determinable: Float64Array.of(.9, .1, .8), failing: Float64Array.of(.2, 1, .6) }, { batch: 1, keep: 2, ranking: 'two-stage', others: null }) // [2]
 */
export function chooseTexts(
  way: Way,
  candidates: number,
  chances: Chances | null,
  { batch, keep, ranking, others }: Choice,
): number[] {
  const all = Array.from({ length: candidates }, (_, place) => place);
  if (chances === null || way === 'random') return all.slice(0, batch);
  const { determinable, failing } = chances;
  if (way === 'stage 1 alone') return likeliest(all, determinable).slice(0, batch);
  if (way === 'stage 2 alone') return likeliest(all, failing).slice(0, batch);
  if (ranking === 'yield') {
    const failures = determinable.map((chance, place) => chance * failing[place]!);
    if (others === null || others === 0) return likeliest(all, failures).slice(0, batch);
    return greatestRatio(
      failures.map((expected) => others * expected),
      determinable.map((chance) => 1 + others * chance),
      batch,
    );
  }
  const kept = likeliest(all, determinable).slice(0, keep);
  return likeliest(kept, failing).slice(0, batch);
}

/**
 * The places whose gains together are most for their costs together (W. Dinkelbach, "On nonlinear fractional programming",
 * Management Science 13, 1967): those of the greatest gain less the cost at the best ratio, which only grows while it is looked for.
 *
 * @param costs greater than 0
 */
function greatestRatio(gains: Float64Array, costs: Float64Array, count: number): number[] {
  const all = [...gains.keys()];
  let ratio = 0;
  for (;;) {
    const best = likeliest(
      all,
      gains.map((gain, place) => gain - ratio * costs[place]!),
    ).slice(0, count);
    const total = (values: Float64Array) => best.reduce((sum, place) => sum + values[place]!, 0);
    const reached = best.length === 0 ? 0 : total(gains) / total(costs);
    if (reached <= ratio) return best;
    ratio = reached;
  }
}

function likeliest(places: readonly number[], chances: Float64Array): number[] {
  return places.toSorted((a, b) => chances[b]! - chances[a]! || a - b);
}
