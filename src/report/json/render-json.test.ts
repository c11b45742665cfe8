import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostileText, sampleReport } from '../testing/sample-report.ts';
import { eachNumberOnce } from './each-number-once.ts';
import { renderJson } from './render-json.ts';
import { reportFormat, reportSchema } from './report-schema.ts';

test('the JSON reads back as the report', () => {
  for (const hostile of [false, true]) {
    const report = sampleReport({ hostile });
    const { format, ...read } = JSON.parse(renderJson(report));
    assert.equal(format, reportFormat);
    const findings = report.findings.map(eachNumberOnce);
    assert.deepEqual(read, JSON.parse(JSON.stringify({ ...report, findings })));
  }
  assert.equal(JSON.parse(renderJson(sampleReport({ hostile: true }))).run.name, hostileText);
});

test('the order in which a report was put together does not change the bytes', () => {
  const report = sampleReport();
  const turned = Object.fromEntries(Object.entries(report).reverse()) as unknown as typeof report;
  assert.equal(renderJson(turned), renderJson(report));
});

test('what is short stands on one line, and so does each item of more than a hundred; both read back', () => {
  const item = { name: 'x'.repeat(200), list: [1, 2, 3], text: 'y'.repeat(200) };
  const linesOf = (count: number) => {
    const many = Array.from({ length: count }, () => item);
    const text = renderJson({ ...sampleReport(), timing: { many } } as never);
    assert.deepEqual(JSON.parse(text).timing, { many });
    return text.split('\n').filter((line) => line.includes('xxx'));
  };
  assert.equal(linesOf(100)[0]!.trim(), `"name": "${item.name}",`);
  assert.match(linesOf(101)[0]!, /^ {6}\{"list": \[1, 2, 3\], "name": "x+", "text": "y+"\},$/);
});

test('timing is the last member of every object that has one', () => {
  const read = JSON.parse(renderJson(sampleReport()));
  assert.equal(Object.keys(read).at(-1), 'timing');
  assert.equal(Object.keys(read.findings[0]).at(-1), 'timing');
});

test('what JSON cannot carry throws and says where it is', () => {
  const report = sampleReport();
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, new Map(), new Float32Array(1), () => 1, 1n]) {
    const timing = { inner: [bad] } as unknown as typeof report.timing;
    assert.throws(() => renderJson({ ...report, timing }), /TypeError: \$\.timing\.inner\[0\]: expected/);
  }
});

test('a key named __proto__ stays an ordinary key', () => {
  const timing = JSON.parse('{"__proto__": {"polluted": 1}}');
  assert.ok(renderJson({ ...sampleReport(), timing }).includes('"__proto__"'));
});

test('without transcripts no word of them is in the JSON', () => {
  const text = renderJson(sampleReport(), { transcripts: false });
  assert.doesNotMatch(text, /greasy|park/);
});

test('the JSON is of the form that the schema describes, which knows every member', () => {
  for (const transcripts of [false, true]) {
    const report = sampleReport({ hostile: true });
    const read = JSON.parse(renderJson(report, { transcripts }));
    assert.deepEqual(reportSchema.parse(read), read);
    assert.throws(() => reportSchema.parse({ ...read, more: 1 }), /more/);
  }
});
