import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { Column } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { createPaint, cutMiddle, cutToWidth, displayWidth, wrapToWidth } from './display-width.ts';
import { renderFirstScreen } from './first-screen.ts';
import { renderText, sectionBlocks } from './render-text.ts';
import { textTable } from './text-table.ts';

test('widths are those of a terminal: East Asian and emoji two, marks none', () => {
  // East Asian Width property values of Unicode 16, by hand.
  assert.equal(displayWidth('日本語'), 6);
  assert.equal(displayWidth('한국'), 4);
  assert.equal(displayWidth('e\u0301'), 1);
  assert.equal(displayWidth('👩\u200d💻'), 2);
  assert.equal(displayWidth('−2.1 – ü'), 8);
  assert.equal(cutToWidth('日本語', 5), '日本…');
  assert.equal(cutMiddle('aequevox/amplitude:6', 12), 'aequev…ude:6');
  assert.equal(cutMiddle('日本語日本語', 7), '日…本語');
  assert.deepEqual(wrapToWidth('日本語日本語 ab', 6), ['日本語', '日本語', 'ab']);
});

test('the summary opens with the answer, its verdict and its interval', () => {
  const lines = renderText(sampleReport(), { width: 120, color: false, transcripts: true }).split('\n');
  assert.match(lines[0] ?? '', /^Robustness/);
  assert.match(lines[1] ?? '', /✓ better +debian-default makes fewer errors/);
  assert.match(lines.slice(1, 4).join(' '), /\[8\.8, 14\.0\]/);
});

test('beside each number of the answer stands what it rests on, once', () => {
  const [statement] = sampleReport().findings[0]!.answer;
  const { utterances, speakers } = statement!.estimate!.n;
  const lines = renderText(sampleReport(), { width: 200, color: false, transcripts: true }).split('\n');
  const told = lines.slice(1, 4).join(' ').replaceAll(/\s+/g, ' ');
  const first = told.slice(0, told.indexOf(').'));
  assert.equal(first.split(`${utterances} utterances, ${speakers} speakers`).length, 2, first);
  assert.match(first, / words, \d+ pairs$/);
});

test('why there is no verdict is told once', () => {
  const report = sampleReport();
  const [finding] = report.findings;
  const { comparison } = finding!.answer[0]!;
  const reason = { code: 'few-units', need: 10, have: [4] } as const;
  const difference = { ...comparison!.difference, low: null, high: null, reason };
  const why = { code: 'text', text: '4 speakers cannot tell' } as const;
  const open = { reason: why, more: 6, unit: 'speaker' } as const;
  const told = (text: string) => {
    const statement = {
      text,
      comparison: { ...comparison!, difference, reason, verdict: 'cannot tell', open },
    } as const;
    const findings = [{ ...finding!, answer: [statement] }];
    return (
      renderText({ ...report, findings }, { width: 200, color: false, transcripts: true }).split(reasonText(reason))
        .length - 1
    );
  };
  assert.equal(told('No verdict: 4 speakers cannot tell.'), 0);
  assert.equal(told('No verdict.'), 1);
});

for (const width of [40, 80, 100, 200]) {
  test(`no line is wider than a terminal of ${width} columns, hostile text or not`, () => {
    for (const hostile of [false, true]) {
      const text = renderText(sampleReport({ hostile }), { width, color: true, transcripts: true });
      for (const line of stripVTControlCharacters(text).split('\n')) {
        assert.ok(displayWidth(line) <= width, `${displayWidth(line)} columns: ${line}`);
      }
    }
  });
}

