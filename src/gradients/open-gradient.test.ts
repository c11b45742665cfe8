import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Tensor } from 'onnxruntime-node';
import { createRandom } from '../base/random.ts';
import { loadOnnxRuntime } from '../packages/onnx-runtime.ts';
import { writeTinyCtc } from '../recognizers/transformers/testing/tiny-ctc.ts';
import { whisperFeatures } from './features.ts';
import { elementTypes, type Model } from './onnx-model.ts';
import { openWaveformGradient } from './open-gradient.ts';
import { makeNode } from './rewrite.ts';
import { inHalfPrecision } from './testing/half.ts';
import { fastConformerLike, GraphWriter, wav2vec2Like, whisperParts } from './testing/networks.ts';
import { encodeModel } from './write-model.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-gradient-'));
after(() => rmSync(folder, { recursive: true }));

const noise = (seed: string, length: number) => {
  const random = createRandom(seed);
  return Float32Array.from({ length }, (_, n) => 0.1 * Math.sin((Math.PI * n) / length) * random.normal());
};

/** Tones one after the other, 0.1 s each with 0.1 s of silence. */
const tones = (...hertz: readonly number[]) =>
  Float32Array.from({ length: hertz.length * 3200 }, (_, n) =>
    n % 3200 < 1600 ? 0.5 * Math.sin((2 * Math.PI * hertz[Math.floor(n / 3200)]! * n) / 16_000) : 0,
  );

test('a model that spells tones hears, and a step along the gradient makes it hear something else', async () => {
  const gradient = await openWaveformGradient({ folder: writeTinyCtc(join(folder, 'tones')) });
  assert.deepEqual([gradient.sampleRateHz, gradient.longestSeconds, gradient.surrogate], [16_000, null, false]);
  const samples = tones(500, 2000, 3500, 500);
  assert.equal(await gradient.transcribe(samples), 'ab a');
  const before = Float32Array.from(samples);
  const { loss, gradient: found } = await gradient.lossAndGradient(samples, 'ab a');
  assert.deepEqual(samples, before);
  assert.equal(found.length, samples.length);
  assert.ok(loss < 1, String(loss));
  const length = Math.hypot(...found);
  const worse = samples.map((value, index) => value + (12 * found[index]!) / length);
  assert.ok((await gradient.lossOf(worse, 'ab a')) > 5 * loss + 5);
  assert.notEqual(await gradient.transcribe(worse), 'ab a');
  // Calls that are made together take turns.
  const [first, second] = await Promise.all([gradient.lossOf(samples, 'ab a'), gradient.lossOf(tones(500), 'a')]);
  assert.equal(first, loss);
  assert.notEqual(second, first);
  assert.equal(await gradient.agreement(samples, 'ab a'), null);
  // The model is so sure of these tones that the loss is flat; of what it does not hear it is not.
  assert.equal((await gradient.check(samples, 'ab a')).passed, null);
  assert.equal((await gradient.check(samples, 'b a')).passed, true);
  await gradient.dispose();
});

test('what a model cannot write, hear or hold is refused in a sentence', async () => {
  const gradient = await openWaveformGradient({ folder: writeTinyCtc(join(folder, 'refusing')) });
  await assert.rejects(gradient.lossOf(tones(500), 'a fée b'), {
    code: 'bad-input',
    message: 'expected a text in letters that refusing writes, but it has "f", "é", "e"; spell it otherwise',
  });
  await assert.rejects(
    gradient.lossOf(tones(500), 'abababababababababab'),
    /expected a text that \d+ frames of the model can hold/,
  );
  await assert.rejects(
    gradient.lossOf(new Float32Array(0), 'a'),
    /expected samples that are numbers, but there are none/,
  );
  await assert.rejects(gradient.lossOf(Float32Array.of(0, Number.NaN), 'a'), /but sample 1 is NaN/);
  // Silence has a loss; squares of nothing have no gradient.
  const silence = await gradient.lossAndGradient(new Float32Array(8000), 'a');
  assert.ok(silence.loss > 1 && silence.gradient.every((value) => value === 0));
  await assert.rejects(gradient.check(new Float32Array(8000), 'a'), /but it is zero, as of digital silence/);
  await gradient.dispose();
  const unknown = join(folder, 'moonshine');
  writeTinyCtc(unknown, { 'config.json': { model_type: 'moonshine' } });
  await assert.rejects(
    openWaveformGradient({ folder: unknown }),
    /but config.json says "moonshine"; take another model/,
  );
  const none = writeTinyCtc(join(folder, 'none'), { 'onnx/model.onnx': null });
  await assert.rejects(
    openWaveformGradient({ folder: none }),
    /expected one graph model of 32-bit or 16-bit floats .* but there is none/,
  );
});

