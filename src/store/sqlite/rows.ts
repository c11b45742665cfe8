import type { JsonObject } from '../../base/json.ts';
import type { Failure, Observation, StreamTiming, Transcript } from '../../model/observation.ts';

/** A key or hash as it is stored. */
export function blob(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/** A stored key or hash as it is written everywhere else. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** The part of a transcript that is only carried, and how a stream went under `timing`. */
function extraOf({ text: _text, ...carried }: Transcript, timing: StreamTiming | undefined): string | null {
  const extra = timing === undefined ? carried : { ...carried, timing };
  return Object.keys(extra).length === 0 ? null : JSON.stringify(extra);
}

/** The columns of an observation. */
export interface ObservationRow {
  readonly transcript: string | null;
  readonly extra: string | null;
  readonly failure_kind: string | null;
  readonly failure_message: string | null;
  readonly sound_seconds: number | null;
  readonly seconds: number;
  readonly calls: number;
}

export function toRow(observation: Observation): ObservationRow {
  const { transcript, failure } = observation;
  return {
    transcript: transcript?.text ?? null,
    extra: transcript ? extraOf(transcript, observation.timing.stream) : null,
    failure_kind: failure?.kind ?? null,
    failure_message: failure?.message ?? null,
    sound_seconds: observation.soundSeconds,
    seconds: observation.timing.seconds,
    calls: observation.timing.calls,
  };
}

export function fromRow(row: ObservationRow): Observation {
  const soundSeconds = row.sound_seconds;
  const timing = { seconds: row.seconds, calls: row.calls };
  if (row.transcript !== null) {
    const { timing: stream, ...extra } =
      row.extra === null ? ({} as JsonObject) : (JSON.parse(row.extra) as JsonObject);
    return {
      soundSeconds,
      timing: stream === undefined ? timing : { ...timing, stream: stream as unknown as StreamTiming },
      transcript: { text: row.transcript, ...extra } as Transcript,
    };
  }
  return {
    soundSeconds,
    timing,
    failure: { kind: row.failure_kind as Failure['kind'], message: row.failure_message ?? '' },
  };
}
