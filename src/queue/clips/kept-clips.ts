import type { Pool, PoolClient } from 'pg';
import type { Clip } from '../../audio/clip.ts';
import { badConfig, messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { counted } from '../../base/wording.ts';
import type { ClipPlace } from './contract.ts';
import { openPlace } from './open-place.ts';

// Audio of calls, by the hash of what it holds: in rows of the server, or each by a row that says at which place it lies, so that what a
// killed run left there is known.

export const clipTable = `
CREATE TABLE earwitness_calls.clips (
  owner bigint NOT NULL, hash text NOT NULL, sample_rate bigint NOT NULL, samples bytea, place text, PRIMARY KEY (owner, hash));`;

/** The name of a clip, by what it holds. */
export function clipHash(clip: Clip): string {
  const hash = hashes.get(clip.samples) ?? sha256(bytesOf(clip));
  hashes.set(clip.samples, hash);
  return `${hash}-${clip.sampleRate}`;
}

/** Several calls are about one clip. */
const hashes = new WeakMap<Float32Array, string>();

/** A run's own, so that none takes away what another waits for. */
const nameOf = (owner: number, hash: string) => `${hash}-${owner}`;

function bytesOf({ samples }: Clip): Buffer {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** Opens places once. */
export function createPlaces() {
  const opened = new Map<string, Promise<ClipPlace>>();
  return (address: string): Promise<ClipPlace> => {
    const place = opened.get(address) ?? openPlace(address);
    opened.set(address, place);
    return place;
  };
}

type Places = ReturnType<typeof createPlaces>;

/** Where a run keeps its audio: null for rows of the server. */
export interface ClipKeeping {
  readonly owner: number;
  readonly place: string | null;
  readonly places: Places;
}

/** Keeps clips for calls that are told of in the same transaction as `client`, or later. */
export async function keepClips(
  { owner, place, places }: ClipKeeping,
  pool: Pool,
  client: PoolClient,
  clips: ReadonlyMap<string, Clip>,
): Promise<void> {
  const insert =
    'INSERT INTO earwitness_calls.clips (owner, hash, sample_rate, samples, place) VALUES ($1, $2, $3, $4, $5)';
  if (place === null) {
    for (const [hash, clip] of clips) await client.query(insert, [owner, hash, clip.sampleRate, bytesOf(clip), null]);
    return;
  }
  const to = await places(place);
  // Before it lies there: nothing lies there that nobody knows of.
  await Promise.all([...clips].map(([hash, clip]) => pool.query(insert, [owner, hash, clip.sampleRate, null, place])));
  await Promise.all([...clips].map(([hash, clip]) => to.put(nameOf(owner, hash), bytesOf(clip))));
}

/** Removes clips of a run: those with these hashes, or all. */
export async function removeClips(
  pool: Pool,
  places: Places,
  owner: number,
  hashes: readonly string[] | null,
): Promise<void> {
  const which = 'owner = $1 AND ($2::text[] IS NULL OR hash = ANY($2))';
  const { rows } = await pool.query<{ hash: string; place: string }>(
    `SELECT hash, place FROM earwitness_calls.clips WHERE ${which} AND place IS NOT NULL`,
    [owner, hashes],
  );
  for (const { hash, place } of rows) await (await places(place)).remove(nameOf(owner, hash));
  await pool.query(`DELETE FROM earwitness_calls.clips WHERE ${which}`, [owner, hashes]);
}

/**
 * Removes what runs left that have ended: of each as far as its place can be reached.
 *
 * @param onlyLook whether the places are only looked at
 * @returns a sentence for each run of which clips stay where they are
 */
export async function removeLeftClips(
  pool: Pool,
  alive: ReadonlySet<number>,
  onlyLook = false,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ owner: string; place: string | null; count: string; one: string }>(
    'SELECT owner, place, count(*) AS count, min(hash) AS one FROM earwitness_calls.clips GROUP BY owner, place',
  );
  const places = createPlaces();
  const left: string[] = [];
  for (const row of rows) {
    const [{ place, count }, owner] = [row, Number(row.owner)];
    if (alive.has(owner)) continue;
    try {
      if (!onlyLook) await removeClips(pool, places, owner, null);
      else if (place !== null) await (await places(place)).get(nameOf(owner, row.one));
    } catch (error) {
      left.push(
        `${counted(Number(count), 'clip')} of a killed run may still lie in ${place}, by names that end in -${owner}, and could not be reached there: ${messageOf(error)}`,
      );
    }
  }
  return left;
}

/**
 * Fetches a clip, and looks whether it is the one that was meant.
 *
 * @param here where this machine looks, in place of where the run put it
 * @returns null where nobody waits for it any more, or what came is another
 * @throws EarwitnessError `bad-config` where the run waits for it and it is not at the place
 */
export async function fetchClip(
  pool: Pool,
  places: Places,
  owner: number,
  hash: string,
  here: string | null,
): Promise<Clip | null> {
  const row = async () => {
    const { rows } = await pool.query<{ sample_rate: string; samples: Buffer | null; place: string | null }>(
      'SELECT sample_rate, samples, place FROM earwitness_calls.clips WHERE owner = $1 AND hash = $2',
      [owner, hash],
    );
    return rows[0];
  };
  const found = await row();
  // It is part of a path.
  if (found === undefined || !/^[0-9a-f]{64}-\d+$/.test(hash)) return null;
  let bytes: Uint8Array | null = found.samples;
  if (found.place !== null) {
    const at = here ?? found.place;
    bytes = await (await places(at)).get(nameOf(owner, hash));
    if (bytes === null) {
      if ((await row()) === undefined) return null;
      throw badConfig(
        `clips: expected the audio of a run at ${at}, but it is not there; the run put it into ${found.place}: correct \`clips\` here, or mount the same folder`,
      );
    }
  }
  const aligned = Uint8Array.from(bytes ?? []);
  if (aligned.length % 4 !== 0) return null;
  const clip = { sampleRate: Number(found.sample_rate), samples: new Float32Array(aligned.buffer) };
  return clipHash(clip) === hash ? clip : null;
}