test('what cannot fit in free memory is refused before it is computed, with what it takes', async () => {
  const files = { 'onnx/model.onnx': encodeModel(wav2vec2Like({ tokens: 5 }).model) };
  const place = writeTinyCtc(join(folder, 'large'), files);
  const measured = await openWaveformGradient({ folder: place });
  const bytes = await measured.memoryBytes(0.5);
  await measured.dispose();
  const open = (availableBytes: number) =>
    openWaveformGradient({ folder: place, availableBytes: () => availableBytes });
  const small = await open(bytes / 2);
  await assert.rejects(small.lossAndGradient(noise('large', 8000), 'ab a'), {
    code: 'bad-input',
    message:
      /^expected memory for the gradient of large on a clip of 0\.5 s, which takes about 0\.\d GB, but 0\.\d GB are free; cut the clip, /,
  });
  // Half the sound takes half the memory.
  assert.ok((await small.lossOf(noise('large', 3000), 'ab a')) > 0);
  await small.dispose();
  const enough = await open(bytes);
  assert.ok((await enough.lossOf(noise('large', 8000), 'ab a')) > 0);
  await enough.dispose();
});

test('a gradient that is no number is refused', async () => {
  const g = new GraphWriter('roots');
  const x = g.input('input_values', ['batch', 'samples']);
  const size = g.op('Sqrt', [g.op('Mul', [x, x])]);
  const scores = g.op('MatMul', [g.op('Unsqueeze', [size, g.integers([2])]), g.normal([1, 5])]);
  const model = encodeModel(g.model([g.named(scores, 'logits')]));
  const gradient = await openWaveformGradient({
    folder: writeTinyCtc(join(folder, 'roots'), { 'onnx/model.onnx': model }),
  });
  await assert.rejects(gradient.lossAndGradient(new Float32Array(3000), 'a'), {
    message:
      'expected a gradient of numbers from roots, but that of sample 0 is NaN; take another clip, or an undamaged export',
  });
  await gradient.dispose();
});

test('a model whose loss jumps is refused with the figures that were measured', async () => {
  const g = new GraphWriter('jumping');
  const x = g.input('input_values', ['batch', 'samples']);
  // Sign is held, so that the gradient knows nothing of its jumps at a few hundred places of sound around 0.
  const sharp = g.op('Tanh', [g.op('Mul', [x, g.number(1e6)])]);
  const mixed = g.op('Add', [
    x,
    g.op('Mul', [g.op('Sign', [g.op('Sin', [g.op('Mul', [x, g.number(1e5)])])]), g.op('Abs', [sharp])]),
  ]);
  const scores = g.op('MatMul', [g.op('Unsqueeze', [mixed, g.integers([2])]), g.normal([1, 5])]);
  const model = encodeModel(g.model([g.named(scores, 'logits')]));
  const gradient = await openWaveformGradient({
    folder: writeTinyCtc(join(folder, 'jumping'), { 'onnx/model.onnx': model }),
  });
  await assert.rejects(
    gradient.lossAndGradient(noise('jumping', 2000), 'a'),
    /^EarwitnessError: expected central differences within 1 % of the gradient of jumping, which is [\d.e+-]+ long, but they give ([-\d.e+]+ by a step of [\d.e-]+(, )?){4}; the model is not smooth enough/,
  );
  await gradient.dispose();
});

