import { readFile } from 'node:fs/promises';
import { EarwitnessError } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import { limitText } from '../../base/printable.ts';
import { readTextLines } from '../text-lines.ts';
import { elanTiers, type Tier, textGridTiers } from './annotations.ts';
import { areAutomaticCaptions, labelTrack, subtitles, type TextSegment, whisperRows } from './captions.ts';
import { engineTranscript } from './engine-json.ts';

/** What a file says that is about one recording. */
export interface RecordingTranscript {
  /** What it is: `subtitles`, `JSON of Deepgram`; for people. */
  readonly form: string;
  /** Whether nobody but a machine can have written it. */
  readonly byMachine: boolean;
  readonly text: string;
  /** Where the file gives times. */
  readonly segments: readonly TextSegment[];
}

/** Endings of files that may be about one recording. */
export const transcriptEndings = ['json', 'srt', 'vtt', 'textgrid', 'eaf', 'tsv', 'txt', 'lab'];

/** Longest such file, in UTF-16 units: hours of words with their times. */
const longest = 20_000_000;

/**
 * Reads a file that holds the words of one recording: subtitles (SubRip, WebVTT), a recognizer's result in JSON, a TextGrid of Praat, annotations of
 * ELAN, a label track of Audacity, Whisper's `.tsv`.
 *
 * @param shownName how errors name the file
 * @param tier of a TextGrid or of ELAN, where there are several
 * @returns null where the file is of another form
 * @throws EarwitnessError `bad-input`: it cannot be read, has several tiers of which none is named, or holds no words at all by its kind (RTTM)
 */
export async function readTranscript(
  path: string,
  shownName: string,
  tier?: string,
): Promise<RecordingTranscript | null> {
  const ending = /\.([^./]*)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (ending === 'rttm') {
    throw new EarwitnessError(
      'bad-input',
      `${shownName}: expected a transcript, but RTTM says who speaks when, and no words; name the file that has the words`,
    );
  }
  if (ending === 'json') return engineFile(path);
  if (!transcriptEndings.includes(ending) || ending === 'lab') return null;
  const lines: string[] = [];
  let length = 0;
  for await (const { text } of readTextLines(path, shownName)) {
    length += text.length;
    if (length > longest) return null;
    lines.push(text);
  }
  switch (ending) {
    case 'srt':
    case 'vtt': {
      const byMachine = areAutomaticCaptions(lines);
      return transcriptOf(byMachine ? 'automatic captions' : 'subtitles', subtitles(lines, shownName), byMachine);
    }
    case 'textgrid':
      return tierTranscript('TextGrid', textGridTiers(lines.join('\n'), shownName), shownName, tier);
    case 'eaf':
      return tierTranscript('ELAN', elanTiers(lines.join('\n')), shownName, tier);
    case 'tsv': {
      const rows = whisperRows(lines);
      return rows === null ? null : transcriptOf("Whisper's .tsv", rows, true);
    }
    default: {
      const labels = labelTrack(lines, shownName);
      return labels === null ? null : transcriptOf('label track', labels, false);
    }
  }
}

async function engineFile(path: string): Promise<RecordingTranscript | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.length > longest) return null;
  try {
    const found = engineTranscript(parseJson(text.replace(/^\uFEFF/, '')));
    if (found === null) return null;
    return { form: `JSON of ${found.engine}`, byMachine: true, text: found.text, segments: found.segments };
  } catch {
    // Lines of JSON, or no JSON at all: whoever reads it as a table says where.
    return null;
  }
}

function transcriptOf(form: string, segments: readonly TextSegment[], byMachine: boolean): RecordingTranscript {
  return { form, byMachine, text: segments.map(({ text }) => text).join(' '), segments };
}

function tierTranscript(
  form: string,
  tiers: readonly Tier[],
  shownName: string,
  wanted: string | undefined,
): RecordingTranscript {
  const filled = tiers.filter(({ segments }) => segments.length > 0);
  const named = wanted === undefined ? filled : tiers.filter(({ name }) => name === wanted);
  const [tier] = named;
  if (tier !== undefined && named.length === 1) return transcriptOf(`${form}, tier ${tier.name}`, tier.segments, false);
  const names = tiers.map(({ name }) => JSON.stringify(limitText(name, 40))).join(', ');
  throw new EarwitnessError(
    'bad-input',
    named.length > 1
      ? `${shownName}: expected one tier of words, but there are ${names}; name the right one with --tier`
      : wanted !== undefined
        ? `${shownName}: expected a tier ${JSON.stringify(limitText(wanted, 60))} (from --tier), but there is none; there is ${names}`
        : `${shownName}: expected a tier with words, but ${tiers.length === 0 ? 'there is none' : `nothing stands in ${names}`}; is it another file?`,
  );
}
