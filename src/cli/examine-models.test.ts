import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { liveServices } from '../recognizers/hosted/live-services.ts';
import { hostedServices, type ServiceName } from '../recognizers/hosted/services.ts';
import { checkedConfig } from '../session/config/load-config.ts';
import { knownModels } from '../session/members/known-models.ts';
import { modelScripts } from '../session/members/model-rows.ts';
import { examineModels } from './examine-models.ts';
import { runCommand } from './testing/run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-models-'));
after(() => rmSync(folder, { recursive: true }));
const model = (name: string) => knownModels.find((one) => one.name === name)!;

test('every model has a config that loads, of a script that exists, and every fact that is missing has a reason', async () => {
  assert.equal(new Set(knownModels.map(({ name }) => name)).size, knownModels.length);
  for (const { name, speaks, config, parameters, licence, note, keys } of knownModels) {
    assert.ok((parameters !== null && licence !== null && config !== null) || note !== '', `${name} gives no reason`);
    if (config === null) continue;
    if (typeof config.script === 'string') assert.ok(existsSync(join(modelScripts, config.script)), name);
    const hears = { type: 'scripted', default: '' };
    const parts = speaks
      ? { recognizers: { hears }, synthesizers: { [name]: config } }
      : { recognizers: { [name]: config } };
    await checkedConfig({ corpus: { type: 'silence' }, ...parts }, folder);
    if (typeof config.keyVariable === 'string') assert.ok(keys.includes(config.keyVariable), name);
  }
});

test('the recognizers of the five papers are all there, as their tables name them', () => {
  const named = (source: string) =>
    knownModels
      .filter(({ sources, speaks }) => !speaks && sources.some((one) => one === source))
      .map(({ name }) => name);
  // AequeVox, section 6; CrossASR, Table II; FairLENS, section 4.1; SR-MT, section 4; SRB has 21 checkpoints in Table 5, and beside it four
  // Parakeets and SpeechBrain's Conformer.
  assert.deepEqual(named('AequeVox').toSorted(), ['azure', 'google', 'ibm-broadband']);
  assert.deepEqual(named('CrossASR').toSorted(), ['deepspeech', 'deepspeech2', 'wav2letter', 'wit']);
  const fairlens = ['amazon-transcribe', 'azure', 'deepgram', 'google', 'rev-ai', 'truleo', 'whisper-medium'];
  assert.deepEqual(named('FairLENS').toSorted(), fairlens);
  assert.deepEqual(named('SR-MT').toSorted(), ['baidu', 'google', 'iflytek']);
  assert.equal(named('SRB').length, 26);
});

test('the synthesizers of the papers are there, and each stands where a config has it', async () => {
  const speaking = knownModels.filter(({ speaks }) => speaks);
  const named = (source: string) =>
    speaking.filter(({ sources }) => sources.some((one) => one === source)).map(({ name }) => name);
  // CrossASR, Table III; SRB's synthetic English and Spanish.
  assert.deepEqual(named('CrossASR'), ['google-tts', 'responsivevoice', 'festival', 'espeak-ng']);
  assert.deepEqual(named('SRB'), ['yourtts', 'bark']);
  const { code, stdout } = await runCommand(['list', 'models', 'kokoro-82m']);
  assert.equal(code, 0);
  const { synthesizers } = parse(stdout);
  assert.equal(synthesizers['kokoro-82m'].kind, 'kokoro');
  const [examined] = await examineModels([model('kokoro-82m')], folder, {});
  assert.match(examined!.found, /no kokoro-multi-lang-v1_0 in this folder/);
});

test('a service of the list wants the key that its door reads', () => {
  for (const { name, speaks, config, keys } of knownModels) {
    if (config?.type !== 'hosted' || speaks) continue;
    const { keyVariable } = { ...liveServices, ...hostedServices }[config.service as ServiceName];
    assert.deepEqual(keys, [keyVariable], name);
  }
});

test('`list models NAME` prints a config that runs as it stands beside recordings or texts: each loads as it is printed', async () => {
  for (const { name, speaks, config } of knownModels) {
    const { code, stdout, stderr } = await runCommand(['list', 'models', name]);
    assert.equal(code, 0, stderr);
    const printed = parse(stdout);
    if (config === null) {
      assert.equal(printed, null);
      continue;
    }
    await checkedConfig(printed, '.');
    const members = speaks ? printed.synthesizers : printed.recognizers;
    assert.deepEqual(Object.keys(members), [name]);
    if (typeof config.script === 'string') assert.ok(existsSync(members[name].script), name);
    assert.match(
      stdout,
      speaks ? /^# Your texts: texts\.txt/m : /^# Your recordings: utterances\.tsv has a row for each/m,
    );
    for (const line of stdout.split('\n')) assert.ok(line.startsWith('#') ? line.length <= 80 : true, line);
  }
  assert.equal(
    parse((await runCommand(['list', 'models', 'wav2vec2-base-10k-voxpopuli-ft-es'])).stdout).corpus.language,
    'es',
  );
});

