import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { liveServices } from '../../recognizers/hosted/live-services.ts';
import { hostedServices, type ServiceName } from '../../recognizers/hosted/services.ts';
import { checkedConfig } from '../../session/config/load-config.ts';
import { knownModels } from '../../session/members/known-models.ts';
import { modelScripts } from '../../session/members/model-rows.ts';
import { runCommand } from '../testing/run-command.ts';

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
    await checkedConfig({ corpus: { type: 'silence' }, ...parts }, '.');
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
