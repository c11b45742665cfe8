import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { compareTests, type StoredTest } from '../../cases/compare-tests.ts';
import { type ComparedRecognizer, regressionFinding } from '../../cases/regression-finding.ts';
import { createUtteranceIndex } from '../../engine/utterances.ts';
import type { Finding } from '../../model/finding.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Journal, RunReader } from '../../store/contract.ts';
import { type CaseStatus, judgeText } from '../../studies/differential/case.ts';
import { readTextLines } from '../../system/text-lines.ts';
import { loadNormalizer } from '../members/load-normalizer.ts';
import { readText } from '../open/read-text.ts';
import { findRun } from '../stored/which-run.ts';
import { exportedFiles } from './export-cases.ts';
import { caseSoundId } from './run-sounds.ts';

/** Tests of one side of a comparison. */
export interface StoredSide {
  /** `chosen`: exported cases, which are there because they failed. */
  readonly kind: 'run' | 'chosen';
  readonly recognizers: readonly string[];
  readonly tests: readonly StoredTest[];
}

const pageSize = 500;

/**
 * The tests of a side: `RUN`, `RUN:RECOGNIZER`, or a folder of exported cases.
 *
 * @param normalizer makes words of texts and transcripts
 * @throws EarwitnessError `bad-usage` where there is no such run or recognizer; `bad-input` with file, line and column for an export
 * that was damaged
 */
export async function readStoredTests(
  store: Journal & RunReader,
  named: string,
  normalizer: Normalizer,
): Promise<StoredSide> {
  const file = join(named, exportedFiles.cases);
  if ((await stat(file).catch(() => null))?.isFile()) return readExported(file);
  if ((await stat(named).catch(() => null))?.isDirectory()) {
    throw new EarwitnessError(
      'bad-input',
      `${named}: expected exported cases, but the folder has no ${exportedFiles.cases}; make them: earwitness cases export -o ${named}`,
    );
  }
  return readRun(store, named, normalizer);
}

const exportedCase = z.object({
  id: z.string().min(1),
  text: z.string(),
  recognizer: z.string(),
  transcript: z.string(),
  status: z.enum(['success', 'failed', 'indeterminable']),
});

async function readExported(file: string): Promise<StoredSide> {
  const tests: StoredTest[] = [];
  const lines = new Map<string, number>();
  for await (const { text: line, number } of readTextLines(file, file)) {
    if (line.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      value = null;
    }
    const parsed = exportedCase.safeParse(value);
    if (!parsed.success) {
      const member = parsed.error.issues[0]?.path.join('.') ?? '';
      throw new EarwitnessError(
        'bad-input',
        `${file}:${number}:1: expected a case as JSON, but ${member === '' ? 'this line is none' : `its member ${member} is missing or wrong`}; export the cases again`,
      );
    }
    const { id, ...test } = parsed.data;
    const key = JSON.stringify([id, test.recognizer]);
    const earlier = lines.get(key);
    if (earlier !== undefined) {
      throw new EarwitnessError(
        'bad-input',
        `${file}:${number}:1: expected each clip once for each recognizer, but line ${earlier} has it too; export the cases again`,
      );
    }
    lines.set(key, number);
    tests.push({ sound: id, ...test });
  }
  const recognizers = [...new Set(tests.map(({ recognizer }) => recognizer))];
  return { kind: 'chosen', recognizers, tests };
}

interface Heard {
  readonly text: string;
  readonly transcripts: (string | null)[];
}

