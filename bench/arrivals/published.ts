// Layouts that programs and services write, each with the address where it stands.
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { type Arrival, engine, jsonl, lines, perClip, refs, said, start, table, utf16, whole, words } from './kit.ts';

/** Pairs of words that stand beside each other in a cheapest alignment; a gap is null. */
function aligned(
  one: readonly string[],
  other: readonly string[],
): readonly (readonly [string | null, string | null])[] {
  const cost = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (_, j) => (i === 0 ? j : i)),
  );
  for (let i = 1; i <= one.length; i++)
    for (let j = 1; j <= other.length; j++)
      cost[i]![j] = Math.min(
        cost[i - 1]![j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1),
        cost[i - 1]![j]! + 1,
        cost[i]![j - 1]! + 1,
      );
  const pairs: [string | null, string | null][] = [];
  for (let [i, j] = [one.length, other.length]; i > 0 || j > 0; ) {
    if (i > 0 && j > 0 && cost[i]![j] === cost[i - 1]![j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1))
      pairs.unshift([one[--i]!, other[--j]!]);
    else if (i > 0 && cost[i]![j] === cost[i - 1]![j]! + 1) pairs.unshift([one[--i]!, null]);
    else pairs.unshift([null, other[--j]!]);
  }
  return pairs;
}
const alignments = said.map((one) => ({ ...one, pairs: aligned(words(one.ref), words(one.a)) }));
type Aligned = (typeof alignments)[number];
const alignedLines = (line: (one: Aligned, place: number) => string) => alignments.map(line).join('');
/** Each word as wide as the one above or below it. */
function columns({ pairs }: Aligned, gap: (width: number) => string): readonly [string, string] {
  const width = ([one, other]: readonly [string | null, string | null]) =>
    Math.max(one?.length ?? 1, other?.length ?? 1);
  const side = (place: 0 | 1) => pairs.map((pair) => (pair[place] ?? gap(width(pair))).padEnd(width(pair))).join(' ');
  return [side(0), side(1)];
}
const stars = (width: number) => '*'.repeat(width);
const python = (list: readonly string[]) =>
  `[${list.map((word) => (word.includes("'") ? `"${word}"` : `'${word}'`)).join(', ')}]`;
const scored = (
  name: string,
  file: string,
  content: string | Uint8Array,
  expect: Arrival['expect'] = 'rows',
): Arrival => ({
  name,
  files: { [file]: content },
  ask: ['score', file],
  expect,
});
const beside = (name: string, file: string, content: string | Uint8Array): Arrival => ({
  name,
  files: { 'refs.csv': table(['id', 'text'], ({ id, ref }) => [id, ref]), [file]: content },
  ask: ['score', 'refs.csv', file],
  expect: 'rows',
});
/** A result about the whole recording. */
const recording = (name: string, value: object): Arrival => ({
  name,
  files: { ...refs, 'result.json': JSON.stringify(value, null, 2) },
  ask: ['score', 'refs.txt', 'result.json'],
  expect: 'whole',
});

