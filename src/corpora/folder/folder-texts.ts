import { join } from 'node:path';
import { plainWords } from '../../base/columns/texts.ts';
import { badInput, refusalAsNull } from '../../base/errors.ts';
import { speakerNames } from '../../base/speaker-names.ts';
import { readTextLines } from '../../system/text-lines.ts';
import type { TextSegment } from '../../system/transcripts/captions.ts';
import { readTranscript } from '../../system/transcripts/read-transcript.ts';
import { idAndText } from '../shared/lines.ts';

/** What files that speak of a whole folder say of the sounds in it. */
export interface FolderTexts {
  /** Words by the name of the sound without its extension. */
  readonly texts: ReadonlyMap<string, string>;
  /** The sounds that belong to the corpus, by name without extension; null: all. */
  readonly listed: ReadonlySet<string> | null;
  /** Whether the words come from a LibriSpeech file, whose ids begin with speaker and chapter. */
  readonly libriSpeech: boolean;
}

/**
 * Reads the texts that stand together in one file of a folder:
 * - LibriSpeech `*.trans.txt`: `id WORDS` on each line
 * - CMU Sphinx `transcription`, `*.transcription`, `*.lsn`: `<s> words </s> (id)` on each line
 * - CMU Sphinx `fileids`, `*.fileids`, beside a transcription: the ids that belong to it, one on each line
 *
 * @param files names of the files in the folder
 * @param shownFolder how errors name the folder
 * @throws EarwitnessError `bad-input` with file and line: a line of another form, or an id twice with different words
 */
export async function readFolderTexts(
  folder: string,
  files: readonly string[],
  shownFolder: string,
): Promise<FolderTexts> {
  const texts = new Map<string, string>();
  const transcriptions = files.filter((name) => name === 'transcription' || /\.(?:transcription|lsn)$/i.test(name));
  const librispeech = files.filter((name) => /\.trans\.txt$/i.test(name));
  for (const name of librispeech) await readInto(texts, join(folder, name), `${shownFolder}/${name}`, librispeechLine);
  for (const name of transcriptions) await readInto(texts, join(folder, name), `${shownFolder}/${name}`, sphinxLine);

  const lists =
    transcriptions.length === 0 ? [] : files.filter((name) => name === 'fileids' || /\.fileids$/i.test(name));
  const listed = lists.length === 0 ? null : new Set<string>();
  for (const name of lists) {
    for await (const line of readTextLines(join(folder, name), `${shownFolder}/${name}`)) {
      const id = line.text.trim().replace(/^.*\//, '');
      if (id !== '') listed?.add(id);
    }
  }
  return { texts, listed, libriSpeech: librispeech.length > 0 };
}

interface TextOfId {
  readonly id: string;
  readonly text: string;
}

async function readInto(
  texts: Map<string, string>,
  file: string,
  shownName: string,
  read: (line: string) => TextOfId | string,
): Promise<void> {
  for await (const line of readTextLines(file, shownName)) {
    if (line.text.trim() === '') continue;
    const found = read(line.text.trim());
    if (typeof found === 'string') {
      throw badInput(
        `${shownName}:${line.number}:1: expected ${found}, but found ${JSON.stringify(line.text.slice(0, 60))}; correct the line`,
      );
    }
    const before = texts.get(found.id);
    if (before !== undefined && before !== found.text) {
      throw badInput(
        `${shownName}:${line.number}:1: expected one text for each id, but "${found.id.slice(0, 100)}" has another before; take one out`,
      );
    }
    texts.set(found.id, found.text);
  }
}

function librispeechLine(line: string): TextOfId | string {
  return idAndText(line) ?? 'an id, a blank and the words';
}

function sphinxLine(line: string): TextOfId | string {
  const opening = line.lastIndexOf('(');
  if (opening === -1 || !line.endsWith(')') || opening === line.length - 2)
    return 'the words and then the id in parentheses';
  return { id: line.slice(opening + 1, -1).trim(), text: spokenWords(line.slice(0, opening)) };
}

/**
 * The words of a line that a training tool wrote: without sentence marks and silences (`<s>`, `<sil>`), fillers
 * (`++BREATH++`), and the numbers of alternate pronunciations (`the(2)`), as CMU Sphinx writes them.
 *
 * @example spokenWords('<s> the(2) cat ++NOISE++ </s>') // 'the cat'
 */
export function spokenWords(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => word !== '' && !/^<\/?[A-Za-z]+>$/.test(word) && !/^\+\+[^+]+\+\+$/.test(word))
    .map((word) => word.replace(/(?<=.)\(\d+\)$/, ''))
    .join(' ');
}

/** Longest text of one sound, in UTF-16 units: what is longer is another kind of file. */
const longestText = 100_000;

/** Endings of files that hold the words of the sound of the same name, the first that is there counts: what people write before what machines do. */
export const sideEndings = [
  'txt',
  'lab',
  'trn',
  'textgrid',
  'eaf',
  'srt',
  'vtt',
  'sbv',
  'ttml',
  'dfxp',
  'ass',
  'ssa',
  'lrc',
  'tsv',
  'json',
];
const plainEndings = ['txt', 'lab', 'trn'];

/** Files of a folder by their names with the ending in lower case, so that `A.TXT` is found for `A.WAV`. */
type SideFiles = ReadonlyMap<string, string>;

/** The words of a sound, or its parts, and the ending of the file that gave them. */
interface SideText {
  readonly text: string | readonly TextSegment[];
  readonly ending: string;
}

/** @param files names of the files in one folder */
export function sideFilesOf(files: readonly string[]): SideFiles {
  const found = new Map<string, string>();
  for (const name of files) {
    const match = /^(.+)\.([^.]+)$/.exec(name);
    const ending = match?.[2]?.toLowerCase();
    if (match !== null && sideEndings.includes(ending!)) found.set(`${match[1]}.${ending}`, name);
  }
  return found;
}

