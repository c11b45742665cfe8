// Gives readers files with bytes, words and lines changed. Each must be read, or refused in one sentence, within ten seconds and a gigabyte.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { systemClock } from '../../src/base/clock.ts';
import { EarwitnessError, messageOf } from '../../src/base/errors.ts';
import type { Random } from '../../src/base/random.ts';
import { caseId } from '../../src/cases/sample-cases.ts';
import { pairSource } from '../../src/cli/score/pair-source.ts';
import { findModelFiles as findEmbedder } from '../../src/embedders/sentence-transformer/model-files.ts';
import { sentenceTransformerOptions } from '../../src/embedders/sentence-transformer/options.ts';
import { onnxModel } from '../../src/packages/testing/onnx-writer.ts';
import { command } from '../../src/recognizers/command/command.ts';
import { RecognitionError, type RecognizerKind } from '../../src/recognizers/contract.ts';
import { openaiCompatible } from '../../src/recognizers/openai-compatible/openai-compatible.ts';
import { recorded } from '../../src/recognizers/recorded/recorded.ts';
import { findModelFiles as findSherpa } from '../../src/recognizers/sherpa-onnx/model-files.ts';
import { sherpaOnnxOptions } from '../../src/recognizers/sherpa-onnx/options.ts';
import { plainServices } from '../../src/recognizers/testing/tones.ts';
import { findModelFiles as findTransformers } from '../../src/recognizers/transformers/model-files.ts';
import { transformersOptions } from '../../src/recognizers/transformers/options.ts';
import { parseGlm } from '../../src/scoring/glm.ts';
import { readCheckFile } from '../../src/session/cases/read-check-file.ts';
import { checkColumns } from '../../src/session/cases/write-check-file.ts';
import { loadConfig } from '../../src/session/config/load-config.ts';
import { verifyBundle } from '../../src/session/evidence/verify-bundle.ts';
import { openCorpus } from '../../src/session/open/open-corpus.ts';
import { createServices } from '../../src/session/open/services.ts';
import { openStore } from '../../src/store/open-store.ts';

const longestMs = 10_000;
const maxMegabytes = 1024;

/** One reader, and a file that it reads. */
interface Reader {
  readonly name: string;
  readonly file: string;
  readonly whole: Buffer;
  read(file: string): Promise<unknown>;
  /** What is done to the changed bytes before they are written. */
  pack?(bytes: Buffer): Buffer;
}

/**
 * Gives each reader so many changed files.
 *
 * @param project a folder in which a run was finished and bundled
 * @param work an empty folder
 * @returns how much went wrong
 */
export async function attackReaders(
  { project, work }: { readonly project: string; readonly work: string },
  mutations: number,
  random: Random,
): Promise<number> {
  let wrong = 0;
  for await (const reader of readersOf(project, work)) {
    if ('missing' in reader) console.log(`${reader.name}: skipped, ${reader.missing}`);
    else wrong += await attack(reader, mutations, random);
  }
  return wrong;
}

async function attack({ name, whole, file, read, pack = (bytes) => bytes }: Reader, mutations: number, random: Random) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, pack(whole));
  // A reader that refuses the whole file as well would prove nothing.
  await read(file);
  const counts = { read: 0, refused: 0, wrong: 0 };
  let slowestMs = 0;
  for (let round = 0; round < mutations; round++) {
    const changed = mutated(whole, random);
    writeFileSync(file, pack(changed));
    const started = systemClock.monotonicMs();
    try {
      await read(file);
      counts.read++;
    } catch (error) {
      if (error instanceof EarwitnessError || error instanceof RecognitionError) counts.refused++;
      else {
        counts.wrong++;
        if (counts.wrong <= 3) console.error(`${name}: ${error instanceof Error ? error.stack : messageOf(error)}`);
      }
    }
    slowestMs = Math.max(slowestMs, systemClock.monotonicMs() - started);
  }
  writeFileSync(file, pack(whole));
  // Since the bench began: of all readers so far.
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  if (slowestMs > longestMs || megabytes > maxMegabytes) counts.wrong++;
  console.log(
    `${name}: ${mutations} mutations, ${counts.read} read, ${counts.refused} refused, ${counts.wrong} wrong, slowest ${Math.round(slowestMs)} ms, ${megabytes} MB at most`,
  );
  return counts.wrong;
}