test('`list models NAME` has what is known of a model beside its config', async () => {
  const { code, stdout } = await runCommand(['list', 'models', 'whisper-large-v2']);
  assert.equal(code, 0);
  assert.match(stdout, /^# whisper-large-v2, openai\/whisper-large-v2, python, 1550 M parameters \(6\.2 GB\)/);
});

test('a model would run where its packages, memory and files are, and is told what is missing of them', async () => {
  const packages = { transformers: '4.50.0', torch: null };
  mkdirSync(join(folder, '.venv', 'bin'), { recursive: true });
  writeFileSync(
    join(folder, '.venv/bin/python'),
    `#!/bin/sh\necho '${JSON.stringify({ python: '3.12.1', packages })}'\n`,
  );
  chmodSync(join(folder, '.venv/bin/python'), 0o755);
  const cache = join(folder, 'hub');
  const large = model('whisper-large-v2');
  const ask = async (memoryBytes: number, environment: Record<string, string>) =>
    (await examineModels([large], folder, { HF_HUB_CACHE: cache, ...environment }, memoryBytes))[0]!;

  const unreachable = { HF_ENDPOINT: 'http://127.0.0.1:9' };
  const lacking = await ask(6e9, unreachable);
  assert.equal(lacking.ready, false);
  assert.equal(
    lacking.found,
    'its weights take 6.2 GB, and this machine has 6.0 GB of memory; .venv/bin/python lacks torch (.venv/bin/python -m pip install transformers torch); its files are not here, and 127.0.0.1:9 cannot be reached',
  );

  writeFileSync(
    join(folder, '.venv/bin/python'),
    `#!/bin/sh\necho '${JSON.stringify({ python: '3.12.1', packages: { ...packages, torch: '2.6.0' } })}'\n`,
  );
  const asked: string[] = [];
  const hub = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.end();
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  const { port } = hub.address() as { port: number };
  try {
    const download = await ask(16e9, { HF_ENDPOINT: `http://127.0.0.1:${port}` });
    assert.deepEqual([download.ready, asked], [true, ['HEAD /']]);
    assert.match(download.found, /has transformers, torch; its files would be downloaded at first use/);
  } finally {
    hub.close();
    hub.closeAllConnections();
  }
  mkdirSync(join(cache, 'models--openai--whisper-large-v2', 'snapshots'), { recursive: true });
  const offline = await ask(16e9, unreachable);
  assert.deepEqual([offline.ready, /downloaded before/.test(offline.found)], [true, true]);
});

test('a service needs its key under its name, which is all that is said of it', async () => {
  const service = [model('groq-whisper-large-v3')];
  const [without] = await examineModels(service, folder, {});
  assert.deepEqual([without!.ready, without!.found], [false, 'the variable GROQ_API_KEY is not set']);
  const [having] = await examineModels(service, folder, { GROQ_API_KEY: 'gsk-secret' });
  assert.deepEqual([having!.ready, having!.found], [true, 'the variable GROQ_API_KEY is set']);
});

test('a model in a folder beside the config would run with the weights that it has, whatever their kind', async () => {
  const place = join(folder, 'beside');
  const ask = async () =>
    (await examineModels([model('whisper-base')], place, { HF_ENDPOINT: 'http://127.0.0.1:9' }))[0]!;
  const files = (path: string, ...names: string[]) => {
    mkdirSync(join(place, path, 'onnx'), { recursive: true });
    for (const name of ['config.json', ...names.map((graph) => `onnx/${graph}.onnx`)])
      writeFileSync(join(place, path, name), '{}');
  };
  files('models/whisper-base', 'encoder_model_quantized', 'decoder_model_merged_quantized');
  assert.deepEqual(
    [(await ask()).ready, (await ask()).found],
    [
      true,
      'its files are in models/whisper-base, to be named in place of openai/whisper-base, with weights of kind q8',
    ],
  );
  // The name of the hub is looked for as a folder first, by the recognizer too.
  files(
    'openai/whisper-base',
    'encoder_model_q4',
    'decoder_model_merged_q4',
    'encoder_model_int8',
    'decoder_model_merged_int8',
  );
  const several = await ask();
  assert.equal(several.ready, false);
  assert.match(
    several.found,
    /^dtype: expected one kind of weights for encoder_model in openai\/whisper-base, but there is int8, q4; name one/,
  );
  files('openai/whisper-base', 'encoder_model', 'decoder_model_merged');
  assert.equal((await ask()).found, 'its files are in openai/whisper-base');
});

test('a model whose list is in the cache is there when the weights are that would be used', async () => {
  const place = join(folder, 'cached');
  const cache = join(place, 'models', 'huggingface', 'openai--whisper-tiny', 'main');
  mkdirSync(join(cache, 'onnx'), { recursive: true });
  const graphs = ['encoder_model', 'decoder_model_merged'];
  const names = ['config.json', ...graphs.flatMap((graph) => [`onnx/${graph}.onnx`, `onnx/${graph}_quantized.onnx`])];
  const files = names.map((name) => ({ name, size: 2, sha256: null }));
  writeFileSync(join(cache, 'hub-files.json'), JSON.stringify({ commit: 'abc', files }));
  const ask = async () =>
    (
      await examineModels([model('whisper-tiny')], place, {
        EARWITNESS_CACHE: place,
        HF_ENDPOINT: 'http://127.0.0.1:9',
      })
    )[0]!;
  writeFileSync(join(cache, 'config.json'), '{}');
  for (const graph of graphs) writeFileSync(join(cache, `onnx/${graph}_quantized.onnx`), '');
  assert.match((await ask()).found, /^its files are not here, and 127\.0\.0\.1:9 cannot be reached$/);
  for (const graph of graphs) writeFileSync(join(cache, `onnx/${graph}.onnx`), '');
  assert.deepEqual([(await ask()).ready, (await ask()).found], [true, 'its files were downloaded before']);
});

test('`doctor --models` says a reason once for all models that have it, and refuses a name that none has', async () => {
  const env = { HF_ENDPOINT: 'http://127.0.0.1:9' };
  const { code, stdout } = await runCommand(['doctor', '--models', 'deepspeech'], { cwd: folder, env });
  assert.equal(code, 0);
  assert.match(stdout, /^0 of 3 models would run here/);
  for (const line of stdout.split('\n')) assert.ok(line.length <= 80, line);
  const wrong = await runCommand(['doctor', '--models', 'whispr']);
  assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
  assert.match(wrong.stderr, /no model is called "whispr"/);
});
