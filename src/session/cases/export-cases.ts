import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeWav } from '../../audio/encode-wav.ts';
import { badInput, badUsage } from '../../base/errors.ts';
import type { Finding } from '../../model/finding.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { RunReader, RunRecord } from '../../store/contract.ts';
import type { DifferentialCase } from '../../studies/differential/case.ts';
import { casesIn, type KeptCases } from '../../studies/differential/cases-section.ts';
import { soundName } from '../export/export-form.ts';
import { attributionText, createLicenceLedger, isLicenceKey, refuseWithoutDerivatives } from '../export/licences.ts';
import { makeOutputFolder, removeEarlier, whyUnmade, writePersonal } from '../export/write-whole.ts';
import { packageVersion } from '../version.ts';
import { caseSoundId, type RunSounds } from './run-sounds.ts';

/** What the study `differential` of a run found. */
export interface RunCases {
  readonly run: RunRecord;
  /** Every failed case, in the order of the finding. */
  readonly failed: readonly DifferentialCase[];
  /** The others that were kept. */
  readonly others: readonly DifferentialCase[];
}

/**
 * The cases of a finished run, from the store alone: of its first study `differential`, where it has several.
 *
 * @throws EarwitnessError `bad-usage` where the run is not finished, had no study `differential`, or kept only a
 * part of its failed cases
 */
export function readRunCases(store: RunReader, run: RunRecord): RunCases {
  const findings = store.findings(run.id);
  if (findings === null) {
    throw badUsage(`expected a finished run, but ${run.id} is not; continue it: earwitness resume ${run.id}`);
  }
  const finding = findings.find(({ study }) => study.name === 'differential');
  if (finding === undefined) {
    const studies = findings.map(({ study }) => study.name).join(', ');
    throw badUsage(
      `expected a run with the study differential, but ${run.id} has ${studies || 'none'}; name another run (earwitness store list)`,
    );
  }
  const { cases, counts } = casesOfRun(finding, run.id);
  const failed = cases.filter((row) => row.status === 'failed');
  if (counts.some(({ status, tests, listed }) => status === 'failed' && listed < tests)) {
    throw badUsage(
      `expected every failed case of ${run.id}, but it kept only ${cases.length} rows; set maxCases of the study higher and run again: all answers are reused`,
    );
  }
  return { run, failed, others: cases.filter((row) => row.status !== 'failed') };
}

function casesOfRun(finding: Finding, run: string): KeptCases {
  try {
    const known = casesIn(finding);
    if (known.counts.length > 0) return known;
  } catch {
    // Below.
  }
  throw badUsage(
    `expected the finding of ${run} to hold its cases, but it was made by another version of earwitness; run its config again with --new: it reuses all answers`,
  );
}

/** Files of an exported corpus, besides its sounds. */
const exportedFiles = {
  manifest: 'manifest.jsonl',
  cases: 'cases.jsonl',
  attribution: 'ATTRIBUTION',
  readme: 'README.md',
} as const;

/** What was exported. */
interface ExportedCases {
  readonly folder: string;
  readonly sounds: number;
  readonly failed: number;
  /** Why some sounds are missing. */
  readonly failures: readonly string[];
}

/**
 * Writes the failed cases of a run as a corpus: each sound that any recognizer failed as WAV, a manifest that corpus `manifest` reads, and
 * all that is known of what each recognizer made of these sounds, for regression. The manifest comes last: where it is, all else is.
 *
 * @param force whether an earlier export in the folder is overwritten
 * @param tell how many of how many sounds are done
 * @throws EarwitnessError `bad-input` where an export is there already, a licence forbids changed copies, or nothing can be written
 */
