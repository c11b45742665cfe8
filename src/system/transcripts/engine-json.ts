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
 * @returns null where it is none of these
 * @example engineTranscript({ text: ' Hello.', segments: [{ start: 0, end: 1, text: ' Hello.' }] })?.text // 'Hello.'
 */
export function engineTranscript(value: unknown): EngineTranscript | null {
  // Vosk gives a result for each stretch between silences.
  if (Array.isArray(value) && value.length > 0 && value.every((one) => Array.isArray(fieldsOf(one).result)))
    return { engine: 'Vosk', text: joined(listOf(value).map(({ text }) => textOf(text))), segments: [] };
  // faster-whisper gives a list of segments, and so do programs that write it down.
  const root: Fields = Array.isArray(value) && areSegments(value) ? { segments: value } : fieldsOf(value);
  for (const read of forms) {
    const found = read(root);
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

const forms: readonly ((root: Fields) => EngineTranscript | null)[] = [
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
  ({ results }) => {
    const { channels, utterances } = fieldsOf(results);
    if (!Array.isArray(channels)) return null;
    const heard = listOf(channels).map((one) => textOf(listOf(one.alternatives)[0]?.transcript));
    const segments = listOf(utterances).flatMap((one) => segmentOf({ ...one, text: one.transcript }) ?? []);
    return { engine: 'Deepgram', text: joined(heard), segments };
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
  ({ results, response }) => {
    const phrases = listOf(results ?? fieldsOf(response).results);
    // Of silence.
    if (Array.isArray(results) && results.length === 0) return { engine: 'its recognizer', text: '', segments: [] };
    const best = phrases.map((one) => listOf(one.alternatives)[0] ?? {});
    if (best.length > 0 && best.some((one) => typeof one.content === 'string')) return speechmatics(phrases);
    if (!best.some((one) => typeof one.transcript === 'string')) return null;
    return { engine: 'Google', text: joined(best.map((one) => textOf(one.transcript))), segments: [] };
  },
  ({ DisplayText: shown, NBest: best, RecognitionStatus: status }) => {
    if (status === undefined && shown === undefined && best === undefined) return null;
    const text = textOf(shown) ?? textOf(listOf(best)[0]?.Display);
    return text === null ? null : { engine: 'Azure', text, segments: [] };
  },
  ({ combinedRecognizedPhrases: batch, combinedPhrases: fast }) => {
    const phrases = batch ?? fast;
    if (!Array.isArray(phrases)) return null;
    return {
      engine: 'Azure',
      text: joined(listOf(phrases).map((one) => textOf(one.display ?? one.text))),
      segments: [],
    };
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
