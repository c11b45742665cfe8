import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { runCommand, sineWav, temporaryFolder } from '../cli/testing/run-command.ts';
import { arrived, chooseFilter, noiseStudy, openBrowser, pageFaults, skipWithoutBrowser } from './testing/browser.ts';

const hostile = '<img src=x onerror="window.stolen=1">"\'`{1}</script>\u202e\u2028';
/** Eleven speakers of one accent, and one whom anybody would know by hers. */
const rareAccent = 'Sark';
const person = (at: number) => `person-${at}-surname`;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let browser: Browser;
before(async () => {
  folder = await temporaryFolder();
  const texts = Array.from({ length: 12 }, (_, at) => `secretword${at} is what was read`);
  const rows = texts.map(
    (text, at) =>
      `utterance-${at}\t${at}.wav\t${person(at)}\t${at === 7 ? rareAccent : 'Kentish'}\t${at % 2 ? 'F' : 'M'}\t${text}`,
  );
  await writeFile(folder.file('list.tsv'), `id\tpath\tspeaker\taccent\tsex\ttext\n${rows.join('\n')}\n`);
  for (const at of texts.keys()) await writeFile(folder.file(`${at}.wav`), sineWav(300 + 50 * at, 16_000, 1));
  const answers = Object.fromEntries(texts.map((text, at) => [`utterance-${at}`, text]));
  const config = {
    name: `Run ${hostile}`,
    seed: 1,
    corpus: { type: 'manifest', file: 'list.tsv', language: 'en' },
    recognizers: {
      good: { type: 'scripted', answers },
      bad: { type: 'scripted', answers: { ...answers, 'utterance-3': `otherword ${hostile}`, 'utterance-4': '' } },
    },
    studies: [
      { ...noiseStudy, groupBy: ['accent', 'sex'] },
      { type: 'disparity', resamples: 100 },
    ],
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  const ran = await runCommand(['run', '-c', folder.file('earwitness.config.json')], { cwd: folder.path });
  assert.equal(ran.code, 0, ran.stderr);
  if (!skipWithoutBrowser) browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await folder[Symbol.asyncDispose]();
});

const write = (name: string, ...flags: readonly string[]) =>
  runCommand([
    'view',
    'last',
    '--store',
    folder.file('.earwitness/store.sqlite'),
    '--pages',
    folder.file(name),
    ...flags,
  ]);

async function everything(name: string): Promise<string> {
  const files = (await readdir(folder.file(name), { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  );
  const texts = await Promise.all(
    files.map(async (one) => `${one.name}\n${await readFile(join(one.parentPath, one.name), 'utf8')}`),
  );
  return texts.join('\n');
}

test('Without being asked, a folder holds no word, no voice, nobody by name, no group of too few, and no path of this machine.', async () => {
  const { code, stderr } = await write('quiet');
  assert.equal(code, 0, stderr);
  const all = await everything('quiet');
  for (const hidden of ['secretword', 'otherword', 'surname', 'utterance-', rareAccent, folder.path, 'RIFF', 'UklGR']) {
    const at = all.indexOf(hidden);
    assert.ok(at < 0, `${hidden}: ${all.slice(Math.max(0, at - 80), at + 80)}`);
  }
  // The other side of two would give the one away.
  assert.ok(!/Kentish/.test(all));
  assert.match(
    all,
    /Withheld: Robustness: it compares groups by accent, some of fewer than 5 speakers or mostly one\./,
  );
  assert.match(all, /"F"/);
});

test('A page to share holds the same and no more, has the audio that is asked for, loads nothing and fits its window.', async (t) => {
  const shared = async (name: string, ...flags: readonly string[]) => {
    const store = folder.file('.earwitness/store.sqlite');
    const { code, stderr } = await runCommand(['share', folder.file(name), 'last', '--store', store, ...flags]);
    assert.equal(code, 0, stderr);
    return { text: await readFile(folder.file(name), 'utf8'), stderr };
  };
  const { text, stderr } = await shared('quiet.html');
  for (const hidden of ['secretword', 'otherword', 'surname', 'utterance-', rareAccent, folder.path, 'UklGR'])
    assert.ok(!text.includes(hidden), hidden);
  assert.match(stderr, /withheld: Robustness: it compares groups by accent/);
  assert.match(text, /Withheld: Robustness: it compares groups by accent/);
  assert.match(text, /All speakers together/);
  const words = (await shared('words.html', '--transcripts', '--min-speakers', '1')).text;
  assert.match(words, /secretword/);
  assert.doesNotMatch(words, /UklGR/);
  const heard = (await shared('heard.html', '--audio', '--min-speakers', '1')).text;
  assert.match(heard, /src="data:audio\/wav;base64,UklGR/);
  assert.match(heard, /no licence declared: ask its owner/);
  assert.doesNotMatch(heard, /secretword/);
  const refused = await runCommand(['share', 'last'], { cwd: folder.path });
  assert.match(
    refused.stderr,
    /last: expected the name of the page to write, which ends in \.html; .* result\.html last/,
  );
  if (skipWithoutBrowser) return t.skip(skipWithoutBrowser);
  for (const name of ['quiet.html', 'words.html', 'heard.html']) {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('request', (one) => /^(file|data):/.test(one.url()) || faults.push(one.url()));
    for (const width of [390, 1024]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await page.goto(pathToFileURL(folder.file(name)).href);
        faults.push(...(await pageFaults(page, false)));
      }
    }
    assert.equal(await page.evaluate('window.stolen'), undefined);
    assert.deepEqual(faults, []);
    await page.close();
  }
});

/** What the scripts of a folder put where its pages look. */
async function putBy(name: string): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  const scripts = (await readdir(name, { recursive: true })).filter(
    (one) => /\.js$/.test(one) && !one.startsWith('assets'),
  );
  for (const one of scripts) {
    const [, key, value] = /^earwitness\.put\(("[^"]*"),(.*)\);$/s.exec(
      (await readFile(join(name, one), 'utf8')).trim(),
    )!;
    found.set((JSON.parse(key!) as string).replace(/^[^/]*\//, ''), JSON.parse(value!));
  }
  return found;
}

test('What a folder advises to have what is withheld leads there, for all attributes at once.', async () => {
  await using corpus = await temporaryFolder();
  const rows = Array.from({ length: 48 }, (_, at) => {
    const speaker = Math.floor(at / 2);
    const about = [speaker >= 22 ? 'cy' : 'en', speaker >= 22 ? 'gold' : speaker % 2 ? 'red' : 'blue'];
    return `u${at}\tspeaker-${speaker}\t${about.join('\t')}\tone two three`;
  });
  const list = () => writeFile(corpus.file('list.tsv'), `id\tspeaker\tlanguage\tteam\ttext\n${rows.join('\n')}\n`);
  await list();
  const config = {
    corpus: { type: 'manifest', file: 'list.tsv' },
    recognizers: {
      good: { type: 'scripted', default: 'one two three' },
      bad: { type: 'scripted', default: 'one two' },
    },
    studies: [{ type: 'disparity', attributes: ['team'], resamples: 100, minimumSpeakers: 2 }],
  };
  const bundle = async (corpusMore: object, name: string, ...flags: readonly string[]) => {
    const own = { ...config, corpus: { ...config.corpus, ...corpusMore } };
    await writeFile(corpus.file('earwitness.config.json'), JSON.stringify(own));
    const ran = await runCommand(['run', '-c', corpus.file('earwitness.config.json')], { cwd: corpus.path });
    assert.equal(ran.code, 0, ran.stderr);
    const store = corpus.file('.earwitness/store.sqlite');
    const asked = ['view', 'last', '--store', store, '--pages', corpus.file(name), ...flags];
    return (await runCommand(asked)).stderr;
  };
  const told = await bundle({}, 'first');
  assert.match(told, /it compares groups by team, some of/);
  const [, advice] = /run with select: (\{ where: .* \}) beneath the corpus/.exec(told) ?? [];
  assert.equal(advice, '{ where: { team: ["blue", "red"], language: ["en"] } }');
  assert.match(told, /; or write them with --min-speakers 2 \(groups of 2 speakers are shown then\); or/);
  assert.doesNotMatch(await bundle({}, 'third', '--min-speakers', '2'), /withheld/);
  const where = { language: ['en'], team: ['blue', 'red'] };
  assert.doesNotMatch(await bundle({ select: { where } }, 'second'), /withheld/);
  // A finding without rates is withheld: those of everybody stand in the other one.
  config.studies = [
    { ...config.studies[0]!, type: 'robustness', attributes: undefined, conditions: [], groupBy: [] } as never,
  ];
  assert.match(await bundle({}, 'fourth'), /withheld: The corpus/);
  const [page] = (await readdir(corpus.file('fourth'))).filter((name) => /-[0-9a-f]{8}\.html$/.test(name));
  assert.doesNotMatch(await readFile(corpus.file(`fourth/${page}`), 'utf8'), /All speakers together/);
});

test('The order of a corpus, a language of one and a range over groups tell of nobody; what is shown of an attribute is all of it.', async () => {
  await using corpus = await temporaryFolder();
  // One speaker after the other; each text is longer than the one before.
  const rows = Array.from({ length: 36 }, (_, at) => {
    const speaker = Math.floor(at / 3);
    const text = Array.from({ length: at + 1 }, () => 'la').join(' ');
    const about = [speaker === 11 ? 'cy' : 'en', ['east', 'west'][speaker % 2], speaker < 10 ? 'town' : 'isle'];
    return `u${at}\tspeaker-${String.fromCharCode(65 + speaker)}\t${about.join('\t')}\t${text}\t${at === 4 ? 'la' : text}`;
  });
  const head = 'id\tspeaker\tlanguage\tregion\tplace\ttext';
  await writeFile(corpus.file('list.tsv'), `${head}\theard\n${rows.join('\n')}\n`);
  const answers = Object.fromEntries(rows.map((row) => [row.split('\t')[0]!, row.split('\t')[6]!]));
  const study = { type: 'disparity', resamples: 100, minimumSpeakers: 2 };
  const config = {
    corpus: { type: 'manifest', file: 'list.tsv' },
    recognizers: { good: { type: 'scripted', answers }, bad: { type: 'scripted', default: 'la' } },
    studies: [
      { ...study, name: 'by-region', attributes: ['region'] },
      { ...study, name: 'by-place', attributes: ['place'] },
    ],
  };
  await writeFile(corpus.file('earwitness.config.json'), JSON.stringify(config));
  const ran = await runCommand(['run', '-c', corpus.file('earwitness.config.json')], { cwd: corpus.path });
  assert.equal(ran.code, 0, ran.stderr);
  const asked = ['view', 'last', '--store', corpus.file('.earwitness/store.sqlite'), '--pages'];
  const written = await runCommand([...asked, corpus.file('out')]);
  assert.equal(written.code, 0, written.stderr);
  assert.match(written.stderr, /withheld: .*it compares groups by place, some of fewer than 5 speakers or mostly one/);
  // Without the isles there is one place, and one speaker of Welsh stays one.
  assert.match(written.stderr, /to have what is withheld, write them with --min-speakers 1, which withholds nothing/);
  const put = await putBy(corpus.file('out'));
  const utterances = put.get('utterances-0.js') as [string, string][];
  assert.deepEqual(new Set(utterances.map(([, language]) => language)), new Set(['und']));
  const { header } = put.get('index.js') as { header: { attributes: { name: string; values: string[] }[] } };
  assert.deepEqual(header.attributes, [{ name: 'region', values: header.attributes[0]!.values }]);
  const unpacked = (name: string) => [
    ...Buffer.from((put.get(`column-${name}.js`) as [string, number, string])[2], 'base64'),
  ];
  const lengths = unpacked('words');
  const inOrder = Array.from({ length: 72 }, (_, row) => 1 + Math.floor(row / 2));
  assert.notDeepEqual(lengths, inOrder);
  assert.deepEqual(
    lengths.toSorted((a, b) => a - b),
    inOrder,
  );
  // Each clip still has its own numbers: the lengths say which it is.
  const [errors, clips, codes] = [unpacked('errors'), unpacked('utterance'), unpacked('codes')];
  const regions = header.attributes[0]!.values;
  for (const [row, length] of lengths.entries()) {
    const recognizer = unpacked('recognizer')[row];
    assert.equal(errors[row], recognizer === 1 ? length - 1 : length === 5 ? 4 : 0);
    assert.equal(regions[codes[clips[row]!]! - 1], ['east', 'west'][Math.floor((length - 1) / 3) % 2]);
  }
  const all = (
    await Promise.all(
      (
        await readdir(corpus.file('out'))
      )
        .filter((one) => one.endsWith('.html'))
        .map((one) => readFile(corpus.file(`out/${one}`), 'utf8')),
    )
  ).join('\n');
  assert.match(all, /east/);
  assert.ok(!/\bisle\b|\btown\b|speaker-[A-L]\b/.test(all));

  // Where nobody knows who speaks, all may be one; and one may say nearly everything.
  const others = Array.from({ length: 24 }, (_, at) => {
    const speaker = at < 6 ? `s${at}` : at < 18 ? 's0' : `t${at % 6}`;
    const side = at < 18 ? 'left' : 'right';
    return { at, speaker, side };
  });
  await writeFile(
    corpus.file('sides.tsv'),
    `id\tspeaker\tside\ttext\n${others.map(({ at, speaker, side }) => `v${at}\t${speaker}\t${side}\tla la`).join('\n')}\n`,
  );
  await writeFile(
    corpus.file('nobody.tsv'),
    `id\tside\ttext\n${others.map(({ at, side }) => `v${at}\t${side}\tla la`).join('\n')}\n`,
  );
  for (const [file, filters] of [
    ['sides.tsv', []],
    ['nobody.tsv', []],
  ] as const) {
    const shown = {
      corpus: { type: 'manifest', file, language: 'en' },
      recognizers: { good: { type: 'scripted', default: 'la la' } },
      studies: [{ type: 'robustness', conditions: [] }],
    };
    await writeFile(corpus.file('sides.json'), JSON.stringify(shown));
    assert.equal((await runCommand(['run', '-c', corpus.file('sides.json')], { cwd: corpus.path })).code, 0);
    const told = await runCommand([...asked, corpus.file(file.replace('.tsv', ''))]);
    assert.equal(told.code, 0, told.stderr);
    const index = (await putBy(corpus.file(file.replace('.tsv', '')))).get('index.js') as {
      header: { attributes: { name: string }[] };
    };
    assert.deepEqual(
      index.header.attributes.map(({ name }) => name).filter((name) => name !== 'language'),
      filters,
    );
  }

  // A second run without one speaker would give that one away.
  await writeFile(corpus.file('list.tsv'), `${head}\theard\n${rows.slice(3).join('\n')}\n`);
  assert.equal((await runCommand(['run', '-c', corpus.file('earwitness.config.json')], { cwd: corpus.path })).code, 0);
  const both = await runCommand(asked.filter((one) => one !== 'last').concat(corpus.file('both')));
  assert.notEqual(both.code, 0);
  assert.match(both.stderr, /expected the same recordings or other speakers, but they share some/);
  assert.equal((put.get('column-seconds.js') as [string, number, null])[2], null, 'how long each took tells the order');
});

test('Names that are numbers, the order of lists, and attributes that are small only together tell of nobody; rates of everybody stay.', async () => {
  await using corpus = await temporaryFolder();
  // Two clips each, in order; the one woman of the south is known by both together.
  const rows = Array.from({ length: 48 }, (_, at) => {
    const speaker = 1 + Math.floor(at / 2);
    const sex = speaker % 2 ? 'female' : 'male';
    const region = speaker === 1 || (speaker % 2 === 0 && speaker < 14) ? 'south' : 'north';
    const text = Array.from({ length: 3 + (at % 7) }, (_, word) => `word${(at * 5 + word) % 9}`).join(' ');
    return { id: String(at + 1), speaker: String(speaker), sex, region, text };
  });
  const lines = rows.map(({ id, speaker, sex, region, text }) => [id, speaker, sex, region, text].join('\t'));
  await writeFile(corpus.file('list.tsv'), `id\tspeaker\tsex\tregion\ttext\n${lines.join('\n')}\n`);
  const said = (of: (text: string, at: number) => string) =>
    Object.fromEntries(rows.map(({ id, text }, at) => [id, of(text, at)]));
  const config = {
    corpus: { type: 'manifest', file: 'list.tsv', language: 'en' },
    recognizers: {
      good: { type: 'scripted', answers: said((text) => text) },
      bad: { type: 'scripted', answers: said((text, at) => (at % 3 ? text : `no ${text}`)) },
    },
    studies: [
      { type: 'disparity', name: 'by-sex', attributes: ['sex'], resamples: 100, minimumSpeakers: 2 },
      { type: 'disparity', name: 'by-region', attributes: ['region'], minimumSpeakers: 2 },
      { type: 'few-references', groupBy: ['sex'] },
    ],
  };
  await writeFile(corpus.file('earwitness.config.json'), JSON.stringify(config));
  const ran = await runCommand(['run', '-c', corpus.file('earwitness.config.json')], { cwd: corpus.path });
  assert.equal(ran.code, 0, ran.stderr);
  const store = corpus.file('.earwitness/store.sqlite');
  const written = await runCommand(['view', 'last', '--store', store, '--pages', corpus.file('out')]);
  assert.equal(written.code, 0, written.stderr);
  const { header } = (await putBy(corpus.file('out'))).get('index.js') as {
    header: { attributes: { name: string }[] };
  };
  assert.deepEqual(header.attributes.map(({ name }) => name).sort(), ['language', 'sex']);
  assert.match(
    written.stderr,
    /withheld: .*by-region.*: it compares groups by region, some of fewer than 5 speakers or mostly one, together with attributes that are here/,
  );
  const page = (await readdir(corpus.file('out'))).find((name) => /-[0-9a-f]{8}\.html$/.test(name))!;
  const text = (await readFile(corpus.file(`out/${page}`), 'utf8')).replace(/<[^>]+>/g, ' ');
  assert.ok(!/south|north/.test(text));
  // A number of speakers or words is no name of a clip.
  assert.match(text, /24 speakers/);
  assert.deepEqual(text.match(/clip \d+ (?:of|more|speakers?|words?|utterances?|recordings?|groups?)\b/g), null);
  assert.ok(!/speaker (?:clip )?\d/.test(text));
  // Those of everybody stay, with the interval that the study has.
  const rates = /bad\s+([\d.]+)\s+\[([\d.]+, [\d.]+)\]/.exec(text.slice(text.indexOf('Ranking')))!;
  const report = await runCommand(['report', 'last', '--store', store, '--json']);
  const { findings } = JSON.parse(report.stdout) as {
    findings: {
      name: string;
      sections: { tables?: { rows: Record<string, { value: number; low: number; high: number }>[] }[] }[];
    }[];
  };
  const bad = findings
    .find(({ name }) => name === 'by-region')!
    .sections.flatMap(({ tables = [] }) => tables.flatMap((table) => table.rows))
    .find(
      (row) =>
        (row.recognizer as unknown) === 'bad' && row.wordErrorRate !== undefined && row.meanDisparity !== undefined,
    )!.wordErrorRate!;
  const percent = (share: number) => (100 * share).toFixed(1);
  assert.deepEqual([rates[1], rates[2]], [percent(bad.value), `${percent(bad.low)}, ${percent(bad.high)}`]);
  assert.match(text, /All speakers together/);
});

test('What is asked for is there, and nothing of anybody else is overwritten.', async () => {
  await write('whole', '--transcripts', '--audio', '--min-speakers', '1');
  const all = await everything('whole');
  for (const shown of ['secretword3', 'otherword', person(7), rareAccent, 'utterance-7'])
    assert.ok(all.includes(shown), shown);
  assert.ok(!all.includes(folder.path));
  const again = await write('whole', '--transcripts', '--min-speakers', '1');
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stderr, /whole: the pages that are there are replaced/);
  assert.equal(existsSync(folder.file('whole/ATTRIBUTION')), false);
  await writeFile(folder.file('whole/mine.txt'), 'mine');
  const refused = await write('whole');
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /expected an empty folder, or one that view --pages wrote, but mine\.txt is in it/);
  assert.equal(await readFile(folder.file('whole/mine.txt'), 'utf8'), 'mine');
  await rm(folder.file('whole/mine.txt'));
  await writeFile(folder.file('whole/assets/mine.txt'), 'mine');
  const deeper = await write('whole');
  assert.notEqual(deeper.code, 0);
  assert.match(deeper.stderr, /but assets\/mine\.txt is in it/);
  assert.equal(await readFile(folder.file('whole/assets/mine.txt'), 'utf8'), 'mine');
  await rm(folder.file('whole/assets/mine.txt'));
  const page = await readFile(folder.file('whole/index.html'), 'utf8');
  await writeFile(folder.file('whole/index.html'), `${page}<!-- mine -->`);
  assert.match((await write('whole')).stderr, /but index\.html is in it and not as it was written/);
  assert.match(await readFile(folder.file('whole/index.html'), 'utf8'), /mine -->$/);
  await mkdir(folder.file('other'));
  await writeFile(folder.file('other/index.html'), 'of somebody');
  assert.match((await write('other')).stderr, /but index\.html is in it/);
  assert.match((await runCommand(['view', '--transcripts'])).stderr, /name the folder with --pages/);
});

test('A corpus that forbids changed copies is not written with audio.', async () => {
  await using strict = await temporaryFolder();
  await writeFile(strict.file('list.tsv'), 'id\tpath\tspeaker\ttext\tlicence\na\ta.wav\tx\tone\tCC-BY-NC-ND-4.0\n');
  await writeFile(strict.file('a.wav'), sineWav(300, 16_000, 1));
  const config = {
    corpus: { type: 'manifest', file: 'list.tsv', language: 'en' },
    recognizers: { good: { type: 'scripted', answers: { a: 'one' } } },
    studies: [noiseStudy],
  };
  await writeFile(strict.file('earwitness.config.json'), JSON.stringify(config));
  assert.equal((await runCommand(['run', '-c', strict.file('earwitness.config.json')], { cwd: strict.path })).code, 0);
  const asked = ['view', 'last', '--store', strict.file('.earwitness/store.sqlite'), '--pages', strict.file('out')];
  const refused = await runCommand([...asked, '--audio']);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /expected a licence that allows changed copies.*write the pages without --audio/);
  assert.equal(existsSync(strict.file('out')), false);
  assert.match(
    (await runCommand(asked)).stderr,
    /expected at least 5 speakers for pages that name nobody, but it has 1/,
  );
  assert.equal((await runCommand([...asked, '--min-speakers', '1'])).code, 0);
});

async function until(page: Page, condition: string): Promise<void> {
  for (let waited = 0; !(await page.evaluate(condition)); waited += 50) {
    assert.ok(waited < 30_000, condition);
    await page.waitForTimeout(50);
  }
}

test('From file://: from a finding to trials, filtered, searched and sorted, to one of them, and its audio plays; reload and Back show the same.', {
  skip: skipWithoutBrowser,
}, async () => {
  const written = await write('pages', '--transcripts', '--audio', '--min-speakers', '1');
  assert.equal(written.code, 0, written.stderr);
  const root = pathToFileURL(folder.file('pages')).href;
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (asked) => {
    if (!asked.url().startsWith(root) && !/^(data|blob):/.test(asked.url())) complaints.push(asked.url());
  });
  const check = async () => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await pageFaults(page, false, width === 390), [], `${page.url()} at ${width}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    assert.equal(await page.evaluate('window.stolen'), undefined);
    assert.equal(await page.evaluate('document.querySelectorAll("img, iframe, [onerror]").length'), 0);
  };
  await page.goto(`${root}/index.html`);
  await check();
  await page.click('tbody th a');
  await page.waitForSelector('h2');
  await check();
  await page.click('text=Largest rise from clean');
  await arrived(page, '#count');
  assert.equal(await page.textContent('#count'), '48');
  await check();
  await page.setViewportSize({ width: 390, height: 900 });
  assert.equal(
    await page.evaluate(
      `[...document.querySelectorAll('table.trials td')].every((cell) => cell.getBoundingClientRect().right <= innerWidth)`,
    ),
    true,
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  await chooseFilter(page, 'Recognizer', 'bad');
  await page.waitForURL(/recognizer=bad/);
  await arrived(page, '#count');
  assert.equal(await page.textContent('#count'), '24');
  await page.fill('input[type=search]', 'OTHERWORD');
  await page.keyboard.press('Enter');
  await page.waitForURL(/search=/);
  await arrived(page, '#count');
  assert.equal(await page.textContent('#count'), '2');
  const [address, list] = [page.url(), await page.innerText('table.trials')];
  await page.reload();
  await arrived(page, 'table.trials');
  assert.equal(await page.innerText('table.trials'), list);
  await page.click('tbody tr:nth-child(1) th a');
  await page.waitForSelector('[data-ready]');
  await check();
  assert.match(await page.innerText('.diff'), /secretword[\s\S]*otherword/);
  await page.keyboard.press('p');
  await until(page, 'document.querySelector("meter").value > 0.05');
  await page.keyboard.press('p');
  await page.goBack();
  await arrived(page, 'table.trials');
  assert.deepEqual([page.url(), await page.innerText('table.trials')], [address, list]);
  for (const wrong of ['clip=99.0.0.0', 'clip=x', '', 'clip=__proto__']) {
    await page.goto(
      page
        .url()
        .replace(/-trials\.html.*/, `-trial.html?${wrong}`)
        .replace(/-trial\.html\?.*/, `-trial.html?${wrong}`),
    );
    await page.waitForSelector('text=There is no such trial in this run.');
  }
  assert.deepEqual(complaints, []);
  await page.close();
});
