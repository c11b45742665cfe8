import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';
import { awsTestKeys } from '../../http/testing/verify-aws-signature.ts';
import { testRecognizer } from '../conformance.ts';
import type { Recognizer } from '../contract.ts';
import { plainServices } from '../testing/tones.ts';
import { hosted } from './hosted.ts';
import type { HostedService } from './service.ts';
import { hostedServices, serviceNames } from './services.ts';
import {
  type ServiceServer,
  serviceEnvironment,
  serviceOptions,
  startServiceServer,
} from './testing/service-server.ts';

const key = 'key-of-a-test-0123456789abcdef';
const services = plainServices(tmpdir(), serviceEnvironment(key));
const neverAborted = new AbortController().signal;

/** What the servers hear: how long the sound is, in two words. */
const recognize = async ({ samples, sampleRate }: Clip) => `${samples.length} samples at ${sampleRate}`;

function tone(seconds: number, sampleRate = 16_000): Clip {
  return {
    samples: Float32Array.from({ length: seconds * sampleRate }, (_, n) => Math.sin(n / 7) / 3),
    sampleRate,
  };
}

const request = (clip: Clip, language = 'en') => ({
  ...{ clip, language, utteranceId: 'a', conditionName: 'clean', repeat: 0 },
});

const servers = new Map<string, ServiceServer>();
for (const service of serviceNames) servers.set(service, await startServiceServer(service, { key, recognize }));
after(() => Promise.all([...servers.values()].map((server) => server[Symbol.asyncDispose]())));
const optionsFor = (service: string) => serviceOptions(service, servers.get(service)!);

async function ask(
  more: object,
  clip = tone(2),
  language = 'en',
): Promise<Awaited<ReturnType<Recognizer['recognize']>>> {
  const recognizer = await hosted.open(hosted.options.parse(more), services);
  try {
    return await recognizer.recognize(request(clip, language), neverAborted);
  } finally {
    await recognizer.close();
  }
}

for (const service of serviceNames) {
  testRecognizer({
    // The name of the service, so that tests say which.
    kind: { ...hosted, name: `hosted ${service}` },
    options: optionsFor(service),
    services,
    requests: [request(tone(2)), request(tone(1.5))],
    secrets: [key, ...Object.values(awsTestKeys)],
    skip: false,
  });

  test(`${service}: text, times of words, model and language are what the service was told and said`, async () => {
    const described: HostedService = hostedServices[service];
    const { text, words } = await ask(optionsFor(service));
    assert.equal(text, '32000 samples at 16000');
    const told = servers.get(service)!.heard.at(-1)!;
    if (described.languages !== 'account') assert.match(told.language!, /^en/i);
    assert.equal(told.clip.samples.length, 32_000);
    if (service === 'baidu') return;
    assert.deepEqual(
      words!.map((word) => [word.text, word.startSeconds, word.endSeconds]),
      [
        ['32000', 0, 0.5],
        ['samples', 0.5, 1],
        ['at', 1, 1.5],
        ['16000', 1.5, 2],
      ],
    );
  });
}

const identityOf = async (more: object) => {
  const { identity, pinned, hosted: isHosted } = await hosted.describe(hosted.options.parse(more), services);
  return { identity: JSON.stringify(identity), pinned, isHosted };
};

