import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { hashJson } from '../../base/hash.ts';
import { verificationText } from '../../cli/commands/verify.ts';
import { sineWav } from '../../cli/testing/run-command.ts';
import { openStore } from '../../store/open-store.ts';
import { run } from '../run/run.ts';
import { findRun } from '../stored/which-run.ts';
import { createSealer } from './known-parts.ts';
import type { Verification } from './verification.ts';
import { verifyBundle } from './verify-bundle.ts';
import { writeBundle } from './write-bundle.ts';

// A run over sounds with two scripted recognizers, bundled once; the tests change copies of the bundle. What must be found is
// known because the test itself made the change.

const ownNormalizer = `export default { name: 'mine', version: 1, about: 'mine', words: (text) => text.split(' ').filter(Boolean) };`;
let folder = '';
let lines: readonly string[] = [];
let planHash = '';
const at = { bundled: new Date(0) };

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earwitness-'));
  await mkdir(join(folder, 'clips'));
  const rows = ['id\tpath\tsentence\tspeaker\tsex'];
  for (let index = 0; index < 24; index++) {
    await writeFile(join(folder, 'clips', `${index}.wav`), sineWav(200 + 10 * index, 8000, 0.1));
    rows.push(`u${index}\tclips/${index}.wav\tzanzibar two three four\ts${index % 12}\t${index % 2 ? 'F' : 'M'}`);
  }
  await writeFile(join(folder, 'clips.tsv'), `${rows.join('\n')}\n`);
  await writeFile(join(folder, 'mine.mjs'), ownNormalizer);
  await bundleOf('one', {});
  lines = unpack(await readFile(join(folder, 'one.gz')));
});

after(() => rm(folder, { recursive: true, force: true }));

/** Runs a config with changes and bundles what came out. */
async function bundleOf(name: string, changes: object, transcripts = true): Promise<string> {
  const hears = { type: 'scripted', needsAudio: true };
  const config = {
    name,
    store: `${name}.sqlite`,
    corpus: { type: 'manifest', file: 'clips.tsv', columns: { reference: 'sentence' } },
    recognizers: {
      good: { ...hears, default: 'zanzibar two three four' },
      bad: { ...hears, default: 'zanzibar too three {hash}' },
    },
    studies: [
      {
        type: 'disparity',
        attributes: ['sex'],
        conditions: ['aequevox/noise:1'],
        ...{ minimumSpeakers: 5, resamples: 100, permutations: 1000, model: false },
      },
    ],
    ...changes,
  };
  await run(config as never, { baseFolder: folder });
  using store = openStore(join(folder, `${name}.sqlite`), { readonly: true });
  const file = join(folder, `${name}${transcripts ? '' : '-quiet'}.gz`);
  const { plan } = await writeBundle(store, findRun(store, 'last'), file, { transcripts, ...at });
  if (name === 'one') planHash = plan.hash;
  return file;
}

function unpack(bytes: Buffer): string[] {
  return gunzipSync(bytes).toString('utf8').trimEnd().split('\n');
}

let copies = 0;

async function copyOf(changed: readonly string[]): Promise<string> {
  const file = join(folder, `copy-${copies++}.gz`);
  await writeFile(file, gzipSync(`${changed.join('\n')}\n`));
  return file;
}

/** As somebody would who knows how bundles are sealed. */
function sealedAnew(changed: readonly string[]): string[] {
  const sealer = createSealer();
  const body = changed.slice(0, -1);
  for (const line of body) sealer.add((JSON.parse(line) as { part: string }).part, line);
  return [...body, JSON.stringify(sealer.seal())];
}

/** The lines with the n-th of a part changed. */
function change<Line>(part: string, number: number, edit: (line: Line) => void): string[] {
  const places = lines.flatMap((line, index) => (line.startsWith(`{"part":"${part}"`) ? [index] : []));
  const changed = [...lines];
  const line = JSON.parse(lines[places[number]!]!) as Line;
  edit(line);
  changed[places[number]!] = JSON.stringify(line);
  return changed;
}

const nothing = { plan: null, seal: null, modules: null, on() {} };

async function verified(changed: readonly string[], options: object = {}): Promise<Verification> {
  return verifyBundle(await copyOf(changed), { ...nothing, ...options });
}

interface AnswerLine {
  key: string;
  askedAtMs: number;
  recognizer: number;
  observation: { transcript: { text: string } };
}

