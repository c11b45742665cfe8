// What people have when they arrive: tables, files and folders as recognizers, annotation tools and spreadsheets write them, made from real references and real
// outputs of recognizers (../shared/data/asr-outputs). In each, one command must print the word error rates that jiwer gives for the same texts, or one
// sentence and a code that is not 0.
//
//   JIWER_PYTHON=venv/bin/python node bench/arrivals.ts [NAME]      (pip install jiwer)
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RunReport } from '../src/model/run.ts';
import { idsAndMarks } from './arrivals/ids-and-marks.ts';
import { said, whole } from './arrivals/kit.ts';
import { published } from './arrivals/published.ts';
import { usual } from './arrivals/usual.ts';

const command = join(import.meta.dirname, '../bin/earwitness.js');

/** Word error rates of the two by jiwer: over utterances, and of all words as one text. */
function jiwerRates(): { readonly rows: readonly number[]; readonly whole: readonly number[] } {
  const code =
    'import json,sys,jiwer\nd=json.load(sys.stdin)\nprint(json.dumps({k:[jiwer.wer(v["ref"],h) for h in v["heard"]] for k,v in d.items()}))';
  const asked = {
    rows: { ref: said.map(({ ref }) => ref), heard: [said.map(({ a }) => a), said.map(({ b }) => b)] },
    whole: { ref: whole('ref'), heard: [whole('a'), whole('b')] },
  };
  const python = process.env.JIWER_PYTHON ?? 'python3';
  const { stdout, stderr, status } = spawnSync(python, ['-c', code], {
    input: JSON.stringify(asked),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`expected a Python with jiwer (JIWER_PYTHON), but ${python} said: ${stderr}`);
  return JSON.parse(stdout);
}

/** The rates that a command printed, those of `compare` in the order of the outputs. */
function ratesIn(ask: readonly string[], stdout: string): readonly number[] {
  const { findings } = JSON.parse(stdout) as RunReport;
  if (ask[0] === 'score') return [(JSON.parse(stdout) as { readonly corpus: { readonly wer: number } }).corpus.wer];
  const rows = findings
    .flatMap(({ sections }) => sections)
    .flatMap(({ tables = [] }) => tables)
    .find(({ id }) => id === 'robustness-conditions')!.rows;
  return rows.map((row) => (row.wordErrorRate as { readonly value: number }).value);
}

const expected = jiwerRates();
const [, , wanted] = process.argv;
let failed = 0;
let tried = 0;
for (const { name, files, ask, expect } of [...usual, ...published, ...idsAndMarks]) {
  if (wanted !== undefined && !name.includes(wanted)) continue;
  tried++;
  const folder = mkdtempSync(join(tmpdir(), 'arrival-'));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  const args = [command, ...ask, '--json', '--normalizer', 'none'];
  const began = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  rmSync(folder, { recursive: true });
  let problem: string | null = null;
  if (expect instanceof RegExp) {
    if (status === 0 || !expect.test(stderr) || stderr.trim().includes('\n')) problem = `code ${status}: ${stderr}`;
  } else if (status !== 0) {
    problem = `code ${status}: ${stderr}`;
  } else {
    const found = ratesIn(ask, stdout);
    const right = expected[expect].slice(0, found.length);
    if (found.some((rate, place) => Math.abs(rate - right[place]!) > 1e-9))
      problem = `${found.join(', ')}, but jiwer says ${right.join(', ')}`;
  }
  if (problem !== null) failed++;
  console.log(
    `${problem === null ? 'right' : 'WRONG'}  ${seconds} s  ${name}${problem === null ? '' : `\n       ${problem.trim()}`}`,
  );
}
console.log(`${tried - failed} of ${tried} arrivals are right`);
process.exitCode = failed === 0 ? 0 : 1;
