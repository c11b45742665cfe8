import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../base/hash.ts';
import { makeDurableFolder, personal, putInPlace, syncFolder, unfinishedName } from '../../base/on-disk.ts';
import type { HiddenKey } from '../../http/hidden-key.ts';
import { RecognitionError } from '../contract.ts';
import { givenUp, withUnheard } from '../shared/requests.ts';
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
      makeDurableFolder(folder, personal.folder);
      const half = unfinishedName(path);
      writeFileSync(half, JSON.stringify(note), { mode: personal.file });
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
  mkdirSync(folder, { recursive: true, mode: personal.folder });
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

/** Sends a call and gives the JSON that came; undefined where the status is one that is no failure here. */
export type AskService = (call: ServiceCall, tolerated?: readonly number[]) => Promise<unknown>;

/** Nothing there; there no longer, as Speechmatics says of jobs that have expired. */
const gone = [404, 410];
const thereAlready = [409];

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
 * @param alreadyPaid called once the job of an earlier call is found
 * @returns the answer that holds what was heard
 * @throws RecognitionError what `ask` throws, `unheard` until a job may have been submitted, and never afterwards; `refused` where the
 * service gave the job up; `garbage` for what makes no sense
 */
export async function finishJob(
  service: JobService,
  ask: AskService,
  hidden: HiddenKey,
  question: ServiceQuestion,
  place: JobPlace | null,
  pollSeconds: number,
  signal: AbortSignal,
  alreadyPaid: () => Promise<void>,
): Promise<unknown> {
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
    for (const call of cleanUp?.(note.id, note.uploaded) ?? []) await ask(call, gone);
  };
  const giveUp = async (): Promise<void> => {
    await clean();
    place?.remove();
  };
  /** Whether a job of this call may be there: until then it costs nothing. */
  let mayHaveJob = false;

  const found = async (): Promise<boolean> => {
    if (known !== null && find !== undefined && note.id === null) {
      await wait(Math.max(0, settleSeconds - known.ageSeconds));
      const id = idIn(find.read(await ask(find.call(note.mark)), note.mark, note.uploaded));
      if (id !== null) keep({ id });
    }
    return note.id !== null;
  };
  const submitted = async (): Promise<void> => {
    if (cleanUp) keep({});
    let answer: unknown;
    try {
      const uploaded = note.uploaded ?? (await upload(service, ask, question, note.mark, garbage));
      keep({ uploaded });
      const call = await service.submit(question, note.mark, uploaded);
      mayHaveJob = true;
      answer = await ask(call, find === undefined ? thereAlready : undefined);
    } catch (error) {
      // A service that understood and said no has no job; of any other failure only its list can tell, or the same name once more.
      const hasNone = error instanceof RecognitionError && error.kind === 'refused';
      if (hasNone || (error instanceof RecognitionError && error.unheard)) mayHaveJob = false;
      if (hasNone && (find !== undefined || known === null)) await giveUp();
      throw error;
    }
    if (answer === undefined) await alreadyPaid();
    const id = idIn(answer === undefined ? note.mark : service.jobId(answer));
    if (id === null) throw garbage('the id of the job');
    keep({ id });
  };
  /** What the service says of this job and no other; whoever mixes answers up is not believed. */
  const told = async (call: ServiceCall): Promise<unknown> => {
    const answer = await ask(call, gone);
    if (answer === undefined) throw await forgotten();
    const about = service.jobOf(answer);
    if (about !== null && about !== note.id) {
      throw new RecognitionError('garbage', 'the server answered about another job than the one that was asked for');
    }
    return answer;
  };
  const forgotten = async (): Promise<RecognitionError> => {
    await giveUp();
    return new RecognitionError('unavailable', 'the service does not know the job any more', { retryable: true });
  };
  const heard = async (id: string): Promise<unknown> => {
    for (let seconds = pollSeconds; ; seconds = Math.min(seconds * 1.5, maxSlowdown * pollSeconds)) {
      const status = await told(service.status(id));
      const state = service.state(status);
      if (state === null) throw garbage('a status of the job');
      if (state === 'gone') throw await forgotten();
      if (state === 'done') {
        const call = service.result === undefined ? null : service.result(id, status);
        if (service.result !== undefined && call === null) throw garbage('the address of the transcript');
        return call === null ? status : told(call);
      }
      if (state !== 'waiting') {
        await giveUp();
        throw new RecognitionError('refused', `the service gave the job up: ${state.failed}`);
      }
      await wait(seconds);
    }
  };

  try {
    if (note.answer !== undefined) {
      await alreadyPaid();
      if (note.left) {
        await clean();
        keep({ left: false });
      }
      return note.answer;
    }
    if (await found()) await alreadyPaid();
    else await submitted();
    mayHaveJob = true;
    const answer = await heard(note.id!);
    if (cleanUp && service.read(answer) !== null) {
      // From here on it is known to this note alone.
      keep({ answer: hidden.inAnswer(answer) });
      await clean();
      keep({ left: false });
    }
    return answer;
  } catch (error) {
    throw withUnheard(error, !mayHaveJob);
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
