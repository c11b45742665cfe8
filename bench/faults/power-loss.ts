// What a power cut leaves: a command runs with every write below its folder written down (record-writes.c), and the files are rebuilt as a
// disk may hold them at some moment: what was synced, and of the rest nothing, everything, or any of it, torn at sectors. Then the promise of
// docs/guarantees.md is looked at: the store is whole, at most the last second is missing, and the same command ends well.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../src/base/errors.ts';
import type { Random } from '../../src/base/random.ts';

/** What a program did to a file, as record-writes.c writes it down. */
interface Entry {
  readonly kind: number;
  readonly path: string;
  readonly data: Buffer;
  readonly offset: number;
  readonly seconds: number;
}

const kinds = { write: 1, cut: 2, sync: 3, create: 4, rename: 5, remove: 6, folder: 7 };

function* entriesOf(log: Buffer): Generator<Entry> {
  for (let at = 0; at + 32 <= log.length; ) {
    const [pathLength, dataLength] = [log.readUInt32LE(at + 4), log.readUInt32LE(at + 8)];
    const data = at + 32 + pathLength;
    yield {
      kind: log.readUInt32LE(at),
      path: log.toString('utf8', at + 32, data),
      data: log.subarray(data, data + dataLength),
      offset: Number(log.readBigUInt64LE(at + 16)),
      seconds: Number(log.readBigUInt64LE(at + 24)) / 1e9,
    };
    at = data + dataLength;
  }
}

/** A file's bytes on the disk, and what was written to it since it was synced. */
interface Inode {
  bytes: Buffer;
  pending: Entry[];
}

function written(bytes: Buffer, entries: readonly Entry[]): Buffer {
  let size = bytes.length;
  const room = Buffer.alloc(Math.max(size, ...entries.map(({ offset, data }) => offset + data.length)));
  bytes.copy(room);
  for (const { kind, offset, data } of entries) {
    if (kind === kinds.cut) {
      if (offset < size) room.fill(0, offset, size);
      size = offset;
    } else {
      data.copy(room, offset);
      size = Math.max(size, offset + data.length);
    }
  }
  return room.subarray(0, size);
}

type Names = Map<string, Inode | 'folder'>;

/** Names change in order, as file systems with a journal keep them, and are on the disk when their folder was synced: nothing less is promised by POSIX. */
export function createDisk(folder: string) {
  const durable: Names = new Map();
  const now: Names = new Map();
  let unsynced: Entry[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const node = entry.isDirectory() ? ('folder' as const) : { bytes: readFileSync(path), pending: [] };
    durable.set(path, node);
    now.set(path, node);
  }
  const made = new WeakMap<Entry, Inode>();
  const rename = (names: Names, { kind, path, data }: Entry, entry: Entry) => {
    if (kind === kinds.create) names.set(path, made.get(entry)!);
    else if (kind === kinds.folder) names.set(path, 'folder');
    else if (kind === kinds.remove) names.delete(path);
    else {
      const node = names.get(path);
      const target = data.toString();
      for (const [name, inside] of [...names]) {
        if (!name.startsWith(`${path}/`)) continue;
        names.delete(name);
        names.set(target + name.slice(path.length), inside);
      }
      names.delete(path);
      if (node !== undefined) names.set(target, node);
    }
  };
  return {
    apply(entry: Entry) {
      const node = now.get(entry.path);
      if (entry.kind === kinds.sync) {
        if (node !== undefined && node !== 'folder') {
          node.bytes = written(node.bytes, node.pending);
          node.pending = [];
          return;
        }
        // A journal keeps the order: with these goes what was done before them.
        const last = unsynced.findLastIndex(
          ({ path, data, kind }) =>
            dirname(path) === entry.path || (kind === kinds.rename && dirname(data.toString()) === entry.path),
        );
        for (const change of unsynced.slice(0, last + 1)) rename(durable, change, change);
        unsynced = unsynced.slice(last + 1);
      } else if (entry.kind === kinds.write || entry.kind === kinds.cut) {
        // A file that has no name any more is gone with the power.
        if (node !== undefined && node !== 'folder') node.pending.push(entry);
      } else {
        if (entry.kind === kinds.create) made.set(entry, { bytes: Buffer.alloc(0), pending: [] });
        rename(now, entry, entry);
        unsynced.push(entry);
      }
    },
    /** Writes what the disk may hold if the power goes now. */
    write(target: string, random: Random) {
      const names: Names = new Map(durable);
      const survived = random.integer(unsynced.length + 1);
      for (const change of unsynced.slice(0, survived)) rename(names, change, change);
      mkdirSync(target, { recursive: true });
      const paths = [...names.keys()].sort();
      for (const path of paths) {
        const node = names.get(path)!;
        const place = target + path.slice(folder.length);
        // What readers share in memory is made anew by whoever opens first.
        if (path.endsWith('-shm')) continue;
        mkdirSync(node === 'folder' ? place : dirname(place), { recursive: true });
        if (node !== 'folder') writeFileSync(place, startedAnew(path, survivors(node, random)));
      }
    },
  };
}

