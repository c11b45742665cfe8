import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cell, Finding } from '../model/finding.ts';
import { markupText } from '../report/html/markup.ts';
import { renderHtmlWith } from '../report/html/render-html.ts';
import { renderMarkdown } from '../report/markdown/render-markdown.ts';
import { warningsOf } from '../report/prepare/report-parts.ts';
import { sampleReport } from '../report/testing/sample-report.ts';
import { renderFirstScreen } from '../report/text/first-screen.ts';
import { served } from './links.ts';
import { type RunParts, runPage } from './run-page.ts';

const parts: RunParts = {
  trials: '/runs/r/trials',
  clip: (utterance, condition, draw) => served.clip('r', utterance, condition, draw),
  recognizers: ['one', 'two'],
  conditions: ['clean', 'a/noise:1', 'a/noise:2', 'telephone'],
  groups: new Map([
    ['sex', new Set(['M', 'F'])],
    ['shirt', new Set(['M', 'L'])],
  ]),
  languages: new Set(['en']),
};

/** Where the names of rows lead on the page of a run that found one table; null: nowhere. */
function rowWays(rows: readonly Record<string, Cell>[], more: Partial<RunParts> = {}, title = 'Changes') {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = keys.map((key) => ({ key, label: key, kind: key === 'n' ? 'count' : 'text' }) as const);
  const finding: Finding = {
    ...{
      study: { name: 'invented', version: 1 },
      title: 'Invented',
      settings: {},
      answer: [],
      warnings: [],
    },
    sections: [{ id: 's', title: 'S', text: [], tables: [{ id: 't', title, columns, rows }] }],
  };
  const page = markupText(
    runPage({
      ...{ run: { id: 'r', startedAtMs: 0 }, summary: null, findings: [finding], warnings: [], links: served },
      parts: { ...parts, ...more },
    }),
  );
  return [...page.matchAll(/<th scope="row"[^>]*>(?:<a class="way" href="([^"]*)">)?/g)].map(([, to]) => {
    if (to === undefined) return null;
    const { pathname, searchParams } = new URL(to.replaceAll('&amp;', '&'), 'http://x');
    return pathname === parts.trials
      ? [...searchParams].map((pair) => pair.join(' ')).join(', ')
      : decodeURIComponent(to);
  });
}

test('A row leads to the trials of what it names: recognizers, conditions, those of a family, groups of the attribute that it says.', () => {
  assert.deepEqual(
    rowWays([
      { recognizer: 'one', comparedWith: 'two', condition: 'telephone', n: 4 },
      { recognizer: 'two', comparedWith: 'clean', condition: 'a/noise:2', n: 4 },
      { family: 'a/noise', n: 8 },
      { attribute: 'shirt', group: 'M', n: 2 },
      { attribute: 'sex', group: 'M', n: 2 },
      { language: 'en', n: 2 },
      { what: 'everything together', n: 9 },
    ]),
    [
      'recognizer one, recognizer two, condition telephone',
      'recognizer two, condition clean, condition a/noise:2',
      'condition a/noise:1, condition a/noise:2',
      'is.shirt M',
      'is.sex M',
      'is.language en',
      null,
    ],
  );
  assert.deepEqual(rowWays([{ recognizer: 'two', n: 1 }], {}, 'Thresholds, telephone, everybody'), [
    'recognizer two, condition telephone',
  ]);
});

