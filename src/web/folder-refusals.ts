import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { badInput, fileProblem } from '../base/errors.ts';
import { hashJson, sha256 } from '../base/hash.ts';
import { printable } from '../base/printable.ts';
import { clean } from '../model/trial.ts';
import { type createLicenceLedger, refuseWithoutDerivatives } from '../session/export/licences.ts';
import type { RunReader, RunRecord } from '../store/contract.ts';
import { utterancesOf } from './shuffled-run.ts';

export const marker = 'earwitness-view.json';

/**
 * Nothing of anybody else's is overwritten.
 *
 * @throws EarwitnessError `bad-input` where the folder holds something else
 */
export function refuseOtherFolder(folder: string): void {
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw badInput(`${folder}: expected a folder to write, but ${fileProblem(error)}; name another`);
  }
  if (names.length === 0) return;
  let own: Readonly<Record<string, unknown>> | null = null;
  try {
    const { files } = JSON.parse(readFileSync(join(folder, marker), 'utf8')) as { readonly files?: unknown };
    if (typeof files === 'object' && files !== null && !Array.isArray(files)) own = { ...files };
  } catch {
    // It is no folder of pages.
  }
  const other =
    own === null
      ? names[0]
      : Object.entries(hashesIn(folder)).find(([name, hash]) => name !== marker && own[name] !== hash)?.[0];
  if (other === undefined) return;
  throw badInput(
    `${folder}: expected an empty folder, or one that view --pages wrote, but ${printable(other, 100)} is in it and not as it was written; name another folder`,
  );
}

/** Of every file in a folder and below, by its path from there, the SHA-256; of what is no file a word. */
export function hashesIn(folder: string): Record<string, string> {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).map((one) => {
    const path = join(one.parentPath, one.name);
    return [
      relative(folder, path).replaceAll('\\', '/'),
      one.isFile() ? sha256(readFileSync(path)) : 'folder',
    ] as const;
  });
  return Object.fromEntries(all);
}

export function refuseLicences(store: RunReader, run: RunRecord, ledger: ReturnType<typeof createLicenceLedger>): void {
  for (const utterance of utterancesOf(store, run.id))
    if (utterance.sound !== undefined) ledger.addUtterance(utterance);
  if (store.conditions(run.id).some(({ name }) => name !== clean.name))
    refuseWithoutDerivatives(ledger.declared(), 'write the pages without --audio');
}

/**
 * Two runs that have some recordings in common and not all of them tell by subtraction, from lists and findings together, what the others
 * said: they are written together only where they are of the same recordings, told of in the same way, or of other people.
 */
export function refusePartlySame(store: RunReader, runs: readonly RunRecord[], minSpeakers: number): void {
  if (minSpeakers <= 1) return;
  const known = runs.map(({ id }) => {
    const people = new Set<string>();
    const all: string[] = [];
    for (const { id: name, speaker, language, reference, attributes } of utterancesOf(store, id)) {
      people.add(speaker ?? `\0${name}`);
      all.push(JSON.stringify([name, speaker, language, reference, Object.entries(attributes).sort()]));
    }
    return { people, all: hashJson(all.sort()) };
  });
  for (const [place, one] of known.entries()) {
    const before = known.findIndex(
      (other, at) => at < place && other.all !== one.all && !one.people.isDisjointFrom(other.people),
    );
    if (before === -1) continue;
    throw badInput(
      `runs ${runs[before]!.id} and ${runs[place]!.id}: expected the same recordings or other speakers, but they share some, and what the rest said comes out by subtraction; name one run, or write all with --min-speakers 1`,
    );
  }
}