test('what can change an answer is in the identity: service, region, model, language, version; no key, variable or instance', async () => {
  const changes = [
    { service: 'deepgram' },
    { service: 'deepgram', region: 'eu' },
    { service: 'deepgram', model: 'nova-2' },
    { service: 'deepgram', language: 'en' },
    { service: 'deepgram', wordTimes: false },
    { service: 'deepgram', sampleRate: 8000 },
    { service: 'deepgram', version: '1' },
    { service: 'gladia' },
    { service: 'ibm' },
  ];
  const described = await Promise.all(changes.map(identityOf));
  assert.equal(new Set(described.map(({ identity }) => identity)).size, changes.length);
  const [plain] = described;
  assert.match(plain!.identity, /"model":"nova-3".*"region":"us"/);
  assert.deepEqual(
    described.map(({ pinned, isHosted }) => [pinned, isHosted]),
    changes.map((change) => ['version' in change, true]),
  );
  for (const same of [{ keyVariable: 'OTHER' }, { pollSeconds: 9 }, { record: 'kept' }]) {
    assert.equal((await identityOf({ service: 'deepgram', ...same })).identity, plain!.identity);
  }
  const instance = 'https://api.eu-de.speech-to-text.watson.cloud.ibm.com/instances/6bbda3b3';
  const { identity } = await identityOf({ service: 'ibm', baseUrl: instance });
  assert.match(identity, /ibm\.com\/instances"/);
});

test('an address of its own is asked with its path, and gets no key that was not named for it', async () => {
  const here = plainServices(tmpdir(), { DEEPGRAM_API_KEY: key });
  const { baseUrl, requests } = servers.get('deepgram')!;
  const options = { service: 'deepgram', baseUrl: `${baseUrl}/instances/mine/` };
  const recognizer = await hosted.open(hosted.options.parse(options), here);
  await assert.rejects(recognizer.recognize(request(tone(1)), neverAborted), /401: .*name its environment variable/);
  await recognizer.close();
  assert.equal(requests.at(-1)!.headers.authorization, undefined);
  assert.equal(requests.at(-1)!.url.pathname, '/instances/mine/v1/listen');
});

test('sound that is longer than a service takes is cut and asked piece by piece, and times of words go on', async () => {
  const server = servers.get('google')!;
  const before = server.heard.length;
  const { text, words, details } = await ask(optionsFor('google'), tone(100));
  const pieces = server.heard.slice(before).map(({ clip }) => clip.samples.length);
  assert.equal(
    pieces.reduce((sum, length) => sum + length, 0),
    1_600_000,
  );
  assert.ok(pieces.length === 2 && pieces.every((length) => length <= 59 * 16_000));
  assert.equal(text, pieces.map((length) => `${length} samples at 16000`).join(' '));
  assert.ok(Math.abs(words!.at(-1)!.endSeconds! - 100) < 0.01);
  assert.equal(details!.pieces, 2);
});

test('languages are written as each service writes them, as the option says, or not at all', async () => {
  const told = async (service: string, more: object, tag: string) => {
    await ask({ ...optionsFor(service), ...more }, tone(1), tag);
    return servers.get(service)!.heard.at(-1)!.language;
  };
  assert.equal(await told('google', {}, 'de'), 'de-DE');
  assert.equal(await told('azure', {}, 'en-KE'), 'en-KE');
  assert.equal(await told('deepgram', {}, 'de-CH'), 'de-CH');
  assert.equal(await told('deepgram', { language: 'none' }, 'xx'), null);
  assert.equal(await told('ibm', { model: 'BroadbandModel' }, 'en'), 'en-US');
  assert.equal(servers.get('ibm')!.heard.at(-1)!.model, 'en-US_BroadbandModel');
  assert.equal(await told('baidu', {}, 'yue'), 'yue');
  assert.equal(await told('baidu', { language: 'en-US' }, 'en'), 'en');
  assert.equal(await told('baidu', { language: 'zh-CN-sichuan' }, 'zh'), 'zh-CN-sichuan');
  assert.equal(await told('ibm', { model: 'Telephony' }, 'es-MX'), 'es-LA');
  assert.equal(await told('ibm', { model: 'Telephony' }, 'es-419'), 'es-LA');
  assert.equal(await told('ibm', { model: 'de-DE' }, 'de'), 'de-DE');
  assert.equal(await told('speechmatics', {}, 'zh-CN'), 'cmn');
  assert.equal(await told('speechmatics', { language: 'none' }, 'zh-CN'), 'auto');
  assert.equal(await told('speechmatics', { model: 'melia-1' }, 'nb'), 'multi no');
  assert.equal(await told('speechmatics', { model: 'melia-1', language: 'none' }, 'en'), 'multi');
  await assert.rejects(
    told('rev-ai', {}, 'sw'),
    /expected a language that Rev AI is known to have .*, but the utterance is in sw;/,
  );
});

test('an empty clip is not sent', async () => {
  const before = servers.get('deepgram')!.requests.length;
  assert.deepEqual(await ask(optionsFor('deepgram'), tone(0)), { text: '' });
  assert.equal(servers.get('deepgram')!.requests.length, before);
});

test('what is wrong with the options is said in one sentence, without the key', async () => {
  const open = (more: object) => hosted.open(hosted.options.parse({ service: 'gladia', ...more }), services);
  await assert.rejects(
    open({}),
    /^EarwitnessError: keyVariable: expected the key in the environment variable GLADIA_API_KEY/,
  );
  await assert.rejects(open({ region: 'eu' }), /region: Gladia has none to choose/);
  await assert.rejects(
    open({ service: 'baidu', sampleRate: 48_000 }),
    /sampleRate: expected one that Baidu .* takes \(16000, 8000\), but got 48000/,
  );
  await assert.rejects(
    open({ service: 'baidu', language: 'ja' }),
    /^EarwitnessError: language: expected .*, but got ja$/,
  );
  await assert.rejects(open({ service: 'rev-ai', language: 'none' }), /language: expected one, since Rev AI does not/);
  await assert.rejects(
    open({ service: 'speechmatics', model: 'melia-1', mode: 'streaming' }),
    /model: Speechmatics has melia-1 in mode batch alone; in this one it has enhanced, standard/,
  );
  await assert.rejects(open({ baseUrl: 'https://u:p@host' }), /without user, query and fragment/);
  assert.throws(() => hosted.options.parse({ service: 'gladia', keyVariable: key }), /not the key itself/);
});

test('quotes and braces in what was heard do not cut answers that come in pieces', async () => {
  const said = 'an 8" {pipe';
  await using server = await startServiceServer('wit-ai', { key, recognize: async () => said });
  assert.equal((await ask(serviceOptions('wit-ai', server))).text, said);
});
