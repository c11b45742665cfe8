import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Clip } from '../../audio/clip.ts';
import { temporaryFolder } from '../../cli/testing/run-command.ts';
import { writeTinyCtc } from '../../recognizers/transformers/testing/tiny-ctc.ts';
import { loadMember } from '../members/load-member.ts';
import { createServices } from './services.ts';

const clip = { samples: Float32Array.from({ length: 800 }, (_, n) => 0.3 * Math.sin(n / 9)), sampleRate: 8000 };

async function attacked(folder: string, type: 'transformers' | 'scripted', given: object = {}) {
  writeTinyCtc(`${folder}/tiny`);
  const { member } = await loadMember('recognizers', type, folder);
  const options = member.options.parse(type === 'transformers' ? { model: 'tiny', threads: 1 } : { default: 'a' });
  const heard = { type, options, moduleHash: null, pricePerMinute: null };
  return createServices({ baseFolder: folder, recognizers: { heard: heard as never }, ...given });
}

test('a recognizer is asked about a sound that is made against it, one call at a time', async () => {
  await using folder = await temporaryFolder();
  let calls = 0;
  const recognize = async (_: string, { samples }: Clip) => {
    calls++;
    await setImmediate();
    return { text: `samples ${samples.length} of ${calls--}` };
  };
  const services = await attacked(folder.path, 'transformers', { recognize });
  const recognizer = await services.assets.attacked!('heard');
  const texts = await Promise.all([
    recognizer.recognize(clip, 'en'),
    recognizer.recognize({ ...clip, samples: clip.samples.subarray(100) }, 'en'),
  ]);
  assert.deepEqual(
    texts.map(({ text }) => text),
    ['samples 800 of 1', 'samples 700 of 1'],
  );
  await services.close();
});

test('whoever cannot be differentiated is refused', async () => {
  await using folder = await temporaryFolder();
  const services = await attacked(folder.path, 'scripted');
  await assert.rejects(
    services.assets.attacked!('heard'),
    /whose network can be differentiated, but nobody can look into "heard"/,
  );
  await services.close();
});
