import { ladders } from '../../catalog.ts';
import type { Ladder } from '../../perturbations/contract.ts';

/** Every ladder of the catalog. */
export async function loadLadders(): Promise<Ladder[]> {
  const entries: readonly { load(): Promise<Ladder> }[] = Object.values(ladders);
  return Promise.all(entries.map((entry) => entry.load()));
}