for (const mask of [false, true]) {
  test(`a network like wav2vec 2.0 ${mask ? 'with a mask' : 'with zero mean and unit variance'} is confirmed at two lengths`, async () => {
    const { model } = wav2vec2Like({ tokens: 5 });
    const input = { name: 'attention_mask', type: 7, shape: ['batch', 'samples'] };
    const files = {
      'onnx/model.onnx': encodeModel(
        mask ? { ...model, graph: { ...model.graph, inputs: [...model.graph.inputs, input] } } : model,
      ),
      'preprocessor_config.json': {
        feature_extractor_type: 'Wav2Vec2FeatureExtractor',
        do_normalize: !mask,
        sampling_rate: 16_000,
      },
    };
    const gradient = await openWaveformGradient({ folder: writeTinyCtc(join(folder, `network-${mask}`), files) });
    for (const length of [5000, 8000]) {
      const { deviation, measured, passed } = await gradient.check(noise(`network ${length}`, length), 'ab a');
      assert.ok(passed && deviation! < 0.01, JSON.stringify(measured));
    }
    const [short, long] = [await gradient.memoryBytes(1), await gradient.memoryBytes(2)];
    assert.ok(long > 1.8 * short && long < 4.2 * short, `${short}, ${long}`);
    await gradient.dispose();
  });
}

for (const modelType of ['hubert', 'wavlm']) {
  test(`a network like ${modelType} is confirmed`, async () => {
    const { model } = wav2vec2Like({ tokens: 5, gated: modelType === 'wavlm' });
    const gradient = await openWaveformGradient({
      folder: writeTinyCtc(join(folder, modelType), {
        'onnx/model.onnx': encodeModel(model),
        'config.json': { model_type: modelType, pad_token_id: 0 },
        'preprocessor_config.json': {
          feature_extractor_type: 'Wav2Vec2FeatureExtractor',
          do_normalize: true,
          sampling_rate: 16_000,
        },
      }),
    });
    const { deviation, measured } = await gradient.check(noise(modelType, 8000), 'ab a');
    assert.ok(deviation! < 0.01, JSON.stringify(measured));
    await gradient.dispose();
  });
}

test('a FastConformer is confirmed through the features of Parakeet', async () => {
  const [samples, bands] = [8000, 80];
  const { model, wrt } = fastConformerLike(1 + samples / 160, bands);
  const turned = makeNode('Transpose', ['input_features'], [wrt], { perm: [0, 2, 1] });
  const inputs = [{ name: 'input_features', type: elementTypes.float, shape: ['batch', 'frames', bands] }];
  const graph = { ...model.graph, nodes: [turned, ...model.graph.nodes], inputs };
  const gradient = await openWaveformGradient({
    folder: writeTinyCtc(join(folder, 'conformer'), {
      'onnx/model.onnx': encodeModel({ ...model, graph }),
      'config.json': { model_type: 'parakeet_ctc', pad_token_id: 0 },
      'preprocessor_config.json': {
        feature_size: bands,
        hop_length: 160,
        n_fft: 512,
        win_length: 400,
        preemphasis: 0.97,
      },
    }),
  });
  const { deviation, measured } = await gradient.check(noise('conformer', samples), 'ab');
  assert.ok(deviation! < 0.01, JSON.stringify(measured));
  await gradient.dispose();
});

for (const ends of [false, true]) {
  test(`a network like wav2vec 2.0 in 16-bit floats${ends ? ', at its ends too,' : ''} is attacked as 32-bit floats and hears alike`, async () => {
    const { model } = wav2vec2Like({ tokens: 5 });
    const place = writeTinyCtc(join(folder, `half-${ends}`), {
      'onnx/model.onnx': null,
      'onnx/model_fp16.onnx': encodeModel(inHalfPrecision(model, ends)),
    });
    const gradient = await openWaveformGradient({ folder: place });
    assert.ok(gradient.surrogate);
    const samples = noise('half', 8000);
    const { deviation, measured } = await gradient.check(samples, 'ab a');
    assert.ok(deviation! < 0.01, JSON.stringify(measured));
    const agreement = (await gradient.agreement(samples, 'ab a'))!;
    assert.ok(agreement.positions > 20 && agreement.sameTokens >= agreement.positions - 1, JSON.stringify(agreement));
    // Eleven bits of fraction, not twenty-four: near, and not the same.
    assert.ok(agreement.rootMeanSquare > 1e-6 && agreement.rootMeanSquare < 0.05, JSON.stringify(agreement));
    // The weights are those of 16 bits, so that the model of 32 bits is a little elsewhere.
    const whole = await openWaveformGradient({
      folder: writeTinyCtc(join(folder, `whole-${ends}`), { 'onnx/model.onnx': encodeModel(model) }),
    });
    const [half, full] = [await gradient.lossOf(samples, 'ab a'), await whole.lossOf(samples, 'ab a')];
    assert.ok(half !== full && Math.abs(half / full - 1) < 0.02, `${half}, ${full}`);
    await gradient.dispose();
    await whole.dispose();
  });
}

