import { badInput } from '../../base/errors.ts';

/** What a report of a scoring program says of an utterance. Files of one side have no reference, or no hypothesis. */
interface ReportRow {
  readonly id?: string;
  readonly reference?: string;
  readonly hypothesis?: string;
  readonly text?: string;
}

/**
 * The utterances in what scoring and decoding programs write for people to read: alignments of sclite (pra, sgml) and so ESPnet's `result.txt`, jiwer,
 * SpeechBrain, Kaldi's `per_utt`, WeNet's `compute-wer`; icefall's `recogs-*.txt` and `errs-*.txt`, what fairseq generated, and HTK's label files (MLF).
 *
 * @param text the file, or its beginning where only its kind is asked
 * @returns null where it is none of them
 * @example reportRows('REF: a b\nHYP: a *')?.[0] // { reference: 'a b', hypothesis: 'a' }
 */
export function reportRows(text: string): readonly ReportRow[] | null {
  const lines = text.split(/\r?\n/);
  for (const read of forms) {
    const rows = read(lines);
    if (rows !== null && rows.length > 0) return rows;
  }
  return null;
}

/**
 * As `reportRows`, of a whole file.
 *
 * @throws EarwitnessError `bad-input`: it says itself that it leaves utterances out
 */
export function wholeReport(text: string, shownName: string): readonly ReportRow[] | null {
  const rows = reportRows(text);
  const told = /^\s*(?:number of sentences:|Scored) (\d+)\b/im.exec(text)?.[1];
  if (rows === null || told === undefined || Number(told) <= rows.length) return rows;
  throw badInput(
    `${shownName}: expected all ${told} utterances that it counts, but it shows ${rows.length}: those without an error are left out, perhaps; write it with all of them (jiwer: skip_correct=False), or score the texts themselves`,
  );
}

/** A gap in an alignment. */
const gap = /^(?:\*+|#+|<eps>|\u03b5)$/;

function words(text: string, separator: RegExp = /\s+/): string {
  return text
    .split(separator)
    .map((word) => word.trim())
    .filter((word) => word !== '' && !gap.test(word))
    .join(' ');
}

const forms: readonly ((lines: readonly string[]) => readonly ReportRow[] | null)[] = [
  sgmlRows,
  labelFileRows,
  speechBrainRows,
  errorRows,
  linesById,
  generatedRows,
  labelledLines,
];

/** sclite: `C,"the","the":S,"cat","hat":I,,"x":D,"y",` in a path of each utterance. */
function sgmlRows(lines: readonly string[]): readonly ReportRow[] | null {
  if (!lines.some((line) => /^<PATH\b/.test(line))) return null;
  return [...lines.join('\n').matchAll(/<PATH\b[^\n]*?\bid="\(?([^")]*)\)?"[^\n]*>\n([\s\S]*?)<\/PATH>/g)].map(
    ([, id, path]) => {
      const steps = [...path!.matchAll(/(?:^|:)[CSIDT],(?:"((?:[^"\\]|\\.)*)")?,(?:"((?:[^"\\]|\\.)*)")?/g)];
      const side = (place: 1 | 2) => words(steps.map((step) => step[place] ?? '').join(' '));
      return { id: id!, reference: side(1), hypothesis: side(2) };
    },
  );
}

