import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { oneOf, whole } from '../../base/option-kinds.ts';
import type { Row } from '../../system/delimited-rows.ts';
import { dataSetKind } from '../shared/data-set-corpus.ts';
import { dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';

const options = z.strictObject({
  ...dataSetOptions,
  split: oneOf(['train', 'dev', 'eval']).describe('Which part.'),
  microphone: oneOf(['near', 'far']).describe(
    '`near`: the binaural microphones that the speaker wears, mixed unless `channels` says otherwise; `far`: one channel of an array in the room.',
  ),
  array: oneOf(['reference', 'U01', 'U02', 'U03', 'U04', 'U05', 'U06'])
    .default('reference')
    .describe('Which array, far: the one that the transcript names for the utterance, or always the same.'),
  channel: whole(1, 4).default(1).describe('Which channel of the array, far. Default: 1.'),
});

type Options = z.output<typeof options>;

/**
 * CHiME-6 (Watanabe et al., 2020; OpenSLR 150) as it unpacks: `transcriptions/SPLIT/S02.json` and
 * `audio/SPLIT/S02_P05.wav` (near), `S02_U01.CH1.wav` (far). Each entry of a transcript is an utterance, cut by its times.
 * Notes (`[laughs]`) are taken out of the words; entries without words, and those with some that are not written down
 * (`[inaudible …]`, `[redacted]`), are left out.
 *
 * @example { type: 'chime-6', folder: '/data/CHiME6', split: 'eval', microphone: 'far', array: 'U06' }
 */
export const chime6 = dataSetKind({
  name: 'chime-6',
  about: 'CHiME-6: dinner parties at home, near (worn microphones) and far (arrays), cut by utterance',
  title: 'CHiME-6',
  licence: 'CC BY-SA 4.0',
  layout: 'transcriptions/eval/S01.json and audio/eval/S01_P01.wav',
  options,
  signs: dataSetSigns(
    ['', 'CHiME6/'],
    [{ path: 'transcriptions/eval', options: { split: 'eval', microphone: 'near' } }],
  ),
  landmark: ({ split }) => ({
    roots: ['', 'CHiME6', 'CHiME6_transcriptions'],
    holds: `transcriptions/${split}`,
  }),
  async *list(folder, wanted, left) {
    const { split, microphone } = wanted;
    const sounds = new Set((await folder.list(`audio/${split}`)).files);
    for (const name of (await folder.list(`transcriptions/${split}`)).files) {
      const session = /^(S\d+)\.json$/.exec(name)?.[1];
      if (session === undefined) continue;
      let number = 0;
      for await (const row of folder.entries(`transcriptions/${split}/${name}`)) {
        number++;
        const segment = segmentOf(row);
        if (typeof segment === 'string') {
          left.add(segment);
          continue;
        }
        const sound = soundOf(session, row, segment, wanted);
        if (sound === null || !sounds.has(sound)) {
          left.add(sound === null ? 'entries that name no array' : 'entries whose sounds are not there');
          continue;
        }
        yield {
          // Two people can begin together, so the place in the list tells them apart.
          id: `${session}-${segment.speaker}-${String(number).padStart(5, '0')}-${microphone}`,
          file: `audio/${split}/${sound}`,
          startSeconds: segment.startSeconds,
          endSeconds: segment.endSeconds,
          ...(microphone === 'near' && { channel: 'mean' as const }),
          reference: segment.words,
          language: 'en',
          speaker: segment.speaker,
          attributes: {
            split,
            style: 'spontaneous',
            recordingDevice: microphone === 'near' ? 'binaural' : 'array',
            environment: row.text('location'),
          },
          ownAttributes: { session },
          place: () => row.place('words'),
        };
      }
    }
  },
});

function soundOf(
  session: string,
  row: Row,
  { speaker }: SessionSegment,
  { microphone, array, channel }: Options,
): string | null {
  if (microphone === 'near') return `${session}_${speaker}.wav`;
  const unit = array === 'reference' ? row.text('ref')?.trim() : array;
  return unit === undefined || !/^U0[1-6]$/.test(unit) ? null : `${session}_${unit}.CH${channel}.wav`;
}

/** What one entry of a session's transcript says. */
interface SessionSegment {
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
function segmentOf(row: Row): SessionSegment | string {
  const written = row.text('words');
  const speaker = row.text('speaker')?.trim();
  if (written === undefined || speaker === undefined) {
    throw badInput(
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
    throw badInput(
      `${row.place(name)}: expected a time like 0:01:34.35 for ${name}, but found ${JSON.stringify(text.slice(0, 40))}; CHiME-5 has a time for each device and is not read, only CHiME-6`,
    );
  }
  // To microseconds: a sum of products has digits that nobody wrote.
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1e6) / 1e6;
}
