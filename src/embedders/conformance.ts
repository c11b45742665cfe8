// What every embedder must do, whatever it computes with.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertDescribed, assertWithoutPaths } from '../base/testing/described.ts';
import type { Embedder, EmbedderKind, EmbedderServices } from './contract.ts';

/** A member with what it needs to be tried. */
export interface EmbedderCase<Options> {
  readonly kind: EmbedderKind<Options>;
  readonly options: unknown;
  readonly services: EmbedderServices;
  /** Of different lengths, and each with another meaning to the model. */
  readonly texts: readonly [string, string, string, ...string[]];
  /** Why the member cannot be tried on this machine; false where it can. */
  readonly skip: string | false;
}

/** Nothing that a recognizer or a manifest may contain breaks a model. */
const hostileTexts = [
  'a\0b\u001b[31m\u202e',
  '\ud800 half',
  '[CLS] [SEP] [PAD] <s> </s> <|endoftext|>',
  'x'.repeat(5000),
  '\u0301'.repeat(500),
  '__proto__ constructor',
  '你好 🏽 שלום',
];

/** Registers the tests that every embedder must pass, under its name. */
export function testEmbedder<Options>({ kind, options, services, texts, skip }: EmbedderCase<Options>): void {
  // Opened once for all, because reading a model takes longer than asking it.
  let opening: Promise<Embedder> | null = null;
  const open = () => kind.open(kind.options.parse(options), services);
  const proves = (what: string, prove: (embedder: Embedder) => Promise<void>) => {
    if (skip !== false) return;
    test(`${kind.name} ${what}.`, async () => {
      opening ??= open();
      await prove(await opening);
    });
  };
  if (skip !== false) test(`${kind.name} keeps the contract of embedders.`, { skip });
  after(async () => (await opening)?.close());

  test(`${kind.name} describes every option and refuses unknown ones.`, () => {
    assertDescribed(kind.options, options);
  });

  proves('tells its identity without paths and names, the same each time', async (embedder) => {
    const again = await open();
    assert.deepEqual(again.identity, embedder.identity);
    await again.close();
    const { name, ...rest } = embedder.model;
    assert.deepEqual(rest, embedder.identity);
    // A process is what it calls itself.
    const named = embedder.identity.introduced === undefined ? [`"${name}"`] : [];
    assertWithoutPaths(embedder.identity, services.baseFolder, ...named);
    assert.ok(embedder.languages.length > 0);
  });

  proves('gives each text the same vector bit for bit, whatever stands beside it', async (embedder) => {
    const alone: Float32Array[] = [];
    for (const text of texts) alone.push(...(await embedder.embed([text])));
    assert.equal(new Set(alone.map((vector) => vector.join())).size, texts.length, 'two texts have one vector');
    assert.deepEqual(await embedder.embed(texts), alone);
    assert.deepEqual((await embedder.embed(texts.toReversed())).toReversed(), alone);
    const [first, second] = await Promise.all([embedder.embed(texts), embedder.embed([texts[1], texts[0]])]);
    assert.deepEqual(first, alone);
    assert.deepEqual(second, [alone[1], alone[0]]);
  });

  proves('gives vectors of length 1 that no later call changes', async (embedder) => {
    const [vector] = await embedder.embed([texts[0]]);
    const copy = Float32Array.from(vector!);
    await embedder.embed(texts);
    assert.deepEqual(vector, copy);
    assert.equal(vector!.length, embedder.dimensions);
    const length = Math.hypot(...vector!);
    assert.ok(Math.abs(length - 1) < 1e-6, String(length));
  });

  proves('has no vector for an empty text, with a reason, and goes on', async (embedder) => {
    const answers = await embedder.embedTexts(['', ' \n\t', texts[0]]);
    for (const { vector, reason } of answers.slice(0, 2)) {
      assert.equal(vector, null);
      assert.equal(reason, 'the text is empty');
    }
    assert.ok(answers[2]?.vector);
    assert.deepEqual(await embedder.embed(['']), [new Float32Array(embedder.dimensions)]);
    assert.deepEqual(await embedder.embedTexts([]), []);
  });

  proves('says when it has not read the whole text, and not before', async (embedder) => {
    const { maxTokens } = embedder;
    if (maxTokens === null) return;
    const [short, long, endless] = await embedder.embedTexts([
      texts[0],
      `${texts[0]} `.repeat(maxTokens),
      `${texts[0]} `.repeat(Math.ceil(4_000_000 / texts[0].length)),
    ]);
    assert.equal(short!.note, undefined);
    assert.equal(short!.tokens, short!.tokensRead);
    assert.equal(long!.tokensRead, maxTokens);
    assert.ok(long!.tokens! > maxTokens);
    assert.match(long!.note!, /read only the first [\d,]+ of [\d,]+ tokens$/);
    assert.match(endless!.note!, /of (more than )?[\d,]+ tokens$/);
  });

  proves('embeds hostile texts or says why not', async (embedder) => {
    for (const { vector, reason } of await embedder.embedTexts(hostileTexts)) {
      assert.ok(vector === null ? reason : vector.every(Number.isFinite));
    }
  });

  proves('stops between two texts when it is told to', async (embedder) => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(embedder.embedTexts(texts, stopped), { message: 'stopped' });
    assert.equal((await embedder.embed([texts[0]])).length, 1);
  });
}
