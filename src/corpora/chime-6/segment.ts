import { EarwitnessError } from '../../base/errors.ts';
import type { Row } from '../shared/row.ts';

/** What one entry of a session's transcript says. */
export interface SessionSegment {
  readonly speaker: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly words: string;
}

/**
 * Reads an entry; a text says why there is nothing to recognize in it.
 *
 * @throws EarwitnessError `bad-input` with file, line and column: a member is missing, or a time is none
 */
export function segmentOf(row: Row): SessionSegment | string {
  const written = row.text('words');
  const speaker = row.text('speaker')?.trim();
  if (written === undefined || speaker === undefined) {
    throw new EarwitnessError(
      'bad-input',
      `${row.place()}: expected words and speaker, but there are ${row.names.slice(0, 20).join(', ')}; is it a transcript of CHiME-6?`,
    );
  }
  if (/\[(?:inaudible|redacted)\b/i.test(written)) return 'entries with words that are not written down';
  const words = written
    .replace(/\[[^[\]]*\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (!/[\p{L}\p{N}]/u.test(words)) return 'entries without words';
  const startSeconds = secondsOf(row, 'start_time');
  const endSeconds = secondsOf(row, 'end_time');
  return endSeconds > startSeconds
    ? { speaker, startSeconds, endSeconds, words }
    : 'entries that end before they begin';
}

/** `0:01:34.35` or seconds. CHiME-5 has an object here, with a time for each device. */
function secondsOf(row: Row, name: string): number {
  const text = row.text(name)?.trim() ?? '';
  const [, hours = '0', minutes = '0', seconds] = /^(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (seconds === undefined) {
    throw new EarwitnessError(
      'bad-input',
      `${row.place(name)}: expected a time like 0:01:34.35 for ${name}, but found ${JSON.stringify(text.slice(0, 40))}; CHiME-5 has a time for each device and is not read, only CHiME-6`,
    );
  }
  // To microseconds: a sum of products has digits that nobody wrote.
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1e6) / 1e6;
}