test('a model like Parakeet is confirmed through its features, with a mask and with pieces of words as tokens', async () => {
  const g = new GraphWriter('parakeet');
  const input = g.input('input_features', ['batch', 'frames', 80]);
  const mask = g.input('attention_mask', ['batch', 'frames'], elementTypes.int64);
  const heard = g.op('Unsqueeze', [g.op('Cast', [mask], { to: elementTypes.float }), g.integers([2])]);
  const hidden = g.op('Tanh', [g.dense(g.op('Mul', [input, heard]), 80, 16)]);
  const model = encodeModel(g.model([g.named(g.dense(hidden, 16, 5), 'logits')]));
  const vocabulary = [
    ['<unk>', 0],
    ['▁a', -1],
    ['b', -1],
    ['▁', -3],
    ['<blank>', 0],
  ];
  const place = writeTinyCtc(join(folder, 'parakeet'), {
    'onnx/model.onnx': model,
    'config.json': { model_type: 'parakeet_ctc', pad_token_id: 4 },
    'preprocessor_config.json': {
      feature_size: 80,
      hop_length: 160,
      n_fft: 512,
      win_length: 400,
      preemphasis: 0.97,
      sampling_rate: 16_000,
    },
    'tokenizer.json': {
      added_tokens: [],
      normalizer: null,
      pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
      post_processor: null,
      decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always' },
      model: { type: 'Unigram', unk_id: 0, vocab: vocabulary },
    },
    'tokenizer_config.json': { tokenizer_class: 'PreTrainedTokenizerFast', unk_token: '<unk>' },
  });
  const gradient = await openWaveformGradient({ folder: place });
  const samples = noise('parakeet', 8000);
  const { deviation, measured } = await gradient.check(samples, 'ab abb');
  assert.ok(deviation! < 0.01, JSON.stringify(measured));
  assert.match(await gradient.transcribe(samples), /^[ab ]*$/);
  await assert.rejects(
    gradient.lossOf(samples, 'ab x'),
    /expected a text in letters that parakeet writes, but it has "x"/,
  );
  await gradient.dispose();
});

const letters = ['Ġ', ...'abcdefghij'];
const writer: Readonly<Record<string, unknown>> = {
  'config.json': { model_type: 'whisper', eos_token_id: 11, decoder_start_token_id: 12, max_target_positions: 64 },
  'generation_config.json': {
    eos_token_id: 11,
    decoder_start_token_id: 12,
    is_multilingual: true,
    lang_to_id: { '<|en|>': 13 },
    task_to_id: { transcribe: 14 },
    no_timestamps_token_id: 15,
    suppress_tokens: [12, 13, 14, 15],
    begin_suppress_tokens: [0, 11],
  },
  'preprocessor_config.json': {
    feature_size: 40,
    n_samples: 16_000,
    hop_length: 160,
    n_fft: 400,
    sampling_rate: 16_000,
  },
  'tokenizer.json': {
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true },
    post_processor: null,
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab: Object.fromEntries(letters.map((letter, id) => [letter, id])), merges: [] },
  },
  'tokenizer_config.json': { tokenizer_class: 'WhisperTokenizer' },
};

