import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { temporaryFolder } from '../../cli/testing/run-command.ts';
import { loadMember } from '../members/load-member.ts';
import { createServices } from './services.ts';

const clip = { samples: Float32Array.from({ length: 800 }, (_, n) => 0.3 * Math.sin(n / 9)), sampleRate: 8000 };

/** A program that says how many samples it was given. */
const counting = `const bytes = require('node:fs').readFileSync(0); console.log('samples ' + (bytes.length - 44) / 2);`;

const free = { pricePerMinute: { amount: 0, currency: 'EUR' } };

async function attacked(folder: string, entry: object) {
  const program = `${folder}/count.cjs`;
  await writeFile(program, counting);
  const options = { program: [process.execPath, program], sampleRate: 8000, version: '1' };
  const wanted = { type: 'command', options, moduleHash: null, ...free, ...entry };
  const { member } = await loadMember('recognizers', wanted.type, folder);
  const heard = { ...wanted, options: member.options.parse(wanted.options) };
  return createServices({ baseFolder: folder, recognizers: { heard: heard as never } });
}

test('a recognizer that runs here is asked about a sound that is being made, one call at a time', async () => {
  await using folder = await temporaryFolder();
  const services = await attacked(folder.path, {});
  const recognizer = await services.assets.attacked!('heard', 'transcripts');
  const texts = await Promise.all([
    recognizer.recognize(clip, 'en'),
    recognizer.recognize({ ...clip, samples: clip.samples.subarray(100) }, 'en'),
  ]);
  assert.deepEqual(
    texts.map(({ text }) => text.trim()),
    ['samples 800', 'samples 700'],
  );
  assert.match(JSON.stringify(recognizer.identity), /"version":"1"/);
  await services.close();
});

test('whoever costs, can change unseen, hears no sound or cannot be differentiated is refused for what it is asked for', async () => {
  await using folder = await temporaryFolder();
  const refused = async (entry: object, by: 'gradient' | 'transcripts', expected: RegExp) => {
    const services = await attacked(folder.path, entry);
    await assert.rejects(services.assets.attacked!('heard', by), (error: Error) => {
      assert.match(error.message, expected);
      return true;
    });
    await services.close();
  };
  const price = { pricePerMinute: { amount: 0.01, currency: 'EUR' } };
  await refused(price, 'transcripts', /"heard" .type command. is hosted or has a price/);
  await refused(
    { pricePerMinute: null, options: { program: ['true'], version: '1', usesProcessor: false } },
    'transcripts',
    /is hosted or has a price/,
  );
  const unpinned = { options: { program: ['true'] } };
  await refused(unpinned, 'transcripts', /can change unseen, so that nobody could say/);
  const hosted = {
    pricePerMinute: null,
    type: 'openai-compatible',
    options: { baseUrl: 'https://example.com/v1', model: 'm', version: '1' },
  };
  await refused(hosted, 'transcripts', /is hosted or has a price/);
  await refused({ type: 'scripted', options: { default: 'x' } }, 'transcripts', /knows only names and takes no audio/);
  await refused({}, 'gradient', /whose network can be differentiated, but nobody can look into "heard"/);
});
