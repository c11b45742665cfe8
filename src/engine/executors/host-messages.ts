import type { Clip } from '../../audio/clip.ts';
import type { Job, Outcome, RecognizerAddress } from './contract.ts';

/** What the engine tells a host process. */
export type ToHost =
  | { readonly say: 'open'; readonly address: RecognizerAddress }
  | { readonly say: 'recognize'; readonly id: number; readonly request: Job['request']; readonly clip: Clip | null }
  | { readonly say: 'abort'; readonly id: number }
  | { readonly say: 'close' };

/** What a host process tells the engine. */
export type FromHost =
  | { readonly say: 'opened' }
  | { readonly say: 'not-opened'; readonly code: string | null; readonly message: string }
  | { readonly say: 'outcome'; readonly id: number; readonly outcome: Outcome };
