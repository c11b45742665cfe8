import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { formatPValue } from '../base/number-format.ts';
import type { Comparison, Estimate, Finding } from '../model/finding.ts';
import { comparisonAt, estimateAt, rowsOf, textAt } from '../model/finding-rows.ts';
import type { GateResult } from '../model/gate.ts';
import type { RunReport } from '../model/run.ts';
import { verdictIn } from '../report/format/wording.ts';
import { openStore } from '../store/open-store.ts';
import { rowOf } from '../studies/shared/testing/testing.ts';
import { serveRuns } from '../web/serve.ts';
import { askServer } from '../web/testing/browser.ts';
import { heard, nineRecognizers } from './testing/nine-recognizers.ts';
import { runCommand, temporaryFolder } from './testing/run-command.ts';

// One question has one answer, on whichever screen it is asked: nine recognizers of one run, eight of them nearly alike, two groups that can be compared and
// three that cannot, some trials failed, words counted as `basic` has them, and intervals of 90 %.

/** The rows of a table of `compare`. */
const changesIn = (compared: Finding, table: string) =>
  rowsOf(compared, table).map((row) => ({
    ...{ condition: textAt(row, 'condition'), among: textAt(row, 'among') },
    comparison: comparisonAt(row, 'difference'),
  }));
const conditionsOf = (compared: Finding) => {
  const [overall, ...conditions] = changesIn(compared, 'comparison-conditions');
  return { overall: overall!, conditions };
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let names: readonly string[];
let finding: Finding;

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], { cwd: folder.path });
  assert.ok(code === 0 || code === 20 || code === 21, `${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout) as unknown;
};
const findingsOf = async (...args: string[]) => ((await json(...args)) as RunReport).findings;

before(async () => {
  folder = await temporaryFolder();
  const limits = [
    { wer: 0.3, condition: 'clean' },
    { wer: 0.3, condition: 'all' },
    { gap: 0.01, by: 'sex', condition: 'clean' },
  ];
  // Asks about each clean clip twice more.
  const hall = { name: 'hall', steps: [{ perturbation: 'gain', parameters: { factor: 0.5 } }] };
  const beside = [{ type: 'metamorphic', relations: [{ name: 'softer', conditions: [hall] }] }];
  names = await nineRecognizers(folder, {}, { gate: { level: 0.9, limits } }, beside);
  [finding] = (await findingsOf('run')) as [Finding];
});

after(() => folder[Symbol.asyncDispose]());

/** What is to be the same everywhere. */
const figures = ({ difference, pValue, adjustedPValue, verdict }: Comparison) => {
  const { value, low, high, level, n } = difference;
  const { utterances, speakers, words, pairs } = n;
  return { value, low, high, level, utterances, speakers, words, pairs, pValue, adjustedPValue, verdict };
};
const ends = ({ value, low, high, level }: Estimate) => ({ value, low, high, level });
const pairs = () => names.flatMap((one, place) => names.slice(place + 1).map((other) => [one, other] as const));
/** What the run says of a pair in a condition, or by the mean that it ranks by. */
const inRun = (one: string, other: string, condition: string | null) => {
  const [table, place] =
    condition === null
      ? ['robustness-level-comparisons', { measure: 'mean word error rate', category: 'all scenarios' }]
      : ['robustness-comparisons', { condition, group: 'everybody' }];
  return comparisonAt(rowOf(finding, table, { recognizer: other, comparedWith: one, ...place }), 'difference');
};

test('Each of the 36 pairs has in `compare` the difference, interval, p, adjusted p and verdict of the run, in every condition and over all.', async () => {
  let cannotTell = 0;
  for (const [one, other] of pairs()) {
    const [compared] = await findingsOf('compare', `last:${one}`, `last:${other}`);
    const { overall, conditions } = conditionsOf(compared!);
    const groups = ['comparison-groups', 'comparison-groups-conditions'].flatMap((id) => rowsOf(compared!, id));
    assert.equal(groups.length, 5 * (1 + heard.length));
    assert.deepEqual(
      conditions.map(({ condition }) => condition),
      heard,
    );
    for (const change of [overall, ...conditions]) {
      assert.deepEqual(
        figures(change.comparison),
        figures(inRun(one, other, change === overall ? null : change.condition)),
        `${one} ${other} ${change.condition}`,
      );
      assert.equal(change.among, 'the run');
      const { pValue, verdict } = change.comparison;
      if (pValue! < 0.05 && verdict === 'cannot tell') cannotTell++;
    }
    for (const row of groups) {
      if (row.among === 'all pairs')
        assert.match(comparisonAt(row, 'difference').test, /over (?:[2-9]\d\d|\d,?\d{3}) comparisons/);
    }
    const first = compared!.answer[0]!;
    assert.equal(first.verdict, overall.comparison.verdict);
    if (first.verdict === 'cannot tell')
      assert.match(first.text, /^r\d: (?:cannot be told|too few \w+ to tell) from r\d, |^r\d: same errors as r\d, /);
    else assert.match(first.text, /^r\d leads r\d by [\d.]+ points of WER on average\.$/);
  }
  assert.ok(cannotTell > 10, `${cannotTell} comparisons that would have been told alone`);
});

test('What is turned round has the same p and the other verdict, and `compare` says of what the two are a choice.', async () => {
  const [compared] = await findingsOf('compare', 'last:r9', 'last:r3');
  const { conditions } = conditionsOf(compared!);
  const clean = conditions.find(({ condition }) => condition === 'clean')!.comparison;
  const own = inRun('r3', 'r9', 'clean');
  assert.deepEqual([clean.adjustedPValue, clean.verdict, own.verdict], [own.adjustedPValue, 'better', 'worse']);
  assert.equal(clean.difference.value, -own.difference.value!);
  const text = compared!.sections.find(({ id }) => id === 'comparison-conditions')!.text!.join(' ');
  assert.match(
    text,
    /two of the 9 recognizers of one run\. Where its study robustness has compared them, this is its own comparison/,
  );
  assert.match(text, /corrected for all 36 pairs/);
  assert.match(text, /Words are counted with the normalizer basic\./);
});

test('Counted otherwise than the study did, nothing is taken from it: all 36 pairs are tested, and it says so.', async () => {
  const [compared] = await findingsOf('compare', 'last:r1', 'last:r8', '--normalizer', 'english');
  const { overall, conditions } = conditionsOf(compared!);
  assert.deepEqual(new Set([overall, ...conditions].map(({ among }) => among)), new Set(['all pairs']));
  const text = compared!.sections.find(({ id }) => id === 'comparison-conditions')!.text!.join(' ');
  assert.match(text, /what is compared here is corrected for all 36 pairs/);
  assert.match(
    text,
    /with the normalizer english, as was asked for; the study robustness of run \S+ had basic 1, so that its numbers are others/,
  );
  // Not a test of the two alone: that had p = adjusted p where one condition is looked at.
  const clean = conditions.find(({ condition }) => condition === 'clean')!.comparison;
  assert.ok(clean.adjustedPValue! > 5 * clean.pValue!, `${clean.pValue} and ${clean.adjustedPValue}`);
});

test('Each recognizer has one rate on clean audio and one pooled rate: in the run, `history`, `gate` and `compare`.', async () => {
  const gate = (await json('gate')) as GateResult;
  assert.equal(gate.normalizer.name, 'basic');
  const histories = { clean: await findingsOf('history'), all: await findingsOf('history', '--condition', 'all') };
  for (const name of names) {
    const rateIn = (table: string, place: object) =>
      estimateAt(rowOf(finding, table, { recognizer: name, ...place }), 'wordErrorRate');
    const clean = rateIn('robustness-conditions', { condition: 'clean' });
    const pooled = rateIn('robustness-pooled', {});
    const screens = [
      ['clean', clean],
      ['all', pooled],
    ] as const;
    for (const [condition, own] of screens) {
      const history = histories[condition].find(({ settings }) => settings.recognizer === name)!;
      const rate = estimateAt(rowsOf(history, 'history-runs')[0]!, 'rate');
      assert.deepEqual(ends(rate), ends(own), `history of ${name}, ${condition}`);
      const check = gate.checks.find(
        (one) => one.measure === 'wer' && one.recognizer === name && (one.condition ?? 'all') === condition,
      )!;
      assert.deepEqual(ends(check.value), ends(own), `gate of ${name}, ${condition}`);
    }
    const gap = gate.checks.find(({ measure, recognizer }) => measure === 'gap' && recognizer === name)!.value.value!;
    const ownGap = comparisonAt(
      rowOf(finding, 'robustness-gaps', { attribute: 'sex', recognizer: name }),
      'difference',
    );
    assert.ok(Math.abs(Math.abs(gap) - ownGap.difference.value!) < 1e-12, `gap of ${name}`);
  }
  assert.match(histories.all[0]!.answer[0]!.text, /^No history yet: one run has answers over all conditions\./);
  // Nobody can take the mean over scenarios for it.
  const mean = finding.answer.find(({ text }) => text.includes('over all 2 scenarios'))!;
  assert.match(mean.text, /% mean WER over all 2 scenarios/);
});

test('Outputs in a table have in `score` the interval that they have in a run, with a loop and without.', async () => {
  const people = Array.from({ length: 60 }, (_, place) => {
    const reference = Array.from({ length: 10 }, (__, word) => `word${(7 * place + 3 * word) % 19}`);
    const wrong = place % 4;
    const said = reference
      .with(wrong, 'wrong')
      .with(place % 9, 'wrong')
      .join(' ');
    return { id: `u${place}`, speaker: `s${Math.floor(place / 3)}`, reference: reference.join(' '), said };
  });
  for (const loop of ['', ' thank you'.repeat(109)]) {
    await using own = await temporaryFolder();
    const rows = people.map(({ id, speaker, reference, said }, place) => {
      return [id, speaker, reference, place === 7 ? said + loop : said].join(',');
    });
    await writeFile(own.file('out.csv'), ['id,speaker,reference,hypothesis', ...rows, ''].join('\n'));
    const utterances = people.map(({ id, speaker, reference }) => [id, speaker, reference, 'en'].join(','));
    await writeFile(own.file('utts.csv'), ['id,speaker,reference,language', ...utterances, ''].join('\n'));
    const config = {
      corpus: { type: 'manifest', file: 'utts.csv' },
      recognizers: { asr: { type: 'recorded', file: 'out.csv' } },
      studies: [{ type: 'robustness', conditions: [] }],
    };
    await writeFile(own.file('earwitness.config.json'), JSON.stringify(config));
    const asked = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommand([...args, '--json'], { cwd: own.path });
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout);
    };
    const [run] = ((await asked('run')) as RunReport).findings;
    const { interval } = (await asked('score', 'out.csv')).corpus;
    assert.deepEqual(ends(interval), ends(estimateAt(rowsOf(run!, 'robustness-conditions')[0]!, 'wordErrorRate')));
  }
});

test('A baseline that is the same run differs from it in nothing, and counts as its study does.', async () => {
  await json('baseline', 'same.tsv');
  const config = JSON.parse(await readFile(folder.file('earwitness.config.json'), 'utf8'));
  const limits = [
    { worseBy: 0, condition: 'clean' },
    { worseBy: 0, condition: 'all' },
  ];
  await writeFile(folder.file('same.config.json'), JSON.stringify({ ...config, gate: { level: 0.9, limits } }));
  const gate = (await json('gate', '-c', 'same.config.json', '--baseline', 'same.tsv')) as GateResult;
  assert.equal(gate.normalizer.name, 'basic');
  const changes = gate.checks.filter(({ measure }) => measure === 'worseBy');
  assert.equal(changes.length, 2 * names.length);
  for (const { value, verdict } of changes) assert.deepEqual([value.value, verdict], [0, 'pass']);
});

test('The page of `view` that compares two has the verdict and the p of the run.', async () => {
  const file = folder.file('.earwitness/store.sqlite');
  const store = openStore(file, { readonly: true });
  const serving = await serveRuns({ store, storeFile: file, port: 0, audio: false });
  try {
    const enter = await askServer(serving.origin, serving.link.slice(serving.origin.length));
    const headers = { cookie: String(enter.headers['set-cookie']).split(';')[0]! };
    for (const [one, other] of [
      ['r1', 'r8'],
      ['r3', 'r9'],
    ] as const) {
      let body = '';
      do ({ body } = await askServer(serving.origin, `/compare?a=last:${one}&b=last:${other}`, { headers }));
      while (body.includes('This page reloads by itself'));
      const rows = body.split('<tr').map((row) =>
        row
          .replaceAll(/<[^>]*>/g, ' ')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll(/\s+/g, ' '),
      );
      for (const condition of heard) {
        const comparison = inRun(one, other, condition);
        const row = rows.find((text) => text.includes(` ${condition} `) && text.includes('the run'));
        for (const wanted of [verdictIn(comparison).word, formatPValue(comparison.adjustedPValue!)]) {
          assert.ok(row?.includes(wanted), `${one} ${other} ${condition}: ${wanted} in ${row}`);
        }
      }
    }
  } finally {
    await serving[Symbol.asyncDispose]();
    store.close();
  }
});
