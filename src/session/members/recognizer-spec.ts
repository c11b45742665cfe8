import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { badUsage, type EarwitnessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { memberNames } from './load-member.ts';

/** What a server with OpenAI's API says of its models. */
interface ServerModels {
  readonly all: readonly string[];
  /** Those whose names say that they transcribe. */
  readonly forSpeech: readonly string[];
}

const speech = /whisper|parakeet|canary|distil|asr|stt|voxtral|moonshine|sense-?voice|transcri|wav2vec|conformer/i;
const longestAnswer = 1_000_000;

/**
 * Asks a server for its models (`GET /models`, OpenAI API reference).
 *
 * @param baseUrl as `openai-compatible` has it: http://localhost:8000/v1
 * @param timeLimitMs how long it may take
 * @returns null where something else answers
 */
export async function modelsOf(baseUrl: string, timeLimitMs = 5000): Promise<ServerModels | 'no answer' | null> {
  const asked = { signal: AbortSignal.timeout(timeLimitMs), redirect: 'manual' } as const;
  const answer = await fetch(`${baseUrl}/models`, asked).catch(() => null);
  if (answer === null) return 'no answer';
  try {
    const text = answer.ok ? await textOf(answer) : '';
    if (text === '') return null;
    const { data } = JSON.parse(text) as { data?: readonly { id?: unknown }[] };
    if (!Array.isArray(data)) return null;
    const all = data.flatMap(({ id }) => (typeof id === 'string' && id !== '' ? [id] : []));
    return { all, forSpeech: all.filter((name) => speech.test(name)) };
  } catch {
    return null;
  }
}

/** A server that answers on this machine. */
interface FoundServer {
  readonly options: {
    readonly baseUrl: string;
    readonly model: string;
    readonly path?: string;
    readonly responseFormat?: 'json';
  };
  /** `speaches at http://127.0.0.1:8000`: for people. */
  readonly what: string;
}

/** Where vLLM, speaches and faster-whisper-server listen, and LocalAI and whisper.cpp's server. */
const usualPorts = [8000, 8080];
const probeMs = 500;

/**
 * Servers that transcribe on this machine: asked are the ports on which such servers listen unless they are told another. Nothing
 * but the question which models they have is sent.
 */
export async function probeLocalServers(ports: readonly number[] = usualPorts): Promise<FoundServer[]> {
  const found = await Promise.all(ports.map(probe));
  return found.filter((server) => server !== null);
}

async function probe(port: number): Promise<FoundServer | null> {
  const origin = `http://127.0.0.1:${port}`;
  const models = await modelsOf(`${origin}/v1`, probeMs);
  if (models === 'no answer') return null;
  const model = models?.forSpeech[0];
  if (model !== undefined) return { options: { baseUrl: `${origin}/v1`, model }, what: `${model} at ${origin}` };
  const page = await fetch(origin, { signal: AbortSignal.timeout(probeMs), redirect: 'error' })
    .then(textOf)
    .catch(() => '');
  if (!/whisper\.cpp/i.test(page)) return null;
  return {
    options: { baseUrl: origin, path: '/inference', model: 'whisper.cpp', responseFormat: 'json' },
    what: `whisper.cpp's server at ${origin}`,
  };
}

/** What came; nothing where it does not end. */
async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > longestAnswer) return '';
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** A recognizer in the short forms that a command line has beside `type:option=value`. */
interface ShortSpec {
  readonly type: string;
  readonly options: JsonObject;
  /** What a config may call it. */
  readonly name: string;
  /** Further options as `option=value,option=value`; absent where none are given. */
  readonly written?: string;
}

const standardServer = 'api.openai.com';

/**
 * Reads the short forms of a recognizer; null where it is none of them, and so `type`, `type:option=value` or a module:
 * - `whisper:openai/whisper-base`, `whisper:base`, `whisper:./model`: a model of the hub, or a folder, through transformers.js
 * - `./transcribe.sh`, `"./transcribe --fast {wav}"`: a program that is given a WAV file and prints what it heard; options of
 *   `command` may follow: `./transcribe.sh:output=json,textPath=text`
 * - `./my_model.py` that imports earwitness: as `python:my_model.py`
 * - `program:./my-recognizer`, `"program:./my-recognizer --fast"`, `python:my_model.py`: a process that stays; its options may follow
 * - `http://localhost:8000/v1`, `http://localhost:8000/v1#MODEL`: a server with OpenAI's transcription API; one that has one model for
 *   speech need not be told which
 *
 * @throws EarwitnessError `bad-usage`: the program is not there or cannot be run, or the server does not say which model
 */
