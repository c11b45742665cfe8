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
  for (const { name, config, parameters, licence, note, keys } of knownModels) {
    assert.ok((parameters !== null && licence !== null && config !== null) || note !== '', `${name} gives no reason`);
    if (config === null) continue;
    if (typeof config.script === 'string') assert.ok(existsSync(join(modelScripts, config.script)), name);
    await checkedConfig({ corpus: { type: 'silence' }, recognizers: { [name]: config } }, folder);
    if (typeof config.keyVariable === 'string') assert.ok(keys.includes(config.keyVariable), name);
  }
});

test('the recognizers of the five papers are all there, as their tables name them', () => {
  const named = (source: string) =>
    knownModels.filter(({ sources }) => sources.some((one) => one === source)).map(({ name }) => name);
  // AequeVox, section 6; CrossASR, Table II; FairLENS, section 4.1; SR-MT, section 4; SRB has 21 checkpoints in Table 5, and beside it four
  // Parakeets and SpeechBrain's Conformer.
  assert.deepEqual(named('AequeVox').toSorted(), ['azure', 'google', 'ibm-broadband']);
  assert.deepEqual(named('CrossASR').toSorted(), ['deepspeech', 'deepspeech2', 'wav2letter', 'wit']);
  const fairlens = ['amazon-transcribe', 'azure', 'deepgram', 'google', 'rev-ai', 'truleo', 'whisper-medium'];
  assert.deepEqual(named('FairLENS').toSorted(), fairlens);
  assert.deepEqual(named('SR-MT').toSorted(), ['baidu', 'google', 'iflytek']);
  assert.equal(named('SRB').length, 26);
});

test('a service of the list wants the key that its door reads', () => {
  for (const { name, config, keys } of knownModels) {
    if (config?.type !== 'hosted') continue;
    const { keyVariable } = { ...liveServices, ...hostedServices }[config.service as ServiceName];
    assert.deepEqual(keys, [keyVariable], name);
  }
});

test('`list models NAME` prints a config that loads as it stands, with what is known beside it', async () => {
  const { code, stdout } = await runCommand(['list', 'models', 'whisper-large-v2']);
  assert.equal(code, 0);
  assert.match(stdout, /^# whisper-large-v2, openai\/whisper-large-v2, python, 1550 M parameters \(6\.2 GB\)/);
  const { recognizers } = parse(stdout);
  assert.ok(existsSync(recognizers['whisper-large-v2'].script), 'the script is named as it is called from here');
  await checkedConfig({ corpus: { type: 'silence' }, recognizers }, '.');
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
