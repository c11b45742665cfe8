import type { z } from 'zod';
import type { Json } from '../base/json.ts';
import { refusedUsage } from '../session/members/explain-issue.ts';
import type { Arrays } from './frames.ts';

/** What a call gives, or who asks is answered: data, and the arrays beside it. */
export interface Answer {
  readonly value: Json;
  readonly arrays?: Arrays;
}

/** Who calls, as long as the call lasts. */
export interface Caller {
  /** Aborted where the caller gives the call up. */
  readonly signal: AbortSignal;
  /** Asks the caller (`on` of its call) and waits for the answer. */
  ask(what: string, question: Answer): Promise<Answer & { readonly arrays: Arrays }>;
  /** Tells the caller something, which needs no answer. */
  tell(what: string, value: Json): void;
}

export type Call = (value: unknown, arrays: Arrays, caller: Caller) => Promise<Answer>;

/**
 * A call by its arguments.
 *
 * @param schema of what comes as data, under the names that it has in Python
 * @throws EarwitnessError `bad-usage` where something else comes
 */
export function defineCall<Schema extends z.ZodType>(
  schema: Schema,
  answer: (value: z.output<Schema>, arrays: Arrays, caller: Caller) => Answer | Promise<Answer>,
): Call {
  return async (value, arrays, caller) => {
    const { data, error } = schema.safeParse(value);
    if (error === undefined) return answer(data, arrays, caller);
    throw refusedUsage(error, value);
  };
}
