// Real references and real outputs of two recognizers, and how people's tools write them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const data = join(import.meta.dirname, '../../../shared/data');
const utterances = 60;

export interface Said {
  readonly id: string;
  readonly speaker: string;
  readonly gender: string;
  readonly ref: string;
  readonly a: string;
  readonly b: string;
}

/** Lower case and without punctuation, so that every normalizer and jiwer have the same words. */
export const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z ]+/g, '')
    .replace(/ +/g, ' ')
    .trim();

function rowsOf(file: string): Readonly<Record<string, string>>[] {
  const [head, ...lines] = readFileSync(join(data, 'asr-outputs/artie-bias', file), 'utf8')
    .trim()
    .split('\n');
  const names = head!.split('\t');
  return lines.map((line) => Object.fromEntries(line.split('\t').map((field, place) => [names[place]!, field])));
}

const stem = (path: string) => path.replace(/\.\w+$/, '');
const heardBy = (file: string) => new Map(rowsOf(file).map((row) => [stem(row.path!), plain(row.prediction!)]));
const [amazon, google] = [heardBy('amazon-en-US.tsv'), heardBy('google-en-US.tsv')];
export const said: readonly Said[] = rowsOf('artie-bias-corpus.tsv')
  .slice(0, utterances)
  .map((row, place) => {
    const id = stem(row.path!);
    const texts = { ref: plain(row.sentence!), a: amazon.get(id)!, b: google.get(id)! };
    return { id: `clip_${100 + place}`, speaker: row.client_id!.slice(0, 8), gender: row.gender!, ...texts };
  });
export const whole = (side: 'ref' | 'a' | 'b') => said.map((one) => one[side]).join(' ');

export type Files = Readonly<Record<string, string | Uint8Array>>;
export interface Arrival {
  readonly name: string;
  readonly files: Files;
  /** Arguments; `compare` gives both rates, `score` that of the first. */
  readonly ask: readonly string[];
  /** Which rates are expected, or what the refusal says. */
  readonly expect: 'rows' | 'whole' | RegExp;
}

export const csv = (fields: readonly (readonly string[])[], delimiter = ',') =>
  `${fields.map((row) => row.map((field) => (/["\n,;\t]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(delimiter)).join('\n')}\n`;
export const jsonl = (row: (one: Said, place: number) => object) =>
  said.map((one, place) => `${JSON.stringify(row(one, place))}\n`).join('');
export const lines = (line: (one: Said, place: number) => string) =>
  said.map((one, place) => `${line(one, place)}\n`).join('');
export const table = (
  names: readonly string[],
  row: (one: Said, place: number) => readonly string[],
  delimiter?: string,
) => csv([names, ...said.map(row)], delimiter);
export const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
export const perClip = (folder: string, ending: string, content: (one: Said) => string): Files =>
  Object.fromEntries(said.map((one) => [`${folder}/${one.id}${ending}`, content(one)]));
/** Each utterance takes four seconds. */
export const start = (place: number) => place * 4;
export const clock = (seconds: number, mark: string) =>
  `${new Date(seconds * 1000).toISOString().slice(11, 19)}${mark}${String(Math.round((seconds % 1) * 1000)).padStart(3, '0')}`;
export const segments = (side: 'a' | 'b') =>
  said.map((one, id) => ({
    id,
    seek: 0,
    start: start(id),
    end: start(id) + 3.5,
    text: ` ${one[side]}`,
    avg_logprob: -0.2,
  }));
export const srt = (side: 'ref' | 'a') =>
  lines(
    (one, place) => `${place + 1}\n${clock(start(place), ',')} --> ${clock(start(place) + 3.5, ',')}\n${one[side]}\n`,
  );
