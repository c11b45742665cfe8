import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../base/hash.ts';
import { makeDurableFolder, putInPlace, syncFolder, unfinishedName } from '../../base/on-disk.ts';
import { RecognitionError } from '../contract.ts';
import { givenUp } from '../shared/requests.ts';
import { type JobService, members, type ServiceCall, type ServiceQuestion, textIn } from './service.ts';

/** What is known of a job: before it is submitted its mark, afterwards its id. */
interface JobNote {
  readonly mark: string;
  readonly uploaded: string | null;
  readonly id: string | null;
}

/** Where the note of one job lies. */
export interface JobPlace {
  read(): (JobNote & { readonly ageSeconds: number }) | null;
  /** Returns once it is on the disk. */
  write(note: JobNote): void;
  remove(): void;
}

/** Services keep transcripts for a month at most; older notes lead nowhere. */
const maxNoteDays = 30;

/**
 * The note of a trial's job, a file that outlives this process. It stays after the answer, which may not be stored yet: until the
 * store has it, a kill would have the job paid twice.
 *
 * @param key the trial's
 */
export function jobPlace(folder: string, key: string): JobPlace {
  const path = join(folder, `${sha256(key)}.json`);
  return {
    read() {
      try {
        const note = members(JSON.parse(readFileSync(path, 'utf8')));
        const mark = textIn(note.mark);
        if (mark === null) return null;
        const ageSeconds = (Date.now() - statSync(path).mtimeMs) / 1000;
        return { mark, uploaded: textIn(note.uploaded), id: textIn(note.id), ageSeconds };
      } catch {
        return null;
      }
    },
    write(note) {
      makeDurableFolder(folder);
      const half = unfinishedName(path);
      writeFileSync(half, JSON.stringify(note));
      putInPlace(half, path);
    },
    remove() {
      rmSync(path, { force: true });
      syncFolder(folder);
    },
  };
}

/** Removes the notes of jobs that no service has any more. */
export function removeOldNotes(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const ageDays = (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)) / 86_400_000;
    if (name.endsWith('.json') && ageDays > maxNoteDays) rmSync(path, { force: true });
  }
}

/** Sends a call and gives the JSON that came; undefined where there is nothing at the path (404), which else is refused. */
export type AskService = (call: ServiceCall, orNothing?: 'or-nothing') => Promise<unknown>;

/** A job as a service shows it: letters and digits, so that nothing else comes into paths. */
const idShape = /^[\w-]{1,200}$/;
/** A service that took a job when we were killed shows it in its list after so long. */
const settleSeconds = 2;
const maxSlowdown = 5;

/**
 * Submits a job, or finds the one that was submitted before, and waits for it. The mark is on the disk before the job is sent, and its id
 * before it is waited for, so that each job is submitted once, whenever the process dies.
 *
 * @param place null: nothing outlives this process
 * @returns the answer that holds what was heard, and whether a call before this one has paid
 * @throws RecognitionError what `ask` throws; `refused` where the service gave the job up; `garbage` for what makes no sense
 */
export async function finishJob(
  service: JobService,
  ask: AskService,
  question: ServiceQuestion,
  place: JobPlace | null,
  pollSeconds: number,
  signal: AbortSignal,
): Promise<{ readonly answer: unknown; readonly resumed: boolean }> {
  const wait = (seconds: number) =>
    sleep(seconds * 1000, undefined, { signal }).catch(() => {
      throw givenUp(signal);
    });
  const garbage = (what: string) => new RecognitionError('garbage', `the server answered with JSON without ${what}`);
  const idIn = (id: string | null): string | null => (id !== null && idShape.test(id) ? id : null);

  const known = place?.read() ?? null;
  let id = known?.id ?? null;
  if (known !== null && id === null) {
    await wait(Math.max(0, settleSeconds - known.ageSeconds));
    id = idIn(service.find.read(await ask(service.find.call(known.mark)), known.mark, known.uploaded));
    if (id !== null) place?.write({ ...known, id });
  }
  const resumed = id !== null;
  if (id === null) {
    const uploaded = known?.uploaded ?? (await upload(service, ask, question, garbage));
    const note: JobNote = { mark: known?.mark ?? `earwitness-${randomUUID()}`, uploaded, id: null };
    place?.write(note);
    let answer: unknown;
    try {
      answer = await ask(await service.submit(question, note.mark, uploaded));
    } catch (error) {
      // A service that understood and said no has no job; of any other failure only its list can tell.
      if (error instanceof RecognitionError && error.kind === 'refused') place?.remove();
      throw error;
    }
    id = idIn(service.jobId(answer));
    if (id === null) throw garbage('the id of the job');
    place?.write({ ...note, id });
  }

  for (let seconds = pollSeconds; ; seconds = Math.min(seconds * 1.5, maxSlowdown * pollSeconds)) {
    const status = await ask(service.status(id), 'or-nothing');
    if (status === undefined) {
      place?.remove();
      throw new RecognitionError('unavailable', 'the service does not know the job any more', { retryable: true });
    }
    const state = service.state(status);
    if (state === null) throw garbage('a status of the job');
    if (state === 'done') {
      return { answer: service.result === undefined ? status : await ask(service.result(id)), resumed };
    }
    if (state !== 'waiting') {
      place?.remove();
      throw new RecognitionError('refused', `the service gave the job up: ${state.failed}`);
    }
    await wait(seconds);
  }
}

async function upload(
  { upload }: JobService,
  ask: AskService,
  question: ServiceQuestion,
  garbage: (what: string) => RecognitionError,
): Promise<string | null> {
  if (upload === undefined) return null;
  const uploaded = upload.read(await ask(await upload.call(question)));
  if (uploaded === null) throw garbage('the address of the sound');
  return uploaded;
}
