import { z } from 'zod';
import { between, matching, whole } from '../../base/option-kinds.ts';

/** Bytes of one clip: 85 s of 16 bits at 48 kHz. */
export const maxClipBytes = 8 * 1024 * 1024;

/** Where somebody records, as they say. */
export interface RecordingPlace {
  readonly environment: string;
  readonly device: string;
  readonly rooms: '' | 'one' | 'two';
}

/** What is said of a clip before its bytes come. */
export const announcedShape = z.strictObject({
  bytes: whole(45, maxClipBytes),
  sha256: matching(/^[0-9a-f]{64}$/),
  /** Where and with what it was recorded, as the person says. */
  environment: z.string().max(300),
  device: z.string().max(300),
  rooms: z.enum(['', 'one', 'two']),
  /** What the browser did to the sound, as it says itself; null: it does not say. */
  settings: z.strictObject({
    echoCancellation: z.boolean().nullable(),
    noiseSuppression: z.boolean().nullable(),
    autoGainControl: z.boolean().nullable(),
    sampleRate: between(8000, 384_000),
  }),
});

export type Announced = Readonly<z.infer<typeof announcedShape>>;
