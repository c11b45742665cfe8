// What the tests of this family have in common.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encodeWav } from '../../audio/encode-wav.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Corpus, CorpusServices } from '../contract.ts';

/** A folder with these files that goes away at the end of the block: `await using folder = await temporaryFolder({…})`. */
export async function temporaryFolder(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const path = await mkdtemp(join(tmpdir(), 'earwitness-corpus-'));
  const write = async (name: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  };
  for (const [name, content] of Object.entries(files)) await write(name, content);
  return { path, write, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Services whose sounds and speech are refused unless a test gives real ones; warnings are collected. */
export function testServices(baseFolder: string, given: Partial<CorpusServices> = {}) {
  const warnings: string[] = [];
  const refuse = async () => assert.fail('not expected here');
  const services: CorpusServices = {
    baseFolder,
    sounds: { read: refuse, identity: refuse },
    speech: refuse,
    warn: (message) => warnings.push(message),
    ...given,
  };
  return { ...services, warnings };
}

/** So many samples of a sine at 8 kHz as a WAV file. */
export function wavFile(sampleCount = 800): Uint8Array {
  const samples = Float32Array.from({ length: sampleCount }, (_, n) => 0.5 * Math.sin((2 * Math.PI * 440 * n) / 8000));
  return encodeWav({ samples, sampleRate: 8000 }, { format: 's16' });
}

/** Everything that comes, in a list. */
export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** All utterances of a corpus. */
export async function utterancesOf(corpus: Pick<Corpus, 'utterances'>): Promise<readonly Utterance[]> {
  return collected(corpus.utterances());
}

/** Checks that something is refused with one sentence that matches. */
export async function assertRefused(promise: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof EarwitnessError, String(error));
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /\n/);
    return true;
  });
}

/** A corpus in memory. */
export function corpusOf(utterances: readonly Utterance[]): Corpus {
  return {
    async *utterances() {
      yield* utterances;
    },
    soundIdentity: async () => null,
    clip: async () => assert.fail('not expected here'),
    close: async () => {},
  };
}

/** Sounds that are their bytes: what a stretch of a file depends on, and one sample for each byte. */
export const bytesAsSounds: CorpusServices['sounds'] = {
  async read(path, stretch) {
    const { length } = await readFile(path);
    const { startSeconds = 0, endSeconds = length } = stretch ?? {};
    return { samples: new Float32Array(Math.max(1, Math.round(endSeconds - startSeconds))), sampleRate: 1 };
  },
  async identity(path, stretch = {}) {
    return {
      sha256: createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
      ...stretch,
    };
  },
};
