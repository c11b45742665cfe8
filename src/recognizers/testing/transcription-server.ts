import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Clip } from '../../audio/clip.ts';
import { asError, json, serveOnLoopback } from '../../http/testing/loopback.ts';
import type { Transcript } from '../../model/observation.ts';

/** A question as the server got it. */
export interface TranscriptionQuestion {
  /** From 1, over all questions. */
  readonly number: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly fileName: string;
  readonly clip: Clip;
  readonly headers: IncomingMessage['headers'];
}

export interface TranscriptionServerOptions {
  /** A real recognizer behind it. */
  recognize(clip: Clip, language: string): Promise<Transcript>;
  /** What it misbehaves like; true where it has answered. */
  misbehave?(question: TranscriptionQuestion, response: ServerResponse): boolean | Promise<boolean>;
  /** Without it in the header it answers 401, with what it got in the message. */
  readonly key?: string;
}

export interface TranscriptionServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/v1` */
  readonly baseUrl: string;
  readonly questions: readonly TranscriptionQuestion[];
}

/**
 * A real server on loopback with `POST /v1/audio/transcriptions`, for tests: takes the sound out of the form as any server
 * would, and lets a recognizer hear it.
 */
export async function startTranscriptionServer(options: TranscriptionServerOptions): Promise<TranscriptionServer> {
  const questions: TranscriptionQuestion[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    if (request.method !== 'POST' || request.url !== '/v1/audio/transcriptions') {
      return json(response, 404, { error: { message: 'no such path' } });
    }
    const question = await read(request, body, questions.length + 1);
    questions.push(question);
    const { authorization } = request.headers;
    if (options.key !== undefined && authorization !== `Bearer ${options.key}`) {
      return json(response, 401, { error: { message: `Incorrect API key provided: ${authorization}` } });
    }
    if (await options.misbehave?.(question, response)) return;
    const { text, words = [] } = await options.recognize(question.clip, question.fields.language ?? 'en');
    switch (question.fields.response_format) {
      case 'text':
        response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
        break;
      case 'verbose_json':
        json(response, 200, {
          task: 'transcribe',
          language: 'english',
          duration: question.clip.samples.length / question.clip.sampleRate,
          text,
          words: words.map((word) => ({ word: word.text, start: word.startSeconds, end: word.endSeconds })),
        });
        break;
      default:
        json(response, 200, { text });
    }
  };
  const server = await serveOnLoopback(answer, asError);
  return { ...server, baseUrl: `${server.origin}/v1`, questions };
}

async function read(request: IncomingMessage, body: Buffer, number: number): Promise<TranscriptionQuestion> {
  const headers = { 'Content-Type': request.headers['content-type'] ?? '' };
  const form = await new Response(new Uint8Array(body), { headers }).formData();
  const file = form.get('file');
  if (!(file instanceof File)) throw new Error('no file in the form');
  const fields = Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  const clip = readWav(Buffer.from(await file.arrayBuffer()));
  return { number, fields, fileName: file.name, clip, headers: request.headers };
}

/** A WAV file with 16 bits and one channel, read by the letter and not by the code under test. */
export function readWav(bytes: Buffer): Clip {
  const isPlain =
    bytes.toString('latin1', 0, 4) === 'RIFF' &&
    bytes.toString('latin1', 8, 16) === 'WAVEfmt ' &&
    bytes.readUInt16LE(20) === 1 &&
    bytes.readUInt16LE(22) === 1 &&
    bytes.readUInt16LE(34) === 16 &&
    bytes.toString('latin1', 36, 40) === 'data';
  if (!isPlain) throw new Error('expected a WAV file of 16 bits and one channel');
  const samples = new Float32Array(bytes.readUInt32LE(40) / 2);
  for (let index = 0; index < samples.length; index++) samples[index] = bytes.readInt16LE(44 + 2 * index) / 32768;
  return { samples, sampleRate: bytes.readUInt32LE(24) };
}
