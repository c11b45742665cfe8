import type { Observation } from '../../model/observation.ts';
import type { OutputRelation } from './output-relation.ts';
import type { Scoring } from './scoring.ts';
import type { Unit } from './tokens.ts';

/** Texts longer than this are cut before their meanings are compared: no model reads so much. */
export const mostCharacters = 10_000;

/**
 * The tokens that a relation appends, as the recognizer heard them and as they were said; null where it appends none.
 * Undefined where they are not known.
 */
export function appendedTokens(
  output: OutputRelation,
  recognizer: number,
  unit: Unit,
  scoring: Scoring,
): { heard: readonly string[] | null; said: readonly string[] | null | undefined } | undefined {
  if (typeof output === 'string' || !('followedBy' in output)) return { heard: null, said: null };
  const text = scoring.first.appendedText(output.followedBy, recognizer);
  if (text === null) return undefined;
  const { language, reference } = scoring.first.appendedUtterance(output.followedBy) ?? {};
  const tokens = (of: string) => scoring.tokens(of, unit, language);
  return { heard: tokens(text), said: reference === undefined ? undefined : tokens(reference) };
}

/** The text that the transcript of the changed clip should mean. */
export function expectedText(
  output: OutputRelation,
  source: Observation,
  recognizer: number,
  { first }: Scoring,
): string {
  const text = source.transcript!.text.slice(0, mostCharacters);
  if (typeof output === 'string') return text;
  const whole =
    'repeated' in output
      ? Array.from({ length: output.repeated }, () => text).join(' ')
      : `${text} ${first.appendedText(output.followedBy, recognizer)}`;
  return whole.slice(0, mostCharacters);
}