export const two = (reference: string, hypothesis: string): Arrival => ({
  name: `a CSV with ${reference} and ${hypothesis}`,
  files: { 't.csv': table(['file', reference, hypothesis], ({ id, ref, a }) => [`${id}.wav`, ref, a]) },
  ask: ['score', 't.csv'],
  expect: 'rows',
});
export const words = (text: string) => text.split(' ').filter((word) => word !== '');
export const ctm = (side: 'a' | 'b') =>
  lines((one, place) =>
    words(one[side])
      .map((word, at) => `call 1 ${(start(place) + 0.1 + at * 0.1).toFixed(2)} 0.08 ${word}`)
      .join('\n'),
  );
export const textGrid = (form: 'long' | 'short', tiers: readonly string[]) => {
  const end = start(said.length);
  const intervals = said.flatMap(({ ref }, place) => [
    [start(place), start(place) + 3.5, ref],
    [start(place) + 3.5, start(place) + 4, ''],
  ]);
  const field = (name: string, value: string | number) =>
    form === 'long' ? `    ${name} = ${value} \n` : `${value}\n`;
  const quoted = (text: string | number) => `"${text}"`;
  const tier = (name: string) =>
    `${form === 'long' ? 'item [1]:\n' : ''}${field('class', quoted('IntervalTier'))}${field('name', quoted(name))}${field('xmin', 0)}${field('xmax', end)}${field('intervals: size', intervals.length)}` +
    intervals
      .map(
        ([from, to, text], at) =>
          `${form === 'long' ? `intervals [${at + 1}]:\n` : ''}${field('xmin', from!)}${field('xmax', to!)}${field('text', quoted(text!))}`,
      )
      .join('');
  const head = `File type = "ooTextFile"\nObject class = "TextGrid"\n\n${field('xmin', 0)}${field('xmax', end)}${form === 'long' ? 'tiers? <exists> \n' : '<exists>\n'}${field('size', tiers.length)}`;
  return `${head}${tiers.map(tier).join('')}`;
};
export const eaf = `<?xml version="1.0" encoding="UTF-8"?>\n<ANNOTATION_DOCUMENT><TIME_ORDER>${said
  .map(
    (_, place) =>
      `<TIME_SLOT TIME_SLOT_ID="s${place}" TIME_VALUE="${start(place) * 1000}"/><TIME_SLOT TIME_SLOT_ID="e${place}" TIME_VALUE="${start(place) * 1000 + 3500}"/>`,
  )
  .join('')}</TIME_ORDER><TIER LINGUISTIC_TYPE_REF="x" TIER_ID="speech">${said
  .map(
    ({ ref }, place) =>
      `<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a${place}" TIME_SLOT_REF1="s${place}" TIME_SLOT_REF2="e${place}"><ANNOTATION_VALUE>${ref}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>`,
  )
  .join('')}</TIER></ANNOTATION_DOCUMENT>`;
/** As YouTube's captions roll: each line is shown again above the next. */
export const rolling = `WEBVTT\nKind: captions\nLanguage: en\n\n${said
  .flatMap(({ a }, place) => {
    const [first = '', ...rest] = a.split(' ').filter((word) => word !== '');
    const timed = `${first}${rest.map((word, at) => `<${clock(start(place) + 0.1 * (at + 1), '.')}><c> ${word}</c>`).join('')}`;
    const before = place === 0 ? ' ' : said[place - 1]!.a;
    if (a === '') return [];
    const cue = (from: number, to: number, shown: string) =>
      `${clock(from, '.')} --> ${clock(to, '.')} align:start position:0%\n${shown}\n\n`;
    return [
      cue(start(place), start(place) + 3.9, `${before}\n${timed}`),
      cue(start(place) + 3.9, start(place) + 4, `${a}\n `),
    ];
  })
  .join('')}`;
export const refs = { 'refs.txt': lines(({ ref }) => ref) };
/** A result file of a recognizer for each clip, beside a folder of references. */
export const engine = (name: string, result: (text: string) => object): Arrival => ({
  name: `a folder of results of ${name}`,
  files: {
    ...perClip('refs', '.txt', ({ ref }) => ref),
    ...perClip('heard', '.json', ({ a }) => JSON.stringify(result(a))),
  },
  ask: ['score', 'refs', 'heard'],
  expect: 'rows',
});
