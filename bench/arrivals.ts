// What people have when they arrive: tables, files and folders as recognizers, annotation tools and spreadsheets write them, made from real references and real
// outputs of recognizers (../shared/data/asr-outputs). In each, one command must print the word error rates that jiwer gives for the same texts, or one
// sentence and a code that is not 0.
//
//   JIWER_PYTHON=venv/bin/python node bench/arrivals.ts [NAME]      (pip install jiwer)
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RunReport } from '../src/model/run.ts';

const data = join(import.meta.dirname, '../../shared/data');
const command = join(import.meta.dirname, '../bin/earwitness.js');
const utterances = 60;

interface Said {
  readonly id: string;
  readonly speaker: string;
  readonly gender: string;
  readonly ref: string;
  readonly a: string;
  readonly b: string;
}

/** Lower case and without punctuation, so that every normalizer and jiwer have the same words. */
const plain = (text: string) =>
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
const said: readonly Said[] = rowsOf('artie-bias-corpus.tsv')
  .slice(0, utterances)
  .map((row, place) => {
    const id = stem(row.path!);
    const texts = { ref: plain(row.sentence!), a: amazon.get(id)!, b: google.get(id)! };
    return { id: `clip_${100 + place}`, speaker: row.client_id!.slice(0, 8), gender: row.gender!, ...texts };
  });
const whole = (side: 'ref' | 'a' | 'b') => said.map((one) => one[side]).join(' ');

