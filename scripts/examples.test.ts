import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { resolveScenario } from '../src/perturbations/scenarios.ts';
import { loadConfig } from '../src/session/config/load-config.ts';
import { loadLadders } from '../src/session/members/listings.ts';
import { robustnessOptions } from '../src/studies/robustness/options.ts';
import { srbRecordedDifficulty } from '../src/studies/robustness/srb-difficulties.ts';

const examples = fileURLToPath(new URL('../examples', import.meta.url));
const configs = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /^[\w-]+\/[\w.-]*config\.(yaml|json|ts)$/.test(path),
);

for (const path of configs) {
  test(`examples/${path} is a config as this version reads it`, async () => {
    await loadConfig(join(examples, path));
  });
}

test('examples/srb/paper.config.yaml has the 100 scenarios, the recordings with their published points, and facts of every model', async () => {
  const { config } = await loadConfig(join(examples, 'srb/paper.config.yaml'));
  const { conditions, recorded, profile } = robustnessOptions.parse(config.studies[0]!.options);
  const ladders = await loadLadders();
  const scenarios = conditions.flatMap((name) => (typeof name === 'string' ? resolveScenario(name, ladders) : []));
  assert.equal(new Set(scenarios.map(({ name }) => name)).size, 100);
  assert.equal(profile, 'srb');
  // Table 3 of the paper, to its decimal; synthetic speech there is the mean over two corpora (49.6), of which this is LibriSpeech's.
  assert.deepEqual(
    recorded.map(({ category, difficulty }) => [category, srbRecordedDifficulty(String(difficulty)).value?.toFixed(1)]),
    [
      ['accent', '31.6'],
      ['synthetic speech', '49.1'],
      ['social (near field)', '78.1'],
      ['social (far field)', '100.1'],
      ['social (near field)', '35.8'],
      ['social (far field)', '83.9'],
    ],
  );
  // What steps call the collections they take from, the config has.
  const named = scenarios.flatMap(({ steps }) => steps.flatMap(({ parameters }) => parameters.sounds ?? []));
  assert.deepEqual([...new Set(named)].sort(), Object.keys(config.sounds ?? {}).sort());
  for (const { facts } of Object.values(config.recognizers)) {
    assert.ok(['parameters', 'family', 'architecture', 'trainingHours'].every((fact) => facts[fact] !== undefined));
  }
});