function writeWriter(name: string, changed: Readonly<Record<string, object>> = {}): string {
  const { encoder, decoder } = whisperParts({ bands: 40, frames: 100, tokens: 16 });
  const place = join(folder, name);
  mkdirSync(join(place, 'onnx'), { recursive: true });
  for (const [file, content] of Object.entries(writer)) {
    writeFileSync(join(place, file), JSON.stringify({ ...(content as object), ...changed[file] }));
  }
  writeFileSync(join(place, 'onnx/encoder_model.onnx'), encodeModel(encoder));
  writeFileSync(join(place, 'onnx/decoder_model_merged.onnx'), encodeModel(decoder));
  return place;
}

test('a network like Whisper is confirmed through its features, and texts and sounds too long for it are refused', async () => {
  const place = writeWriter('writer');
  const gradient = await openWaveformGradient({ folder: place });
  assert.equal(gradient.longestSeconds, 1);
  const samples = noise('writer', 9000);
  const { deviation, measured } = await gradient.check(samples, 'a bad cab');
  assert.ok(deviation! < 0.01, JSON.stringify(measured));
  const { loss } = await gradient.lossAndGradient(samples, 'a bad cab');
  assert.ok(loss > 10 && loss < 60, String(loss));
  // Fillers after the text change nothing: the same text is as likely with 16 tokens of room and with 32.
  await gradient.lossOf(samples, 'a bad cab a bad cab a bad cab');
  assert.ok(Math.abs((await gradient.lossOf(samples, 'a bad cab')) - loss) < 1e-4);
  assert.match(await gradient.transcribe(samples), /^[a-j ]*$/);
  await assert.rejects(
    gradient.lossOf(noise('long', 16_001), 'a'),
    /expected at most 1 s, which writer takes at once, but got 1.0001 s; cut the clip/,
  );
  await assert.rejects(
    gradient.lossOf(samples, 'abcdefghij'.repeat(6)),
    /expected a text of fewer than 60 tokens for writer, but it has 61/,
  );
  await assert.rejects(
    openWaveformGradient({ folder: place, availableBytes: () => 1000 }),
    /expected memory for the gradient of the encoder of writer, which always takes 1 s, which takes about/,
  );
  await assert.rejects(
    openWaveformGradient({ folder: place, language: 'xx' }),
    /expected a language that writer knows, but got xx/,
  );
  await gradient.dispose();
});

test('the loss of an empty text is that of an end at once, or behind the first token where an end cannot come first', async () => {
  const samples = noise('quiet', 9000);
  const { runtime } = await loadOnnxRuntime('for this test', '');
  const { encoder, decoder } = whisperParts({ bands: 40, frames: 100, tokens: 16 });
  const run = async (model: Model, inputs: Readonly<Record<string, Tensor>>) => {
    const session = await runtime.InferenceSession.create(encodeModel(model));
    const found = Object.values(await session.run(inputs))[0]!.data as Float32Array;
    await session.release();
    return found;
  };
  const extract = whisperFeatures({ bands: 40, length: 16_000, hop: 160, fftSize: 400, sampleRateHz: 16_000 });
  const features = new runtime.Tensor('float32', extract(samples).values, [1, 40, 100]);
  const heard = new runtime.Tensor('float32', await run(encoder, { input_features: features }), [1, 50, 32]);
  /** What the decoder thinks of each of the 16 tokens behind some. */
  const lossesBehind = async (tokens: readonly number[]) => {
    const ids = new runtime.Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]);
    const scores = (await run(decoder, { input_ids: ids, encoder_hidden_states: heard })).slice(-16);
    const sum = Math.log(scores.reduce((all, score) => all + Math.exp(score), 0));
    return [...scores].map((score) => sum - score);
  };
  const prompt = [12, 13, 14, 15];
  const begun = await lossesBehind(prompt);
  const first = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].toSorted((a, b) => begun[a]! - begun[b]!)[0]!;
  const late = await openWaveformGradient({ folder: writeWriter('late end') });
  const expected = (await lossesBehind([...prompt, first]))[11]!;
  assert.ok(Math.abs((await late.lossOf(samples, '')) - expected) < 1e-3, `${expected}`);
  assert.ok((await late.check(samples, '')).passed);
  await late.dispose();

  const changed = { 'generation_config.json': { begin_suppress_tokens: [] } };
  const free = await openWaveformGradient({ folder: writeWriter('early end', changed) });
  assert.ok(Math.abs((await free.lossOf(samples, '')) - begun[11]!) < 1e-3, `${begun[11]}`);
  let muted = samples;
  for (let step = 0; step < 60; step++) {
    const { gradient } = await free.lossAndGradient(muted, '');
    const norm = Math.sqrt(gradient.reduce((sum, value) => sum + value ** 2, 0));
    muted = muted.map((value, n) => value - ((1 - step / 60) * gradient[n]!) / norm);
  }
  assert.deepEqual([(await free.transcribe(samples)).length > 8, await free.transcribe(muted)], [true, '']);
  await free.dispose();
});