test('a bundle is verified from itself alone: every number of every finding comes out again', async () => {
  const { verdict, findings, seal, plan, answers, timeFaults, report } = await verified(lines);
  assert.equal(verdict, 'verified');
  assert.deepEqual(
    findings.map(({ study, state }) => [study, state]),
    [
      ['disparity', 'same'],
      ['corpus', 'same'],
    ],
  );
  assert.ok(findings.every(({ sameNumbers }) => sameNumbers > 20));
  assert.deepEqual([...seal.faults, ...plan.faults, ...timeFaults, ...answers.faults], []);
  // 24 clips, clean and one condition, two recognizers; the corpus measures the clips.
  assert.equal(answers.recognitions, 24 * 2 * 2);
  assert.equal(answers.answers, 24 * 2 * 2 + 24);
  assert.ok(answers.firstAskedAtMs! >= plan.frozenAtMs);
  assert.equal(report?.findings.length, 2);
});

test('a bundle holds no folder of the machine, and two of the same run differ in their time alone', async () => {
  assert.ok(!lines.join('\n').includes(folder));
  using store = openStore(join(folder, 'one.sqlite'), { readonly: true });
  const again = join(folder, 'again.gz');
  await writeBundle(store, findRun(store, 'last'), again, { transcripts: true, bundled: new Date(1000) });
  const others = unpack(await readFile(again));
  assert.deepEqual(others.slice(1, -1), lines.slice(1, -1));
});

test('one letter of one transcript is found by the seal, and by the numbers where somebody sealed it anew', async () => {
  const changed = change<AnswerLine>('answer', 0, (line) => {
    line.observation.transcript.text = 'zanzibar two three for';
  });
  const broken = await verified(changed);
  assert.equal(broken.verdict, 'not verified');
  assert.deepEqual(broken.seal.faults, ['answer: something was changed in lines 1 to 100 of this part']);
  const resealed = await verified(sealedAnew(changed));
  assert.deepEqual(resealed.seal.faults, []);
  assert.equal(resealed.verdict, 'not verified');
  assert.equal(resealed.findings[0]!.state, 'different');
  assert.ok(resealed.findings[0]!.differences.some(({ path }) => path.startsWith('findings[0].answer')));
});

test('what an earlier version wrote beside the tables of its findings is no difference', async () => {
  for (const data of [null, { rates: [0.1] }]) {
    const older = change<{ finding: { data?: unknown } }>('finding', 0, ({ finding }) => {
      finding.data = data;
    });
    const { verdict, findings } = await verified(sealedAnew(older));
    assert.deepEqual([verdict, findings[0]!.differenceCount], ['verified', 0]);
  }
});

test('one digit of one finding is named with what was reported and what it is', async () => {
  let was = 0;
  const changed = change<{ finding: { answer: { estimate: { value: number } }[] } }>('finding', 0, ({ finding }) => {
    const { estimate } = finding.answer.find((statement) => typeof statement.estimate?.value === 'number')!;
    was = estimate.value;
    estimate.value += 0.01;
  });
  const { findings, verdict } = await verified(sealedAnew(changed));
  assert.equal(verdict, 'not verified');
  assert.equal(findings[0]!.differenceCount, 1);
  const [difference] = findings[0]!.differences;
  assert.match(difference!.path, /^findings\[0\]\.answer\[\d\]\.estimate\.value$/);
  assert.equal(difference!.recomputed, was);
  assert.equal(difference!.reported, was + 0.01);
});

test('config, plan, materials and utterances are bound to each other, whoever seals them', async () => {
  const config = change<{ config: { limit: number } }>('config', 0, (line) => {
    line.config.limit = 7;
  });
  assert.deepEqual((await verified(sealedAnew(config))).plan.faults, [
    'config: it is not the one that the plan was made from',
  ]);
  const plan = change<{ plan: { name: string } }>('plan', 0, (line) => {
    line.plan.name = 'other';
  });
  assert.match((await verified(sealedAnew(plan))).plan.faults.join('; '), /^the plan was changed: its hash is another/);
  const utterance = change<{ utterance: { attributes: Record<string, string> } }>('utterance', 3, (line) => {
    line.utterance.attributes.sex = 'M';
  });
  assert.deepEqual((await verified(sealedAnew(utterance))).plan.faults, [
    'utterances: they are not those that the plan was made for',
  ]);
  const material = change<{ value: unknown }>('material', 0, (line) => {
    line.value = [];
  });
  assert.match((await verified(sealedAnew(material))).plan.faults[0]!, /^material \w+.*: it was changed$/);
});

test('hashes that were noted elsewhere tell a bundle that was made anew from the one that was', async () => {
  const seal = (JSON.parse(lines.at(-1)!) as { sha256: string }).sha256;
  assert.equal((await verified(lines, { plan: planHash, seal })).verdict, 'verified');
  const other = await verified(lines, { plan: '0'.repeat(64), seal: '1'.repeat(64) });
  assert.match(other.plan.faults[0]!, /^the plan is not the noted one/);
  assert.match(other.seal.faults[0]!, /^the bundle is not the noted one/);
});

