import { badInput } from '../../base/errors.ts';
import type { TextSegment } from './captions.ts';

/** What a recognizer's own JSON says: its words with the times it gives, and who wrote it. */
export interface EngineTranscript {
  /** `Deepgram`: for people. */
  readonly engine: string;
  readonly text: string;
  /** Stretches with their times; none where only the whole is told. */
  readonly segments: readonly TextSegment[];
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const joined = (texts: readonly (string | null)[]) =>
  texts
    .filter((text) => text !== null)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join(' ');

/**
 * What recognizers' own result files in JSON hold, as their APIs and programs write them: Whisper (segments; also faster-whisper, WhisperX, whisper.cpp and
 * the verbose form of OpenAI's API), the pipeline of transformers, Deepgram, AssemblyAI, Google Cloud, Azure (one phrase, batch and fast), Amazon
 * Transcribe, Speechmatics, Rev AI, Vosk, Gladia, Soniox.
 *
 * @param value a parsed file
 * @param shownName how errors name it
 * @returns null where it is none of these
 * @throws EarwitnessError `bad-input`: several channels without times
 * @example engineTranscript({ text: ' Hello.', segments: [{ start: 0, end: 1, text: ' Hello.' }] }, 'a.json')?.text // 'Hello.'
 */
export function engineTranscript(value: unknown, shownName: string): EngineTranscript | null {
  // Vosk gives a result for each stretch between silences.
  if (Array.isArray(value) && value.length > 0 && value.every((one) => Array.isArray(fieldsOf(one).result)))
    return { engine: 'Vosk', text: joined(listOf(value).map(({ text }) => textOf(text))), segments: [] };
  // faster-whisper gives a list of segments, and so do programs that write it down.
  const root: Fields = Array.isArray(value) && areSegments(value) ? { segments: value } : fieldsOf(value);
  for (const read of forms) {
    const found = read(root, shownName);
    if (found !== null) return found;
  }
  return null;
}

function areSegments(list: readonly unknown[]): boolean {
  return list.length > 0 && list.every((one) => segmentOf(fieldsOf(one)) !== null);
}

/** A stretch with a text, by the names that programs give its times. */
function segmentOf(one: Fields): TextSegment | null {
  const text = textOf(one.text);
  const [start, end] = Array.isArray(one.timestamp) ? one.timestamp : [one.start, one.end];
  if (text === null || typeof start !== 'number' || typeof end !== 'number') return null;
  const speaker = textOf(one.speaker);
  return { startSeconds: start, endSeconds: end, text: text.trim(), ...(speaker !== null && { speaker }) };
}

function segmentsOf(list: unknown): readonly TextSegment[] {
  return listOf(list).flatMap((one) => segmentOf(one) ?? []);
}

/** A number of seconds, also as `1.5s`. */
function secondsOf(value: unknown): number | null {
  const seconds = typeof value === 'string' ? Number(/^([\d.]+)s$/.exec(value)?.[1]) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : null;
}

/** What was said on one channel, and when it begins. */
interface Part {
  readonly channel: unknown;
  readonly text: string | null;
  readonly at: number | null;
}

/**
 * The words of all channels in the order in which they were said; those of one recording that stands in both channels once.
 *
 * @throws EarwitnessError `bad-input`: several channels, and nothing says in which order
 */
function inTheirOrder(parts: readonly Part[], shownName: string): string {
  const said = parts.filter(({ text }) => text !== null && text.trim() !== '');
  const channels = [...Map.groupBy(said, ({ channel }) => channel).values()].map((own) =>
    joined(own.map(({ text }) => text)),
  );
  if (new Set(channels).size < 2) return channels[0] ?? '';
  if (said.some(({ at }) => at === null)) {
    throw badInput(
      `${shownName}: expected times, since it has the words of ${channels.length} channels, but nothing says in which order they spoke; write the words of each channel to a file of its own`,
    );
  }
  return joined(said.toSorted((a, b) => a.at! - b.at!).map(({ text }) => text));
}

const forms: readonly ((root: Fields, shownName: string) => EngineTranscript | null)[] = [
  ({ segments, text, word_segments: aligned }) => {
    if (!Array.isArray(segments)) return null;
    const found = segmentsOf(segments);
    if (found.length < segments.length) return null;
    const whole = textOf(text) ?? joined(found.map((one) => one.text));
    return { engine: aligned === undefined ? 'Whisper' : 'WhisperX', text: whole.trim(), segments: found };
  },
  ({ events }) => {
    // Captions of YouTube.
    const pieces = listOf(events).map((event) => listOf(event.segs).map((piece) => textOf(piece.utf8)));
    const text = pieces
      .map((event) => event.join(''))
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim();
    return pieces.flat().length === 0 || pieces.flat().includes(null)
      ? null
      : { engine: 'YouTube', text, segments: [] };
  },
  ({ transcription }) => {
    // whisper.cpp counts in milliseconds.
    if (!Array.isArray(transcription)) return null;
    const segments = listOf(transcription).flatMap(({ text, offsets }) => {
      const { from, to } = fieldsOf(offsets);
      const start = typeof from === 'number' ? from / 1000 : undefined;
      return segmentOf({ text, start, end: typeof to === 'number' ? to / 1000 : undefined }) ?? [];
    });
    const text = joined(listOf(transcription).map((one) => textOf(one.text)));
    return { engine: 'whisper.cpp', text, segments };
  },
  ({ chunks, text }) => {
    if (!Array.isArray(chunks) || typeof text !== 'string') return null;
    return { engine: 'transformers', text: text.trim(), segments: segmentsOf(chunks) };
  },
  ({ results }, shownName) => {
    const { channels, utterances } = fieldsOf(results);
    if (!Array.isArray(channels)) return null;
    const segments = listOf(utterances).flatMap((one) => segmentOf({ ...one, text: one.transcript }) ?? []);
    const heard = listOf(channels).map((one) => listOf(one.alternatives)[0] ?? {});
    const whole = heard.map((one, channel) => ({ channel, text: textOf(one.transcript), at: null }));
    const parts = heard.flatMap(({ words, transcript }, channel) => {
      const timed = listOf(words).map((one) => ({
        channel,
        text: textOf(one.punctuated_word ?? one.word),
        at: secondsOf(one.start),
      }));
      return timed.length > 0 ? timed : { channel, text: textOf(transcript), at: null };
    });
    const turns = listOf(utterances).map((one) => ({
      channel: one.channel,
      text: textOf(one.transcript),
      at: secondsOf(one.start),
    }));
    const isOne = whole.filter(({ text }) => text !== null && text.trim() !== '').length < 2;
    return {
      engine: 'Deepgram',
      text: inTheirOrder(isOne ? whole : turns.length > 0 ? turns : parts, shownName),
      segments,
    };
  },
  ({ results }) => {
    const { transcripts } = fieldsOf(results);
    if (!Array.isArray(transcripts)) return null;
    return {
      engine: 'Amazon Transcribe',
      text: joined(listOf(transcripts).map((one) => textOf(one.transcript))),
      segments: [],
    };
  },
  ({ results, response }, shownName) => {
    const phrases = listOf(results ?? fieldsOf(response).results);
    // Of silence.
    if (Array.isArray(results) && results.length === 0) return { engine: 'its recognizer', text: '', segments: [] };
    const best = phrases.map((one) => listOf(one.alternatives)[0] ?? {});
    if (best.length > 0 && best.some((one) => typeof one.content === 'string')) return speechmatics(phrases);
    if (!best.some((one) => typeof one.transcript === 'string')) return null;
    const parts = best.map(({ transcript, words }, place) => {
      const { channelTag, resultEndTime, resultEndOffset } = phrases[place]!;
      const { startTime, startOffset, start } = listOf(words)[0] ?? {};
      const at = secondsOf(startTime ?? startOffset ?? start ?? resultEndTime ?? resultEndOffset);
      return { channel: channelTag, text: textOf(transcript), at };
    });
    return { engine: 'Google', text: inTheirOrder(parts, shownName), segments: [] };
  },
  ({ DisplayText: shown, NBest: best, RecognitionStatus: status }) => {
    if (status === undefined && shown === undefined && best === undefined) return null;
    const text = textOf(shown) ?? textOf(listOf(best)[0]?.Display);
    return text === null ? null : { engine: 'Azure', text, segments: [] };
  },
  ({ combinedRecognizedPhrases: batch, combinedPhrases: fast, recognizedPhrases, phrases }, shownName) => {
    const channels = batch ?? fast;
    if (!Array.isArray(channels)) return null;
    const whole = listOf(channels).map((one) => ({
      channel: one.channel,
      text: textOf(one.display ?? one.text),
      at: null,
    }));
    const parts = listOf(recognizedPhrases ?? phrases).map((one) => {
      const ticks = typeof one.offsetInTicks === 'number' ? one.offsetInTicks / 1e7 : null;
      const milliseconds = typeof one.offsetMilliseconds === 'number' ? one.offsetMilliseconds / 1000 : null;
      return {
        channel: one.channel,
        text: textOf(listOf(one.nBest)[0]?.display ?? one.text),
        at: ticks ?? milliseconds,
      };
    });
    const text = inTheirOrder(whole.length < 2 || parts.length === 0 ? whole : parts, shownName);
    return { engine: 'Azure', text, segments: [] };
  },
  ({ monologues }) => {
    if (!Array.isArray(monologues)) return null;
    const parts = listOf(monologues).map(({ elements }) =>
      listOf(elements)
        .map((one) => textOf(one.value) ?? '')
        .join(''),
    );
    return { engine: 'Rev AI', text: joined(parts), segments: [] };
  },
  ({ result }) => {
    const whole = textOf(fieldsOf(fieldsOf(result).transcription).full_transcript);
    return whole === null ? null : { engine: 'Gladia', text: whole, segments: [] };
  },
  ({ tokens, text }) => {
    if (!Array.isArray(tokens) || typeof listOf(tokens)[0]?.text !== 'string') return null;
    const pieces = listOf(tokens).map((one) => textOf(one.text) ?? '');
    return { engine: 'Soniox', text: (textOf(text) ?? pieces.join('')).trim(), segments: [] };
  },
  ({ text, audio_url: address, words, result, utterances, confidence }) => {
    if (typeof text !== 'string') return null;
    if (address !== undefined || Array.isArray(utterances)) {
      // Counts in milliseconds.
      const segments = listOf(utterances).flatMap(
        (one) => segmentOf({ ...one, start: Number(one.start) / 1000, end: Number(one.end) / 1000 }) ?? [],
      );
      return { engine: 'AssemblyAI', text, segments };
    }
    if (Array.isArray(result)) return { engine: 'Vosk', text, segments: [] };
    // One object with a text alone may also be the only line of a table.
    return Array.isArray(words) || typeof confidence === 'number'
      ? { engine: 'its recognizer', text, segments: [] }
      : null;
  },
];

/** Words and punctuation, of which the second stands without a blank. */
function speechmatics(items: readonly Fields[]): EngineTranscript {
  const text = items.reduce((before, one) => {
    const word = textOf(listOf(one.alternatives)[0]?.content) ?? '';
    return one.type === 'punctuation' || before === '' ? `${before}${word}` : `${before} ${word}`;
  }, '');
  return { engine: 'Speechmatics', text, segments: [] };
}
