/**
 * What a known error is about. The command maps each code to its exit code (`exitCodes`); an error without a code is a
 * fault of the program and is printed with its stack.
 */
export type ErrorCode =
  | 'bad-input'
  | 'bad-config'
  | 'bad-usage'
  | 'missing-program'
  | 'store'
  | 'store-busy'
  | 'budget'
  | 'run-differs'
  | 'not-verified'
  | 'nothing-answered'
  | 'too-much-failed'
  | 'gate-failed'
  | 'gate-inconclusive'
  | 'no-run'
  | 'interrupted';

/** Exit code of the command for each kind of error. 0 is success, 1 an unknown error (a fault of ours). */
export const exitCodes: Readonly<Record<ErrorCode, number>> = {
  'bad-usage': 2,
  'bad-config': 3,
  'bad-input': 4,
  'missing-program': 5,
  store: 6,
  'store-busy': 7,
  budget: 8,
  'run-differs': 9,
  'not-verified': 10,
  'nothing-answered': 11,
  'too-much-failed': 12,
  'gate-failed': 20,
  'gate-inconclusive': 21,
  'no-run': 22,
  interrupted: 130,
};

/**
 * An error that the user can act on: one sentence that says what was expected, what came and what to do. Printed without
 * a stack.
 *
 * @example throw new EarwitnessError('bad-input', 'clips/a.wav: expected a sound file, but it is empty; record it again or take it out of the manifest')
 */
export class EarwitnessError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'EarwitnessError';
    this.code = code;
  }
}

/** For `catch`: null in the place of what is refused; whatever else went wrong is thrown again. */
export function refusalAsNull(error: unknown): null {
  if (error instanceof EarwitnessError) return null;
  throw error;
}

/** What came is not what was expected: a file, a text, a clip. */
export function badInput(message: string, options?: { cause?: unknown }): EarwitnessError {
  return new EarwitnessError('bad-input', message, options);
}

/** The config says what cannot be done. */
export function badConfig(message: string, options?: { cause?: unknown }): EarwitnessError {
  return new EarwitnessError('bad-config', message, options);
}

/** What has to be installed is not there, or does not start. */
export function missingProgram(message: string, options?: { cause?: unknown }): EarwitnessError {
  return new EarwitnessError('missing-program', message, options);
}

/** The command was called as it cannot be. */
export function badUsage(message: string, options?: { cause?: unknown }): EarwitnessError {
  return new EarwitnessError('bad-usage', message, options);
}

/** An error as it goes from one thread to another. */
export interface SentError {
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly stack: string;
}

export function sentError(error: unknown): SentError {
  const code = error instanceof EarwitnessError ? error.code : null;
  return { code, message: messageOf(error), stack: error instanceof Error ? (error.stack ?? '') : '' };
}

/** The error that another thread sent. */
export function receivedError({ code, message, stack }: SentError): Error {
  if (code !== null) return new EarwitnessError(code, message);
  return Object.assign(new Error(message), { stack });
}

/**
 * A perturbation that cannot be done to a clip at all (noise at a ratio to silence, a filter above half the sample rate): what a condition
 * and a clip are to each other, and no failure of whoever was to hear it.
 */
export class InapplicableStep extends EarwitnessError {
  constructor(message: string) {
    super('bad-input', message);
    this.name = 'InapplicableStep';
  }
}

/** What somebody can answer to a question of the program. */
export interface Choice {
  /** Of the option; null: to stop here. */
  readonly value: string | true | null;
  /** For people. */
  readonly about: string;
}

/** What nothing in the data says and somebody has to. */
export interface Question {
  /** The option that answers it. */
  readonly option: 'referenceColumn' | 'hypothesisColumn' | 'tier' | 'language' | 'partial';
  readonly asks: string;
  /** None: it is typed. */
  readonly choices: readonly Choice[];
}

/** Something that is not guessed: the message names the option that says it; at a terminal it can be asked. */
export class Undecided extends EarwitnessError {
  readonly question: Question;

  constructor(message: string, question: Question) {
    super('bad-input', message);
    this.name = 'Undecided';
    this.question = question;
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a file stands where a folder should be',
  EEXIST: 'a file stands where a folder should be',
  EACCES: 'its permissions forbid it',
  EPERM: 'its permissions forbid it',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EFBIG: 'it would be larger than a file may be there',
  EIO: 'the disk reported an error',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its symbolic links go in a circle',
};

/**
 * Why a file could not be read or written (or a folder made), in words that stand behind "but" or in parentheses; what the system
 * says where it is none of the usual reasons.
 *
 * @example fileProblem(Object.assign(new Error(), { code: 'ENOENT' })) // 'there is no such file'
 */
export function fileProblem(error: unknown): string {
  const code = (error as { readonly code?: string } | null)?.code;
  return (code === undefined ? undefined : problems[code]) ?? messageOf(error);
}
