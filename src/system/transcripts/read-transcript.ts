import { markOf, usualRole } from '../../base/columns/roles.ts';
import { badInput, Undecided } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import { limitText, printable } from '../../base/printable.ts';
import { speakerNames } from '../../base/speaker-names.ts';
import { isOneRow, isPart, jsonRow, rowsOfJson } from '../json-rows.ts';
import { readText, readTextLines } from '../text-lines.ts';
import { elanTiers, type Tier, textGridTiers } from './annotations.ts';
import {
  areAutomaticCaptions,
  labelTrack,
  printedSegments,
  subtitles,
  type TextSegment,
  whisperRows,
} from './captions.ts';
import { type EngineTranscript, engineTranscript } from './engine-json.ts';
import { dialogue, lyrics, subViewer, timedText, turnsOf } from './other-captions.ts';

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
export const transcriptEndings = [
  ...['json', 'srt', 'vtt', 'sbv', 'ttml', 'dfxp', 'ass', 'ssa', 'lrc'],
  ...['textgrid', 'eaf', 'tsv', 'txt', 'lab'],
];

/** Longest such file, in UTF-16 units: hours of words with their times. */
const longest = 20_000_000;

/**
 * Reads a file that holds the words of one recording: subtitles (SubRip, WebVTT, SubViewer, TTML, SubStation Alpha), lyrics with times, a recognizer's result in JSON, a TextGrid of Praat, annotations of
 * ELAN, a label track of Audacity, Whisper's `.tsv`.
 *
 * @param shownName how errors name the file
 * @param tier of a TextGrid or of ELAN, where there are several
 * @param option what names it
 * @returns null where the file is of another form
 * @throws EarwitnessError `bad-input`: it cannot be read, has several tiers of which none is named, or holds no words at all by its kind (RTTM)
 */
export async function readTranscript(
  path: string,
  shownName: string,
  tier?: string,
  option = '--tier',
): Promise<RecordingTranscript | null> {
  const ending = /\.([^./]*)$/.exec(path.replace(/\.gz$/i, ''))?.[1]?.toLowerCase() ?? '';
  if (ending === 'rttm') {
    throw badInput(
      `${shownName}: expected a transcript, but RTTM says who speaks when, and no words; name the file that has the words`,
    );
  }
  if (ending === 'json' || ending === 'json3') return engineFile(path, shownName);
  if (!transcriptEndings.includes(ending) || ending === 'lab') return null;
  const lines: string[] = [];
  let length = 0;
  for await (const { text } of readTextLines(path, shownName)) {
    length += text.length;
    if (length > longest && ['txt', 'tsv'].includes(ending)) return null;
    if (length > longest) {
      throw badInput(
        `${shownName}: expected the words of one recording, but it has more than ${longest} characters; is it another kind of file?`,
      );
    }
    lines.push(text);
  }
  switch (ending) {
    case 'srt':
    case 'vtt': {
      const byMachine = areAutomaticCaptions(lines);
      const cues = subtitles(lines, shownName);
      return spokenBy(byMachine ? 'automatic captions' : 'subtitles', cues, byMachine);
    }
    case 'sbv':
      return spokenBy('subtitles', subViewer(lines, shownName));
    case 'lrc': {
      const sung = lyrics(lines);
      return sung === null ? null : transcriptOf('lyrics with times', sung, false);
    }
    case 'ttml':
    case 'dfxp':
      return spokenBy('TTML', timedText(lines.join('\n'), shownName));
    case 'ass':
    case 'ssa':
      return spokenBy('subtitles', dialogue(lines, shownName));
    case 'textgrid':
      return tierTranscript('TextGrid', textGridTiers(lines.join('\n'), shownName), shownName, {
        wanted: tier,
        option,
      });
    case 'eaf':
      return tierTranscript('ELAN', elanTiers(lines.join('\n')), shownName, { wanted: tier, option });
    case 'tsv': {
      const rows = whisperRows(lines);
      return rows === null ? null : transcriptOf("Whisper's .tsv", rows, true);
    }
    default: {
      const labels = labelTrack(lines, shownName);
      if (labels !== null) return transcriptOf('label track', labels, false);
      const turns = turnsOf(lines);
      if (turns !== null) return transcriptOf('turns of speakers', turns, false);
      const spoken = printedSegments(lines);
      return spoken === null ? null : transcriptOf('what Whisper printed', spoken, true);
    }
  }
}

