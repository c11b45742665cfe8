import type { JsonObject } from '../../base/json.ts';
import type { Failure, Observation, Transcript } from '../../model/observation.ts';

/** A key or hash as it is stored. */
export function blob(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/** A stored key or hash as it is written everywhere else. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** The part of a transcript that is only carried. */
function extraOf(transcript: Transcript): string | null {
  const { text: _text, ...extra } = transcript;
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
    extra: transcript ? extraOf(transcript) : null,
    failure_kind: failure?.kind ?? null,
    failure_message: failure?.message ?? null,
    sound_seconds: observation.soundSeconds,
    seconds: observation.timing.seconds,
    calls: observation.timing.calls,
  };
}

export function fromRow(row: ObservationRow): Observation {
  const common = { soundSeconds: row.sound_seconds, timing: { seconds: row.seconds, calls: row.calls } };
  if (row.transcript !== null) {
    const extra = row.extra === null ? {} : (JSON.parse(row.extra) as JsonObject);
    return { ...common, transcript: { text: row.transcript, ...extra } as Transcript };
  }
  return {
    ...common,
    failure: { kind: row.failure_kind as Failure['kind'], message: row.failure_message ?? '' },
  };
}