function readRun(store: Journal & RunReader, named: string, normalizer: Normalizer): StoredSide {
  const colon = named.indexOf(':');
  const run = findRun(store, colon < 0 ? named : named.slice(0, colon));
  const names = run.recognizers.map(({ name }) => name);
  const wanted = colon < 0 ? null : named.slice(colon + 1);
  if (wanted !== null && !names.includes(wanted)) {
    const near = nearestName(wanted, names);
    throw new EarwitnessError(
      'bad-usage',
      `expected a recognizer of run ${run.id}, but got ${JSON.stringify(wanted)}; ${near ? `did you mean ${near}?` : `it has ${names.join(', ')}`}`,
    );
  }
  const index = createUtteranceIndex(store, run.id);
  const conditions = store.conditions(run.id).map(({ name }) => name);
  const sounds = new Map<string, Heard>();
  for (const { batch, size } of store.batches(run.id)) {
    for (let from = 0; from < size; from += pageSize) {
      for (const answered of store.answers(run.id, batch, { from, limit: pageSize })) {
        const { utterance: position, condition, draw, recognizer, repeat, observation } = answered;
        if (recognizer === null || repeat !== 0 || observation?.transcript === undefined) continue;
        const utterance = index.at(position);
        if (utterance.made !== undefined) continue;
        const { sound, reference, language } = utterance;
        const spoken = sound !== undefined && 'text' in sound ? sound.text : reference;
        if (spoken === undefined) continue;
        const id = caseSoundId({ utteranceId: utterance.id, conditionName: conditions[condition]!, draw });
        let heard = sounds.get(id);
        if (heard === undefined) {
          heard = { text: normalizer.words(spoken, language).join(' '), transcripts: names.map(() => null) };
          sounds.set(id, heard);
        }
        heard.transcripts[recognizer] ??= normalizer.words(observation.transcript.text, language).join(' ');
      }
    }
  }
  const tests = [...sounds].flatMap(([sound, { text, transcripts }]) => {
    const statuses: readonly (CaseStatus | null)[] = judgeText(text, transcripts, () => false).exact;
    return names.flatMap((recognizer, place): StoredTest[] => {
      const [status, transcript] = [statuses[place]!, transcripts[place]!];
      if (status === null || transcript === null || (wanted !== null && wanted !== recognizer)) return [];
      return [{ sound, text, recognizer, transcript, status }];
    });
  });
  return { kind: 'run', recognizers: wanted === null ? names : [wanted], tests };
}

/**
 * What became of stored cases: fixed, still failing, new failures.
 *
 * @param before a run, `RUN:RECOGNIZER`, or a folder of exported cases
 * @param after a run, or `RUN:RECOGNIZER`
 * @param choice.words a file with words that the recognizer was given, one on each line or with commas between them
 * @throws EarwitnessError `bad-usage` where a side does not exist, or the two have no recognizer or no sound in common
 */
export async function compareCases(
  store: Journal & RunReader,
  before: string,
  after: string,
  choice: {
    readonly normalizer: string;
    readonly level: number;
    readonly resamples: number;
    readonly baseFolder: string;
    readonly words?: string;
  },
): Promise<Finding> {
  const normalizer = await loadNormalizer(choice.normalizer, choice.baseFolder);
  const list =
    choice.words === undefined
      ? []
      : (await readText(choice.words, choice.baseFolder)).replace(/^\uFEFF/, '').split(/[\n,]/);
  const words = list.map((word) => normalizer.words(word).join(' ')).filter((word) => word !== '');
  if (choice.words !== undefined && words.length === 0) {
    throw new EarwitnessError(
      'bad-input',
      `${choice.words}: expected words, one on each line, but there are none; write some: earwitness cases words -o ${choice.words}`,
    );
  }
  const first = await readStoredTests(store, before, normalizer);
  const second = await readStoredTests(store, after, normalizer);
  const recognizers = pairsOf(first, second).map(([one, other]): ComparedRecognizer => {
    const of = (side: StoredSide, name: string) => side.tests.filter(({ recognizer }) => recognizer === name);
    return {
      name: one === other ? one : `${one} → ${other}`,
      changes: compareTests(of(first, one), of(second, other)),
    };
  });
  if (recognizers.every(({ changes }) => changes.tests === 0)) {
    throw new EarwitnessError(
      'bad-usage',
      'expected clips that both recognized, but they have none in common; the second run must be over the same corpus, or over the exported cases',
    );
  }
  return regressionFinding(recognizers, {
    ...{ before, after, chosen: first.kind === 'chosen' || second.kind === 'chosen', words },
    ...{ normalizer: normalizer.name, level: choice.level, resamples: choice.resamples, seed: 1 },
  });
}

/** Recognizers of the same name; one of each where both sides have just one. */
function pairsOf(first: StoredSide, second: StoredSide): (readonly [string, string])[] {
  const common = first.recognizers.filter((name) => second.recognizers.includes(name));
  if (first.recognizers.length === 1 && second.recognizers.length === 1)
    return [[first.recognizers[0]!, second.recognizers[0]!]];
  if (common.length > 0) return common.map((name) => [name, name]);
  throw new EarwitnessError(
    'bad-usage',
    `expected a recognizer in common, but before there are ${first.recognizers.join(', ') || 'none'} and after ${second.recognizers.join(', ') || 'none'}; name one of a run as RUN:NAME on both sides`,
  );
}
