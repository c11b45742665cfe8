import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from './call.ts';

/** Who is asked during a run. No number of it stands in the config, which would make each run of a process another. */
export const callers = new AsyncLocalStorage<Pick<Caller, 'ask'>>();