/** What breaks readers of texts: other kinds of values, signs that mean something, and more of everything. */
const oddWords = [
  ...[
    '',
    '0',
    '-1',
    '1e309',
    '4294967296',
    'null',
    'true',
    '{}',
    '[]',
    '"',
    "'",
    ',',
    '\t',
    '\n',
    '\r',
    '\0',
    '..',
    '/',
  ],
  ...['__proto__', 'constructor', '\u202e', '\ud800', '\ufeff', '<script>', '$HOME', '&a', '*a', '!!js', '%00', 'ﬀ'],
  ...['['.repeat(20_000), '{"a":'.repeat(20_000), 'x'.repeat(200_000), ',x'.repeat(20_000)],
];

function mutated(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  const at = () => random.integer(Math.max(1, copy.length));
  switch (random.integer(9)) {
    case 0:
      return copy.subarray(0, at());
    case 1: {
      const from = at();
      return Buffer.concat([copy.subarray(0, from), copy.subarray(from + random.integer(50))]);
    }
    case 2:
      return Buffer.concat([copy, copy.subarray(at())]);
    case 3:
      copy.writeUInt32LE([0, 0xffffffff, 0x7fffffff, 0x80000000][random.integer(4)]!, Math.min(at(), copy.length - 4));
      return copy;
    case 4:
    case 5: {
      const from = at();
      const word = /^[\w.-]+/.exec(copy.toString('latin1', from, from + 40))?.[0] ?? ' ';
      const odd = Buffer.from(oddWords[random.integer(oddWords.length)]!);
      return Buffer.concat([copy.subarray(0, from), odd, copy.subarray(from + word.length)]);
    }
    case 6: {
      const lines = copy.toString('latin1').split('\n');
      const [one, other] = [random.integer(lines.length), random.integer(lines.length)];
      [lines[one], lines[other]] = [lines[other]!, lines[one]!];
      if (random.next() < 0.5) lines.splice(one, random.integer(3), lines[other]!);
      return Buffer.from(lines.join('\n'), 'latin1');
    }
    default:
      for (let change = 0; change <= random.integer(20); change++) copy[at()] = random.integer(256);
      return copy;
  }
}

type Missing = { readonly name: string; readonly missing: string };

