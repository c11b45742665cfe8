import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { sineWav } from '../../cli/testing/run-command.ts';
import { writeTinyModel } from '../../embedders/testing/tiny-model.ts';
import { estimateAt, rowsOf } from '../../model/finding-rows.ts';
import { mergeStore } from '../../store/merge.ts';
import { openDatabase } from '../../store/open-database.ts';
import { openStore } from '../../store/open-store.ts';
import { forgetSpeaker } from '../../store/parts/forget.ts';
import { loadMember } from '../members/load-member.ts';
import { run } from '../run/run.ts';
import { openPredictors, openSimilarity } from './open-predictors.ts';
import { createServices } from './services.ts';

const forgetting = { dryRun: false, forgottenAtMs: 0, cacheFile: () => '/nowhere/absent.wav', madeFiles: () => [] };

const folder = mkdtempSync(join(tmpdir(), 'earwitness-similarity-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeTinyModel(join(folder, 'tiny'));
const { member } = await loadMember('embedders', 'sentence-transformer', folder);
const { ready, found } = await member.readiness(createServices({ baseFolder: folder }).embedder);
const skip = ready ? false : found;

writeFileSync(join(folder, 'utterances.tsv'), 'id\tspeaker\na\tann\nb\tben\n');
writeFileSync(
  join(folder, 'answers.tsv'),
  ['utterance\tcondition\ttext', 'a\tclean\tturn up', 'a\tnoise\tturn turn', 'b\tclean\tturn', 'b\tnoise\tit', ''].join(
    '\n',
  ),
);

async function similarityOf(embedder: string) {
  const { report } = await run(
    {
      store: 'store.sqlite',
      corpus: { type: 'manifest', file: 'utterances.tsv', language: 'en' },
      recognizers: { somebody: { type: 'recorded', file: 'answers.tsv' } },
      embedders: { tiny: { type: 'sentence-transformer', model: 'tiny', languages: ['en'] } },
      studies: [
        {
          type: 'metamorphic',
          identity: { repeats: 0 },
          similarity: { embedder },
          relations: [{ name: 'noise', conditions: [{ name: 'noise', steps: [] }] }],
        },
      ],
    },
    { baseFolder: folder, mode: 'new' },
  );
  const [row] = rowsOf(report.findings[0]!, 'metamorphic-relation-likeness');
  return { report, similarity: estimateAt(row!, 'similarity') };
}

const stored = (file: string) => {
  const database = new DatabaseSync(join(folder, file), { readOnly: true });
  const rows = database.prepare('SELECT value, reason FROM similarities ORDER BY value').all();
  database.close();
  return rows.map((row) => ({ ...row }));
};

test('Similarities of meaning are asked of the config’s embedder, kept, merged, and forgotten with the speaker.', {
  skip,
}, async () => {
  // The tiny model makes the same vector of both texts of a, and orthogonal ones of those of b.
  const { report, similarity } = await similarityOf('tiny');
  assert.equal(similarity.value, 0.5);
  assert.deepEqual(similarity.n, { utterances: 2, speakers: 2, pairs: 2 });
  const { settings } = report.findings[0]!;
  assert.equal((settings.similarity as { model: { name: string } }).model.name, 'tiny');
  assert.equal(report.tally.trials, 4);
  const both = [
    { value: 0, reason: null },
    { value: 1, reason: null },
  ];
  assert.deepEqual(stored('store.sqlite'), both);

  openStore(join(folder, 'other.sqlite')).close();
  mergeStore(join(folder, 'other.sqlite'), join(folder, 'store.sqlite'));
  assert.deepEqual(stored('other.sqlite'), both);
  forgetSpeaker(join(folder, 'other.sqlite'), 'ben', forgetting);
  assert.deepEqual(stored('other.sqlite'), [both[1]]);
});

test('A stored similarity is not measured again, and an embedder that the config lacks is named in a sentence.', {
  skip,
}, async () => {
  const changed = openDatabase(join(folder, 'store.sqlite'));
  changed.database.exec('UPDATE similarities SET value = 0.25 WHERE value = 1');
  changed.close();
  assert.equal((await similarityOf('tiny')).similarity.value, 0.125);
  await assert.rejects(similarityOf('minilm'), {
    code: 'bad-config',
    message: /but got "minilm", and it has tiny; add it under "embedders"$/,
  });
});

const programs = join(import.meta.dirname, '..', '..', '..', 'examples', 'programs');
const noted = join(folder, 'noted.txt');
const note = (what: string) => `appendFileSync(${JSON.stringify(noted)}, '${what}\\n');`;
const imported = "import { appendFileSync } from 'node:fs';\n";
const example = (name: string) => readFileSync(join(programs, `${name}.mjs`), 'utf8').replace(/^#!.*\n/, '');
const recognizer = example('recognizer').replace('const words = [];', `const words = []; ${note('recognized')}`);
writeFileSync(join(folder, 'hears.mjs'), `${imported}${recognizer}`);
writeFileSync(
  join(folder, 'embeds.mjs'),
  `${imported}${note('begins')}\nprocess.on('exit', () => { ${note('ends')} });\n${example('embedder')}`,
);
writeFileSync(join(folder, 'wrong.mjs'), "console.error('no such model'); process.exit(3);");

function heardWith(embedder: string) {
  rmSync(noted, { force: true });
  mkdirSync(join(folder, 'sounds'), { recursive: true });
  writeFileSync(join(folder, 'sounds', 'a.wav'), sineWav());
  const program = (name: string) => ({ type: 'program' as const, program: [process.execPath, join(folder, name)] });
  return run(
    {
      store: 'heard.sqlite',
      corpus: { type: 'folder', folder: 'sounds', language: 'en' },
      recognizers: { hears: program('hears.mjs') },
      embedders: {
        mine: { ...program(embedder), languages: ['en'] },
        unused: { ...program('wrong.mjs'), languages: ['en'] },
      },
      studies: [
        {
          type: 'metamorphic',
          similarity: { embedder: 'mine' },
          relations: [{ name: 'noise', conditions: ['aequevox/noise:5'] }],
        },
      ],
    },
    { baseFolder: folder, mode: 'new' },
  );
}

test('an embedder that studies name is tried before anything is recognized, and holds nothing while others recognize', async () => {
  await heardWith('embeds.mjs');
  const told = readFileSync(noted, 'utf8').trim().split('\n');
  const first = told.indexOf('recognized');
  assert.deepEqual(told.slice(0, first), ['begins', 'ends']);
  assert.deepEqual(
    told.slice(first).filter((line) => line !== 'recognized'),
    ['begins', 'ends'],
  );
  await assert.rejects(
    heardWith('wrong.mjs'),
    /wrong\.mjs|node.*ended with exit status 3; its last words: no such model/,
  );
  assert.equal(existsSync(noted), false);
});

test('what an embedder or predictor does not answer is told by its name in the config, with what it was asked', async () => {
  const path = join(folder, 'refuses.mjs');
  writeFileSync(
    path,
    `import { createInterface } from 'node:readline';
const say = (line) => console.log(JSON.stringify(line));
for await (const raw of createInterface({ input: process.stdin })) {
  const { say: what, id, texts = [] } = JSON.parse(raw);
  if (what === 'hello') say({ say: 'hello', protocol: 1, name: 'mine', version: '1', languages: ['en'] });
  else if (what === 'open') say({ say: 'opened' });
  else if (what === 'close') process.exit(0);
  else if (what === 'predict') say({ say: 'prediction', id, determinable: [2], failing: [1] });
  else if (texts.join().includes('snow')) say({ say: 'failure', id, message: 'no such word' });
  else say({ say: 'vectors', id, vectors: texts.map((text) => [text.length, 1]) });
}
`,
  );
  const member = { type: 'program', options: { program: [process.execPath, path] }, moduleHash: null };
  const similarity = openSimilarity({ near: member }, folder);
  const meter = await similarity.meter('near');
  const compare = (hypothesis: string) =>
    meter.compare({
      ...{ ask: 'similarity', embedder: 'near', reference: 'much rain fell', hypothesis, anyLanguage: false },
      utterance: { id: 'u', language: 'en', attributes: {}, tags: [] },
    });
  assert.ok((await compare('much hail fell')).value! > 0.9);
  await assert.rejects(compare('much snow fell'), {
    code: 'nothing-answered',
    message:
      /^embedder "near" was asked for the vector of "much snow fell", and did not answer: .* cannot embed this: no such word; mend it: everything recognized is kept, and the same command goes on$/,
  });
  await similarity.close();
  const services = createServices({ baseFolder: folder });
  const predictors = openPredictors({ predictors: { guess: member } }, services.predictor);
  const guess = await predictors.predictor('guess');
  await assert.rejects(guess.predict([], ['much snow fell'], 1), {
    code: 'nothing-answered',
    message: /^predictor "guess" was asked .*"much snow fell".* gave in `determinable` 2, where a chance from 0 to 1 /,
  });
  await predictors.close();
  await services.close();
});
