// The report of every study, made of invented answers, in a browser: no complaint, no finding of axe-core, nothing out of sight.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { createRandom } from '../../base/random.ts';
import { studies } from '../../catalog.ts';
import type { Finding } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import { conditionsInWords } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { aequevox } from '../../perturbations/ladders/aequevox.ts';
import { earwitness } from '../../perturbations/ladders/earwitness.ts';
import { srb } from '../../perturbations/ladders/srb.ts';
import { listScenarios } from '../../perturbations/scenarios.ts';
import { basic } from '../../scoring/normalizers/basic.ts';
import { renderHtml } from '../../session/render-html.ts';
import { withClaimExamples } from '../../session/run/claim-examples.ts';
import type { StoredTrial } from '../../store/contract.ts';
import { find, hears, pair, speak, texts } from '../../studies/differential/testing/invented-search.ts';
import {
  harder,
  type Invention,
  inventedContext,
  inventedMeasurement,
  inventedRun,
  recognizerNamed,
  said,
  spoken,
} from '../../studies/shared/testing/testing.ts';
import { openBrowser, rulesOfLooks, skipWithoutBrowser } from '../../web/testing/browser.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { namedFindings } from '../prepare/named-findings.ts';
import { rankingOf } from '../prepare/ranking.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { renderFirstScreen } from '../text/first-screen.ts';
import { renderText } from '../text/render-text.ts';

const skip = skipWithoutBrowser;

const words = Array.from({ length: 14 }, (_, place) => `word${place}`);

/** Two recordings each of speakers of both sexes and so many accents. */
function peopleOf(speakers: number, accents: number): Utterance[] {
  return Array.from({ length: 2 * speakers }, (_, place) => {
    const number = Math.floor(place / 2);
    return spoken(`u${place}`, words.join(' '), {
      speaker: `s${number}`,
      sound: { file: `${place}.wav` },
      attributes: { sex: number % 2 === 0 ? 'female' : 'male', accent: `accent of region ${number % accents}` },
    });
  });
}

const says: Invention = ({ utterance, recognizer, condition }) => {
  const random = createRandom([utterance.id, recognizer, condition.name]);
  const chance = 0.15 * (harder(recognizer) + harder(utterance.speaker!) + harder(condition.name));
  return utterance
    .reference!.split(' ')
    .map((word) => (random.next() > chance ? word : 'x'))
    .join(' ');
};

const conditions = ['aequevox/noise:1', 'aequevox/noise:4', 'aequevox/clipping:2'];
const few = { resamples: 100 };
const optionsOf: Readonly<Record<Exclude<keyof typeof studies, 'differential'>, object>> = {
  adversarial: { snrDb: [20, 10], ...few },
  corpus: {},
  degradation: { conditions, ...few, permutations: 1000, groupBy: ['sex', 'accent'] },
  disparity: { ...few, permutations: 1000 },
  'fault-validation': { sentences: 10, words: { 'engine 1': { robust: ['word1'], nonRobust: ['word2'] } } },
  'fault-words': { conditions: ['aequevox/noise'], groupBy: ['sex'] },
  'few-references': { groupBy: ['sex'] },
  'gap-decomposition': { causes: ['rarity'], bent: false, equalize: [], groupBy: ['sex'] },
  hallucination: { ...few },
  metamorphic: {
    profile: 'sr-mt',
    relations: [{ name: 'R', conditions: conditions.slice(0, 2), output: 'equal' }],
    ...few,
  },
  robustness: { conditions, ...few, groupBy: ['sex', 'accent'] },
  'sound-quality': { conditions, ...few },
  threshold: { maxTrials: 48 },
};

/** A finding whose claims show what was recognized, as in the report of a run. */
async function shown(
  make: (says: (invention: Invention) => Invention) => Promise<Finding>,
  recognizers: readonly string[],
): Promise<Finding> {
  const asked = new Map<string, StoredTrial>();
  const positions = new Map<string, number>();
  const noted =
    (invention: Invention): Invention =>
    (trial) => {
      const { utterance, condition, draw, repeat } = trial;
      const answer = invention(trial);
      const position = positions.get(utterance.id) ?? positions.size;
      positions.set(utterance.id, position);
      asked.set(JSON.stringify([utterance.id, condition.name, draw, repeat, trial.recognizer]), {
        ...{ utterance, position, answer: asked.size, conditionName: condition.name, draw, repeat },
        recognizer: recognizers.indexOf(trial.recognizer),
        observation: typeof answer === 'string' ? said(answer) : answer,
      });
      return answer;
    };
  const finding = await make(noted);
  const trials = [...asked.values()].sort((a, b) => a.position - b.position);
  const run = { id: 'invented', recognizers: recognizers.map((name) => ({ name, identity: {}, epoch: null })) };
  const report = { ...sampleReport(), findings: [finding] };
  const { findings } = await withClaimExamples({ trials: () => trials }, run, report, async () => basic);
  return findings[0]!;
}