/** Word error rates of the two by jiwer: over utterances, and of all words as one text. */
function jiwerRates(): { readonly rows: readonly number[]; readonly whole: readonly number[] } {
  const code =
    'import json,sys,jiwer\nd=json.load(sys.stdin)\nprint(json.dumps({k:[jiwer.wer(v["ref"],h) for h in v["heard"]] for k,v in d.items()}))';
  const asked = {
    rows: { ref: said.map(({ ref }) => ref), heard: [said.map(({ a }) => a), said.map(({ b }) => b)] },
    whole: { ref: whole('ref'), heard: [whole('a'), whole('b')] },
  };
  const python = process.env.JIWER_PYTHON ?? 'python3';
  const { stdout, stderr, status } = spawnSync(python, ['-c', code], {
    input: JSON.stringify(asked),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`expected a Python with jiwer (JIWER_PYTHON), but ${python} said: ${stderr}`);
  return JSON.parse(stdout);
}

type Files = Readonly<Record<string, string | Uint8Array>>;
interface Arrival {
  readonly name: string;
  readonly files: Files;
  /** Arguments; `compare` gives both rates, `score` that of the first. */
  readonly ask: readonly string[];
  /** Which rates are expected, or what the refusal says. */
  readonly expect: 'rows' | 'whole' | RegExp;
}

const csv = (fields: readonly (readonly string[])[], delimiter = ',') =>
  `${fields.map((row) => row.map((field) => (/["\n,;\t]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(delimiter)).join('\n')}\n`;
const jsonl = (row: (one: Said, place: number) => object) =>
  said.map((one, place) => `${JSON.stringify(row(one, place))}\n`).join('');
const lines = (line: (one: Said, place: number) => string) =>
  said.map((one, place) => `${line(one, place)}\n`).join('');
const table = (names: readonly string[], row: (one: Said, place: number) => readonly string[], delimiter?: string) =>
  csv([names, ...said.map(row)], delimiter);
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const perClip = (folder: string, ending: string, content: (one: Said) => string): Files =>
  Object.fromEntries(said.map((one) => [`${folder}/${one.id}${ending}`, content(one)]));
/** Each utterance takes four seconds. */
const start = (place: number) => place * 4;
const clock = (seconds: number, mark: string) =>
  `${new Date(seconds * 1000).toISOString().slice(11, 19)}${mark}${String(Math.round((seconds % 1) * 1000)).padStart(3, '0')}`;
const segments = (side: 'a' | 'b') =>
  said.map((one, id) => ({
    id,
    seek: 0,
    start: start(id),
    end: start(id) + 3.5,
    text: ` ${one[side]}`,
    avg_logprob: -0.2,
  }));
const srt = (side: 'ref' | 'a') =>
  lines(
    (one, place) => `${place + 1}\n${clock(start(place), ',')} --> ${clock(start(place) + 3.5, ',')}\n${one[side]}\n`,
  );
const two = (reference: string, hypothesis: string): Arrival => ({
  name: `a CSV with ${reference} and ${hypothesis}`,
  files: { 't.csv': table(['file', reference, hypothesis], ({ id, ref, a }) => [`${id}.wav`, ref, a]) },
  ask: ['score', 't.csv'],
  expect: 'rows',
});
const words = (text: string) => text.split(' ').filter((word) => word !== '');
const ctm = (side: 'a' | 'b') =>
  lines((one, place) =>
    words(one[side])
      .map((word, at) => `call 1 ${(start(place) + 0.1 + at * 0.1).toFixed(2)} 0.08 ${word}`)
      .join('\n'),
  );
const textGrid = (form: 'long' | 'short', tiers: readonly string[]) => {
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
const eaf = `<?xml version="1.0" encoding="UTF-8"?>\n<ANNOTATION_DOCUMENT><TIME_ORDER>${said
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
const rolling = `WEBVTT\nKind: captions\nLanguage: en\n\n${said
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
const refs = { 'refs.txt': lines(({ ref }) => ref) };
/** A result file of a recognizer for each clip, beside a folder of references. */
const engine = (name: string, result: (text: string) => object): Arrival => ({
  name: `a folder of results of ${name}`,
  files: {
    ...perClip('refs', '.txt', ({ ref }) => ref),
    ...perClip('heard', '.json', ({ a }) => JSON.stringify(result(a))),
  },
  ask: ['score', 'refs', 'heard'],
  expect: 'rows',
});

const arrivals: readonly Arrival[] = [
  two('gold', 'hyp'),
  two('ref', 'pred'),
  two('ground_truth', 'whisper'),
  two('target', 'prediction'),
  two('ref', 'whisper_small'),
  two('human', 'asr_output'),
  {
    name: 'a CSV of pandas with its index',
    files: {
      't.csv': table(['', 'path', 'sentence', 'prediction'], ({ id, ref, a }, place) => [
        `${place}`,
        `${id}.wav`,
        ref,
        a,
      ]),
    },
    ask: ['score', 't.csv'],
    expect: 'rows',
  },
  {
    name: 'a CSV of pandas, two outputs, the hypothesis first',
    files: { 't.csv': table(['', 'whisper', 'google', 'text'], ({ ref, a, b }, place) => [`${place}`, a, b, ref]) },
    ask: ['compare', 't.csv'],
    expect: 'rows',
  },
  {
    name: 'Unicode text of Excel (UTF-16, tabs)',
    files: { 't.tsv': utf16(table(['id', 'reference', 'hypothesis'], ({ id, ref, a }) => [id, ref, a], '\t')) },
    ask: ['score', 't.tsv'],
    expect: 'rows',
  },
  {
    name: 'a German CSV: semicolons, decimal commas, a byte order mark',
    files: {
      't.csv': `\uFEFF${table(['Datei', 'Dauer', 'Referenz', 'Hypothese'], ({ id, ref, a }) => [id, '3,5', ref, a], ';')}`,
    },
    ask: ['score', 't.csv'],
    expect: 'rows',
  },
  {
    name: 'a CSV with line ends in quotes',
    files: { 't.csv': table(['id', 'reference', 'hyp'], ({ id, ref, a }) => [id, ref.replace(' ', '\n'), a]) },
    ask: ['score', 't.csv'],
    expect: 'rows',
  },
  {
    name: 'a manifest of NeMo with predictions (NeMo Curator), NaN among its numbers',
    files: {
      't.json': jsonl(({ id, ref, a }) => ({
        audio_filepath: `/data/${id}.wav`,
        duration: 3.5,
        text: ref,
        pred_text: a,
        wer: 'NAN',
      })).replaceAll('"NAN"', 'NaN'),
    },
    ask: ['score', 't.json'],
    expect: 'rows',
  },
  {
    name: 'two JSONL of the Open ASR Leaderboard',
    files: {
      'MODEL_a_DATASET_x.jsonl': jsonl(({ id, ref, a }) => ({
        audio_filepath: id,
        duration: 3.5,
        time: 0.2,
        text: ref,
        pred_text: a,
      })),
      'MODEL_b_DATASET_x.jsonl': jsonl(({ id, ref, b }) => ({
        audio_filepath: id,
        duration: 3.5,
        time: 0.3,
        text: ref,
        pred_text: b,
      })),
    },
    ask: ['compare', 'MODEL_a_DATASET_x.jsonl', 'MODEL_b_DATASET_x.jsonl'],
    expect: 'rows',
  },
  {
    name: 'references and two outputs in JSONL, in another order',
    files: {
      'refs.jsonl': jsonl(({ id, ref }) => ({ id, text: ref })),
      'a.jsonl': [...said]
        .reverse()
        .map(({ id, a }) => `${JSON.stringify({ id, text: a })}\n`)
        .join(''),
      'b.jsonl': jsonl(({ id, b }) => ({ id, text: b })),
    },
    ask: ['compare', 'refs.jsonl', 'a.jsonl', 'b.jsonl'],
    expect: 'rows',
  },
  {
    name: 'a JSON list of pairs',
    files: {
      't.json': JSON.stringify(
        said.map(({ ref, a }) => ({ reference: ref, hypothesis: a })),
        null,
        2,
      ),
    },
    ask: ['score', 't.json'],
    expect: 'rows',
  },
  {
    name: 'two JSON objects of texts by file',
    files: {
      'reference_texts.json': JSON.stringify(Object.fromEntries(said.map(({ id, ref }) => [`${id}.wav`, ref]))),
      'whisper.json': JSON.stringify(Object.fromEntries(said.map(({ id, a }) => [id, a]))),
    },
    ask: ['score', 'reference_texts.json', 'whisper.json'],
    expect: 'rows',
  },
  {
    name: 'paths of Windows on one side',
    files: {
      'metadata.csv': table(['file_name', 'transcription'], ({ id, ref }) => [`${id}.wav`, ref]),
      'out.csv': table(['path', 'prediction'], ({ id, a }) => [`C:\\Users\\me\\audio\\${id}.wav`, a]),
    },
    ask: ['score', 'metadata.csv', 'out.csv'],
    expect: 'rows',
  },
  {
    name: 'absolute paths of two machines',
    files: {
      'a.csv': table(['audio', 'ref', 'hyp'], ({ id, ref, a }) => [`/home/eva/clips/${id}.flac`, ref, a]),
      'b.csv': table(['audio', 'ref', 'hyp'], ({ id, ref, b }) => [`/mnt/gpu3/${id}.wav`, ref, b]),
    },
    ask: ['compare', 'a.csv', 'b.csv'],
    expect: 'rows',
  },
  {
    name: "Hugging Face's metadata.jsonl and predictions",
    files: {
      'metadata.jsonl': jsonl(({ id, ref }) => ({ file_name: `train/${id}.mp3`, transcription: ref })),
      'predictions.jsonl': jsonl(({ id, a }) => ({ file_name: `${id}.mp3`, prediction: a })),
    },
    ask: ['score', 'metadata.jsonl', 'predictions.jsonl'],
    expect: 'rows',
  },
  {
    name: 'Common Voice and a table of predictions',
    files: {
      'test.tsv': lines(({ id, speaker, ref, gender }) =>
        [speaker, `${id}.mp3`, ref, '2', '0', '', gender, '', 'en'].join('\t'),
      ).replace(/^/, 'client_id\tpath\tsentence\tup_votes\tdown_votes\tage\tgender\taccents\tlocale\n'),
      'a.csv': table(['path', 'prediction'], ({ id, a }) => [`${id}.wav`, a]),
      'b.csv': table(['path', 'prediction'], ({ id, b }) => [`${id}.wav`, b]),
    },
    ask: ['compare', 'test.tsv', 'a.csv', 'b.csv'],
    expect: 'rows',
  },
  {
    name: "fairseq's .wrd beside what was decoded",
    files: {
      'ref.word-checkpoint_best.pt-test.txt': lines(({ ref }, place) => `${ref} (None-${place})`),
      'hypo.word-checkpoint_best.pt-test.txt': lines(({ a }, place) => `${a} (None-${place})`),
    },
    ask: ['score', 'ref.word-checkpoint_best.pt-test.txt', 'hypo.word-checkpoint_best.pt-test.txt'],
    expect: 'rows',
  },
  {
    name: "fairseq's .wrd",
    files: { 'test.wrd': lines(({ ref }) => ref), 'hyp.wrd': lines(({ a }) => a) },
    ask: ['score', 'test.wrd', 'hyp.wrd'],
    expect: 'rows',
  },
  {
    name: "Kaldi's text and two decodings",
    files: {
      'data/text': lines(({ id, ref }) => `${id} ${ref}`),
      'a/text': lines(({ id, a }) => `${id} ${a}`),
      'b/text': lines(({ id, b }) => `${id} ${b}`),
    },
    ask: ['compare', 'data/text', 'a/text', 'b/text'],
    expect: 'rows',
  },
  {
    name: "ESPnet's ref.trn and hyp.trn",
    files: {
      'ref.trn': lines(({ id, ref }) => `${ref} (spk-${id})`),
      'hyp.trn': lines(({ id, a }) => `${a} (spk-${id})`),
    },
    ask: ['score', 'ref.trn', 'hyp.trn'],
    expect: 'rows',
  },
  {
    name: 'STM and two CTM',
    files: {
      'ref.stm': lines(({ ref }, place) => `call 1 spk ${start(place)} ${start(place) + 3.9} <o,f0,male> ${ref}`),
      'a.ctm': ctm('a'),
      'b.ctm': ctm('b'),
    },
    ask: ['compare', 'ref.stm', 'a.ctm', 'b.ctm'],
    expect: 'rows',
  },
  {
    name: 'three files of lines',
    files: { ...refs, 'a.txt': lines(({ a }) => a), 'b.txt': lines(({ b }) => b) },
    ask: ['compare', 'refs.txt', 'a.txt', 'b.txt'],
    expect: 'rows',
  },
  {
    name: 'a table with a row for each system',
    files: {
      't.csv': csv([
        ['utt_id', 'system', 'reference', 'hypothesis'],
        ...(['a', 'b'] as const).flatMap((system) => said.map((one) => [one.id, system, one.ref, one[system]])),
      ]),
    },
    ask: ['compare', 't.csv'],
    expect: 'rows',
  },
  {
    name: "folders of Whisper's files, all forms of each",
    files: {
      ...perClip('refs', '.txt', ({ ref }) => ref),
      ...perClip('whisper-a', '.json', ({ a }) =>
        JSON.stringify({ text: ` ${a}`, segments: [{ id: 0, start: 0, end: 3.5, text: ` ${a}` }], language: 'en' }),
      ),
      ...perClip('whisper-a', '.srt', ({ a }) => `1\n00:00:00,000 --> 00:00:03,500\n${a}\n`),
      ...perClip('whisper-b', '.tsv', ({ b }) => `start\tend\ttext\n0\t3500\t${b}\n`),
    },
    ask: ['compare', 'refs', 'whisper-a', 'whisper-b'],
    expect: 'rows',
  },
  {
    name: 'audio with texts beside it, and two folders of JSON of Whisper',
    files: {
      ...perClip('audio', '.wav', () => 'RIFF'),
      ...perClip('audio', '.txt', ({ ref }) => ref),
      ...perClip('whisper-a', '.wav.json', ({ a }) => JSON.stringify({ text: a, segments: [] })),
      ...perClip('whisper-b', '.wav.json', ({ b }) => JSON.stringify({ text: b, segments: [] })),
    },
    ask: ['compare', 'audio/', 'whisper-a/', 'whisper-b/'],
    expect: 'rows',
  },
  {
    name: "LibriSpeech's .trans.txt and a folder of texts",
    files: {
      'LibriSpeech/84/84-1.trans.txt': lines(({ id, ref }) => `${id} ${ref}`),
      ...perClip('out', '.txt', ({ a }) => a),
    },
    ask: ['score', 'LibriSpeech/84/84-1.trans.txt', 'out'],
    expect: 'rows',
  },
  engine('Deepgram', (text) => ({
    metadata: {},
    results: { channels: [{ alternatives: [{ transcript: text, confidence: 0.9, words: [] }] }] },
  })),
  engine('AssemblyAI', (text) => ({
    id: 'x',
    status: 'completed',
    audio_url: 'https://x',
    text,
    words: [],
    utterances: null,
  })),
  engine('Google Cloud', (text) => ({
    results: [{ alternatives: [{ transcript: text, confidence: 0.9 }], languageCode: 'en-us' }],
  })),
  engine('Azure', (text) => ({ RecognitionStatus: 'Success', DisplayText: text, Offset: 0, Duration: 1 })),
  engine('Azure, in a batch', (text) => ({
    source: 'x',
    combinedRecognizedPhrases: [{ channel: 0, lexical: text, display: text }],
    recognizedPhrases: [],
  })),
  engine('Amazon Transcribe', (text) => ({
    jobName: 'x',
    results: { transcripts: [{ transcript: text }], items: [] },
    status: 'COMPLETED',
  })),
  engine('WhisperX', (text) => ({
    segments: [{ start: 0, end: 3, text, words: [], speaker: 'SPEAKER_00' }],
    word_segments: [],
  })),
  engine('faster-whisper', (text) => [{ id: 1, seek: 0, start: 0, end: 3, text: ` ${text}`, tokens: [] }]),
  engine('whisper.cpp', (text) => ({
    result: { language: 'en' },
    transcription: [{ timestamps: {}, offsets: { from: 0, to: 3000 }, text: ` ${text}` }],
  })),
  engine("transformers' pipeline", (text) => ({ text: ` ${text}`, chunks: [{ timestamp: [0, 3], text }] })),
  engine('Vosk', (text) => ({ result: words(text).map((word) => ({ conf: 1, start: 0, end: 1, word })), text })),
  engine('Speechmatics', (text) => ({
    format: '2.9',
    results: words(text).map((word) => ({ type: 'word', alternatives: [{ content: word }] })),
  })),
  {
    name: 'the text of a recording and its subtitles',
    files: { ...refs, 'x.srt': srt('a') },
    ask: ['score', 'refs.txt', 'x.srt'],
    expect: 'whole',
  },
  {
    name: 'automatic captions that roll',
    files: { ...refs, 'x.vtt': rolling },
    ask: ['score', 'refs.txt', 'x.vtt'],
    expect: 'whole',
  },
  {
    name: 'a TextGrid in UTF-16 and JSON of Whisper',
    files: {
      'x.TextGrid': utf16(textGrid('long', ['words'])),
      'x.json': JSON.stringify({ text: whole('a'), segments: segments('a') }),
    },
    ask: ['score', 'x.TextGrid', 'x.json'],
    expect: 'whole',
  },
  {
    name: 'a short TextGrid with two tiers, of which none is named',
    files: { 'x.TextGrid': textGrid('short', ['words', 'phones']), 'x.srt': srt('a') },
    ask: ['score', 'x.TextGrid', 'x.srt'],
    expect: /expected one tier of words, but there are "words", "phones"; name the right one with --tier/,
  },
  {
    name: 'a short TextGrid with two tiers, of which one is named',
    files: { 'x.TextGrid': textGrid('short', ['words', 'phones']), 'x.srt': srt('a') },
    ask: ['score', 'x.TextGrid', 'x.srt', '--tier', 'words'],
    expect: 'whole',
  },
  {
    name: 'ELAN and subtitles',
    files: { 'x.eaf': eaf, 'x.srt': srt('a') },
    ask: ['score', 'x.eaf', 'x.srt'],
    expect: 'whole',
  },
  {
    name: "labels of Audacity and Whisper's .tsv",
    files: {
      'labels.txt': lines(({ ref }, place) => `${start(place)}.000000\t${start(place) + 3}.500000\t${ref}`),
      'x.tsv': `start\tend\ttext\n${lines(({ a }, place) => `${start(place) * 1000}\t${start(place) * 1000 + 3500}\t${a}`)}`,
    },
    ask: ['score', 'labels.txt', 'x.tsv'],
    expect: 'whole',
  },
  {
    name: 'RTTM, which has no words',
    files: { ...refs, 'x.rttm': 'SPEAKER x 1 0.0 1.0 <NA> <NA> a <NA> <NA>\n' },
    ask: ['score', 'refs.txt', 'x.rttm'],
    expect: /RTTM says who speaks when, and no words/,
  },
  {
    name: 'two columns that may be the reference',
    files: { 't.csv': table(['id', 'sentence', 'transcript'], ({ id, ref, a }) => [id, ref, a]) },
    ask: ['score', 't.csv'],
    expect: /there are "sentence", "transcript"; name the right one with --reference-column/,
  },
  {
    name: 'two outputs without a reference',
    files: { 'a.jsonl': jsonl(({ id, a }) => ({ id, text: a })), 'b.jsonl': jsonl(({ id, b }) => ({ id, text: b })) },
    ask: ['compare', 'a.jsonl', 'b.jsonl'],
    expect: /name the references first: earwitness compare REFERENCES a\.jsonl b\.jsonl/,
  },
  {
    name: 'a table of outputs alone',
    files: { 't.csv': table(['id', 'whisper', 'google'], ({ id, a, b }) => [id, a, b]) },
    ask: ['compare', 't.csv'],
    expect: /expected a column of references, but "whisper", "google" are called after what recognizers wrote/,
  },
  {
    name: 'a Parquet file',
    files: { 't.parquet': 'PAR1' },
    ask: ['score', 't.parquet'],
    expect: /packed one; write it as JSON lines first/,
  },
  {
    name: 'a spreadsheet',
    files: { 't.xlsx': 'PK' },
    ask: ['score', 't.xlsx'],
    expect: /packed one; save it as CSV first/,
  },
  {
    name: "a table of Hugging Face's evaluation: label_str beside the transcription",
    files: {
      't.csv': table(['audio', 'transcription', 'pred_str', 'label_str'], ({ id, ref, a }) => [id, ref, a, ref]),
    },
    ask: ['score', 't.csv'],
    expect: 'rows',
  },
  {
    name: "pandas' to_json, by columns",
    files: {
      't.json': JSON.stringify({
        ref: Object.fromEntries(said.map(({ ref }, place) => [place, ref])),
        hyp: Object.fromEntries(said.map(({ a }, place) => [place, a])),
      }),
    },
    ask: ['score', 't.json'],
    expect: 'rows',
  },
  {
    name: 'a report in JSON with a list of results',
    files: {
      't.json': JSON.stringify({
        model: 'x',
        results: said.map(({ ref, a }) => ({ reference: ref, hypothesis: a })),
      }),
    },
    ask: ['score', 't.json'],
    expect: 'rows',
  },
  {
    name: 'a text with tabs and names of columns',
    files: { 't.txt': table(['id', 'ref', 'hyp'], ({ id, ref, a }) => [id, ref, a], '\t') },
    ask: ['score', 't.txt'],
    expect: 'rows',
  },
  {
    name: 'a table of references and a folder for each of two',
    files: {
      'refs.csv': table(['filename', 'text'], ({ id, ref }) => [`${id}.wav`, ref]),
      ...perClip('a', '.txt', ({ a }) => a),
      ...perClip('b', '.json', ({ b }) => JSON.stringify({ text: b })),
    },
    ask: ['compare', 'refs.csv', 'a', 'b'],
    expect: 'rows',
  },
  {
    name: 'outputs of other files',
    files: {
      'refs.csv': table(['id', 'text'], ({ id, ref }) => [id, ref]),
      'a.csv': csv([
        ['id', 'hyp'],
        ['x', 'y'],
      ]),
    },
    ask: ['score', 'refs.csv', 'a.csv'],
    expect: /none of them is there .*; do the files belong together\?/,
  },
  {
    name: 'files of two lengths',
    files: {
      ...refs,
      'a.txt': said
        .slice(3)
        .map(({ a }) => `${a}\n`)
        .join(''),
      'b.txt': lines(({ b }) => b),
    },
    ask: ['compare', 'refs.txt', 'a.txt', 'b.txt'],
    expect: /expected as many lines in a\.txt as in refs\.txt/,
  },
];

/** The rates that a command printed, those of `compare` in the order of the outputs. */
function ratesIn(ask: readonly string[], stdout: string): readonly number[] {
  const { findings } = JSON.parse(stdout) as RunReport;
  if (ask[0] === 'score') return [(JSON.parse(stdout) as { readonly corpus: { readonly wer: number } }).corpus.wer];
  const rows = findings[0]!.sections
    .flatMap(({ tables = [] }) => tables)
    .find(({ id }) => id === 'robustness-conditions')!.rows;
  return rows.map((row) => (row.wordErrorRate as { readonly value: number }).value);
}

const expected = jiwerRates();
const [, , wanted] = process.argv;
let failed = 0;
let tried = 0;
for (const { name, files, ask, expect } of arrivals) {
  if (wanted !== undefined && !name.includes(wanted)) continue;
  tried++;
  const folder = mkdtempSync(join(tmpdir(), 'arrival-'));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  const args = [command, ...ask, '--json', '--normalizer', 'none'];
  const began = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  rmSync(folder, { recursive: true });
  let problem: string | null = null;
  if (expect instanceof RegExp) {
    if (status === 0 || !expect.test(stderr) || stderr.trim().includes('\n')) problem = `code ${status}: ${stderr}`;
  } else if (status !== 0) {
    problem = `code ${status}: ${stderr}`;
  } else {
    const found = ratesIn(ask, stdout);
    const right = expected[expect].slice(0, found.length);
    if (found.some((rate, place) => Math.abs(rate - right[place]!) > 1e-9))
      problem = `${found.join(', ')}, but jiwer says ${right.join(', ')}`;
  }
  if (problem !== null) failed++;
  console.log(
    `${problem === null ? 'right' : 'WRONG'}  ${seconds} s  ${name}${problem === null ? '' : `\n       ${problem.trim()}`}`,
  );
}
console.log(`${tried - failed} of ${tried} arrivals are right`);
process.exitCode = failed === 0 ? 0 : 1;
