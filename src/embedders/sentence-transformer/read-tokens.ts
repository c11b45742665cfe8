import type { JsonObject } from '../../base/json.ts';
import type { Tokenizer } from './libraries.ts';

/** What the model will read of a text. */
export interface ReadTokens {
  /** At most `maxTokens`, those that frame the text included; empty where the model can read nothing in it. */
  readonly ids: readonly number[];
  /** Why `ids` is empty. */
  readonly reason?: string;
  /** How many there are in all; at least so many where `counted` is false. */
  readonly tokens: number;
  readonly counted: boolean;
}

/** Longer texts are cut before their tokens are counted: a token seldom has more than 20 characters, and never so many. */
const charactersPerToken = 100;

/**
 * Makes what cuts texts into tokens: those that frame a text ([CLS] and [SEP], say) stay when it is too long for the model,
 * and tokens are dropped from its end, as the tokenizers library does with `truncation: longest_first`.
 */
export function createReader(
  tokenizer: Tokenizer,
  { maxTokens, prefix, unknownId }: { maxTokens: number; prefix: string; unknownId: number | null },
): (text: string) => ReadTokens {
  const frame = frameOf(tokenizer);
  const bare = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  return (text) => {
    const most = charactersPerToken * maxTokens;
    const counted = text.length <= most;
    const looked = (counted ? text : text.slice(0, most)).toWellFormed();
    if (looked.trim() === '') return { ids: [], reason: 'the text is empty', tokens: 0, counted };
    const own = bare(looked);
    if (own.length === 0) return { ids: [], reason: 'the model finds no token in the text', tokens: 0, counted };
    if (unknownId !== null && own.every((id) => id === unknownId)) {
      return { ids: [], reason: 'the model knows nothing of the text', tokens: own.length, counted };
    }
    const read = prefix === '' ? own : bare(prefix + looked);
    const kept = read.slice(0, maxTokens - frame.before.length - frame.after.length);
    return {
      ids: [...frame.before, ...kept, ...frame.after],
      tokens: frame.before.length + read.length + frame.after.length,
      counted,
    };
  };
}

/** What the tokenizer puts before and behind every text. */
function frameOf(tokenizer: Tokenizer): { before: readonly number[]; after: readonly number[] } {
  const text = 'a';
  const own = tokenizer.encode(text, { add_special_tokens: false }).ids;
  const framed = tokenizer.encode(text).ids;
  const start = framed.findIndex((_, at) => own.every((id, index) => framed[at + index] === id));
  return { before: framed.slice(0, start), after: framed.slice(start + own.length) };
}

/** The token that stands for what the vocabulary lacks; null where everything can be spelled (bytes). */
export function unknownIdOf(tokenizer: Tokenizer, { model }: JsonObject): number | null {
  const { unk_token: token, unk_id: id } = (model ?? {}) as { unk_token?: unknown; unk_id?: unknown };
  if (typeof id === 'number') return id;
  return typeof token === 'string' ? (tokenizer.token_to_id(token) ?? null) : null;
}
