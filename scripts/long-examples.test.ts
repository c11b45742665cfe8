// Figures of README and docs/ whose examples are too long, or whose data are too large, to be run here: none is older than what it was
// made with, and none stands in a sentence alone. Examples on recorded transcripts take seconds and are run where their data are.
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { blocksOf, figuresOf, hashOfMeasure, measuresOf, pageRemark, pages, proseOf } from './documents.ts';
import { runExample, shownOf, whyStale } from './long-examples.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const all = pages.flatMap(figuresOf);

for (const figures of all) {
  test(`${figures.page}: figures of ${figures.config} are not older than what they were made with`, async () => {
    const stale = await whyStale(figures);
    assert.equal(stale, null, `${figures.page}: ${stale}; renew them: node scripts/long-examples.ts ${figures.config}`);
  });
}

for (const page of pages) {
  for (const { file, hash } of measuresOf(page)) {
    test(`${page}: what ${file} measured is not older than it`, () => {
      const renew = `run it, put its figures into ${page}, and note that: node scripts/long-examples.ts --measured ${file} (--same: no figure can have moved)`;
      assert.equal(hash, hashOfMeasure(file), `${file} measures something else since: ${renew}`);
    });
  }
}

/** What no run of ours can change: published numbers, and the exact interval of 0 of 1. */
const fixed = ['62.5 points', '3.9 %', '2.8 %', '97.5 %', 'p = .012'];

for (const page of pages.filter((one) => pageRemark(one, 'tested in') === null)) {
  test(`${page}: figures in sentences stand in a block of the page, or of a page that it leads to`, () => {
    const led = [...read(page).matchAll(/\]\((?:docs\/)?([\w/]+\.md)\)/g)].map(([, target]) => `docs/${target}`);
    const shown = [page, ...led.filter((other) => pages.includes(other))]
      .flatMap((one) => [...blocksOf(one).map(({ text }) => text), ...figuresOf(one).map((figures) => figures.shown)])
      .join('\n')
      .replaceAll(/\s+/g, ' ');
    const figures =
      /[-−+]?[\d,]*\d\.\d+ (?:%|points)|\[[-−+]?\d[\d.]*, [-−+]?\d[\d.]*\](?! %)|\d[\d,]* (?:recognitions|trials)\b|p [=<] \.\d+/g;
    for (const [figure] of proseOf(page).matchAll(figures)) {
      if (fixed.includes(figure)) continue;
      assert.ok(
        shown.includes(figure.replace(/^[-−+]/, '')),
        `${page}: ${figure} stands in no block of what was printed`,
      );
    }
  });
}

test('what is shown as printed is run, or was made by an example that is named', () => {
  const others = pages
    .flatMap(blocksOf)
    .filter(({ language, remark }) => language === 'text' && remark?.key === 'not run');
  // CI compares this one with what `npm run first-run` prints.
  assert.deepEqual(
    others.map(({ page }) => page),
    ['README.md'],
  );
});

test('configs of examples say in no comment how many recognitions they are, or how long they take', () => {
  for (const path of globSync('examples/*/*.config.yaml', { cwd: root })) {
    for (const [comment] of read(path).matchAll(/#.*$/gm)) {
      const count =
        /\b(?:\d[\d,]*|an|a|half an|twenty|ten|two|three|forty) (?:recognitions|trials|minutes?|hours?|processor)\b/.exec(
          comment,
        );
      assert.equal(count, null, `${path}: ${comment}: earwitness run --preview says it`);
    }
  }
});

for (const config of new Set(all.map((figures) => figures.config))) {
  const { recognizers, studies } = parse(read(config), { merge: true }) as {
    recognizers: Record<string, { type: string }>;
    studies: { type: string }[];
  };
  if (Object.values(recognizers).some(({ type }) => type !== 'recorded')) continue;
  // Its predictions take most of a minute.
  if (studies.some(({ type }) => type === 'differential')) continue;
  test(`${config} prints its figures`, (t) => {
    const shared = join(root, '..', 'shared');
    if (!existsSync(shared)) return t.skip('its data are not beside the repository');
    const folder = mkdtempSync(join(tmpdir(), 'earwitness-figures-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, basename(config)), read(config).replaceAll('../../../shared', shared));
    const printed = runExample(config, folder);
    for (const figures of all.filter((one) => one.config === config)) {
      assert.equal(shownOf(figures, printed, figures.made!.date), figures.shown, figures.page);
    }
  });
}
