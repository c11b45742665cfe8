/** What a call to a service fails with: `refused` understood and declined, `unavailable` not there or too busy, `garbage` no sense. */
export type HttpFailureKind = 'refused' | 'unavailable' | 'garbage' | 'error';

/** Makes the error of a family: recognizers throw theirs, synthesizers theirs. */
export type Fail = (
  kind: HttpFailureKind,
  message: string,
  options?: { readonly retryable?: boolean; readonly retryAfterSeconds?: number; readonly cause?: unknown },
) => Error;