test('hostile text brings no control sequence of its own to the terminal', () => {
  const plain = renderText(sampleReport({ hostile: true }), { width: 100, color: false, transcripts: true });
  assert.doesNotMatch(plain.replaceAll('\n', ''), /[\p{Cc}\u202e\u200b]/u);
  const colored = renderText(sampleReport({ hostile: true }), { width: 100, color: true, transcripts: true });
  const sequences = new Set(colored.match(/[^\P{Cc}\n]\[[^m]*m/gu));
  const ours = [1, 2, 22, 31, 32, 33, 39].map((code) => `\u001b[${code}m`);
  assert.deepEqual(
    [...sequences].filter((sequence) => !ours.includes(sequence)),
    [],
  );
  assert.ok(!colored.includes('\u001b[31mgnp'));
});

test('warnings, why trials failed, reasons, tally and timing are told', () => {
  const text = renderText(sampleReport(), { width: 120, color: false, transcripts: true, verbose: true });
  for (const part of [
    'With 16 speakers, intervals are wide',
    'default: 14 of 1,760 trials failed',
    "9 trials: crashed: the engine's process was ended by SIGSEGV",
    '4 trials: timed out (the first: no answer within 300 s)',
    '1 trial: other reasons',
    '¹ only 2 speakers: an interval needs at least 5',
    '3,520 trials: 3,506 answered (320 of them taken from the store), 14 failed.',
    '2 calls sent but not answered',
    'elapsedSeconds 412.7',
    'she had your park **** in greasy',
  ]) {
    assert.ok(text.includes(part), part);
  }
});

test('without verbose nothing is told of the run but when it began and what it took', () => {
  const timing = { run: '20261121T1406-0a1b2c3d', started: '2026-11-21T14:06:30.123Z', seconds: 61.4 };
  const shown = { width: 120, color: false, transcripts: true };
  const plain = renderText({ ...sampleReport(), timing }, shown);
  assert.match(plain, /possibly\s+paid\.\s+Begun\s+2026-11-21 14:06 UTC, took 61 s\.\n$/);
  assert.doesNotMatch(plain, /0a1b2c3d/);
  assert.match(renderText({ ...sampleReport(), timing }, { ...shown, verbose: true }), /run 20261121T1406-0a1b2c3d/);
});

test('without transcripts no word of them is shown, but the counts are', () => {
  const text = renderText(sampleReport(), { width: 120, color: false, transcripts: false });
  assert.doesNotMatch(text, /greasy|park|suit/);
  assert.match(text, /3 errors in 11 words: 1 substitution, 1 deletion, 1 insertion/);
});

test('a report without findings is still told', () => {
  const text = renderText({ ...sampleReport(), findings: [] }, { width: 80, color: false, transcripts: true });
  assert.match(text, /3,520 trials/);
});

test('a finding that belongs to no run tells of no trials', () => {
  const ofNoRun = { ...sampleReport(), recognizers: [], tally: { ...sampleReport().tally, trials: 0, answered: 0 } };
  assert.doesNotMatch(renderText(ofNoRun, { width: 120, color: false, transcripts: true }), /trials: \d/);
});

test('the first screen is what was found, who failed, what it rests on and the warning that matters most', () => {
  const text = renderFirstScreen(sampleReport(), { width: 120, color: false, transcripts: true });
  assert.ok(text.split('\n').length < 25);
  assert.match(
    text,
    /makes fewer errors.*14 of 1,760 trials failed, most often crashed.*\n3,520 trials, 320 taken from the store, 14 failed, .*\n! 3 warnings; the most important: /s,
  );
});

test('texts that a table has no room for go on in the next line, whole up to eight lines; names show both ends', () => {
  const text = (key: string) => ({ key, label: key, kind: 'text' }) as const;
  const said = 'we agree to this proposal of the committee on agriculture and fisheries';
  const rows = [
    { said, heard: said.replace('agree', 'disagree'), sound: 'utterance-of-a-very-long-name-1', other: 'one' },
    { said: 'short', heard: `${'word '.repeat(60)}end`, sound: 'utterance-of-a-very-long-name-2', other: 'two' },
  ];
  const table = { id: 't', title: 'T', columns: ['said', 'heard', 'sound', 'other'].map(text), rows };
  const lines = textTable(table, { width: 80, rows: 10, paint: createPaint(false) });
  for (const line of lines) assert.ok(displayWidth(line) <= 80, line);
  const blank = lines.indexOf('');
  const column = (name: string) => {
    const from = lines[0]!.indexOf(name);
    const to = lines[0]!.slice(from).search(/ {2}\S/);
    return lines.slice(1, blank).map((line) => line.slice(from, to === -1 ? undefined : from + to + 1));
  };
  const joined = (name: string) => column(name).join(' ').replaceAll(/ +/g, ' ').trim();
  assert.equal(joined('said'), said);
  assert.equal(joined('heard'), said.replace('agree', 'disagree'));
  assert.match(joined('sound'), /^utter\S*…\S*name-1$/);
  const second = lines.slice(blank + 1);
  assert.equal(second.length, 8);
  assert.match(second[7]!, /…$/);
});

test('the summary has the beginnings of tables of misheard words, some of each recognizer, and none without transcripts', () => {
  const pairs = (recognizer: string) =>
    Array.from({ length: 9 }, (_, index) => ({ recognizer, said: `said${index}`, heard: 'this', count: 9 - index }));
  const table = {
    ...{ id: 'misheard', title: 'Words most often misrecognized, clean', rows: [...pairs('one'), ...pairs('two')] },
    columns: [
      { key: 'recognizer', label: 'Recognizer', kind: 'text' as const },
      { key: 'said', label: 'Said', kind: 'text' as const, transcript: true as const },
      { key: 'heard', label: 'Heard', kind: 'text' as const, transcript: true as const },
      { key: 'count', label: 'Times', kind: 'count' as const },
    ],
  };
  const report = sampleReport();
  const [finding] = report.findings;
  const section = { id: 'misheard', title: table.title, summary: true as const, tables: [table] };
  const told = { ...report, findings: [{ ...finding!, sections: [section] }] };
  const brief = { width: 80, color: false };
  const text = renderFirstScreen(told, { ...brief, transcripts: true });
  assert.match(text, /\n {2}Words most often misrecognized, clean\n {4}Recognizer {2}Said {3}Heard {2}Times\n/);
  assert.match(text, /\n {4}one {9}said3 {2}this {7}6\n {4}two {9}said0 {2}this {7}9\n/);
  assert.doesNotMatch(text, /said4/);
  // A section of one table that is called as it is says it once.
  const lines = sectionBlocks(section, { width: 80, paint: (_, shown) => shown }).flat();
  assert.equal(lines.filter((line) => line === table.title).length, 1);
  assert.doesNotMatch(renderFirstScreen(told, { ...brief, transcripts: false }), /misheard/);
});

test('no note stands beneath a table without a cell that refers to it, and a table without rows says so', () => {
  const rate = (key: string) => ({ key, label: key.repeat(20), kind: 'rate' }) as const;
  const cell = (text: string) => ({
    ...{ value: 0.5, low: null, high: null, level: 0.95, method: 'm', reason: { code: 'text' as const, text } },
    n: { utterances: 5, speakers: 5 },
  });
  const rows = [
    { a: cell('first'), b: cell('left out'), c: cell('left out') },
    { a: cell('second'), b: cell('first'), c: cell('left out') },
  ];
  const table = { id: 't', title: 'T', columns: ['a', 'b', 'c'].map(rate), rows };
  const shown = (width: number) => textTable(table, { width, rows: 10, paint: createPaint(false) });
  assert.deepEqual(shown(40).slice(1), [
    '             50.0 %¹',
    '             50.0 %²',
    '  ¹ first',
    '  ² second',
    '… 2 more columns in the full report',
  ]);
  assert.deepEqual(shown(80).slice(-3), ['  ¹ first', '  ² second', '  ³ left out']);
  assert.deepEqual(textTable({ ...table, rows: [] }, { width: 80, rows: 10, paint: createPaint(false) }), ['None.']);
});

test('A full report leaves nothing out: columns without room go on below the first, with their intervals, and all rows and examples stand', () => {
  const interval = (value: number) => ({
    ...{ value, low: value - 0.05, high: value + 0.05, level: 0.95, method: 'm' },
    n: { utterances: 50, speakers: 12 },
  });
  const rates = ['clean', 'noise', 'room', 'telephone'];
  const rows = Array.from({ length: 20 }, (_, row) => ({
    group: `group ${row}`,
    ...Object.fromEntries(rates.map((key, at) => [key, interval(0.1 * (at + 1) + row / 1000)])),
  }));
  const columns = [{ key: 'group', kind: 'text' }, ...rates.map((key) => ({ key, kind: 'rate' }))].map(
    (one) => ({ ...one, label: one.key }) as Column,
  );
  const example = sampleReport().findings[0]!.sections.flatMap(({ examples = [] }) => examples)[0]!;
  const examples = Array.from({ length: 5 }, (_, at) => ({ ...example, title: `example ${at}` }));
  const section = { id: 's', title: 'S', tables: [{ id: 't', title: 'T', columns, rows }], examples };
  const shown = (full: boolean) =>
    sectionBlocks(section, { width: 60, paint: createPaint(false), full })
      .flat()
      .join('\n');
  assert.match(shown(false), /in the full report/);
  const text = shown(true);
  assert.doesNotMatch(text, /in the full report/);
  // 5 % to either side of 40 % and 1.9 % more, which stood in the last row and column.
  assert.match(text, /group 19 .*41\.9 % \[36\.9, 46\.9\]/);
  for (const { title } of examples) assert.ok(text.includes(title), title);
  for (const line of text.split('\n')) assert.ok(line.length <= 60, line);
});
