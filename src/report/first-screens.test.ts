// Words of first screens, of every study on invented answers and of an example: a screen is read in half a minute, a sentence once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { studies } from '../catalog.ts';
import { findingsOf, worlds } from '../cli/testing/invented-worlds.ts';
import type { Finding } from '../model/finding.ts';
import { namedFindings } from './prepare/named-findings.ts';
import { warningsOf } from './prepare/report-parts.ts';
import { resultTableOf } from './prepare/result-table.ts';
import { sampleReport } from './testing/sample-report.ts';
import { renderFirstScreen } from './text/first-screen.ts';

const [maxWords, maxSentence] = [120, 80];
/** Words that readers stopped at; the paper's term may stand in brackets. */
const stopped = /(?<!\()\b(?:LWERR|NWERD|NWER|not beaten on both|Mean of the others)\b(?!\))/;

/** Warnings that stand for each recognizer, as each has numbers and reasons of its own. */
const ofEach = /did not answer|there are # sentences with one robust word/;

const screenOf = (finding: Finding) =>
  renderFirstScreen(
    {
      ...sampleReport(),
      tally: { ...sampleReport().tally, failed: 0, reused: 0, possiblyPaid: 0 },
      failures: [],
      warnings: [],
      findings: namedFindings([finding], []),
    },
    { width: 80, color: false, transcripts: true },
  );

/** Those with a letter: figures of a table are looked up, not read. */
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /\p{L}/u.test(word));

/** Headings of columns of all tables, and axes. */
function headsOf({ sections }: Finding): string[] {
  return sections.flatMap(({ title, tables = [], charts = [], bars = [] }) => [
    title,
    ...tables.flatMap(({ columns, title: own }) => [own, ...columns.map(({ label }) => label)]),
    ...charts.flatMap((chart) => [chart.title, chart.xLabel, chart.yLabel]),
    ...bars.flatMap((chart) => [chart.title, chart.label]),
  ]);
}

for (const name of Object.keys(studies) as (keyof typeof studies)[]) {
  for (const [world, invented] of Object.entries(worlds)) {
    if (name === 'differential' && invented.recognizers < 2) continue;
    test(`${name}, ${world}: its first screen has few words, short sentences, and says nothing twice`, async () => {
      for (const finding of await findingsOf(name, invented)) {
        assert.deepEqual(
          headsOf(finding).filter((head) => stopped.test(head)),
          [],
        );
        const titles = [...finding.sections, ...(finding.timing?.sections ?? [])].map(({ title }) => title);
        assert.deepEqual(
          titles.filter((title, at) => titles.some((other, place) => place !== at && other.startsWith(title))),
          [],
          'parts of the contents that are called the same',
        );
        const warnings = warningsOf({ warnings: [], findings: [finding] });
        const alike = Map.groupBy(warnings, (one) => one.replace(/engine\d|\d+(?:[.,]\d+)*/g, '#'));
        assert.deepEqual(
          [...alike].filter(([shape, { length }]) => length > 1 && !ofEach.test(shape)).map(([, some]) => some),
          [],
          'warnings that differ in a name alone are one',
        );
        const table = resultTableOf(finding);
        if (table === null) continue;
        assert.ok(table.found.length <= 2);
        for (const sentence of table.found) {
          assert.ok(sentence.length < maxSentence, sentence);
          assert.doesNotMatch(sentence, /[()[\]]|\bp [=<≤]/);
        }
        const screen = screenOf(finding);
        assert.ok(wordsOf(screen).length <= maxWords, `${wordsOf(screen).length} words\n${screen}`);
        for (const line of screen.split('\n')) assert.ok(line.length < 80, line);
      }
    });
  }
}
