import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';
import { testRecognizer } from '../conformance.ts';
import type { Recognizer } from '../contract.ts';
import { plainServices } from '../shared/plain-services.ts';
import { hosted } from './hosted.ts';
import type { HostedService } from './service.ts';
import { hostedServices, serviceNames } from './services.ts';
import { type ServiceServer, startServiceServer } from './testing/service-server.ts';

const key = 'key-of-a-test-0123456789abcdef';
const services = plainServices(tmpdir(), { EARWITNESS_TEST_KEY: key });
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
const optionsFor = (service: string) => ({
  ...{ service, baseUrl: servers.get(service)!.baseUrl, keyVariable: 'EARWITNESS_TEST_KEY', pollSeconds: 0.01 },
});

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
    secrets: [key],
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