export async function exportCases(
  { run, failed, others }: RunCases,
  sounds: RunSounds,
  folder: string,
  force: boolean,
  tell: (done: number, of: number) => void,
): Promise<ExportedCases> {
  await refuseEarlier(join(folder, exportedFiles.manifest), force);
  const bySound = Map.groupBy(failed, ({ sound }) => caseSoundId(sound));
  const right = Map.groupBy(
    others.filter(({ status, sound }) => status === 'success' && bySound.has(caseSoundId(sound))),
    ({ sound }) => caseSoundId(sound),
  );
  const utterances = new Map([...bySound].map(([id, [row]]) => [id, sounds.utterance(row!.sound.utteranceId)]));
  const ledger = createLicenceLedger();
  for (const utterance of utterances.values()) ledger.addUtterance(utterance);
  const changed = failed.some(({ sound }) => sound.conditionName !== 'clean');
  if (changed) refuseWithoutDerivatives(ledger.declared());

  makeOutputFolder(join(folder, 'sounds'));
  // Of an earlier export: its clips are written over.
  for (const name of [exportedFiles.manifest, exportedFiles.cases]) await removeEarlier(join(folder, name));
  const failures: string[] = [];
  const manifest: string[] = [];
  const cases: string[] = [];
  for (const [id, rows] of bySound) {
    tell(manifest.length + failures.length, bySound.size);
    const path = `sounds/${soundName(id)}.wav`;
    const clip = await sounds.clip(rows[0]!.sound).catch(whyUnmade);
    if (typeof clip === 'string') {
      failures.push(clip);
      continue;
    }
    await writePersonal(join(folder, path), encodeWav(clip, { format: 's16' }));
    const all = [...rows, ...(right.get(id) ?? [])];
    manifest.push(JSON.stringify(manifestRow(id, path, utterances.get(id)!, all)));
    for (const row of all) cases.push(JSON.stringify({ id, ...row }));
  }
  if (manifest.length === 0 && failures.length > 0) throw badInput(failures[0]!);
  const program = `earwitness ${packageVersion()}`;
  await writePersonal(join(folder, exportedFiles.cases), lines(cases));
  await writePersonal(join(folder, exportedFiles.attribution), attributionText(ledger.declared(), program));
  await writePersonal(join(folder, exportedFiles.readme), readme(run.id, program, failures.length));
  await writePersonal(join(folder, exportedFiles.manifest), lines(manifest));
  return { folder, sounds: manifest.length, failed: failed.length, failures };
}

function manifestRow(id: string, path: string, utterance: Utterance, rows: readonly DifferentialCase[]): object {
  const [row] = rows;
  const named = (status: DifferentialCase['status']) =>
    rows
      .filter((one) => one.status === status)
      .map(({ recognizer }) => recognizer)
      .join(';');
  const licences = Object.entries(utterance.attributes).filter(([key]) => isLicenceKey(key));
  return {
    ...{ id, path, reference: utterance.reference ?? row!.text, language: utterance.language },
    ...(utterance.speaker === undefined ? {} : { speaker: utterance.speaker }),
    ...{ voice: row!.voice, condition: row!.sound.conditionName },
    ...{ failed_by: named('failed'), right_by: named('success') },
    ...Object.fromEntries(licences),
  };
}

function readme(run: string, program: string, missing: number): string {
  return `${[
    '# Failed cases',
    '',
    `Sounds that a recognizer got wrong although another got them right, from run ${run} (${program}).`,
    ...(missing === 0 ? [] : [`Missing are ${missing} more, which could not be made again.`]),
    '',
    `- \`sounds/\`: what was heard, 16-bit WAV`,
    `- \`${exportedFiles.manifest}\`: id, path, reference (the text that was spoken), speaker, language, who failed and who was right`,
    `- \`${exportedFiles.cases}\`: what each recognizer wrote, one JSON object on a line`,
    `- \`${exportedFiles.attribution}\`: licences, as far as they were declared`,
    '',
    'Ask a new version of a recognizer about them with the corpus',
    '',
    '```yaml',
    'corpus:',
    '  type: manifest',
    `  file: ${exportedFiles.manifest}`,
    '```',
    '',
    'and its report says which of them it gets wrong.',
  ].join('\n')}\n`;
}

async function refuseEarlier(manifest: string, force: boolean): Promise<void> {
  if (force || (await lstat(manifest).catch(() => null)) === null) return;
  throw badInput(`${manifest} already exists; name another folder, or overwrite the export with --force`);
}

function lines(rows: readonly string[]): string {
  return rows.map((row) => `${row}\n`).join('');
}