/** HTK: a path in quotes, a word on each line after its times, and a point. */
function labelFileRows(lines: readonly string[]): readonly ReportRow[] | null {
  if (lines[0]?.replace(/^\uFEFF/, '').trim() !== '#!MLF!#') return null;
  const rows: { readonly id: string; readonly said: string[] }[] = [];
  for (const line of lines.slice(1)) {
    const path = /^"(.*)"\s*$/.exec(line)?.[1];
    const word = /^(?:\d+\s+\d+\s+)?(\S+)/.exec(line)?.[1];
    if (path !== undefined) rows.push({ id: path.replace(/^\*\//, '').replace(/\.(?:lab|rec)$/, ''), said: [] });
    else if (word !== undefined && word !== '.') rows.at(-1)?.said.push(word.replace(/^"(.*)"$/, '$1'));
  }
  return rows.map(({ id, said }) => ({
    id,
    text: said.filter((word) => !/^(?:sil|sp|!SENT_\w+)$/.test(word)).join(' '),
  }));
}

/** SpeechBrain: the id, then the reference, what was done, and the hypothesis, word by word with semicolons between them. */
function speechBrainRows(lines: readonly string[]): readonly ReportRow[] | null {
  const rows = lines.flatMap((line, at) => {
    const id = /^(.+), %WER [\d.]+ \[ .* \]\s*$/.exec(line)?.[1];
    const side = (below: number) => words(lines[at + below] ?? '', /\s;\s/);
    return id === undefined ? [] : [{ id, reference: side(1), hypothesis: side(3) }];
  });
  return rows.length === 0 ? null : rows;
}

/** icefall: `id:\tTHE (CAT->HAT) SAT` below a line that says so. */
function errorRows(lines: readonly string[]): readonly ReportRow[] | null {
  const head = lines.findIndex((line) => line.startsWith('PER-UTT DETAILS:'));
  if (head === -1) return null;
  const end = lines.findIndex((line, at) => at > head && line.trim() === '');
  return lines.slice(head + 1, end === -1 ? lines.length : end).flatMap((line) => {
    const [, id, said] = /^(\S+):\t(.*)$/.exec(line) ?? [];
    if (id === undefined) return [];
    const side = (place: '$1' | '$2') => words(said!.replace(/\(((?:(?!->).)*)->(.*?)\)(?=\s|$)/g, place));
    return [{ id, reference: side('$1'), hypothesis: side('$2') }];
  });
}

const idLine = /^(\S+?):?\s+(ref|hyp|op|#csid|timestamp_ref|timestamp_hyp)(?:=|\s+|$)(.*)$/;

/** Kaldi and icefall: each line begins with the id, and says what it is. */
function linesById(lines: readonly string[]): readonly ReportRow[] | null {
  const rows = new Map<string, { id: string; reference?: string; hypothesis?: string }>();
  const written = lines.filter((line) => line.trim() !== '');
  for (const line of written) {
    const [, id, what, text] = idLine.exec(line) ?? [];
    if (id === undefined) return null;
    const row = rows.get(id) ?? { id };
    const side = what === 'ref' ? 'reference' : 'hypothesis';
    if (what === 'ref' || what === 'hyp') {
      // One utterance twice is two runs in one file.
      if (row[side] !== undefined) return null;
      rows.set(id, { ...row, [side]: words(ofList(text!)) });
    }
  }
  // The beginning of a file may end within an utterance.
  const whole = [...rows.values()].filter((row) => row.reference !== undefined && row.hypothesis !== undefined);
  return whole.length > 0 && rows.size - whole.length <= 1 ? [...rows.values()] : null;
}

/** A list of words as Python prints it, or words. */
function ofList(text: string): string {
  const inside = /^\s*\[(.*)\]\s*$/.exec(text)?.[1];
  if (inside === undefined) return text;
  return [...inside.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)]
    .map(([, single, double]) => (single ?? double!).replace(/\\(.)/g, '$1'))
    .join(' ');
}

/** fairseq: `T-0\tthe cat`, and after a score `D-0\t-0.2\tthe hat`, or `H-0` where nothing put its pieces together. */
function generatedRows(lines: readonly string[]): readonly ReportRow[] | null {
  const found = { T: new Map<string, string>(), D: new Map<string, string>(), H: new Map<string, string>() };
  for (const line of lines) {
    const [, kind, id, text] = /^([TDH])-(\d+)\t(?:-?[\d.]+(?:e-?\d+)?\t)?(.*)$/.exec(line) ?? [];
    if (id !== undefined) found[kind as keyof typeof found].set(id, text!);
  }
  const heard = found.D.size > 0 ? found.D : found.H;
  if (found.T.size === 0 || heard.size === 0) return null;
  return [...found.T].flatMap(([id, reference]) => {
    const hypothesis = heard.get(id);
    return hypothesis === undefined ? [] : [{ id, reference, hypothesis }];
  });
}

const labels = [
  { mark: 'reference', names: /^(?:ref|reference|lab|label|gt|ground[ _]truth|truth|gold|target|expected)$/i },
  { mark: 'output', names: /^(?:hyp|hypothesis|rec|res|pred|predicted|prediction|asr|output|decoded)$/i },
] as const;
const labelled = /^\s*(?:-\s*)?([A-Za-z][A-Za-z_ ]{1,20}?)\s*(?:\([^)]*\))?\s*:(?:\s+(.*)|$)/;
const begins = /^\s*=*\s*(?:id|utt|utterance|sentence|file|wav)\b\s*[:=]?\s*\(?(?:file:\/\/)?(.*?)\)?\s*=*\s*$/i;

/** sclite, jiwer, WeNet: a line of the reference with one of the hypothesis below, below what names them, if anything does. */
function labelledLines(lines: readonly string[]): readonly ReportRow[] | null {
  const rows: { id?: string; reference: string; hypothesis: string }[] = [];
  let id: string | undefined;
  let reference: string | null = null;
  let goesOn = false;
  for (const line of lines) {
    const [, label, text = ''] = labelled.exec(line) ?? [];
    const mark = label === undefined ? 'unknown' : (labels.find(({ names }) => names.test(label))?.mark ?? 'unknown');
    if (mark === 'reference') {
      if (reference !== null) return null;
      reference = unquoted(text);
    } else if (mark === 'output' && reference !== null) {
      const before = goesOn ? rows.pop() : undefined;
      const join = (one: string | undefined, other: string) => words(`${one ?? ''} ${other}`);
      rows.push({
        ...(id !== undefined && { id }),
        reference: join(before?.reference, reference),
        hypothesis: join(before?.hypothesis, unquoted(text)),
      });
      reference = null;
      // Long utterances go over several lines.
      goesOn = id !== undefined;
    } else if (mark === 'output') {
      return null;
    } else {
      const begun = begins.exec(line)?.[1];
      if (begun !== undefined && begun !== '') {
        id = begun;
        goesOn = false;
      }
    }
  }
  return rows;
}

function unquoted(text: string): string {
  return text.trim().replace(/^"(.*)"$/, '$1');
}