export const published: readonly Arrival[] = [
  // https://github.com/k2-fsa/icefall/blob/master/icefall/utils.py (store_transcripts)
  scored(
    "icefall's recogs",
    'recogs-test-clean-greedy_search.txt',
    alignedLines(({ id, ref, a }) => `${id}:\tref=${python(words(ref))}\n${id}:\thyp=${python(words(a))}\n`),
  ),
  // the same (write_error_stats)
  scored(
    "icefall's errs",
    'errs-test-clean-greedy_search.txt',
    `%WER = 9.99\nErrors: 1 insertions, 2 deletions, 3 substitutions, over 4 reference words (5 correct)\nSearch below for sections starting with PER-UTT DETAILS:\n\nPER-UTT DETAILS: corr or (ref->hyp)  \n${alignedLines(
      ({ id, pairs }) =>
        `${id}:\t${pairs.map(([one, other]) => (one === other ? one : `(${one ?? '*'}->${other ?? '*'})`)).join(' ')}\n`,
    )}\nSUBSTITUTIONS: count ref -> hyp\n3   a -> the\n`,
  ),
  // https://github.com/speechbrain/speechbrain/blob/develop/speechbrain/dataio/wer.py
  scored(
    "SpeechBrain's wer.txt",
    'wer_test-clean.txt',
    `%WER 9.99 [ 1 / 2, 0 ins, 0 del, 1 sub ]\n%SER 1.00 [ 1 / 60 ]\nScored 60 sentences, 0 not present in hyp.\n${'='.repeat(80)}\nALIGNMENTS\n\nFormat:\n<utterance-id>, WER DETAILS\n<eps> ; reference ; on ; the ; first ; line\n  I   ;     S     ; =  ;  =  ;   S   ;  D  \n and  ; hypothesis ; on ; the ; third ; <eps>\n${alignedLines(
      ({ id, pairs }) =>
        `${'='.repeat(80)}\n${id}, %WER 9.99 [ 1 / 2, 0 ins, 0 del, 1 sub ]\n${pairs.map(([one]) => one ?? '<eps>').join(' ; ')}\n${pairs.map(([one, other]) => (one === other ? '=' : 'S')).join(' ; ')}\n${pairs.map(([, other]) => other ?? '<eps>').join(' ; ')}\n`,
    )}`,
  ),
  // https://github.com/kaldi-asr/kaldi/blob/master/egs/wsj/s5/utils/scoring/wer_per_utt_details.pl
  scored(
    "Kaldi's per_utt",
    'per_utt',
    alignedLines((one) => {
      const [ref, hyp] = columns(one, () => '***');
      return `${one.id} ref  ${ref}\n${one.id} hyp  ${hyp}\n${one.id} op   C S D I\n${one.id} #csid 3 1 1 1\n`;
    }),
  ),
  // https://github.com/wenet-e2e/wenet/blob/main/tools/compute-wer.py
  scored(
    "WeNet's compute-wer",
    'wer',
    `${alignedLines((one) => {
      const [ref, hyp] = columns(one, (width) => ' '.repeat(width));
      return `\nutt: ${one.id}\nWER: 9.99 % N=4 C=3 S=1 D=0 I=0\nlab: ${ref}\nrec: ${hyp}\n\n`;
    })}${'='.repeat(75)}\n\nOverall -> 9.99 % N=4 C=3 S=1 D=0 I=0\n`,
  ),
  // https://github.com/jitsi/jiwer/blob/master/src/jiwer/alignment.py (skip_correct=False)
  scored(
    "jiwer's alignments",
    'alignment.txt',
    `${alignedLines((one, place) => {
      const [ref, hyp] = columns(one, stars);
      return `sentence ${place + 1}\nREF: ${ref}\nHYP: ${hyp}\n     ${'S'.padStart(3)}\n\n`;
    })}number of sentences: ${said.length}\nsubstitutions=1 deletions=2 insertions=4 hits=5\n\nmer=1.00%\nwil=1.00%\nwip=1.00%\nwer=1.00%\n`,
  ),
  // the same, as it is by default: without the sentences that are right
  scored(
    "jiwer's alignments without what is right",
    'alignment.txt',
    `sentence 1\nREF: a b\nHYP: a c\n       S\n\nnumber of sentences: 3\nsubstitutions=1 deletions=0 insertions=0 hits=5\n`,
    /expected all 3 utterances that it counts, but it shows 1/,
  ),
  // https://github.com/usnistgov/SCTK (sclite -o pra), as in https://github.com/espnet/espnet result.txt: what differs in capitals
  scored(
    "sclite's pra, and result.txt of ESPnet",
    'result.txt',
    `,-----------------.\n| hyp.trn |\n| SPKR | # Snt # Wrd | Corr Sub Del Ins Err S.Err |\n\n\t\tDUMP OF SYSTEM ALIGNMENT STRUCTURE\n\nSystem name:   hyp.trn\n\nSpeakers: \n    0:   spk\n\nSpeaker sentences   0:  spk   #utts: ${said.length}\n${alignedLines(
      (one) => {
        const [ref, hyp] = columns(one, stars);
        return `id: (spk-${one.id})\nScores: (#C #S #D #I) 3 1 0 0\nREF:  ${ref} \nHYP:  ${hyp} \nEval:       S \n\n`;
      },
    )}`,
  ),
  // https://github.com/usnistgov/SCTK (sclite -o sgml)
  scored(
    "sclite's sgml",
    'hyp.trn.sgml',
    `<SYSTEM title="hyp.trn" ref_fname="ref.trn" hyp_fname="hyp.trn" creation_date="x" format="2.4">\n<SPEAKER id="spk">\n${alignedLines(
      ({ id, pairs }) =>
        `<PATH id="(spk-${id})" word_cnt="${pairs.length}" labels="<>" sequence="0" R_T1="0.0">\n${pairs.map(([one, other]) => `${one === null ? 'I' : other === null ? 'D' : one === other ? 'C' : 'S'},${one === null ? '' : `"${one}"`},${other === null ? '' : `"${other}"`}`).join(':')}\n</PATH>\n`,
    )}</SPEAKER>\n</SYSTEM>\n`,
  ),
  // https://github.com/mozilla/DeepSpeech/blob/master/training/deepspeech_training/util/evaluate_tools.py (save_samples_json)
  // What src is nobody tells but its pages.
  {
    ...scored(
      "DeepSpeech's test output",
      'samples.json',
      JSON.stringify(
        said.map(({ id, ref, a }) => ({
          wav_filename: `/data/${id}.wav`,
          src: ref,
          res: a,
          loss: 1.5,
          char_distance: 1,
          char_length: 9,
          word_distance: 1,
          word_length: 3,
          cer: 0.1,
          wer: 0.3,
        })),
        null,
        2,
      ),
    ),
    ask: ['score', 'samples.json', '--reference-column', 'src'],
  },
  // https://github.com/espnet/espnet/blob/master/utils/json2trn.py (data.json of ESPnet 1)
  scored(
    "ESPnet's data.json",
    'data.json',
    JSON.stringify({
      utts: Object.fromEntries(
        said.map(({ id, speaker, ref, a }) => [
          id,
          {
            input: [{ feat: 'x.ark:1', name: 'input1', shape: [100, 83] }],
            output: [
              {
                name: 'target1',
                shape: [9, 52],
                text: ref,
                token: ref,
                tokenid: '1 2',
                rec_text: a,
                rec_tokenid: '1',
                score: -1,
              },
            ],
            utt2spk: speaker,
          },
        ]),
      ),
    }),
  ),
  // https://github.com/facebookresearch/fairseq/blob/main/fairseq_cli/generate.py
  scored(
    "fairseq's generate",
    'generate-test.txt',
    `2024-01-01 | INFO | fairseq_cli.generate | x\n${lines(
      ({ ref, a }, place) =>
        `T-${place}\t${ref}\nH-${place}\t-0.2143\t${a}\nD-${place}\t-0.2143\t${a}\nP-${place}\t-0.1 -0.2`,
    )}Generate test with beam=5: WER: 9.99\n`,
  ),
  // https://labelstud.io/guide/task_format
  beside(
    'an export of Label Studio',
    'project-1.json',
    JSON.stringify(
      said.map(({ id, a }, place) => ({
        id: place + 1,
        data: { audio: `/data/upload/1/${id}.wav` },
        annotations: [
          {
            id: 1000 + place,
            completed_by: 1,
            result: [
              {
                id: 'x',
                from_name: 'transcription',
                to_name: 'audio',
                type: 'textarea',
                value: { text: [a] },
                origin: 'manual',
              },
            ],
            was_cancelled: false,
            ground_truth: false,
          },
        ],
        predictions: [],
        project: 1,
      })),
    ),
  ),
  // https://github.com/lhotse-speech/lhotse/blob/master/docs/cuts.rst
  {
    name: "lhotse's cuts, packed, beside recogs",
    files: {
      'cuts.jsonl.gz': gzipSync(
        jsonl(({ id, speaker, ref }) => ({
          id,
          start: 0,
          duration: 3.5,
          channel: 0,
          type: 'MonoCut',
          supervisions: [
            { id, recording_id: id, start: 0, duration: 3.5, channel: 0, text: ref, language: 'English', speaker },
          ],
          recording: { id, sources: [{ type: 'file', channels: [0], source: `/x/${id}.wav` }], sampling_rate: 16000 },
        })),
      ),
      'hyp.txt': lines(({ id, a }) => `${id} ${a}`),
    },
    ask: ['score', 'cuts.jsonl.gz', 'hyp.txt'],
    expect: 'rows',
  },
  // https://github.com/NVIDIA/NeMo/blob/main/examples/asr/transcribe_speech.py
  {
    name: "NeMo's transcribe_speech, two models, references in one",
    files: {
      'a.json': jsonl(({ id, ref, a }) => ({
        audio_filepath: `/x/${id}.wav`,
        offset: 0.5,
        duration: 3.5,
        text: ref,
        pred_text: a,
      })),
      'b.json': jsonl(({ id, b }) => ({ audio_filepath: `/x/${id}.wav`, offset: 0.5, duration: 3.5, pred_text: b })),
    },
    ask: ['compare', 'a.json', 'b.json'],
    expect: 'rows',
  },
  // https://huggingface.co/docs/evaluate (a report of predictions and references)
  scored(
    'a report with lists of predictions and references',
    'eval.json',
    JSON.stringify({
      model: 'openai/whisper-small',
      wer: 0.1,
      predictions: said.map(({ a }) => a),
      references: said.map(({ ref }) => ref),
    }),
  ),
  // https://huggingface.co/docs/datasets (a data set with a column of audio, to Parquet)
  scored(
    'Parquet of pandas',
    'eval.parquet',
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'id', data: said.map(({ id }) => id) },
          { name: 'sentence', data: said.map(({ ref }) => ref) },
          { name: 'whisper', data: said.map(({ a }) => a) },
        ],
      }),
    ),
  ),
  // https://htk.eng.cam.ac.uk (the HTK book, master label files)
  beside(
    "HTK's label file",
    'recout.mlf',
    `#!MLF!#\n${alignedLines(
      ({ id, a }) =>
        `"*/${id}.rec"\n${words(a)
          .map((word, at) => `${at * 1000} ${at * 1000 + 900} ${word} -12.5\n`)
          .join('')}.\n`,
    )}`,
  ),
  // https://keithito.com/LJ-Speech-Dataset
  {
    name: "a list with bars and no names, as LJSpeech's",
    files: { 'metadata.csv': lines(({ id, ref }) => `${id}|${ref}`), ...perClip('out', '.txt', ({ a }) => a) },
    ask: ['score', 'metadata.csv', 'out'],
    expect: 'rows',
  },
  // https://github.com/openai/whisper (the command, its output kept)
  {
    name: 'what Whisper prints',
    files: {
      ...refs,
      'log.txt': `Detecting language using up to the first 30 seconds.\nDetected language: English\n${lines(({ a }, place) => `[${String(Math.floor(start(place) / 60)).padStart(2, '0')}:${String(start(place) % 60).padStart(2, '0')}.000 --> ${String(Math.floor(start(place) / 60)).padStart(2, '0')}:${String(start(place) % 60).padStart(2, '0')}.900]  ${a}`)}`,
    },
    ask: ['score', 'refs.txt', 'log.txt'],
    expect: 'whole',
  },
  // https://github.com/yt-dlp/yt-dlp (--sub-format json3)
  recording('captions of YouTube, json3', {
    wireMagic: 'pb3',
    events: [
      { tStartMs: 0, dDurationMs: 1000, id: 1, wpWinPosId: 1 },
      ...said.flatMap(({ a }, place) => [
        {
          tStartMs: start(place) * 1000,
          dDurationMs: 3900,
          segs: words(a).map((word, at) => ({ utf8: at === 0 ? word : ` ${word}`, tOffsetMs: at * 100 })),
        },
        { tStartMs: start(place) * 1000 + 3900, aAppend: 1, segs: [{ utf8: '\n' }] },
      ]),
    ],
  }),
  // https://elevenlabs.io/docs/api-reference/speech-to-text
  recording("ElevenLabs' result", {
    language_code: 'eng',
    language_probability: 0.98,
    text: whole('a'),
    words: words(whole('a')).map((text, at) => ({
      text,
      start: at,
      end: at + 0.5,
      type: 'word',
      speaker_id: 'speaker_0',
      logprob: 0,
    })),
  }),
  // https://docs.gladia.io (GET /v2/pre-recorded/:id)
  recording("Gladia's result", {
    id: 'x',
    status: 'done',
    file: { filename: 'x.wav' },
    result: {
      metadata: { audio_duration: 240 },
      transcription: {
        full_transcript: whole('a'),
        utterances: said.map(({ a }, place) => ({
          start: start(place),
          end: start(place) + 3,
          text: a,
          language: 'en',
          words: [],
        })),
      },
    },
  }),
  // https://docs.cloud.google.com/speech-to-text/docs (v2, batchRecognize)
  recording("Google's batch result", {
    results: {
      'gs://bucket/x.wav': {
        transcript: {
          results: said.map(({ a }, place) => ({
            alternatives: [{ transcript: a, confidence: 0.9 }],
            resultEndOffset: `${place}s`,
            languageCode: 'en-US',
          })),
        },
        metadata: {},
      },
    },
  }),
  // https://cloud.ibm.com/docs/speech-to-text
  engine('IBM Watson', (text) => ({
    result_index: 0,
    results: [{ final: true, alternatives: [{ transcript: `${text} `, confidence: 0.9, timestamps: [['x', 0, 1]] }] }],
  })),
  // https://docs.rev.ai/api/asynchronous/get-started
  engine('Rev AI', (text) => ({
    monologues: [
      {
        speaker: 0,
        elements: words(text).flatMap((value, at) => [
          ...(at === 0 ? [] : [{ type: 'punct', value: ' ' }]),
          { type: 'text', value, ts: at, end_ts: at + 0.5, confidence: 0.9 },
        ]),
      },
    ],
  })),
  // https://developers.deepgram.com/docs/utterances
  engine('Deepgram with utterances', (text) => ({
    metadata: { request_id: 'x' },
    results: {
      channels: [
        {
          alternatives: [
            {
              transcript: text,
              confidence: 0.9,
              words: words(text).map((word) => ({ word, punctuated_word: word, start: 0, end: 1 })),
            },
          ],
        },
      ],
      utterances: [{ start: 0, end: 3, transcript: text, channel: 0, speaker: 0 }],
    },
  })),
  // an engine that nobody here knows
  engine('an engine of their own', (text) => ({
    job: { id: 'x', status: 'done' },
    payload: {
      segments: [],
      asr: {
        hypotheses: [
          { transcript: text, score: -1 },
          { transcript: 'another', score: -2 },
        ],
      },
    },
  })),
  // https://github.com/linto-ai/whisper-timestamped (in UTF-16, as PowerShell's > writes)
  {
    name: "a JSON of Whisper through PowerShell's >",
    files: {
      ...refs,
      'x.json': utf16(
        JSON.stringify({
          text: whole('a'),
          segments: said.map(({ a }, id) => ({ id, start: start(id), end: start(id) + 3, text: a })),
        }),
      ),
    },
    ask: ['score', 'refs.txt', 'x.json'],
    expect: 'whole',
  },
  // https://kaldi-asr.org/doc/data_prep.html, under names of people
  {
    name: 'lines that begin with ids, in another order',
    files: {
      'ref.txt': lines(({ id, ref }) => `${id} ${ref}`),
      'hyp.txt': [...said]
        .reverse()
        .map(({ id, a }) => `${id} ${a}\n`)
        .join(''),
    },
    ask: ['score', 'ref.txt', 'hyp.txt'],
    expect: 'rows',
  },
  // https://github.com/pyannote/pyannote-audio, https://github.com/nryant/dscore: STM beside Whisper's subtitles
  {
    name: 'STM beside a text',
    files: {
      'ref.stm': lines(({ ref }, place) => `call 1 spk ${start(place)} ${start(place) + 3.9} ${ref}`),
      'hyp.json': JSON.stringify({ text: whole('a'), segments: [] }),
    },
    ask: ['score', 'ref.stm', 'hyp.json'],
    expect: 'whole',
  },
  // https://support.microsoft.com (Excel, German)
  {
    name: "Excel's list that says its separator",
    files: {
      't.csv': `sep=;\r\n${table(['Datei', 'Referenz', 'Hypothese'], ({ id, ref, a }) => [id, ref, a], ';').replaceAll('\n', '\r\n')}`,
    },
    ask: ['score', 't.csv'],
    expect: 'rows',
  },
  // https://prodi.gy/docs/audio-video (audio.transcribe)
  {
    name: 'JSON lines of Prodigy beside a folder',
    files: {
      'refs.jsonl': jsonl(({ id, ref }) => ({
        audio: `/x/${id}.wav`,
        text: '',
        meta: { file: `${id}.wav` },
        path: `/x/${id}.wav`,
        orig_transcript: null,
        transcript: ref,
        answer: 'accept',
      })),
      ...perClip('out', '.txt', ({ a }) => a),
    },
    ask: ['score', 'refs.jsonl', 'out'],
    expect: 'rows',
  },
];
