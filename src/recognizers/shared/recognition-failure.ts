import type { Fail } from '../../http/failures.ts';
import { RecognitionError } from '../contract.ts';

/** What doors to services throw in recognizers. */
export const recognitionFailure: Fail = (kind, message, options) => new RecognitionError(kind, message, options);
