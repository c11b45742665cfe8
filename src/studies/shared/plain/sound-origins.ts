import type { StudyContext } from '../../contract.ts';

/** Who spoke the utterances: people, as far as recordings tell, or machines. */
export interface SoundOrigins {
  readonly utterances: number;
  /** Spoken by a synthesizer. */
  readonly machine: number;
}

export async function soundOrigins({ utterances }: Pick<StudyContext, 'utterances'>): Promise<SoundOrigins> {
  const counts = { utterances: 0, machine: 0 };
  for await (const { sound } of utterances()) {
    counts.utterances++;
    if (sound !== undefined && 'synthesizer' in sound) counts.machine++;
  }
  return counts;
}