test('where the loss of a text is too curved for central differences, what the model hears confirms its gradient', async () => {
  const gradient = await openWaveformGradient({ folder: writeWriter('curved') });
  const samples = noise('writer', 16_000);
  assert.equal((await gradient.check(samples, '')).passed, false);
  assert.equal((await gradient.check(samples, await gradient.transcribe(samples))).passed, true);
  assert.ok((await gradient.lossAndGradient(samples, '')).loss > 5);
  await gradient.dispose();
});

test('Moonshine, and whatever else has no gradient here, is refused with the kinds that have one', async () => {
  const place = writeTinyCtc(join(folder, 'moonshine'), { 'config.json': { model_type: 'moonshine' } });
  await assert.rejects(
    openWaveformGradient({ folder: place }),
    /expected a model whose loss has a gradient here \(whisper, .*wav2vec2, .*\), but config\.json says "moonshine"; take another model/,
  );
});

test('of the decoders for texts of many lengths the two last are kept', async () => {
  const place = writeWriter('lengths');
  const [scratch, before] = [join(folder, 'scratch'), process.env.TMPDIR];
  mkdirSync(scratch);
  process.env.TMPDIR = scratch;
  const opened = () => readdirSync(scratch).sort();
  try {
    const gradient = await openWaveformGradient({ folder: place });
    const samples = noise('lengths', 9000);
    const [short, middling, long] = ['a', 'abcdefghijabcdefghij', 'abcdefghij'.repeat(4)] as const;
    await gradient.lossOf(samples, short);
    await gradient.lossOf(samples, middling);
    const two = opened();
    assert.equal(two.length, 3, 'an encoder and two decoders');
    await gradient.lossOf(samples, short);
    await gradient.lossOf(samples, middling);
    assert.deepEqual(opened(), two);
    await gradient.lossOf(samples, long);
    assert.equal(opened().filter((name) => two.includes(name)).length, 2, 'the oldest is gone');
    assert.equal(opened().length, 3);
    await gradient.dispose();
    assert.deepEqual(opened(), []);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
});

const shared = join(import.meta.dirname, '../../../shared/data');
const whisperBase = join(shared, 'models/whisper-base');
const clip = join(shared, 'speech/timit/dr1-fvmh0-sa1.wav');

test('Whisper base: the surrogate of its 8 bits hears a sentence as the original does, and its gradient is confirmed', async (t) => {
  if (!existsSync(whisperBase) || !existsSync(clip)) return t.skip('needs ../shared/data');
  const bytes = readFileSync(clip);
  const samples = Float32Array.from(
    { length: (bytes.length - 44) / 2 },
    (_, n) => bytes.readInt16LE(44 + 2 * n) / 32_768,
  );
  const text = 'She had your dark suit in greasy wash water all year.';
  const gradient = await openWaveformGradient({ folder: whisperBase, threads: 2 });
  assert.ok(gradient.surrogate);
  const { deviation, measured } = await gradient.check(samples, text);
  assert.ok(deviation! < 0.01, JSON.stringify(measured));
  const agreement = (await gradient.agreement(samples, text))!;
  assert.ok(agreement.sameTokens >= agreement.positions - 1, JSON.stringify(agreement));
  assert.ok(agreement.divergence < 0.1, JSON.stringify(agreement));
  for (const transcript of Object.values(agreement.transcripts)) assert.match(transcript, /^She had your dark suit/);
  await gradient.dispose();
});
