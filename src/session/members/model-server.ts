/** What a server with OpenAI's API says of its models. */
export interface ServerModels {
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
export interface FoundServer {
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
