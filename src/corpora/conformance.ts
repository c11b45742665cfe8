// What every corpus must do, whatever its format.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { oneChannel } from '../audio/channels.ts';
import { encodeWav } from '../audio/encode-wav.ts';
import { EarwitnessError } from '../base/errors.ts';
import { canonicalJson } from '../base/hash.ts';
import { assertDescribed } from '../base/testing/described.ts';
import type { Utterance } from '../model/utterance.ts';
import type { Corpus, CorpusKind, CorpusServices } from './contract.ts';

/** A member with what it needs to be tried. */
export interface CorpusCase<Options> {
  readonly kind: CorpusKind<Options>;
  /** Files of a small corpus of at least two utterances; a sound may be any bytes. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** With paths meant from the root of these files. */
  readonly options: object;
  /** A data set as its owners publish it: it says what it is and under which licence. */
  readonly published: boolean;
  readonly services?: Partial<CorpusServices>;
}

/** Registers the tests that every corpus must pass, under its name. */
export function testCorpus<Options>({ kind, files, options, published, services = {} }: CorpusCase<Options>): void {
  const opened = async (root: string) =>
    kind.open(kind.options.parse(options), testServices(root, { sounds: bytesAsSounds, ...services }));

  test(`${kind.name} describes every option and refuses unknown ones.`, () => {
    assertDescribed(kind.options, options);
    assert.ok(
      kind.options.safeParse({ ...options, type: kind.name }).success === false,
      '`type` names the member in a config',
    );
    for (const sign of kind.signs ?? []) kind.options.parse({ folder: '.', ...sign.options });
  });

  test(`${kind.name} gives the same utterances each time, also while another pass goes on.`, async () => {
    await using tree = await temporaryFolder(files);
    const corpus = await opened(tree.path);
    const once = await utterancesOf(corpus);
    assert.ok(once.length >= 2, `${once.length} utterances show no order`);
    const [left, right] = await Promise.all([utterancesOf(corpus), utterancesOf(corpus)]);
    assert.deepEqual(left, once);
    assert.deepEqual(right, once);
    for await (const _ of corpus.utterances()) break;
    assert.deepEqual(await utterancesOf(corpus), once);
    await corpus.close();
  });

  test(`${kind.name} gives well-formed utterances.`, async () => {
    await using tree = await temporaryFolder(files);
    const utterances = await utterancesOf(await opened(tree.path));
    assert.equal(new Set(utterances.map(({ id }) => id)).size, utterances.length, 'an id stands twice');
    for (const utterance of utterances) checkUtterance(utterance, tree.path);
    if (!published) return;
    for (const { id, attributes } of utterances) {
      assert.equal(attributes.corpus, kind.name, id);
      assert.ok(attributes.licence, `${id} has no licence`);
    }
  });

  test(`${kind.name} names sounds by their bytes, wherever it lies, and reads them.`, async () => {
    await using here = await temporaryFolder(files);
    await using there = await temporaryFolder(files);
    const [corpus, copy] = [await opened(here.path), await opened(there.path)];
    const [utterances, copies] = [await utterancesOf(corpus), await utterancesOf(copy)];
    for (const [index, utterance] of utterances.entries()) {
      const identity = await corpus.soundIdentity(utterance);
      assert.deepEqual(await copy.soundIdentity(copies[index]!), identity);
      if (utterance.sound === undefined) {
        assert.equal(identity, null);
        continue;
      }
      assert.ok(!canonicalJson(identity).includes(here.path), 'a path stands in the identity');
      const { samples } = await corpus.clip(utterance);
      assert.ok(samples.length > 0);
    }
    await Promise.all([corpus.close(), copy.close()]);
  });

  if (published) {
    test(`${kind.name} refuses a folder that holds something else, and one that is not there, with one sentence.`, async () => {
      await using tree = await temporaryFolder({ 'notes.md': 'nothing', 'other/a.wav': 'x' });
      await assertRefused(opened(tree.path).then(utterancesOf as (corpus: Corpus) => Promise<unknown>), /: expected /);
      const elsewhere = { ...options, folder: 'not-there' };
      const open = async () => kind.open(kind.options.parse(elsewhere), testServices(tree.path));
      await assertRefused(open(), /^not-there: expected the folder of .*there is none; check the path$/);
    });
  }
}

function checkUtterance(utterance: Utterance, root: string): void {
  const { id, sound, language, speaker, attributes, reference, tags } = utterance;
  const [canonical] = Intl.getCanonicalLocales(language);
  assert.equal(language, canonical, `${id}: the language is not written as BCP 47 does`);
  for (const [name, value] of Object.entries(attributes)) {
    assert.ok(typeof value === 'string' && value.trim() === value && value !== '', `${id}: ${name} is ${value}`);
  }
  if (sound !== undefined && 'file' in sound) {
    assert.ok(sound.file.startsWith(`${root}/`), `${id}: ${sound.file} lies outside`);
    const { startSeconds = 0, endSeconds = Number.POSITIVE_INFINITY } = sound;
    assert.ok(startSeconds >= 0 && endSeconds > startSeconds, `${id}: ${startSeconds} to ${endSeconds}`);
  }
  assert.ok(speaker === undefined || speaker.trim() !== '', `${id}: a speaker without a name`);
  assert.ok(reference === undefined || reference.trim() === reference, `${id}: blanks around the reference`);
  assert.ok(Array.isArray(tags));
  assert.ok(!Object.values(utterance).includes(undefined as never), `${id}: a field is there and undefined`);
}

// What the tests of this family have in common.

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
    sounds: { read: refuse, identity: refuse, channels: refuse },
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
  channels: async () => oneChannel,
};
