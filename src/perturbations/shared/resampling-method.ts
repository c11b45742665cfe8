import { z } from 'zod';

export type ResamplingMethod = 'kaiser' | 'hann';

/** Which filter a change of rate is done with. */
export const resamplingMethod = z
  .enum(['kaiser', 'hann'])
  .default('kaiser')
  .describe(
    'kaiser: a long filter without audible traces. hann: the short one that torchaudio uses, which leaves some',
  );
