import {
  type Arrival,
  csv,
  ctm,
  eaf,
  engine,
  jsonl,
  lines,
  perClip,
  refs,
  rolling,
  said,
  segments,
  srt,
  start,
  table,
  textGrid,
  two,
  utf16,
  whole,
  words,
} from './kit.ts';

/** Columns of which none is called a reference: somebody is asked, whatever stands in them. */
const unsaid = (command: string, ...names: readonly [string, string, ...string[]]): Arrival => ({
  name: `a CSV with ${names.join(', ')}`,
  files: {
    't.csv': table(['file', ...names], ({ id, ref, a, b }) => [`${id}.wav`, ref, a, b].slice(0, names.length + 1)),
  },
  ask: [command, 't.csv'],
  expect: new RegExp(
    `there are ${names.map((name) => `"${name}" \\(".*"\\)`).join(', ')}; name the right one with --reference-column`,
  ),
});

/** Forms that people have, one by one. */
export const usual: readonly Arrival[] = [
  unsaid('score', 'base', 'finetuned'),
  unsaid('score', 'whisper', 'chirp'),
  unsaid('score', 'input', 'output'),
  unsaid('score', 'whisper', 'summary'),
  unsaid('compare', 'baseline', 'finetuned', 'proposed'),
  unsaid('compare', 'hyp1', 'hyp2', 'other'),
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
    name: 'metadata.csv of LJ Speech: bars, no names of columns, a quote that nothing closes',
    files: {
      'metadata.csv': lines(({ id, ref }, place) => `${id}|${place === 3 ? '"' : ''}${ref}, as written|${ref}`),
      'h.csv': table(['id', 'hyp'], ({ id, a }) => [id, a]),
    },
    ask: ['score', 'metadata.csv', 'h.csv', '--reference-column', 'column 3'],
    expect: 'rows',
  },
  {
    name: 'a folder of two JSON lines whose columns are called otherwise',
    files: {
      'a.jsonl': jsonl(({ id, ref, a }) => ({ id, reference: ref, transcript: a })),
      'b.jsonl': jsonl(({ id, ref, b }) => ({ audio_filepath: `/x/${id}.wav`, text: ref, pred_text: b })),
    },
    ask: ['compare', '.'],
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
    expect: /there are "sentence" \(".*"\), "transcript" \(".*"\); name the right one with --reference-column/,
  },
  {
    name: 'two outputs without a reference',
    files: { 'a.jsonl': jsonl(({ id, a }) => ({ id, text: a })), 'b.jsonl': jsonl(({ id, b }) => ({ id, text: b })) },
    ask: ['compare', 'a.jsonl', 'b.jsonl'],
    expect: /name the references first: earwitness compare REFERENCES a\.jsonl b\.jsonl/,
  },
  {
    name: 'two JSON lines with the outputs of two models each, one of them of an unknown name',
    files: Object.fromEntries(
      ['a.jsonl', 'b.jsonl'].map((file) => [file, jsonl(({ id, a, b }) => ({ id, base: a, finetuned: b }))]),
    ),
    ask: ['compare', 'a.jsonl', 'b.jsonl'],
    expect: /there are "base" \(".*"\), "finetuned" \(".*"\); name the right one with --reference-column/,
  },
  {
    name: 'a table of outputs alone',
    files: { 't.csv': table(['id', 'whisper', 'google'], ({ id, a, b }) => [id, a, b]) },
    ask: ['compare', 't.csv'],
    expect: /expected a column of references, but "whisper", "google" are called after what recognizers wrote/,
  },
  {
    name: 'a Parquet file that is cut off',
    files: { 't.parquet': 'PAR1' },
    ask: ['score', 't.parquet'],
    expect: /expected a Parquet file, but it is cut off after 4 bytes/,
  },
  {
    name: 'a spreadsheet',
    files: { 't.xlsx': 'PK\u0003\u0004' },
    ask: ['score', 't.xlsx'],
    expect: /it is a spreadsheet; save it as CSV/,
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
