import { keep } from './keeping.ts';
import { type DraftTake, home, joinedSamples, putPart, putTake } from './outbox.ts';

/** Why there is no microphone, by the name of the error. */
export const microphoneProblems: Readonly<Record<string, string>> = {
  NotAllowedError: 'the browser was not allowed to use it. Allow it beside the address of the page.',
  NotFoundError: 'none was found. Plug one in.',
  NotReadableError: 'another program uses it. End that one.',
};

/** What was recorded and can be heard, kept or dropped. */
export interface RecordedClip extends Pick<DraftTake, 'take' | 'sampleRate' | 'settings' | 'place'> {
  readonly samples: Float32Array<ArrayBuffer>;
}

/** A recording under way. */
export interface Recording extends Omit<RecordedClip, 'samples'> {
  readonly parts: Float32Array[];
  length: number;
  /** Puts on the browser's disk what is not there yet. */
  save(): void;
  /** Resolved when all is there; never rejected. */
  saving(): Promise<void>;
  /** Why it is not. */
  problem: unknown;
  /** Lets go of the microphone. */
  end(): void;
}

/** Asks for the microphone as it is. */
export async function microphone(): Promise<MediaStream> {
  if (!navigator.mediaDevices) throw new Error('this page needs https:// to use the microphone');
  const asIs = { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  return await navigator.mediaDevices.getUserMedia({ audio: asIs });
}

/** With the code that records in it. @param sampleRate 0: that of the machine */
export async function contextAt(sampleRate: number): Promise<AudioContext> {
  const made = new AudioContext({ latencyHint: 'playback', ...(sampleRate && { sampleRate }) });
  try {
    await made.audioWorklet.addModule('/assets/recorder-worklet.js');
  } catch (error) {
    await made.close();
    throw error;
  }
  return made;
}

/** The one that is there, where it has the rate; else another, whose rate is kept for the page that comes. */
export async function contextOf(there: AudioContext | null, sampleRate: number | undefined): Promise<AudioContext> {
  if (there && (sampleRate === undefined || there.sampleRate === sampleRate)) return there;
  const made = await contextAt(sampleRate ?? 0);
  await there?.close();
  keep('earwitness rate', String(made.sampleRate));
  return made;
}

/** @param path where its clips are kept; undefined: nothing of it is put on the disk */
export function recordingOf(made: Omit<RecordedClip, 'samples'>, path: string | undefined, end: () => void): Recording {
  const { take } = made;
  let [number, done] = [0, 0];
  const failed = (error: unknown) => {
    own.problem = error;
  };
  const own: Recording = {
    ...{ ...made, parts: [], length: 0, problem: null, end },
    save() {
      const unsaved = own.parts.slice(done);
      if (path === undefined || own.problem || unsaved.length === 0) return;
      done = own.parts.length;
      const part = { take, number: number++, samples: joinedSamples(unsaved) };
      saving = saving.then(() => putPart(part)).catch(failed);
    },
    saving: () => saving,
  };
  let saving =
    path === undefined
      ? Promise.resolve()
      : putTake({ ...made, home: home ?? '', path, state: 'draft', at: Date.now() }).catch(failed);
  return own;
}