const found = new Map<string, Promise<Finding>>();

function findingOf(name: keyof typeof studies): Promise<Finding> {
  const finding = found.get(name) ?? makeFinding(name);
  found.set(name, finding);
  return finding;
}

async function makeFinding(name: keyof typeof studies): Promise<Finding> {
  if (name === 'differential')
    return shown(
      (noted) => find({ replicates: 2 }, speak(texts.slice(0, 60)), noted(hears)),
      pair.map((one) => one.name),
    );
  const study = (await studies[name].load()) as never;
  const engines = [1, 2, 3].map((number) =>
    recognizerNamed(`engine ${number}`, number === 1 ? { differentiable: true } : {}),
  );
  const context = inventedContext(peopleOf(24, 3), engines, {
    ladders: [aequevox, earwitness, srb],
    quality: [{ name: 'invented', values: { mos: 'How good it sounds' }, needsClean: false }],
    isRandom: async () => false,
  });
  return shown(
    (noted) => inventedRun(study, optionsOf[name], context, noted(says), [], inventedMeasurement),
    engines.map((one) => one.name),
  );
}

const scenarios = listScenarios([aequevox, earwitness, srb]).map(({ condition }) => condition);

function reportOf(findings: readonly Finding[], recognizers = 3): RunReport {
  return {
    ...sampleReport(),
    run: { name: 'Invented', seed: 1 },
    findings: namedFindings(findings, [], conditionsInWords(scenarios)),
    language: 'en',
    recognizers: Array.from({ length: recognizers }, (_, place) => ({ name: `engine ${place + 1}`, identity: {} })),
  };
}

let browser: Browser;
let folder: string;
/** One for all reports, one after the other: to make a page costs as much as to look at one. */
let page: Page;
const complaints: string[] = [];

before(async () => {
  if (skip) return;
  folder = await mkdtemp(join(tmpdir(), 'reports-'));
  browser = await openBrowser();
  page = await browser.newPage({ bypassCSP: true });
  page.setDefaultTimeout(120_000);
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
});

after(async () => {
  if (skip) return;
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

const axe = skip ? '' : readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Of the window: each of its pixels is painted again and again, so that a page is scrolled through instead. */
const height = 2000;

async function open(report: RunReport, name: string): Promise<void> {
  const file = join(folder, `${name}.html`);
  await writeFile(file, renderHtml(report, { transcripts: true, sound: false }));
  complaints.length = 0;
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height });
  await page.goto(pathToFileURL(file).href);
  await page.evaluate('document.querySelectorAll("main details").forEach((details) => { details.open = true; })');
  await settled();
}

/** Once all of the page was near: tables are fitted as they come within a window's height. */
async function settled(): Promise<void> {
  await page.evaluate(`(async () => {
    const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    for (let place = 0; place < document.documentElement.scrollHeight; place += 2 * innerHeight) {
      scrollTo(0, place);
      await painted();
    }
    scrollTo(0, 0);
    await painted();
    await new Promise((done) => setTimeout(done, 50));
  })()`);
}

/** Whatever reaches beyond the page, and cells of numbers and verdicts beyond their box. */
const outOfSight = `(() => {
  const out = [];
  if (document.documentElement.scrollWidth > innerWidth) out.push('page ' + document.documentElement.scrollWidth);
  for (const box of document.querySelectorAll('.scroll')) {
    const edge = box.getBoundingClientRect().right + 1;
    for (const cell of box.querySelectorAll('th, td')) {
      const { right } = cell.getBoundingClientRect();
      if (right > edge) { out.push(box.querySelector('table').id + ': ' + cell.textContent + ' ' + right + ' > ' + edge); break; }
    }
  }
  return out;
})()`;

/**
 * Of neighbours that are made alike leaves the one that says most: the same elements with the same classes and styles, whatever they say
 * and wherever they stand. What is wrong with the looks of one is wrong with all, and axe-core takes some milliseconds for each element.
 * Rows and lists of definitions stay whole.
 */