async function* readersOf(project: string, work: string): AsyncGenerator<Reader | Missing> {
  const bytes = (file: string) => readFileSync(join(project, file));
  const place = (file: string) => join(work, file);
  const services = createServices({ baseFolder: work });
  const sound = (file: string) => services.sounds.read(file);

  yield { name: 'sounds (WAV)', file: place('clips/3.wav'), whole: bytes('clips/3.wav'), read: sound };
  for (const [name, program, ...options] of [
    ['AIFF', 'ffmpeg'],
    ['FLAC', 'ffmpeg'],
    ['MP3', 'ffmpeg'],
    ['OGG', 'ffmpeg', '-c:a', 'libvorbis'],
    ['OPUS', 'ffmpeg', '-c:a', 'libopus'],
    ['SPH', 'sox'],
  ] as const) {
    const made = encoded(join(project, 'clips/3.wav'), place(`made.${name.toLowerCase()}`), program, options);
    if (made === null) yield { name: `sounds (${name})`, missing: `${program} cannot make one here` };
    else yield { name: `sounds (${name})`, file: place(`3.${name.toLowerCase()}`), whole: made, read: sound };
  }

  const configFile = bytes('earwitness.config.json');
  yield { name: 'configs (JSON)', file: place('earwitness.config.json'), whole: configFile, read: loadConfig };
  const { config } = await loadConfig(place('earwitness.config.json'));
  yield { name: 'configs (YAML)', file: place('other.yaml'), whole: Buffer.from(asYaml(configFile)), read: loadConfig };
  const list = async (file: string) => {
    const [one] = config.corpora;
    const corpora = [{ ...one!, options: { ...(one!.options as object), file } }];
    const corpus = await openCorpus({ corpora }, null, services.corpus);
    for await (const _ of corpus.utterances());
    await corpus.close();
  };
  const rows = bytes('clips.tsv')
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  const csv = rows.map((row) => row.map((field) => `"${field}"`).join(',')).join('\r\n');
  const jsonLines = rows
    .slice(1)
    .map((row) => JSON.stringify(Object.fromEntries(row.map((field, at) => [rows[0]![at], field]))));
  yield { name: 'manifests (TSV)', file: place('clips.tsv'), whole: bytes('clips.tsv'), read: list };
  yield { name: 'manifests (CSV)', file: place('clips.csv'), whole: Buffer.from(csv), read: list };
  yield {
    name: 'manifests (JSON lines)',
    file: place('clips.jsonl'),
    whole: Buffer.from(jsonLines.join('\n')),
    read: list,
  };

  const bundle = gunzipSync(bytes('evidence.jsonl.gz'));
  const verify = (file: string) => verifyBundle(file, { plan: null, seal: null, modules: null, on() {} });
  yield { name: 'bundles', file: place('evidence.jsonl.gz'), whole: bundle, pack: gzipSync, read: verify };
  yield {
    name: 'bundles (as packed)',
    file: place('packed.jsonl.gz'),
    whole: bytes('evidence.jsonl.gz'),
    read: verify,
  };
  const readStore = async (file: string) => {
    using store = openStore(file, { readonly: true });
    for (const { id } of store.runs()) {
      store.findings(id);
      store.tally(id);
      for (const { batch, size } of store.batches(id)) store.answers(id, batch, { from: 0, limit: size });
    }
  };
  yield { name: 'stores', file: place('store.sqlite'), whole: bytes('.earwitness/store.sqlite'), read: readStore };

  yield* transcriptReaders(place);
  yield* modelReaders(work);
  yield* answerReaders(place);
}

/** Null where the program is missing. */
function encoded(from: string, to: string, program: 'ffmpeg' | 'sox', options: readonly string[]): Buffer | null {
  mkdirSync(dirname(to), { recursive: true });
  const args = program === 'sox' ? [from, to] : ['-v', 'error', '-y', '-i', from, ...options, to];
  return spawnSync(program, args).status === 0 ? readFileSync(to) : null;
}

/** JSON is YAML already; with an anchor, and keys without quotes. */
function asYaml(json: Buffer): string {
  const { recognizers, ...rest } = JSON.parse(json.toString());
  const lines = Object.entries(rest).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `${lines.join('\n')}\nrecognizers:\n  here: &here ${JSON.stringify(recognizers.here)}\n  apart:\n    <<: *here\n    seed: 2\n`;
}

