import { sha256 } from '../../../base/hash.ts';
import type { Utterance } from '../../../model/utterance.ts';

const idDigits = 16;

/** Whether a voice speaks this utterance, so that the same voice can say something else. */
export function isSpoken({ sound }: Utterance): boolean {
  return sound !== undefined && 'text' in sound;
}

/**
 * Another text for the voice of a collected utterance. The same text by the same voice has the same id, which begins with `made-` and
 * is no collected one's.
 *
 * @param source one that a voice speaks
 * @throws TypeError for one that nobody synthesized: a fault of the caller
 * @example madeUtterance(utterance, 'tax payers', 'shortened').sound // { text: 'tax payers', synthesizer: 'flite', voice: 'slt' }
 */
export function madeUtterance(source: Utterance, text: string, how: NonNullable<Utterance['made']>['how']): Utterance {
  const { sound } = source;
  if (sound === undefined || !('text' in sound))
    throw new TypeError(`expected a spoken text, but ${source.id} is none`);
  const { synthesizer, voice } = sound;
  return {
    id: `made-${sha256(JSON.stringify([text, synthesizer, voice])).slice(0, idDigits)}`,
    sound: { text, synthesizer, voice },
    reference: text,
    language: source.language,
    ...(source.speaker === undefined ? {} : { speaker: source.speaker }),
    attributes: {},
    tags: [],
    made: { from: source.id, how },
  };
}
