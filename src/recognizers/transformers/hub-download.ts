import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { badConfig, EarwitnessError, messageOf } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { RecognizerServices } from '../contract.ts';

/** A file of a model on the hub. */
export interface HubFile {
  /** Relative to the model, with `/`. */
  readonly name: string;
  readonly bytes: number | null;
  /** Known of large files. */
  readonly sha256: string | null;
}

/** Which hub is asked. */
export interface HubSource {
  /** Its address as an option names it. */
  readonly endpoint: string | undefined;
  readonly services: RecognizerServices;
}

const standardHub = 'https://huggingface.co';
const maxSilenceMs = 60_000;
const maxListBytes = 20_000_000;
const progressEveryMs = 3000;

/**
 * What a revision of a model holds.
 *
 * @throws EarwitnessError `bad-config`: the hub cannot be reached or knows no such model or revision
 */
export async function listFiles(
  hub: string,
  revision: string,
  source: HubSource,
): Promise<{ commit: string; files: HubFile[] }> {
  source.services.progress?.(`asking for the files of ${hub}`);
  const address = `${endpoint(source)}/api/models/${hub}/revision/${encodeURIComponent(revision)}?blobs=true`;
  const pieces: Uint8Array[] = [];
  await fetched(address, `${hub} at revision ${printable(revision, 60)}`, source, maxListBytes, async (piece) => {
    pieces.push(piece);
  });
  const list = parsed(Buffer.concat(pieces).toString('utf8'));
  const commit = list?.sha;
  if (typeof commit !== 'string' || !/^[0-9a-f]{40}$/.test(commit) || !Array.isArray(list?.siblings)) {
    throw fault(`expected a list of files from ${endpoint(source)}, but got something else; try later`);
  }
  const files = (list.siblings as readonly Sibling[]).map(({ rfilename, size, lfs }) => ({
    name: String(rfilename),
    bytes: typeof size === 'number' ? size : null,
    sha256: typeof lfs?.sha256 === 'string' ? lfs.sha256 : null,
  }));
  return { commit, files };
}

interface Sibling {
  readonly rfilename?: unknown;
  readonly size?: unknown;
  readonly lfs?: { readonly sha256?: unknown };
}

function parsed(text: string): { readonly sha?: unknown; readonly siblings?: unknown } | null {
  try {
    return JSON.parse(text) as { sha?: unknown; siblings?: unknown } | null;
  } catch {
    return null;
  }
}

/**
 * Downloads one file. It appears under its name only when it is whole and, where the hub tells it, has the right hash.
 *
 * @throws EarwitnessError `bad-config`: cannot be reached, or what came is not what the hub announced
 */
export async function download(
  wanted: { readonly hub: string; readonly commit: string; readonly file: HubFile; readonly to: string },
  source: HubSource,
): Promise<void> {
  const { hub, commit, file, to } = wanted;
  const address = `${endpoint(source)}/${hub}/resolve/${commit}/${file.name.split('/').map(encodeURIComponent).join('/')}`;
  await mkdir(dirname(to), { recursive: true });
  const part = `${to}.${process.pid}.part`;
  const target = await open(part, 'w');
  const hash = createHash('sha256');
  let bytes = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  try {
    await fetched(address, `${file.name} of ${hub}`, source, file.bytes ?? Number.POSITIVE_INFINITY, async (piece) => {
      await target.write(piece);
      hash.update(piece);
      bytes += piece.length;
      if (performance.now() - toldAt < progressEveryMs) return;
      toldAt = performance.now();
      source.services.progress?.(
        `downloading ${hub}: ${file.name}, ${megabytes(bytes)}${file.bytes === null ? '' : ` of ${megabytes(file.bytes)}`} MB`,
      );
    });
    await target.close();
    const right =
      (file.bytes ?? bytes) === bytes && (file.sha256 ?? '') === (file.sha256 === null ? '' : hash.digest('hex'));
    if (!right) {
      throw fault(
        `expected ${file.name} of ${hub} as the hub announced it, but got something else (${bytes} bytes); try again`,
      );
    }
    await rename(part, to);
  } finally {
    await target.close().catch(() => {});
    await rm(part, { force: true });
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}

function endpoint({ endpoint: named, services }: HubSource): string {
  return (named ?? (services.environment('HF_ENDPOINT') || standardHub)).replace(/\/+$/, '');
}

/** Gives a body piece by piece. The key goes to the hub alone: fetch drops it where a redirect leads elsewhere. */
async function fetched(
  address: string,
  what: string,
  source: HubSource,
  maxBytes: number,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  const hub = endpoint(source);
  const key = source.services.environment('HF_TOKEN');
  const silence = new AbortController();
  let timer = setTimeout(() => {}, 0);
  const waitOn = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new Error('nothing came for a minute')), maxSilenceMs);
  };
  waitOn();
  try {
    const response = await fetch(address, {
      headers: key ? { authorization: `Bearer ${key}` } : {},
      signal: silence.signal,
    });
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw fault(refusal(response.status, what, hub));
    }
    let bytes = 0;
    for await (const piece of response.body) {
      waitOn();
      bytes += piece.length;
      if (bytes > maxBytes)
        throw fault(`expected at most ${maxBytes} bytes for ${what}, but ${hub} sent more; try again`);
      await take(piece);
    }
  } catch (error) {
    if (error instanceof EarwitnessError) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw fault(
      `expected to download ${what} from ${hub}, but that failed (${printable(messageOf(cause), 120)}); connect this machine to the network, or copy the model here and name its folder as model`,
      error,
    );
  } finally {
    clearTimeout(timer);
  }
}

function refusal(status: number, what: string, hub: string): string {
  if (status === 401 || status === 403 || status === 404) {
    return `expected ${what} at ${hub}, but it says ${status}: there is none, or it is not public; correct the name, or set HF_TOKEN to a key that may read it`;
  }
  return `expected ${what} from ${hub}, but it says ${status}; try again later, or copy the model here and name its folder as model`;
}

function fault(problem: string, cause?: unknown): EarwitnessError {
  return badConfig(`hub: ${problem}`, { cause });
}