function* transcriptReaders(place: (file: string) => string): Generator<Reader> {
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  const stm = numbers.map((n) => `call 1 s${n} ${n}.0 ${n}.9 <o,f0,male> one {two / too / @} three`).join('\n');
  const ctm = numbers.map((n) => `call 1 ${n}.10 0.30 one 0.9\ncall 1 ${n}.50 0.20 two`).join('\n');
  const trn = numbers.map((n) => `one {two / too / @} (%hesitation) three (s${n}-u${n})`).join('\n');
  const plain = numbers.map((n) => `u${n} one two three`).join('\n');
  const table = `id\treference\thypothesis\tspeaker\n${numbers.map((n) => `u${n}\tone two\tone too\ts${n % 4}`).join('\n')}`;
  written(place('whole.stm'), stm);
  written(place('whole.ctm'), ctm);
  written(place('whole.trn'), trn);
  const scored =
    (...before: readonly string[]) =>
    async (file: string) => {
      for await (const { reference, hypothesis } of (await pairSource({ places: [...before, file] })).pairs)
        void [reference, hypothesis];
    };
  yield {
    name: 'transcripts (stm)',
    file: place('heard.stm'),
    whole: Buffer.from(stm),
    read: (file) => scored(file)(place('whole.ctm')),
  };
  yield {
    name: 'transcripts (ctm)',
    file: place('heard.ctm'),
    whole: Buffer.from(ctm),
    read: scored(place('whole.stm')),
  };
  yield {
    name: 'transcripts (trn)',
    file: place('heard.trn'),
    whole: Buffer.from(trn),
    read: scored(place('whole.trn')),
  };
  written(place('whole.txt'), plain);
  yield {
    name: 'transcripts (text)',
    file: place('heard.txt'),
    whole: Buffer.from(plain),
    read: scored(place('whole.txt')),
  };
  yield { name: 'transcripts (table)', file: place('heard.tsv'), whole: Buffer.from(table), read: scored() };
  const glm =
    '* name "x"\n[won\'t] => [will not]\nHALF-WAY => HALF WAY / [ ] __ [ ]\nA => {A / EH / @} / __ [ ] ;; note\n';
  const asGlm = async (file: string) => parseGlm(readFileSync(file, 'utf8'), file);
  yield { name: 'rules (glm)', file: place('rules.glm'), whole: Buffer.from(glm), read: asGlm };
  const heard = `id\tcondition\trepeat\ttranscript\n${numbers.map((n) => `u${n}\tclean\t0\tone two`).join('\n')}`;
  const asRecorded = async (file: string) => {
    const options = recorded.options.parse({ file });
    const one = await recorded.open(options as never, plainServices('/'));
    const asked = { utteranceId: 'u3', conditionName: 'clean', repeat: 0, language: 'en' };
    await one.recognize(asked as never, AbortSignal.timeout(60_000)).finally(() => one.close());
  };
  yield { name: 'transcripts (recorded)', file: place('recorded.tsv'), whole: Buffer.from(heard), read: asRecorded };
  const row = (n: number) => {
    const one = { text: `one ${n}`, transcript: 'two', voice: 'flite:slt', recognizer: 'here' };
    const id = caseId({ ...one, sound: { utteranceId: '', conditionName: 'clean', draw: 0 } });
    return [
      id,
      `${n}.wav`,
      'won',
      'yes',
      'no',
      'me',
      'a note',
      one.text,
      one.transcript,
      one.recognizer,
      one.voice,
      'clean',
      0,
      20,
      20,
    ].join(',');
  };
  const checked = `${checkColumns.join(',')}\n${numbers.map(row).join('\n')}\n`;
  yield {
    name: 'cases',
    file: place('verdicts.csv'),
    whole: Buffer.from(checked),
    read: (file) => readCheckFile(file),
  };
}

