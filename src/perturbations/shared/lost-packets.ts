import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Random } from '../../base/random.ts';

export type LossParameters = { readonly lossShare: number; readonly meanBurstPackets: number | null };

/** How packets are lost. */
export const lossParameters = {
  lossShare: z.number().min(0).max(0.95).describe('Share of the packets that is lost, on average'),
  meanBurstPackets: z
    .number()
    .min(1)
    .max(1000)
    .nullable()
    .default(null)
    .describe('Packets lost in a row, on average; null for losses that know nothing of each other'),
};

/**
 * Which packets are lost: Gilbert's model (Gilbert 1960, with nothing lost in the good state and everything in the bad one;
 * Elliott 1963 allows more). A chain of two states, stationary from the first packet on: bursts are geometric with the mean
 * asked for, gaps between them such that the share comes out.
 *
 * @returns for each packet 1 where it is lost
 * @throws EarwitnessError `bad-input` where bursts so short cannot lose so many, as between two bursts one packet arrives
 */
export function losePackets(
  perturbation: string,
  packets: number,
  { lossShare, meanBurstPackets }: LossParameters,
  random: Random,
): Uint8Array {
  const lost = new Uint8Array(packets);
  const ending = meanBurstPackets === null ? 1 - lossShare : 1 / meanBurstPackets;
  const beginning = (ending * lossShare) / (1 - lossShare);
  // A billionth more, because shares such as 2/3 are not exact.
  if (beginning > 1 + 1e-9) {
    throw new EarwitnessError(
      'bad-input',
      `${perturbation}: expected bursts of at least ${(lossShare / (1 - lossShare)).toFixed(3)} packets on average to lose a share of ${lossShare}, but meanBurstPackets is ${meanBurstPackets}; raise it, or set it to null`,
    );
  }
  let bad = random.next() < lossShare;
  for (let packet = 0; packet < packets; packet++) {
    if (bad) lost[packet] = 1;
    bad = bad ? random.next() >= ending : random.next() < beginning;
  }
  return lost;
}

/** What became of the packets, measured. */
export function lossFacts(lost: Uint8Array, packetSeconds: number): JsonObject {
  let lostPackets = 0;
  let bursts = 0;
  let longest = 0;
  let current = 0;
  for (let packet = 0; packet < lost.length; packet++) {
    if (lost[packet] === 0) {
      current = 0;
      continue;
    }
    lostPackets++;
    current++;
    if (current === 1) bursts++;
    if (current > longest) longest = current;
  }
  return {
    packets: lost.length,
    lostPackets,
    achievedLossShare: lost.length === 0 ? null : lostPackets / lost.length,
    bursts,
    achievedBurstPackets: bursts === 0 ? null : lostPackets / bursts,
    longestGapSeconds: Number((longest * packetSeconds).toFixed(6)),
  };
}