const withoutAlike = `(() => {
  const places = / (?:id|title|href|d|x|y|cx|cy|x1|x2|y1|y2|width|height|points|transform|for|value|aria-label|aria-labelledby|aria-describedby|data-[a-z-]+)="[^"]*"/g;
  for (const parent of document.querySelectorAll('body :not(tr, thead, table, select, dl)')) {
    if (parent.children.length < 2 || !parent.isConnected) continue;
    const longest = new Map();
    for (const child of parent.children) {
      const made = child.outerHTML.replace(/>[^<]+</g, '><').replace(places, '');
      const other = longest.get(made);
      if (other === undefined || other.textContent.length < child.textContent.length) longest.set(made, child);
    }
    const kept = new Set(longest.values());
    for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  }
})()`;

async function axeFindings(rules?: readonly string[]): Promise<unknown> {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) };
  const run = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html.slice(0, 200), nodes[0].failureSummary]))`;
  return page.evaluate(run);
}

/** Everything that is asked of a page; says where it fails. */
/** A first screen is read in half a minute. */
const maxWords = 200;
/** Those with a letter that stand on the first 900 pixels of the page, beside contents, pictures and words of a transcript. */
const wordsOnScreen = `(() => {
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const place = document.createRange();
  let count = 0;
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    place.selectNodeContents(text);
    const { top, bottom } = place.getBoundingClientRect();
    const isShown = text.parentElement.checkVisibility() && !text.parentElement.closest('.unseen, svg, .diff');
    if (isShown && bottom > 0 && top < 900) count += text.data.split(/\\s+/).filter((word) => /\\p{L}/u.test(word)).length;
  }
  return count;
})()`;

async function look(name: string, report: RunReport): Promise<void> {
  await open(report, name);
  const tables = Number(await page.evaluate('document.querySelectorAll("table").length'));
  assert.ok(tables > 0, `${name} has tables to look at`);
  const words = Number(await page.evaluate(wordsOnScreen));
  assert.ok(words <= maxWords, `${name}: ${words} words on the first screen`);
  for (const width of [1440, 1024, 390]) {
    if (width !== 1440) {
      await page.setViewportSize({ width, height });
      await settled();
    }
    assert.deepEqual(await page.evaluate(outOfSight), [], `${name} at ${width} pixels`);
  }
  // A4 without its margins.
  await page.setViewportSize({ width: 703, height });
  await page.emulateMedia({ media: 'print' });
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  assert.deepEqual(await page.evaluate(outOfSight), [], `${name} on paper`);
  await page.evaluate('dispatchEvent(new Event("afterprint"))');
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 1440, height });
  await page.evaluate(withoutAlike);
  await page.evaluate(axe);
  await settled();
  assert.deepEqual(await axeFindings(), [], `${name}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height });
  await settled();
  assert.deepEqual(await axeFindings([...rulesOfLooks, 'target-size']), [], `${name}, dark, on a phone`);
  assert.deepEqual(complaints, [], name);
}

for (const name of Object.keys(studies) as (keyof typeof studies)[]) {
  test(
    `the report of ${name}: nothing is out of sight, axe-core finds nothing and nothing complains`,
    {
      skip,
    },
    async () => look(name, reportOf([await findingOf(name)])),
  );
}

/** What the page says, attributes of pictures and links included, but for the settings as they were given. */
const saidOn = (page: string) =>
  page
    .replace(/<section id="provenance"[\s\S]*/, '')
    .replace(/<(?:style|script)>[\s\S]*?<\/(?:style|script)>/g, '')
    .replace(/<\/?[a-z][^>]*?(?: title="([^"]*)")?[^>]*>/g, ' $1 ');

