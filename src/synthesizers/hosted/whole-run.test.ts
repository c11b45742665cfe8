import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../../cli/testing/run-command.ts';
import { startSpeechServer } from '../testing/speech-server.ts';

test('a run has every text spoken once, for all runs, groups by the declared sex, and keeps the key nowhere', async () => {
  const key = 'el-0123456789abcdef-secret';
  await using server = await startSpeechServer({ key });
  await using folder = await temporaryFolder();
  const config = {
    corpus: { type: 'sentences', texts: ['turn left here', 'call her again'], synthesizer: 'bought', language: 'en' },
    synthesizers: {
      bought: { type: 'hosted', service: 'elevenlabs', endpoint: `${server.origin}/elevenlabs`, keyVariable: 'EW_KEY' },
    },
    recognizers: { mine: { type: 'scripted', default: 'turn left here', needsAudio: true, pinned: false } },
    studies: [{ type: 'disparity', attributes: ['sex'] }],
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  const run = () => runCommand(['run', '--json'], { cwd: folder.path, env: { EW_KEY: key } });
  const first = await run();
  assert.equal(first.code, 0, first.stderr);
  const spoken = () => server.questions.filter(({ method }) => method === 'POST').length;
  assert.equal(spoken(), 4, 'two texts by two voices');
  assert.match(first.stdout, /female/);
  const second = await run();
  assert.equal(second.code, 0, second.stderr);
  assert.equal(spoken(), 4, 'nothing is paid twice');
  const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).map((path) => join(folder.path, path));
  const kept = files.filter((path) => statSync(path).isFile());
  assert.ok(kept.length > 5);
  for (const path of kept) assert.ok(!readFileSync(path).includes(key), path);
  assert.ok(![first, second].some(({ stdout, stderr }) => (stdout + stderr).includes(key)));
});
