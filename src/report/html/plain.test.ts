import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlainSummary } from '../../model/finding.ts';
import type { RunReport } from '../../model/run.ts';
import { openBrowser, skipWithoutBrowser } from '../../web/testing/browser.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { hostileText, sampleReport } from '../testing/sample-report.ts';
import { renderText } from '../text/render-text.ts';
import { renderHtml } from './render-html.ts';

const skip = skipWithoutBrowser;

/** As long as studies make it: many groups, five claims, nine things that are not shown. */
const long: PlainSummary = {
  asked: [
    'Do amazon-us, amazon-gb, google-us, google-gb, deepspeech-0.5.1 and 3 more, programs that write down what people say, make more mistakes for some groups of people than for everybody? A mistake is a word that is wrong, left out or added.',
    'The groups: by sex, ageGroup, accent and environment, and by two of these together. They were fixed before any answer was seen.',
  ],
  ofWhom: [
    '1,712 people in 21,712 recordings (each of the 120 without a name counts as a person).',
    'People by sex: female 712 and male 1000; ageGroup: twenties 120, thirties 340, forties 210, fifties 180, sixties 90, seventies 12 and 1 more; accent: Indian subcontinent 120, United States 900, England 240, Scotland 31, Ireland 40, Nigeria 33 and 9 more; environment: indoor 900 and outdoor 812.',
    'The makers of the recordings decided who was recorded, and who belongs to which group. Nothing here shows that these people represent all others of their group.',
  ],
  found: Array.from({ length: 5 }, (_, place) => ({
    text: `deepspeech-0.5.1 makes more mistakes for sex female and accent Indian subcontinent than for everybody: 4${place}.2 in 100 words, everybody 21.0; very likely between 12.1 and 30.9 more mistakes in 100 words.`,
    verdict: place === 4 ? ('cannot tell' as const) : ('worse' as const),
  })),
  howSure: [
    'Every range is made so that about 95 of 100 such ranges hold the true number. It is about chance among people like those recorded, and about nothing else.',
    'There were 120 comparisons of disagreements and 120 comparisons of mistakes; the more one looks, the more chance offers, and this was taken into account, for each kind by itself. A difference is named only where its whole range lies on one side, and where, if groups made no difference, chance would name any at all in at most 5 of 100 such studies.',
  ],
  doesNotShow: [
    '24 of 126 groups are too small (fewer than 10 people) or mixed: accent Indian subcontinent and ageGroup seventies, accent Scotland and ageGroup seventies, accent Ireland and ageGroup sixties and 21 more. They have no result here, and may well have more mistakes.',
    'That a group is not named here does not show that it has no more mistakes.',
    '1,204 of 43,424 times a recognizer gave no answer at all. These are in no number above. They affect some groups more than others, so for these groups the numbers of mistakes are too low.',
    "4 of 21,712 recordings were spoken by machines: the sex or accent of a machine's voice is what its maker says, and shows nothing about people.",
    'People with unknown values: sex (8 recordings), ageGroup (120 recordings) and accent (412 recordings). They count in the total, but in no group of that attribute.',
    'How many people there are where names are missing: if one person was recorded often, all results seem more certain than they are.',
    'Disturbances that were left out: for mistakes aequevox/noise:1, aequevox/noise:2, aequevox/noise:3, aequevox/noise:4 and aequevox/noise:5. Where nearly everything is lost, no group can lose more.',
    'Why there is a difference: it can come from microphones, noise, what was said or how fast, as well as from the recognizer itself. This compares people as they were recorded.',
    'Other words, rooms, devices or languages: only these recordings were used.',
  ],
};

function reportWith(...summaries: readonly PlainSummary[]): RunReport {
  const report = sampleReport();
  const [finding] = report.findings;
  return { ...report, findings: summaries.map((plain) => ({ ...finding!, plain })) };
}

test('the page for everybody stands before all details in every form, and nowhere where a study has none', () => {
  const report = reportWith(long);
  const options = { transcripts: false, sound: false };
  const forms = [
    renderHtml(report, options).replace(/^[\s\S]*<main/, ''),
    renderMarkdown(report, options),
    renderText(report, { width: 200, color: false, transcripts: false }),
  ];
  for (const form of forms) {
    const titles = ['What was asked', 'Whose speech', 'What was found', 'How certain it is', 'What it does not show'];
    const places = [...titles, 'Warnings'].map((title) => form.indexOf(title));
    assert.ok(!places.includes(-1));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  }
  const without = sampleReport();
  assert.ok(!renderHtml(without, options).includes('id="plain"'));
  assert.ok(!renderText(without, { width: 80, color: false, transcripts: false }).includes('in plain words'));
});

test('headings never skip a level, with one study or several', () => {
  for (const report of [reportWith(long), reportWith(long, long)]) {
    const page = renderHtml(report, { transcripts: false, sound: false });
    const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
    for (const [index, level] of levels.entries()) assert.ok(level <= (levels[index - 1] ?? 0) + 1);
  }
});

test('the terminal after a run, which shows little, leaves the page to the report', () => {
  const brief = renderText(reportWith(long), { width: 80, color: false, transcripts: false, brief: true });
  assert.ok(!brief.includes('What was asked'));
});

test('hostile names stay text on the page for everybody', () => {
  const hostile = { ...long, found: [{ text: hostileText, verdict: 'worse' as const }] };
  const page = renderHtml(reportWith(hostile), { transcripts: false, sound: false });
  assert.ok(!page.includes('<img src=x'));
  const text = renderText(reportWith(hostile), { width: 80, color: false, transcripts: false });
  assert.ok(!text.includes('\u001b'));
});

test('each study fits one printed page, on A4 and on Letter', { skip }, async () => {
  await using browser = {
    opened: await openBrowser(),
    [Symbol.asyncDispose]() {
      return this.opened.close();
    },
  };
  const page = await browser.opened.newPage();
  await page.setContent(renderHtml(reportWith(long, long), { transcripts: false, sound: false }));
  // What comes after it is the appendix, of any length.
  await page.evaluate('document.querySelectorAll("main > *:not(#plain)").forEach((part) => part.remove())');
  for (const format of ['A4', 'Letter'] as const) {
    const margin = { top: '12mm', bottom: '12mm', left: '12mm', right: '12mm' };
    const pdf = (await page.pdf({ format, margin })).toString('latin1');
    const sheets = pdf.match(/\/Type\s*\/Page\b/g)?.length;
    assert.equal(sheets, 2, format);
  }
});