/** Where the words of a sound may stand. */
export interface SidePlace {
  readonly folder: string;
  /** How errors name the folder. */
  readonly shownFolder: string;
  /** Name of the sound without its extension. */
  readonly stem: string;
  readonly files: SideFiles;
}

/** How files with words are read. */
export interface SideReading {
  /** The tier of the words in files that have several. */
  readonly tier: string | undefined;
  /** Endings of files that recognizers wrote, as `outputForms` finds them. */
  readonly outputs: ReadonlySet<string>;
  /** Called where a machine wrote the words. */
  onMachine(wrote: 'captions' | 'output'): void;
}

/**
 * The words that stand in a file beside a sound: `.txt` or `.lab` (all lines), `.trn` (its first line, without the id in
 * parentheses that NIST puts at its end); of an Audacity label track (`.txt`), a TextGrid of Praat, annotations of ELAN (`.eaf`), subtitles (`.srt`, `.vtt`) and
 * `.json` their parts, where they have times; what a recognizer wrote is no reference. Null where there is no such file, or none with words in it: a `.lab` that holds
 * times (HTK labels) may name sounds.
 *
 * @throws EarwitnessError `bad-input`: not UTF-8, too long, parts with wrong times, several tiers of which none is named
 */
export async function readSideText(
  place: SidePlace,
  { tier, outputs, onMachine }: SideReading,
): Promise<SideText | null> {
  let wasTold = false;
  for (const ending of sideEndings) {
    const found = await readForm(place, ending, tier);
    if (found === null) continue;
    // Captions are all that there is of many recordings; what a recognizer wrote is compared with references, and is none.
    const isOutput = isResult(ending, found) || outputs.has(ending);
    if (isOutput ? !wasTold : found.byMachine) onMachine(isOutput ? 'output' : 'captions');
    wasTold ||= isOutput;
    if (!isOutput) return { text: found.text, ending };
  }
  return null;
}

interface ReadFile {
  readonly text: SideText['text'];
  readonly words: string;
  readonly byMachine: boolean;
}

async function readForm(
  { folder, shownFolder, stem, files }: SidePlace,
  ending: string,
  tier: string | undefined,
): Promise<ReadFile | null> {
  const name = files.get(`${stem}.${ending}`);
  if (name === undefined) return null;
  const [path, shown] = [join(folder, name), `${shownFolder}/${name}`];
  const transcript = await readTranscript(path, shown, tier, 'tier (of init: --tier)');
  if (transcript !== null && transcript.text !== '') {
    const { segments, text, byMachine } = transcript;
    return { text: segments.length > 0 ? segments : text, words: plainWords(text), byMachine };
  }
  const text = transcript === null && plainEndings.includes(ending) ? await plainText(path, shown, ending) : null;
  return text === null ? null : { text, words: plainWords(text), byMachine: false };
}

const isResult = (ending: string, { byMachine }: ReadFile) => byMachine && ending !== 'vtt';

/**
 * Endings of files in which recognizers have written their outputs a second time: each of them has the words of a result of the same name, or (Whisper
 * writes all of its forms at once) text, SRT and VTT have the same. One that has other words, or stands alone, was written by people, and so were all
 * that end so: a recognizer may be right in many clips.
 */
export async function outputForms(
  places: AsyncIterable<SidePlace> | Iterable<SidePlace>,
  tier: string | undefined,
): Promise<ReadonlySet<string>> {
  const written = ['txt', 'srt', 'vtt'];
  const open = new Set(written);
  const repeated = new Set<string>();
  for await (const place of places) {
    const asked = written.filter((ending) => open.has(ending) && place.files.has(`${place.stem}.${ending}`));
    if (asked.length === 0) continue;
    const all = new Map<string, ReadFile>();
    for (const ending of [...written, 'tsv', 'json']) {
      // Of files that are not the words of the sound nobody has asked what is wrong in them.
      const found = await readForm(place, ending, tier).catch(refusalAsNull);
      if (found !== null && found.words !== '') all.set(ending, found);
    }
    const results = new Set([...all].filter(([ending, one]) => isResult(ending, one)).map(([, { words }]) => words));
    const forms = written.map((ending) => all.get(ending)?.words);
    const isAlike = forms.every((words) => words === forms[0]);
    for (const ending of asked) {
      const words = all.get(ending)?.words;
      if (words === undefined) continue;
      if (isAlike || results.has(words)) repeated.add(ending);
      else open.delete(ending);
    }
  }
  return repeated.intersection(open);
}

async function plainText(path: string, shownName: string, ending: string): Promise<string | null> {
  const lines: string[] = [];
  let length = 0;
  for await (const line of readTextLines(path, shownName)) {
    length += line.text.length;
    if (length > longestText) {
      throw badInput(
        `${shownName}: expected the words of one sound, but it has more than ${longestText} characters; is it another kind of file?`,
      );
    }
    lines.push(line.text);
    if (ending === 'trn' && line.text.trim() !== '') break;
  }
  const trimmed = lines.map((line) => line.trim()).filter((line) => line !== '');
  // TIMIT's: the first and the last sample stand before the words.
  const written = trimmed.length === 1 ? [trimmed[0]!.replace(/^0\s+\d{4,}\s+(?=\p{L})/u, '')] : trimmed;
  if (ending === 'trn') return (written[0] ?? '').replace(/\s*\([^()]*\)$/, '');
  const areTimes = ending === 'lab' && written.length > 0 && written.every((line) => /^\d+\s+\d+\s+\S/.test(line));
  const speakers = speakerNames(written);
  return areTimes ? null : written.map((line) => speakers?.of(line)?.text ?? line).join(' ');
}