test('A row of a language, a data set, a kind of failure or a confused pair leads to those trials; an average over what has no filter leads nowhere.', () => {
  const more = {
    languages: new Set(['en-US', 'de']),
    groups: new Map([...parts.groups, ['corpus', new Set(['TIMIT'])]]),
    confusions: true,
  };
  assert.deepEqual(
    rowWays(
      [
        { scope: 'language en', name: 'telephone', n: 1 },
        { group: 'language en-US', n: 1 },
        { dataset: 'TIMIT (de)', n: 1 },
        { dataset: 'unnamed (en)', n: 1 },
      ],
      more,
    ),
    [
      'is.language en-US, condition telephone',
      'is.language en-US',
      'is.language de, is.corpus TIMIT',
      'is.language en-US',
    ],
  );
  assert.deepEqual(rowWays([{ recognizer: 'one', kind: 'refused', n: 1 }], more, 'Failures by kind'), [
    'recognizer one, outcome refused',
  ]);
  assert.deepEqual(rowWays([{ recognizer: 'one', said: 'she', heard: 'ehs', n: 1 }], more), [
    'recognizer one, confused she ehs',
  ]);
  assert.deepEqual(
    rowWays(
      [
        { name: 'white noise', recognizer: 'one', n: 1 },
        { name: 'all scenarios', recognizer: 'one', n: 1 },
        { name: 'telephone', recognizer: 'one', n: 1 },
      ],
      more,
      'By category',
    ),
    [null, 'recognizer one', 'condition telephone, recognizer one'],
  );
});

test('A row about an utterance leads to its clip; one that names what the trials do not show leads nowhere.', () => {
  assert.deepEqual(
    rowWays([
      { utterance: 'u 1', n: 1 },
      { utteranceId: 'u2', condition: 'telephone', n: 1 },
    ]),
    ['/runs/r/clip?utterance=u+1&amp;condition=clean', '/runs/r/clip?utterance=u2&amp;condition=telephone'],
  );
  const left = new Map([['sex', new Set(['M', 'F'])]]);
  assert.deepEqual(rowWays([{ attribute: 'sex', group: 'F', n: 2 }], { left, groups: new Map() }), [null]);
  assert.deepEqual(rowWays([{ recognizer: 'one', group: 'sex F', n: 2 }], { left, groups: new Map() }), [null]);
});

test('A claim about a group of a language leads to its trials, by the attribute of this name where there is one.', () => {
  const waysOf = (more: Partial<RunParts>) => {
    const about = { recognizer: 'one', group: { language: 'en' } };
    const finding: Finding = {
      ...{ study: { name: 'invented', version: 1 }, title: 'Invented', settings: {}, warnings: [] },
      answer: [{ text: 'one is wrong', headline: true, about }],
      sections: [],
    };
    const run = { id: 'r', startedAtMs: 0 };
    const page = markupText(
      runPage({ run, summary: null, findings: [finding], warnings: [], links: served, parts: { ...parts, ...more } }),
    );
    return [...page.matchAll(/href="[^"]*[?;&](is\.[a-z_]+=[a-z]+)/g)].map(([, filter]) => filter);
  };
  assert.deepEqual(waysOf({ languages: new Set(['en', 'en-US']) }), ['is.language=en']);
  assert.deepEqual(waysOf({ groups: new Map([['attribute_language', new Set(['en'])]]) }), [
    'is.attribute_language=en',
  ]);
});

test('The most important warning stands in words at the head of the page of a run, of its report and of the terminal, and is one.', () => {
  const moved = 'Utterance u7 moves the WER from 9.0 % to 70.7 %: 400 words were inserted.';
  const sample = sampleReport();
  const report = { ...sample, warnings: ['Some ages are not known.', ...sample.warnings, moved] };
  const { findings, warnings } = report;
  const run = { id: 'r', startedAtMs: 0 };
  const page = markupText(runPage({ run, summary: null, findings, warnings, parts, links: served }));
  const terminal = renderFirstScreen(report, { width: 80, color: false, transcripts: true });
  const all = `${warningsOf(report).length} warnings; the most important: ${moved}`;
  for (const text of [page, renderHtmlWith('', report, { transcripts: true, sound: false })])
    assert.match(text, new RegExp(`href="#warnings">(?:<[^>]*>|⚠ )*${all}</bdi></a>`));
  assert.ok(terminal.replace(/\n {2}/g, ' ').includes(`! ${all.slice(0, 80)}`), terminal);
  assert.ok(renderMarkdown(report, { transcripts: true }).replaceAll('\\', '').includes(`## Warnings\n\n- ${moved}`));
});
