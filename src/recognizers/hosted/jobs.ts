import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../base/hash.ts';
import { makeDurableFolder, putInPlace, syncFolder, unfinishedName } from '../../base/on-disk.ts';
import type { HiddenKey } from '../../http/hidden-key.ts';
import { RecognitionError } from '../contract.ts';
import { givenUp } from '../shared/requests.ts';
import { type JobService, members, type ServiceCall, type ServiceQuestion, textIn } from './service.ts';

/** What is known of a job: before it is submitted its mark, afterwards its id. */
interface JobNote {
  readonly mark: string;
  readonly uploaded: string | null;
  readonly id: string | null;
  /** What was heard, before clip and job are removed from the service; absent until then, and where it keeps them itself. */
  readonly answer?: unknown;
  /** Whether something of it may lie where only we remove it. */
  readonly left?: boolean;
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
        const { answer, left } = note;
        return {
          ...{ mark, uploaded: textIn(note.uploaded), id: textIn(note.id), ageSeconds },
          ...(answer !== undefined && { answer }),
          ...(left === true && { left }),
        };
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

/** How many notes tell of clips that may still lie in a bucket. */
export function clipsLeft(folder: string): number {
  const notes = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return notes.filter((name) => /"left":true/.test(readFileSync(join(folder, name), 'utf8'))).length;
}

/** Sends a call and gives the JSON that came; undefined where the status is one that is no failure here: nothing there (404), there already (409). */
export type AskService = (call: ServiceCall, tolerated?: 404 | 409) => Promise<unknown>;

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
  hidden: HiddenKey,
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

  const { find, cleanUp } = service;
  const known = place?.read() ?? null;
  let note: JobNote = known ?? {
    ...{ mark: `earwitness-${randomUUID()}`, uploaded: null, id: null },
    ...(cleanUp && { left: true }),
  };
  const keep = (more: Partial<JobNote>): void => {
    note = { ...note, ...more };
    const { mark, uploaded, id, answer, left } = note;
    place?.write({ mark, uploaded, id, ...(answer !== undefined && { answer }), ...(left && { left }) });
  };
  /** Nobody is paid for it, but a clip is a voice: that it stays unseen is a failure. */
  const clean = async (): Promise<void> => {
    for (const call of cleanUp?.(note.id, note.uploaded) ?? []) await ask(call, 404);
  };
  const giveUp = async (): Promise<void> => {
    await clean();
    place?.remove();
  };
  if (note.answer !== undefined) {
    if (note.left) {
      await clean();
      keep({ left: false });
    }
    return { answer: note.answer, resumed: true };
  }

  if (known !== null && find !== undefined && note.id === null) {
    await wait(Math.max(0, settleSeconds - known.ageSeconds));
    const id = idIn(find.read(await ask(find.call(note.mark)), note.mark, note.uploaded));
    if (id !== null) keep({ id });
  }
  let resumed = note.id !== null;
  if (note.id === null) {
    if (cleanUp) keep({});
    let answer: unknown;
    try {
      const uploaded = note.uploaded ?? (await upload(service, ask, question, note.mark, garbage));
      keep({ uploaded });
      answer = await ask(await service.submit(question, note.mark, uploaded), find === undefined ? 409 : undefined);
    } catch (error) {
      // A service that understood and said no has no job; of any other failure only its list can tell, or the same name once more.
      const hasNone = error instanceof RecognitionError && error.kind === 'refused';
      if (hasNone && (find !== undefined || known === null)) await giveUp();
      throw error;
    }
    resumed = answer === undefined;
    const id = idIn(answer === undefined ? note.mark : service.jobId(answer));
    if (id === null) throw garbage('the id of the job');
    keep({ id });
  }

  const id = note.id!;
  for (let seconds = pollSeconds; ; seconds = Math.min(seconds * 1.5, maxSlowdown * pollSeconds)) {
    const status = await ask(service.status(id), 404);
    if (status === undefined) {
      await giveUp();
      throw new RecognitionError('unavailable', 'the service does not know the job any more', { retryable: true });
    }
    const state = service.state(status);
    if (state === null) throw garbage('a status of the job');
    if (state === 'done') {
      const call = service.result === undefined ? null : service.result(id, status);
      if (service.result !== undefined && call === null) throw garbage('the address of the transcript');
      const answer = call === null ? status : await ask(call);
      if (cleanUp && service.read(answer) !== null) {
        // From here on it is known to this note alone.
        keep({ answer: hidden.inAnswer(answer) });
        await clean();
        keep({ left: false });
      }
      return { answer, resumed };
    }
    if (state !== 'waiting') {
      await giveUp();
      throw new RecognitionError('refused', `the service gave the job up: ${state.failed}`);
    }
    await wait(seconds);
  }
}

async function upload(
  { upload }: JobService,
  ask: AskService,
  question: ServiceQuestion,
  mark: string,
  garbage: (what: string) => RecognitionError,
): Promise<string | null> {
  if (upload === undefined) return null;
  const uploaded = upload.read(await ask(await upload.call(question, mark)), question, mark);
  if (uploaded === null) throw garbage('the address of the sound');
  return uploaded;
}
