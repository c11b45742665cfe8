import { z } from 'zod';

/** Bytes of one clip: 85 s of 16 bits at 48 kHz. */
export const maxClipBytes = 8 * 1024 * 1024;

/** What somebody told about themselves, as the file of their code has it. */
export const aboutShape = z.strictObject({
  /** When they agreed to it, and to which text. */
  consent: z.strictObject({ sha256: z.string(), at: z.string() }),
  /** By name; several values and own words are joined by "; ". Absent: not said. */
  attributes: z.record(z.string(), z.string()),
  /** Which they would rather not say. */
  declined: z.array(z.string()),
});

export type About = Readonly<z.infer<typeof aboutShape>>;

/** Where somebody records, as they say. */
export interface RecordingPlace {
  readonly environment: string;
  readonly device: string;
  readonly rooms: '' | 'one' | 'two';
}

/** What is said of a clip before its bytes come. */
export const announcedShape = z.strictObject({
  bytes: z.int().min(45).max(maxClipBytes),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Where and with what it was recorded, as the person says. */
  environment: z.string().max(300),
  device: z.string().max(300),
  rooms: z.enum(['', 'one', 'two']),
  /** What the browser did to the sound, as it says itself; null: it does not say. */
  settings: z.strictObject({
    echoCancellation: z.boolean().nullable(),
    noiseSuppression: z.boolean().nullable(),
    autoGainControl: z.boolean().nullable(),
    sampleRate: z.number().min(8000).max(384_000),
  }),
});

export type Announced = Readonly<z.infer<typeof announcedShape>>;

/** A clip that is kept, as the file beside it says. */
export const recordingShape = announcedShape.extend({
  item: z.string(),
  take: z.string(),
  script: z.string(),
  type: z.enum(['read', 'grammar', 'dictation', 'free', 'dialogue']),
  /** What was read; of what was said freely, what its speaker wrote down, else null. */
  text: z.string().nullable(),
  role: z.enum(['A', 'B']).nullable(),
  pair: z.string().nullable(),
  consentSha256: z.string(),
  sampleRate: z.number(),
  check: z.strictObject({
    durationSeconds: z.number(),
    levelDbfs: z.number().nullable(),
    clippedShare: z.number(),
    snrDb: z.number().nullable(),
    problems: z.array(z.enum(['silent', 'clipped', 'quiet', 'noisy', 'short'])).readonly(),
  }),
});

export type Recording = Readonly<z.infer<typeof recordingShape>>;

/** All that there is of somebody, by the code that stands for them. */
export interface Voice {
  readonly speaker: string;
  readonly about: About;
  readonly recordings: readonly Recording[];
}

/** Each take has a file of its own, so that no kill leaves the hash of one beside the bytes of another. */
export function clipFile({ item, take }: Pick<Recording, 'item' | 'take'>): string {
  return `${item}.${take.slice(0, 8)}.wav`;
}