export async function shortSpec(spec: string, baseFolder: string): Promise<ShortSpec | null> {
  if (/^https?:\/\//i.test(spec)) return serverSpec(spec);
  const whisper = /^whisper(?::(.*))?$/s.exec(spec);
  if (whisper !== null) return whisperSpec(whisper[1] ?? '', spec);
  const staying = await stayingSpec(spec, baseFolder);
  if (staying !== null) return staying;
  if (/^(?:\.{1,2}\/|\/)/.test(spec)) return programSpec(spec, baseFolder);
  await refuseBareProgram(spec, baseFolder);
  return null;
}

/** `transcribe.sh` and `python3 transcribe.py` are meant as programs, which are named by their path. */
async function refuseBareProgram(spec: string, baseFolder: string): Promise<void> {
  const [first = ''] = spec.split(/[\s:]/, 1);
  if (memberNames('recognizers').includes(first)) return;
  if (await isFile(resolve(baseFolder, spec))) {
    throw usage(
      spec,
      `expected the name of a recognizer, but this is a file; name it by its path: ./${printable(spec, 100)}`,
    );
  }
  if (/^[^\s:={]+\s+\S/.test(spec)) {
    throw usage(
      spec,
      'expected a program by its path, such as "./transcribe.sh --fast {wav}" or "/usr/bin/python3 transcribe.py {wav}"',
    );
  }
}

function whisperSpec(model: string, spec: string): ShortSpec {
  if (model === '' || model.includes('=') || model.startsWith('{')) {
    throw usage(
      spec,
      'expected a model behind whisper: such as whisper:openai/whisper-base (of the hub), whisper:base or whisper:./folder; options need the long form transformers:model=…,dtype=q8',
    );
  }
  const known = /^(?:tiny|base|small|medium)(?:\.en)?$|^large(?:-v[1-3](?:-turbo)?)?$|^turbo$/.test(model);
  const named = known ? `openai/whisper-${model === 'turbo' ? 'large-v3-turbo' : model}` : model;
  return { type: 'transformers', options: { model: named }, name: nameOf(basename(named), 'whisper') };
}

/** Options that may follow a program: other colons belong to its arguments. */
const programOptions = /^(.*?):((?:output|textPath|wordsPath|sampleRate|timeLimitSeconds|concurrency|version)=.*)$/s;

async function programSpec(spec: string, baseFolder: string): Promise<ShortSpec | null> {
  // A path with blanks in it, or a program with arguments.
  const isPath = await isFile(resolve(baseFolder, spec));
  const [, called = spec, written] = isPath ? [] : (programOptions.exec(spec) ?? []);
  const whole = isPath || (await isFile(resolve(baseFolder, called))) ? [called] : called.trim().split(/\s+/);
  const [program = '', ...given] = whole;
  const file = resolve(baseFolder, program);
  const beginning = await beginningOf(file);
  const isScript = beginning.startsWith('#!') && (await isExecutable(file));
  if (/\.(?:ts|mts|js|mjs)$/.test(program) && given.length === 0 && !isScript) return null;
  if (program.endsWith('.py') && !isScript && /^(?:import|from) earwitness\b/m.test(beginning)) {
    return stayingSpec(`python:${spec}`, baseFolder);
  }
  if ((await stat(file).catch(() => null))?.isDirectory()) {
    throw usage(
      spec,
      `expected a program, but this is a folder; if a model of Whisper is in it: whisper:${printable(program, 100)}`,
    );
  }
  if (!(await isFile(file))) {
    throw usage(spec, `expected a program at ${printable(program, 100)}, but there is none; correct the path`);
  }
  if (!(await isExecutable(file))) {
    throw usage(
      spec,
      `expected a program that can be run, but ${printable(program, 100)} is not executable; type: chmod +x ${printable(program, 100)}`,
    );
  }
  const takesPath = given.some((part) => part.includes('{wav}'));
  return {
    type: 'command',
    options: { program: [program, ...given, ...(takesPath ? [] : ['{wav}'])] },
    name: nameOf(basename(program).replace(/\.[a-z]{1,4}$/i, ''), 'program'),
    ...(written !== undefined && { written }),
  };
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Of a file, as much as has the imports of a script; empty where there is none. */
async function beginningOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => null);
  if (handle === null) return '';
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16_384), 0, 16_384, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } catch {
    return '';
  } finally {
    await handle.close();
  }
}