function* modelReaders(work: string): Generator<Reader> {
  const [whisper, sherpa, embedder] = ['whisper', 'sherpa', 'embedder'].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ];
  const graph = Buffer.from(
    onnxModel({
      nodes: [{ operator: 'MatMul', inputs: ['x', 'matrix'], outputs: ['y'] }],
      weights: [{ name: 'matrix', shape: [3, 20], values: Array.from({ length: 60 }, () => 1) }],
      inputs: [{ name: 'x', type: 'float', shape: ['batch', 3] }],
      outputs: [{ name: 'y', type: 'float', shape: ['batch', 20] }],
      metadata: { vocab_size: '20', subsampling_factor: '4' },
    }),
  );
  const tokens = Array.from({ length: 20 }, (_, n) => `t${n} ${n}`).join('\n');
  const settings = JSON.stringify({ model_type: 'whisper', d_model: 3, vocab_size: 20, decoder_layers: 2 });
  const tokenizer = JSON.stringify({
    model: { type: 'WordPiece', vocab: { a: 0, b: 1 } },
    truncation: null,
    padding: null,
  });
  for (const folder of [whisper, embedder]) {
    written(join(folder, 'config.json'), settings);
    written(join(folder, 'preprocessor_config.json'), '{"sampling_rate":16000}');
    written(join(folder, 'tokenizer.json'), tokenizer);
    for (const name of ['encoder_model', 'decoder_model_merged', 'model'])
      written(join(folder, `onnx/${name}.onnx`), graph);
  }
  written(join(sherpa, 'model.onnx'), graph);
  written(join(sherpa, 'tokens.txt'), tokens);
  const asWhisper = () =>
    findTransformers(transformersOptions.parse({ model: whisper, dtype: 'fp32' }), plainServices('/'));
  const asSherpa = () =>
    findSherpa(sherpaOnnxOptions.parse({ kind: 'nemo-ctc', folder: sherpa, model: 'model.onnx' }), plainServices('/'));
  const asEmbedder = () =>
    findEmbedder(sentenceTransformerOptions.parse({ model: embedder, languages: ['en'] }), plainServices('/'));
  const json = Buffer.from(settings);
  yield {
    name: "models (whisper's graph)",
    file: join(whisper, 'onnx/encoder_model.onnx'),
    whole: graph,
    read: asWhisper,
  };
  yield { name: "models (whisper's config)", file: join(whisper, 'config.json'), whole: json, read: asWhisper };
  yield { name: "models (sherpa's graph)", file: join(sherpa, 'model.onnx'), whole: graph, read: asSherpa };
  yield {
    name: "models (sherpa's tokens)",
    file: join(sherpa, 'tokens.txt'),
    whole: Buffer.from(tokens),
    read: asSherpa,
  };
  yield {
    name: "models (embedder's tokenizer)",
    file: join(embedder, 'tokenizer.json'),
    whole: Buffer.from(tokenizer),
    read: asEmbedder,
  };
}

/** What programs print and servers answer: the file is that. */
async function* answerReaders(place: (file: string) => string): AsyncGenerator<Reader> {
  const request = {
    clip: { samples: new Float32Array(1600), sampleRate: 16_000 },
    ...{ utteranceId: 'u0', conditionName: 'clean', repeat: 0, language: 'en' },
  };
  const asked = async (kind: RecognizerKind<never>, options: object) => {
    const one = await kind.open(kind.options.parse(options) as never, plainServices('/'));
    await one.recognize(request, AbortSignal.timeout(longestMs)).finally(() => one.close());
  };
  const words = [0, 1, 2].map((n) => ({ word: `w${n}`, start: n / 10, end: (n + 1) / 10, confidence: 0.9 }));
  const said = JSON.stringify({ task: 'transcribe', language: 'english', duration: 0.1, text: 'w0 w1 w2', words });
  const printed = JSON.stringify({
    text: 'w0 w1 w2',
    words: words.map(({ word, ...rest }) => ({ text: word, ...rest })),
  });
  yield {
    ...{ name: 'programs', file: place('printed.json'), whole: Buffer.from(printed) },
    read: (file) =>
      asked(command as never, { program: ['cat', file], output: 'json', wordsPath: 'words', timeLimitSeconds: 5 }),
  };
  let answer = Buffer.alloc(0);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    // The question is not read: it is the same every time.
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${said.length}\r\nConnection: close\r\n\r\n`;
  yield {
    ...{ name: 'servers', file: place('answer.http'), whole: Buffer.from(head + said) },
    async read(file) {
      answer = readFileSync(file);
      await asked(openaiCompatible as never, { baseUrl: `http://127.0.0.1:${port}/v1`, model: 'm', keyVariable: null });
    },
  };
  server.close();
}

function written(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
