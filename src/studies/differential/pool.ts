import { sha256 } from '../../base/hash.ts';
import type { Condition } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { StudyContext } from '../contract.ts';

/** A text as one voice speaks it. */
export interface SpokenText {
  /** Of the normalized text: 16 hexadecimal digits. */
  readonly id: string;
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

const idDigits = 16;

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
    const text = normalizer.words(written, utterance.language).join(' ');
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
    if (spoken !== null && spoken.text !== text) dropped.spokenAsWritten++;
    known.texts.set(text, { id: sha256(text).slice(0, idDigits), text, utterance });
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
