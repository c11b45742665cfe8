import type { Utterance } from '../../model/utterance.ts';
import type { Answer } from '../contract.ts';
import type { RelationDesign } from './design.ts';
import { same } from './options.ts';

/** What the first batch told. */
export interface FirstAnswers {
  /** By recognizer: whether it declares itself deterministic and was caught giving two answers to one sound. */
  readonly contradicted: readonly boolean[];
  /** What was heard in an utterance that is appended to others; null where it was not answered. */
  appendedText(id: string, recognizer: number): string | null;
  appendedUtterance(id: string): Utterance | undefined;
}

/** Answers about one utterance come one after another. */
export async function readFirstAnswers(
  answers: AsyncIterable<Answer> | null,
  design: RelationDesign,
  tokens: (text: string, language: string) => readonly string[],
): Promise<FirstAnswers> {
  const contradicted = design.recognizers.map(() => false);
  const texts = new Map<string, (string | null)[]>();
  const appended = new Map<string, Utterance>();
  const numbers = new Map(design.recognizers.map(({ name }, index) => [name, index]));
  let heard: (readonly string[])[][] = [];
  let current = '';
  const leave = () => {
    heard.forEach((recognitions, recognizer) => {
      if (identityControl(recognitions)?.steady === false) contradicted[recognizer] = true;
    });
    heard = design.recognizers.map(() => []);
  };
  for await (const answer of answers ?? []) {
    if (answer.ask !== 'recognition') continue;
    const { utterance, recognizer: name, repeat } = answer.trial;
    if (utterance.id !== current) leave();
    current = utterance.id;
    const recognizer = numbers.get(name)!;
    const text = answer.observation.transcript?.text ?? null;
    if (repeat === 0 && design.appended.includes(utterance.id)) {
      appended.set(utterance.id, utterance);
      const known = texts.get(utterance.id) ?? design.recognizers.map(() => null);
      known[recognizer] = text;
      texts.set(utterance.id, known);
    }
    if (text !== null) heard[recognizer]!.push(tokens(text, utterance.language));
  }
  leave();
  return {
    contradicted: design.checked.map((checked, recognizer) => checked !== null && contradicted[recognizer]!),
    appendedText: (id, recognizer) => texts.get(id)?.[recognizer] ?? null,
    appendedUtterance: (id) => appended.get(id),
  };
}

/** Recognizers whose declaration did not hold are checked on every clip. */
export function recheckContradicted(design: RelationDesign, { contradicted }: FirstAnswers): RelationDesign {
  return { ...design, checked: design.checked.map((some, recognizer) => (contradicted[recognizer] ? null : some)) };
}

/** What became of the clean clip when nothing was changed. */
export interface IdentityControl {
  readonly recognitions: number;
  /** Share of the pairs of recognitions that differ: what two recognitions of the same sound are worth. */
  readonly differing: number;
  /** Whether all of them agree. */
  readonly steady: boolean;
}

/**
 * Compares recognitions of the same sound, each with each: the share of pairs that differ estimates how often a relation
 * would be "violated" if nothing had been changed, without bias whatever their number. Null with fewer than two.
 *
 * @example identityControl([['a'], ['a'], ['b']]).differing // 2 / 3
 */
export function identityControl(recognitions: readonly (readonly string[])[]): IdentityControl | null {
  const count = recognitions.length;
  if (count < 2) return null;
  const kinds: { readonly tokens: readonly string[]; times: number }[] = [];
  for (const tokens of recognitions) {
    const known = kinds.find((kind) => same(kind.tokens, tokens));
    if (known) known.times++;
    else kinds.push({ tokens, times: 1 });
  }
  const pairs = (times: number) => (times * (times - 1)) / 2;
  const agreeing = kinds.reduce((sum, { times }) => sum + pairs(times), 0);
  return { recognitions: count, differing: 1 - agreeing / pairs(count), steady: kinds.length === 1 };
}