for (const name of Object.keys(studies) as (keyof typeof studies)[]) {
  test(`the report of ${name} calls no condition by its code, in no format`, async () => {
    const report = reportOf([await findingOf(name)]);
    const page = { width: 120, color: false, transcripts: true, verbose: true };
    const texts = {
      html: saidOn(renderHtml(report, { transcripts: true, sound: false })),
      markdown: renderMarkdown(report, { transcripts: true }).replace(/## Settings and provenance[\s\S]*/, ''),
      text: renderText(report, page),
      firstScreen: renderFirstScreen(report, page),
    };
    // What is to be written into a config has the codes.
    for (const [format, text] of Object.entries(texts))
      assert.deepEqual(
        text.replace(/conditions: \\?\[.*?\]/g, '').match(/(?:aequevox|earwitness|srb)\/[\w:-]+/g) ?? [],
        [],
        format,
      );
  });
}

/** What these begin with are counts, and thresholds that are not reached: they have no interval, and their sections say why. */
const withoutInterval = ['corpus', 'differential', 'fault-validation', 'fault-words', 'threshold'];

for (const name of Object.keys(studies) as (keyof typeof studies)[]) {
  test(`${name}: the sentence that is shown first has its number, with its interval or why there is none`, async () => {
    const { answer } = await findingOf(name);
    const first = answer.find(({ headline }) => headline) ?? answer[0]!;
    assert.match(first.text, /\d/);
    if (withoutInterval.includes(name) || first.estimate?.reason !== undefined) return;
    assert.match(first.text, /\d \(?.*\(95 % CI [−\d]/);
  });
}

test('degradation: claim, ranking and picture of the first screen are of the same groups by the same measure', async () => {
  const finding = await findingOf('degradation');
  assert.match(finding.answer[0]!.text, /costs sex male .*: 1\.3 points less distance between recognizers/);
  assert.deepEqual(rankingOf(finding)!.slice, ['sex', 'distance']);
  const page = renderHtml(reportOf([finding]), { transcripts: true, sound: false });
  const [picture] = /<figure[\s\S]*?<h4[^>]*><bdi>[^<]*/.exec(page)!;
  assert.ok(picture.endsWith('<bdi>What perturbation costs, by sex: distance between recognizers'), picture);
});

const names = [/engine \d/g, /\b(?:keen|deaf)\b/g];
const groups = [
  { attribute: 'sex', values: /\b(?:fe)?male\b/g },
  { attribute: 'accent', values: /accent of region \d/g },
];

for (const name of Object.keys(studies) as (keyof typeof studies)[]) {
  test(`${name}: claims that name a recognizer or a group show utterances of exactly these`, async () => {
    const people = new Map(peopleOf(24, 3).map((one) => [one.id, one.attributes]));
    for (const statement of (await findingOf(name)).answer) {
      const { text, about, examples = [] } = statement;
      const recognizers = names.flatMap((one): string[] => text.match(one) ?? []);
      const own = groups.filter(({ values }) => text.match(values) !== null);
      if ((recognizers.length === 0 && own.length === 0) || text.endsWith('it was not asked.')) continue;
      assert.ok(about, `says what it is about: ${text}`);
      if (recognizers.length > 0) assert.ok(recognizers.includes(about.recognizer ?? ''), text);
      for (const { attribute, values } of own)
        assert.ok(
          [...text.matchAll(values)].some(([value]) => value === about.group?.[attribute]),
          text,
        );
      // Where nothing differs from what it stands beside, or no test failed, nothing shows it.
      const shows = about.by === 'failed tests' ? statement.estimate?.value !== 0 : about.than === undefined;
      assert.ok(examples.length > 0 || !shows, `no examples: ${text}`);
      assert.ok(examples.length <= 3);
      assert.equal(new Set(examples.map(({ utteranceId }) => utteranceId)).size, examples.length);
      for (const { utteranceId, conditionName, transcripts } of examples) {
        assert.ok(about.conditions?.includes(conditionName) ?? true, text);
        const labels = transcripts.map(({ label }) => label);
        // Where rows are of several conditions, each says of which.
        const isIts = (label: string) => label === about.recognizer || label.startsWith(`${about.recognizer}, `);
        if (about.recognizer !== undefined) assert.ok(labels.some(isIts), `${labels}: ${text}`);
        for (const [attribute, value] of Object.entries(about.group ?? {}))
          assert.equal(people.get(utteranceId)?.[attribute], value, text);
      }
    }
  });
}

test('twelve systems and 54 groups: the first table is on the first screen, all of it', { skip }, async () => {
  const engines = Array.from({ length: 12 }, (_, place) => recognizerNamed(`engine ${place + 1}`));
  const context = inventedContext(peopleOf(540, 54), engines);
  const study = (await studies.disparity.load()) as never;
  const options = { attributes: ['accent'], ...few, permutations: 1000 };
  const report = reportOf([await inventedRun(study, options, context, says)], 12);
  await look('leaderboard', report);
  await open(report, 'leaderboard');
  await page.setViewportSize({ width: 1440, height: 900 });
  const bottoms = `[...document.querySelector('.scores table').querySelectorAll('tbody tr')].map((part) => part.getBoundingClientRect().bottom)`;
  const found = (await page.evaluate(bottoms)) as number[];
  assert.equal(found.length, 12, 'twelve systems');
  assert.deepEqual(
    found.filter((bottom) => bottom > 900),
    [],
  );
});
