import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { exitCodes } from '../../base/errors.ts';
import { recognizerFrame } from '../../session/config/frame.ts';
import { knownModels } from '../../session/members/known-models.ts';
import { families, loadMember, memberNames } from '../../session/members/load-member.ts';
import { runCommand } from '../testing/run-command.ts';

test('every family is listed by name, with its options, within 80 columns', async () => {
  for (const family of families) {
    const { code, stdout, stderr } = await runCommand(['list', family]);
    assert.equal(code, 0, stderr);
    for (const name of memberNames(family)) assert.match(stdout, new RegExp(`^${name}\\b`, 'm'), family);
    for (const line of stdout.split('\n')) assert.ok(line.length <= 80, line);
    const json = JSON.parse((await runCommand(['list', family, '--json'])).stdout);
    assert.deepEqual(
      json.map(({ name }: { name: string }) => name),
      memberNames(family),
    );
  }
});

test('of an option with keys of its own these are listed', async () => {
  const { stdout } = await runCommand(['list', 'corpora', 'manifest']);
  assert.match(
    stdout.replace(/\s+/g, ' '),
    /\(object with id, path, channel, reference, speaker, language, start, end, duration, tags\)/,
  );
});

test('every scenario is listed with its label, and one family can be picked', async () => {
  const { stdout } = await runCommand(['list', 'scenarios', 'aequevox/noise']);
  assert.match(stdout, /aequevox\/noise:1 +\S/);
  assert.doesNotMatch(stdout, /amplitude/);
  const json = JSON.parse((await runCommand(['list', 'scenarios', '--json'])).stdout);
  assert.ok(json.every((family: { scenarios: unknown[] }) => family.scenarios.length > 0));
});

test('a name that nothing has gets the nearest, code 2 and no data', async () => {
  const { code, stdout, stderr } = await runCommand(['list', 'perturbations', 'white-nosie', '--json']);
  assert.equal(code, exitCodes['bad-usage']);
  assert.equal(stdout, '');
  assert.match(stderr, /did you mean "white-noise"\?/);
});

test('every option of every member is described, stays as it is when checked twice, and is no key of the frame', async () => {
  for (const family of ['recognizers', 'synthesizers', 'corpora', 'studies', 'embedders'] as const) {
    for (const name of memberNames(family)) {
      const { member } = await loadMember(family, name, '.');
      // Fails on a schema that transforms: options are checked once more in the process that uses them.
      const { properties = {} } = z.toJSONSchema(member.options as z.ZodType, {
        io: 'output',
        unrepresentable: 'throw',
      });
      for (const [option, schema] of Object.entries(properties)) {
        assert.ok((schema as { description?: string }).description, `${family} ${name}: ${option} has no description`);
        const reserved = family === 'recognizers' ? Object.keys(recognizerFrame.shape) : ['type', 'select'];
        assert.ok(!reserved.includes(option), `${family} ${name}: ${option} is a key of every member`);
      }
    }
  }
});

test('the JSON Schema of the config accepts each member and is what editors can read', async () => {
  const schema = JSON.parse((await runCommand(['list', 'config', '--json'])).stdout);
  assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
  const types = schema.$defs.recognizer.anyOf.map(
    (member: { properties: { type: { const?: string } } }) => member.properties.type.const,
  );
  assert.deepEqual([...new Set(types.filter(Boolean))], memberNames('recognizers'));
});

test('without a word it names what there is; a misspelt kind is told the nearest', async () => {
  const { code, stdout } = await runCommand(['list']);
  assert.equal(code, 0);
  for (const family of families) assert.match(stdout, new RegExp(`^${family} +${memberNames(family)[0]}\\b`, 'm'));
  assert.match(stdout, /^scenarios +aequevox\//m);
  const wrong = await runCommand(['list', 'recognisers']);
  assert.equal(wrong.code, exitCodes['bad-usage']);
  assert.match(wrong.stderr, /did you mean recognizers\?/);
});

test('of a member with alternatives, what tells them apart is told with the meaning of each', async () => {
  const { stdout } = await runCommand(['list', 'synthesizers', 'hosted', '--json']);
  const [{ options }] = JSON.parse(stdout);
  const [service, ...others] = options;
  assert.equal(service.kind, '"openai" or "google" or "azure" or "polly" or "elevenlabs"');
  assert.match(service.about, /; google: Google Cloud Text-to-Speech; /);
  assert.equal(service.required, true);
  const option = (name: string) => others.find((one: { name: string }) => one.name === name);
  // Each service has a variable of its own, and all the same limit of time.
  assert.deepEqual([option('keyVariable').default, option('timeoutSeconds').default], [null, '60']);
  assert.equal(option('region').required, false);
});

test('a name that nothing has is refused with names that are, and how many more there are', async () => {
  const { code, stderr } = await runCommand(['list', 'models', 'nope']);
  assert.equal(code, 2);
  const [, names, rest] =
    /^earwitness: nothing is called "nope"; expected one of (.*), … \((\d+) more\)\n$/.exec(stderr) ?? [];
  assert.equal(names?.split(', ').length, 20, stderr);
  assert.equal(20 + Number(rest), knownModels.length);
});
