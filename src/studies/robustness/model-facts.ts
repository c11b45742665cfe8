import type { JsonObject } from '../../base/json.ts';

/** What is known of a recognizer's model; null where nobody says. */
export interface ModelFacts {
  /** How many parameters it has. */
  readonly parameters: number | null;
  /** `whisper`: models that differ in size alone. */
  readonly family: string | null;
  /** `encoder-decoder`, `CTC`, `RNN-T`. */
  readonly architecture: string | null;
  /** `weakly supervised`, `self-supervised`. */
  readonly training: string | null;
  readonly trainingHours: number | null;
  /** How many languages it was made for. */
  readonly languages: number | null;
}

const multiples: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9, '': 1 };

/**
 * The facts about a model under their usual names: `parameters` and `trainingHours` as numbers or as `74M`, `languages` as a
 * list or a number. What cannot be read is as good as absent.
 *
 * @example modelFacts({ parameters: '74M', family: 'whisper', languages: ['en', 'es'] }).parameters // 74000000
 */
export function modelFacts(facts: JsonObject): ModelFacts {
  const languages = facts.languages;
  return {
    parameters: size(facts.parameters),
    family: text(facts.family),
    architecture: text(facts.architecture),
    training: text(facts.training),
    trainingHours: size(facts.trainingHours),
    languages: Array.isArray(languages) ? new Set(languages.map(String)).size || null : size(languages),
  };
}

function size(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value > 0 ? value : null;
  if (typeof value !== 'string' || value.length > 30) return null;
  const parts = /^(\d+(?:\.\d+)?) ?([kmb]?)$/i.exec(value.replaceAll(/[,_]/g, '').trim());
  if (parts === null) return null;
  const number = Number(parts[1]) * multiples[parts[2]!.toLowerCase()]!;
  return Number.isFinite(number) && number > 0 ? number : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 100) : null;
}