/** The machine was started anew, which the marker of a store tells from a kill. */
function startedAnew(path: string, bytes: Buffer): Buffer {
  return path.endsWith('.last')
    ? Buffer.from(
        bytes.toString('latin1').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, (boot) => '0'.repeat(boot.length)),
        'latin1',
      )
    : bytes;
}

function survivors({ bytes, pending }: Inode, random: Random): Buffer {
  const fate = (['none', 'all', 'some', 'torn'] as const)[random.integer(4)]!;
  if (fate === 'none') return bytes;
  if (fate === 'all') return written(bytes, pending);
  const chosen = pending.filter(() => random.next() < 0.5);
  if (fate === 'some') return written(bytes, chosen);
  const sectors = chosen.flatMap((entry) => {
    if (entry.kind === kinds.cut) return [entry];
    const starts = Array.from({ length: Math.ceil(entry.data.length / 512) }, (_, index) => 512 * index);
    return starts
      .filter(() => random.next() < 0.5)
      .map((from) => ({ ...entry, offset: entry.offset + from, data: entry.data.subarray(from, from + 512) }));
  });
  return written(bytes, sectors);
}

/** A command, and what must be true of its folder when it was run again after the cut. */
export interface Interrupted {
  readonly name: string;
  readonly from: string;
  readonly args: readonly string[];
  /** Whether it asks recognizers: what is missing of their calls is told in seconds. */
  readonly asks?: boolean;
  /** What is promised once the command had ended before the power went: found at once, nothing is run again. */
  ended(cwd: string): readonly string[];
  /** What must be true when it was run again. */
  again(cwd: string): readonly string[];
}

export interface PowerLoss {
  readonly name: string;
  readonly cuts: number;
  /** How long before the cut the first call was sent that was missing, at most. */
  readonly lostSeconds: number;
  readonly faults: readonly string[];
}

/** Null, with a reason, where such a disk cannot be imitated. */
export function recorder(folder: string): { readonly library: string } | { readonly missing: string } {
  if (process.platform !== 'linux') return { missing: 'writes are recorded on Linux alone' };
  const library = join(folder, 'record-writes.so');
  const source = new URL('record-writes.c', import.meta.url).pathname;
  const { status, stderr, error } = spawnSync('gcc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl'], {
    encoding: 'utf8',
  });
  if (error) return { missing: 'there is no gcc' };
  if (status !== 0) throw new Error(stderr);
  return { library };
}

/**
 * Runs a command once and cuts the power at moments of it, and once after its end.
 *
 * @param root for its folders, with no link in its path
 * @param sentAt when each call that a store knows was sent, in seconds since 1970 and in their order; none where there is no store
 */
export function cutPower(
  { name, from, args, asks = false, ended, again }: Interrupted,
  options: {
    readonly root: string;
    readonly library: string;
    readonly cuts: number;
    readonly random: Random;
    readonly command: readonly string[];
    check(cwd: string): readonly string[];
    sentAt(cwd: string): readonly number[];
  },
): PowerLoss {
  const { root, library, cuts, random, command, check, sentAt } = options;
  const cwd = mkdtempSync(join(root, 'power-'));
  cpSync(from, cwd, { recursive: true });
  const disk = createDisk(cwd);
  const log = join(root, 'writes.log');
  rmSync(log, { force: true });
  const [program, ...rest] = command;
  const env = { ...process.env, LD_PRELOAD: library, RECORD_BELOW: cwd, RECORD_TO: log, UV_USE_IO_URING: '0' };
  const { status, stderr } = spawnSync(program!, [...rest, ...args], { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
  const entries = [...entriesOf(readFileSync(log))];
  const moments = [...Array.from({ length: cuts - 1 }, () => random.integer(entries.length)), entries.length].sort(
    (a, b) => a - b,
  );
  const faults: string[] = [];
  const sent = sentAt(cwd);
  let lostSeconds = 0;
  let at = 0;
  for (const moment of moments) {
    for (; at < moment; at++) disk.apply(entries[at]!);
    const now = entries[Math.min(at, entries.length - 1)]!.seconds;
    // In the same place: a store knows its reports by their paths.
    rmSync(cwd, { recursive: true, force: true });
    const place = cwd;
    disk.write(place, random);
    const tell = (said: readonly string[]) =>
      faults.push(...said.map((fault) => `${name}, cut at ${moment} of ${entries.length}: ${fault}`));
    try {
      tell(check(place));
      const first = asks ? sent[sentAt(place).length] : undefined;
      if (first !== undefined && first < now) lostSeconds = Math.max(lostSeconds, now - first);
      if (moment === entries.length) tell(ended(place));
      else {
        const after = spawnSync(program!, [...rest, ...args], { cwd: place, encoding: 'utf8' });
        if (after.status !== 0 && !/knows no|exists already/.test(after.stderr))
          tell([`then it ended with ${after.status}: ${after.stderr}`]);
        else tell([...check(place), ...again(place)]);
      }
    } catch (error) {
      tell([messageOf(error)]);
    }
  }
  rmSync(cwd, { recursive: true, force: true });
  return { name, cuts, lostSeconds, faults };
}