test('an answer belongs to its sound, its recognizer and its question', async () => {
  const faultsOf = async (changed: readonly string[]) =>
    (await verified(sealedAnew(changed))).answers.faults.join('; ');
  const recognizer = change<AnswerLine>('answer', 0, (line) => {
    line.recognizer = 1;
  });
  assert.match(await faultsOf(recognizer), /answer 0 of batch 0: it is not the answer to the question beside it/);
  const sound = change<{ sound: Record<string, unknown> }>('utterance', 0, (line) => {
    for (const key of Object.keys(line.sound))
      if (typeof line.sound[key] === 'string') line.sound[key] = 'f'.repeat(64);
  });
  assert.match(await faultsOf(sound), /answer 0 of batch 0: it is not the answer/);
  const lost = lines.filter((line) => !line.startsWith('{"part":"answer","position":5,'));
  assert.match(await faultsOf(lost), /it stands in the wrong place/);
});

test('answers that no study asks for are named, whoever seals them', async () => {
  const isAnswer = (line: string) => /^\{"part":"(batch|answer)"/.test(line);
  const batch = lines.findLastIndex((line) => line.startsWith('{"part":"batch"'));
  const end = lines.findLastIndex(isAnswer) + 1;
  const twice = [...lines.slice(0, end), ...lines.slice(batch, end), ...lines.slice(end)];
  const { verdict, findings, report } = await verified(sealedAnew(twice));
  assert.equal(verdict, 'not verified');
  assert.deepEqual(
    findings.map(({ study, state }) => [study, state]),
    [
      ['disparity', 'same'],
      ['corpus', 'same'],
      ['corpus', 'failed'],
    ],
  );
  assert.match(findings[2]!.reason!, /answers that no study of the plan asks for/);
  assert.equal(report, null);
});

test('a call before the plan was fixed is named with both times', async () => {
  const changed = change<AnswerLine>('answer', 0, (line) => {
    line.askedAtMs = 1000;
  });
  const { timeFaults, verdict } = await verified(sealedAnew(changed));
  assert.equal(verdict, 'not verified');
  assert.match(
    timeFaults[0]!,
    /^the first call of the run was made 1970-01-01T00:00:01.000Z, before its plan was fixed/,
  );
});

test('without transcripts no word is in the bundle, and nothing is claimed of its numbers', async () => {
  const file = await bundleOf('one', {}, false);
  const text = unpack(await readFile(file)).join('\n');
  // What a scripted recognizer says is one of its options, and so part of config and identity; nowhere else may it stand.
  const said = text
    .split('\n')
    .filter((line) => line.includes('zanzibar') && !/^\{"part":"(config|run|plan)"/.test(line));
  assert.deepEqual(said, []);
  const quiet = await verifyBundle(file, nothing);
  const { verdict, limits, findings, answers } = quiet;
  assert.equal(verdict, 'limited');
  assert.match(
    verificationText(quiet),
    /Plan: config, recognizers and studies are those of the plan, and so is the number/,
  );
  assert.deepEqual(findings, []);
  assert.equal(answers.faultCount, 0);
  assert.match(limits[0]!, /^This bundle has no transcripts/);
});

test('an answer of the run without its time is named: it may be from before the plan', async () => {
  const changed = change<{ askedAtMs: number | null }>('answer', 0, (line) => {
    line.askedAtMs = null;
  });
  const { verdict, answers } = await verified(sealedAnew(changed));
  assert.equal(verdict, 'not verified');
  assert.deepEqual(answers.faults, ['answer 0 of batch 0: it was asked in this run, but has no time']);
});

test("a user's own normalizer is never taken from a bundle, and only as it was", async () => {
  const study = { type: 'disparity', attributes: ['sex'], minimumSpeakers: 5, resamples: 200, permutations: 1000 };
  const file = await bundleOf('own', { studies: [{ ...study, model: false, normalizer: './mine.mjs' }] });
  const without = await verifyBundle(file, nothing);
  assert.equal(without.verdict, 'limited');
  assert.match(without.limits[0]!, /uses the module \.\/mine\.mjs, which is code of the author/);
  assert.equal((await verifyBundle(file, { ...nothing, modules: folder })).verdict, 'verified');
  const elsewhere = join(folder, 'elsewhere');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'mine.mjs'), `globalThis.ran = true;\n${ownNormalizer}`);
  const other = await verifyBundle(file, { ...nothing, modules: elsewhere });
  assert.match(other.limits[0]!, /the file in the folder given with --modules differs/);
  assert.ok(!('ran' in globalThis));
});