/** Options that may follow a process that stays, behind a colon or a comma. */
const stayingOptions =
  /^(.*?)[:,]((?:version|workers|devices|batch|usesProcessor|startLimitSeconds|mode|pace|chunkSeconds|python|packages|models|revision|languages|environment|voiceTable|timeoutSeconds)=.*)$/s;

/**
 * `program:./my-recognizer`, `"program:./my-recognizer --fast"`, `python:my_model.py`, `python:my_model.py,python=.venv/bin/python`: a
 * process that stays, of recognizers, synthesizers and embedders; null where it is none.
 *
 * @throws EarwitnessError `bad-usage`: the program is not there
 */
export async function stayingSpec(spec: string, baseFolder: string): Promise<ShortSpec | null> {
  const [, type, called] = /^(program|python):(?!\{|\w+=)(.+)$/s.exec(spec) ?? [];
  if (type === undefined || called === undefined) return null;
  const [, start = called, written] = stayingOptions.exec(called) ?? [];
  const whole = (await isFile(resolve(baseFolder, start))) ? [start] : start.trim().split(/\s+/);
  const [file = '', ...given] = whole;
  const isPath = type === 'python' || file.includes('/');
  if (isPath && !(await isFile(resolve(baseFolder, file))))
    throw usage(
      spec,
      `expected a ${type === 'python' ? 'Python file' : 'program'} at ${printable(file, 100)}, but there is none; correct the path`,
    );
  return {
    type,
    options: type === 'program' ? { program: whole } : { script: file, ...(given.length > 0 && { arguments: given }) },
    name: nameOf(basename(file).replace(/\.[a-z]{1,4}$/i, ''), type),
    ...(written !== undefined && { written }),
  };
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() === true;
}

async function serverSpec(spec: string): Promise<ShortSpec> {
  const [address = '', fragment] = spec.split('#', 2);
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.search !== '') {
    throw usage(spec, 'expected the address of a server without user and query, such as http://localhost:8000/v1');
  }
  const baseUrl = address.replace(/\/+$/, '');
  const server = (model: string): ShortSpec => ({
    type: 'openai-compatible',
    options: { baseUrl, model },
    name: nameOf(model, 'server'),
  });
  if (fragment) return server(fragment);
  if (url.hostname === standardServer) return server('whisper-1');
  const models = await modelsOf(baseUrl);
  if (models === 'no answer') {
    throw usage(
      spec,
      `expected a server that says which model it has, but ${printable(url.host, 100)} does not answer; start it, correct the address, or name the model behind #: ${baseUrl}#MODEL`,
    );
  }
  const [only, ...more] = models === null ? [] : models.forSpeech.length > 0 ? models.forSpeech : models.all;
  if (only !== undefined && more.length === 0) return server(only);
  const said =
    models === null
      ? `${printable(url.host, 100)} does not say which models it has`
      : only === undefined
        ? `${printable(url.host, 100)} has no model`
        : `${printable(url.host, 100)} has ${[only, ...more]
            .slice(0, 8)
            .map((name) => printable(name, 60))
            .join(', ')}`;
  throw usage(spec, `expected the model of the server, but ${said}; name it behind #: ${baseUrl}#MODEL`);
}

/** A name that a config may give, made of one that anybody gave. */
function nameOf(text: string, otherwise: string): string {
  const name = text
    .replace(/^.*\//, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 60);
  return name === '' ? otherwise : name;
}

function usage(spec: string, problem: string): EarwitnessError {
  return badUsage(`${JSON.stringify(printable(spec, 100))}: ${problem}`);
}
