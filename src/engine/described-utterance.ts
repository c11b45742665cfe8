import type { Utterance } from '../model/utterance.ts';

/**
 * An utterance as others may have it: of the file of its sound only the name is left, because folders tell about the machine
 * and the person whose it is.
 */
export function describedUtterance(utterance: Utterance): Utterance {
  const { sound } = utterance;
  if (sound === undefined || !('file' in sound)) return utterance;
  return { ...utterance, sound: { ...sound, file: sound.file.replace(/^.*[/\\]/s, '') } };
}