test('a name in a bundle is the name of a member and never a path: nothing that it points to is run', async () => {
  const evil = join(folder, 'evil.mjs');
  await writeFile(evil, 'globalThis.ran = true;\nexport default {};');
  for (const name of [evil, `./${relative('.', evil)}`, '__proto__']) {
    const changed = change<{ plan: { studies: { name: string }[] }; hash: string }>('plan', 0, (line) => {
      line.plan.studies[0]!.name = name;
      line.hash = hashJson(line.plan as never);
    });
    const { verdict, findings } = await verified(sealedAnew(changed), { modules: folder });
    assert.equal(verdict, 'not verified');
    assert.match(findings[0]!.reason!, /^unknown study/);
  }
  assert.ok(!('ran' in globalThis));
});

test('what is no bundle, cut off, damaged, too new or made to overwhelm is one sentence', async () => {
  const file = join(folder, 'bad.gz');
  const refused = async (bytes: Buffer | string, sentence: RegExp) => {
    await writeFile(file, bytes);
    await assert.rejects(verifyBundle(file, nothing), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'bad-input');
      assert.match(error.message, sentence);
      assert.ok(!error.message.includes('\n'));
      return true;
    });
  };
  const whole = gzipSync(`${lines.join('\n')}\n`);
  await refused('', /expected an evidence bundle, but it is empty/);
  await refused('PK\u0003\u0004 and the rest of a zip\n', /this is none/);
  await refused('{"name":"a config without a line feed"}', /this is none/);
  await refused(whole.subarray(0, whole.length >> 1), /it ends in the middle: the bundle was cut off/);
  await refused(gzipSync(`${lines.slice(0, -1).join('\n')}\n`), /it ends after line \d+ without a seal/);
  await refused(gzipSync(`${lines.join('\n')}\n{}\n`), /expected nothing after the seal/);
  await refused(
    gzipSync(`${lines[0]!.replace('"format":1', '"format":2')}\n`),
    /has format 2, made by a newer earwitness/,
  );
  await refused(
    gzipSync(`${lines[0]}\n{"part":"\\u001b[31m"}\n`),
    /line 2: expected a part of a bundle, but got "⟨U\+001B⟩/,
  );
  await refused(gzipSync(`${lines[0]}\n{"part":"config","config":[}\n`), /line 2: expected JSON/);
  await refused(gzipSync(`${lines[0]}\n${'['.repeat(200_000)}${']'.repeat(200_000)}\n`), /line 2: expected a part/);
  await refused(gzipSync(Buffer.alloc(100 * 1024 * 1024, 32), { level: 1 }), /longer|malicious/);
  await refused(
    Buffer.concat([whole.subarray(0, 40), Buffer.from([1, 2, 3, 4]), whole.subarray(44)]),
    /damaged|UTF-8|JSON/,
  );
});

test('what is nested until a stack overflows, and times that are none, are sentences too', async () => {
  const deep = change<{ config: unknown }>('config', 0, (line) => {
    line.config = { config: 0 };
  }).map((line) => line.replace('"config":0', `"config":${'['.repeat(50_000)}${']'.repeat(50_000)}`));
  await assert.rejects(verified(deep), {
    code: 'bad-input',
    message: /"config" has more than 64 lists and objects in each other/,
  });
  const never = change<{ frozenAtMs: number }>('plan', 0, (line) => {
    line.frozenAtMs = 1e300;
  });
  await assert.rejects(verified(never), { code: 'bad-input', message: /\(plan\): frozenAtMs/ });
});

test('a bundle that was put together wrongly is refused before any study sees it', async () => {
  const refused = (changed: readonly string[], sentence: RegExp) =>
    assert.rejects(verified(sealedAnew(changed)), { code: 'bad-input', message: sentence });
  await refused([...lines.slice(0, 1), ...lines.slice(2)], /a part run, but it has none/);
  await refused([...lines.slice(0, 2), lines[1]!, ...lines.slice(2)], /expected one part run, but it has two/);
  await refused(
    change<{ utterance: { attributes: unknown } }>('utterance', 0, (line) => {
      line.utterance.attributes = { sex: 3 };
    }),
    /\(utterance\): utterance\.attributes\.sex/,
  );
  await refused(
    change<{ plan: { studies: unknown } }>('plan', 0, (line) => {
      line.plan.studies = 'all';
    }),
    /^plan: expected what a run writes when it begins, but studies/,
  );
});
