import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Clip } from '../../../audio/clip.ts';
import { sha256 } from '../../../base/hash.ts';
import { serveOnLoopback } from '../../../http/testing/loopback.ts';
import { awsTestKeys } from '../../../http/testing/verify-aws-signature.ts';
import { readWav } from '../../testing/transcription-server.ts';
import type { ServiceName } from '../services.ts';
import { testBucket } from './aws-server.ts';
import { type Spoken, spokenOf, type Vendor, type VendorAnswer, type WireRequest } from './vendor.ts';
import { vendors } from './vendors.ts';

export interface ServiceServerOptions {
  readonly key: string;
  recognize(clip: Clip): Promise<string>;
  /** What it misbehaves like, before it looks at the question; true where it has answered. `number` counts all questions from 1. */
  misbehave?(request: WireRequest, response: ServerResponse, number: number): boolean;
  /** Told once a question has been dealt with, before the answer goes out; false: no answer does. */
  dealtWith?(request: WireRequest): boolean;
  /** What becomes of an answer on its way. */
  onItsWay?(body: string, request: WireRequest): string;
  /** How often a job is shown as under way. Default 1. */
  readonly polls?: number;
  /** Whether jobs end badly. */
  readonly fails?: boolean;
}

interface SubmittedJob {
  readonly id: string;
  readonly mark: string;
  readonly language: string | null;
  readonly model: string | null;
  readonly soundHash: string;
  readonly spoken: Spoken;
  polls: number;
}

export interface ServiceServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly jobs: readonly SubmittedJob[];
  /** Sounds that were heard, with what came beside them. */
  readonly heard: readonly { readonly clip: Clip; readonly language: string | null; readonly model: string | null }[];
  readonly requests: readonly WireRequest[];
}

/** What a config says of one of these servers. */
export const serviceOptions = (service: string, { baseUrl }: Pick<ServiceServer, 'baseUrl'>) => ({
  ...{ service, baseUrl, keyVariable: 'EARWITNESS_TEST_KEY', pollSeconds: 0.01 },
  ...(service === 'aws-transcribe' && { bucket: testBucket }),
});

/** Where its key stands. */
export const serviceEnvironment = (key: string) => ({ EARWITNESS_TEST_KEY: key, ...awsTestKeys });

/** Of a thousand questions, which tests of growth ask in this very process, only the last sounds and headers are kept. */
const soundsKept = 20;

/** A real server on loopback that answers as one service's published description says, for tests. */
export async function startServiceServer(name: ServiceName, options: ServiceServerOptions): Promise<ServiceServer> {
  const vendor: Vendor = vendors[name];
  const jobs: SubmittedJob[] = [];
  const heard: { clip: Clip; language: string | null; model: string | null }[] = [];
  const requests: WireRequest[] = [];
  const uploads = new Map<string, Buffer>();

  const hear = async (bytes: Buffer, language: string | null, model: string | null): Promise<Spoken> => {
    const clip = readWav(bytes);
    heard.push({ clip, language, model });
    const old = heard.at(-soundsKept);
    if (old) heard[heard.length - soundsKept] = { ...old, clip: { ...old.clip, samples: new Float32Array(0) } };
    const seconds = clip.samples.length / clip.sampleRate;
    return spokenOf(await options.recognize(clip), seconds);
  };

  const submit = async (
    id: string,
    mark: string,
    sound: Buffer,
    language: string | null,
    model: string | null,
  ): Promise<void> => {
    const spoken = await hear(sound, language, model);
    jobs.push({ id, mark, language, model, soundHash: sha256(sound), spoken, polls: 0 });
  };
  const progressOf = (job: SubmittedJob) => {
    const isDone = job.polls++ >= (options.polls ?? 1);
    return !isDone ? 'waiting' : options.fails ? 'failed' : 'done';
  };

  const answerTo = async (request: WireRequest): Promise<VendorAnswer> => {
    if (vendor.serve) {
      return vendor.serve(request, {
        ...{ key: options.key, jobs, progress: (job) => progressOf(job as SubmittedJob) },
        submit: (id, sound, language, model) => submit(id, id, sound, language, model),
      });
    }
    const [header, value] = vendor.authorization(options.key);
    if (request.headers[header] !== value) {
      return { status: 401, body: vendor.error(401, `no such key: ${String(request.headers[header])}`) };
    }
    const notFound = { status: 404, body: vendor.error(404, 'no such path') };
    const { pathname } = request.url;
    const { method } = request;
    if (!vendor.jobs) {
      const told = method === 'POST' ? await vendor.told!(request) : null;
      return told === null
        ? { status: 400, body: vendor.error(400, `not as described: ${method} ${pathname}`) }
        : { status: 200, body: vendor.answer!(await hear(told.sound, told.language, told.model)) };
    }
    const { uploadPath, submitPath, resultPath } = vendor.jobs;
    if (method === 'POST' && pathname === uploadPath) {
      const file = request.form?.get('audio');
      const url = `https://cdn.example.com/${uploads.size}-${sha256(request.body).slice(0, 8)}`;
      uploads.set(url, file instanceof File ? Buffer.from(await file.arrayBuffer()) : request.body);
      return { status: 200, body: vendor.jobs.uploaded!(url) };
    }
    if (method === 'POST' && pathname === submitPath) {
      const { sound, mark, language, model } = await vendor.jobs.submitted(request);
      const bytes = typeof sound === 'string' ? uploads.get(sound)! : sound;
      if (typeof sound === 'string') uploads.delete(sound);
      const id = `Job${jobs.length}x${sha256(mark).slice(0, 6)}`;
      await submit(id, mark, bytes, language, model);
      return { status: 200, body: vendor.jobs.created(id) };
    }
    if (method === 'GET' && pathname === submitPath) return { status: 200, body: vendor.jobs.listed(jobs) };
    const job = jobs.find(({ id }) => pathname.includes(id));
    if (method !== 'GET' || !job) return notFound;
    if (pathname === resultPath?.(job.id)) return { status: 200, body: vendor.jobs.result!(job.spoken, job.id) };
    if (pathname !== `${submitPath}/${job.id}`) return notFound;
    const state = progressOf(job);
    return { status: 200, body: vendor.jobs.status(job.id, state, state === 'done' ? job.spoken : null) };
  };

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(message);
    requests.push(request);
    const old = requests.at(-soundsKept);
    if (old) requests[requests.length - soundsKept] = { ...old, headers: {}, body: Buffer.alloc(0), form: null };
    if (options.misbehave?.(request, response, requests.length)) return;
    const { status, body, type = 'application/json' } = await answerTo(request);
    if (options.dealtWith?.(request) === false) return;
    response.writeHead(status, { 'Content-Type': type }).end(options.onItsWay?.(body, request) ?? body);
  };
  const server = await serveOnLoopback(serve, (error) => vendor.error(400, String(error)));
  return { ...server, baseUrl: server.origin, jobs, heard, requests };
}

async function readRequest(message: IncomingMessage): Promise<WireRequest> {
  const body = await buffer(message);
  const { method = '', url = '/', headers } = message;
  const type = headers['content-type'] ?? '';
  const form = type.startsWith('multipart/')
    ? await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } }).formData()
    : null;
  return { method, url: new URL(url, 'http://loopback'), headers, body, form };
}
