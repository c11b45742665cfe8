import type { PeopleStore } from '../people/people-store.ts';
import type { Voices } from './voices.ts';

/**
 * Removes what is kept of somebody who has withdrawn, as `personal-data` lists it: their folder, the lists, and what they answered. To be done
 * again where a kill or a full disk came between.
 *
 * @returns how many clips
 */
export async function removeVoice(
  people: Pick<PeopleStore, 'withdraw'>,
  voices: Pick<Voices, 'withdraw' | 'writeLists'>,
  { name, code }: { readonly name: string; readonly code: string },
): Promise<number> {
  const clips = await voices.withdraw(code);
  await voices.writeLists();
  people.withdraw(name);
  return clips;
}