async function engineFile(path: string, shownName: string): Promise<RecordingTranscript | null> {
  const text = await readText(path, longest);
  if (text.length >= longest) return null;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // Lines of JSON, or no JSON at all: whoever reads it as a table says where.
    return null;
  }
  const engine = engineTranscript(value, shownName);
  const found = engine ?? oneText(value);
  if (found === null) return null;
  return { form: `JSON of ${found.engine}`, byMachine: engine !== null, text: found.text, segments: found.segments };
}

/** An object that holds nothing but one text, wherever in it, or parts of one with their times. */
function oneText(value: unknown): EngineTranscript | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const parts = isOneRow(value) ? null : rowsOfJson(value);
  const texts = (parts === null ? [{ ...value }] : parts.every(isPart) ? parts : []).map(onlyText);
  const [first] = texts;
  if (first == null || texts.includes(null)) return null;
  const text = texts.map((one) => one!.text.trim()).filter((one) => one !== '');
  return { engine: `its recognizer, text in ${first.name}`, text: text.join(' '), segments: [] };
}

/** The only text of an object that names no utterance. */
function onlyText(value: Readonly<Record<string, unknown>>): { readonly name: string; readonly text: string } | null {
  const row = jsonRow(value, { number: 1, text: '' }, '');
  const texts = row.names.filter((name) => {
    const role = usualRole(name);
    return (role === 'reference' || role === 'hypothesis') && row.text(name) !== undefined;
  });
  const isNamed = row.names.some((name) => ['id', 'path'].includes(usualRole(name) ?? ''));
  const [name, ...others] = texts.filter((text) => markOf(text) !== 'vague');
  return name === undefined || others.length > 0 || isNamed ? null : { name, text: row.text(name)! };
}

function transcriptOf(form: string, segments: readonly TextSegment[], byMachine: boolean): RecordingTranscript {
  return { form, byMachine, text: segments.map(({ text }) => text).join(' '), segments };
}

/** Cues that begin with who speaks, as Zoom writes them, are without the names. */
function spokenBy(form: string, cues: readonly TextSegment[], byMachine = false): RecordingTranscript {
  const names = speakerNames(cues.map(({ text }) => text));
  if (names === null) return transcriptOf(form, cues, byMachine);
  const segments = cues.map((one) => ({ ...one, ...names.of(one.text) }));
  return transcriptOf(`${form}, names of speakers left out`, segments, byMachine);
}

/** The tier that is called so, else those whose names stand there between commas: people have one each. */
function tiersNamed(tiers: readonly Tier[], wanted: string): readonly Tier[] {
  const called = (name: string) => tiers.filter((tier) => tier.name === name);
  const own = called(wanted);
  const parts = wanted.split(',').map((name) => called(name.trim()));
  return own.length > 0 || parts.some(({ length }) => length !== 1) ? own : parts.flat();
}

function tierTranscript(
  form: string,
  tiers: readonly Tier[],
  shownName: string,
  { wanted, option }: { readonly wanted: string | undefined; readonly option: string },
): RecordingTranscript {
  const filled = tiers.filter(({ segments }) => segments.length > 0);
  const named = wanted === undefined ? filled : tiersNamed(tiers, wanted);
  const [tier] = named;
  // Nobody spoke.
  if (wanted === undefined && filled.length === 0 && tiers.length > 0) return transcriptOf(form, [], false);
  if (tier !== undefined && named.length === 1) return transcriptOf(`${form}, tier ${tier.name}`, tier.segments, false);
  if (wanted !== undefined && named.length > 1 && named.every(({ name }) => name !== wanted)) {
    const all = named.flatMap(({ segments }) => segments).sort((a, b) => a.startSeconds - b.startSeconds);
    return transcriptOf(`${form}, tiers ${named.map(({ name }) => name).join(', ')}`, all, false);
  }
  const names = tiers.map(({ name }) => JSON.stringify(limitText(name, 40))).join(', ');
  if (named.length > 1) {
    const shown = ({ name, segments }: Tier) => `${printable(name, 40)}: ${printable(segments[0]!.text, 60)}`;
    throw new Undecided(
      `${shownName}: expected one tier of words, but there are ${names}; name the right one with ${option}, or several with commas`,
      {
        option: 'tier',
        asks: `${shownName}: which tier holds the words?`,
        choices: named.map((one) => ({ value: one.name, about: shown(one) })),
      },
    );
  }
  throw badInput(
    wanted !== undefined
      ? `${shownName}: expected a tier ${JSON.stringify(limitText(wanted, 60))} (from ${option}), but there is none; there is ${names}`
      : `${shownName}: expected a tier with words, but there is none; is it another file?`,
  );
}
