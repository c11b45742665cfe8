import { setImmediate } from 'node:timers/promises';
import type { Clip } from '../../audio/clip.ts';
import { toInt16 } from '../../audio/encode-wav.ts';
import { printable } from '../../base/printable.ts';
import type { HiddenKey } from '../../http/hidden-key.ts';
import { beginningOf, jsonIn, type RefusalHints, refusedAs } from '../../http/refusal.ts';
import type { Socket } from '../../http/socket.ts';
import { type PartialTranscript, RecognitionError } from '../contract.ts';
import { recognitionFailure, withUnheard } from '../shared/requests.ts';
import type { keepExchange } from './exchange-recorder.ts';
import { type Heard, type LiveMessage, type LiveQuestion, type LiveService, members } from './service.ts';

/** What is needed to talk over an open socket. */
interface Talk {
  readonly service: LiveService;
  readonly question: LiveQuestion;
  readonly key: string | null;
  readonly hidden: HiddenKey;
  readonly hints: RefusalHints;
  readonly kept: ReturnType<typeof keepExchange> | null;
}

/** Sends sound as it comes, and gives what comes back. */
export async function* talk(
  { service, question, key, hidden, hints, kept }: Talk,
  socket: Socket,
  chunks: AsyncIterable<Clip>,
): AsyncGenerator<PartialTranscript> {
  let isReady = () => {};
  const ready = service.waitsUntilReady
    ? new Promise<void>((resolve) => {
        isReady = resolve;
      })
    : Promise.resolve();
  const sounds = inMessages(chunks, question.sampleRate, service.chunkSeconds);
  const say = (message: LiveMessage): Promise<void> => {
    const data = asSent(message);
    kept?.said(typeof data === 'string' ? data : Buffer.from(data).toString('base64'));
    return socket.send(data);
  };
  let isOver = false;
  const sending = async (): Promise<number> => {
    for (const message of service.start?.(question) ?? []) await say(message);
    await ready;
    let count = 0;
    for await (const samples of sounds) {
      const place = { first: count++ === 0, key };
      kept?.sound(samples);
      // Sound that is there at once would else keep everybody else from their turn.
      await setImmediate();
      await socket.send(service.sound === undefined ? samples : asSent(service.sound(samples, question, place)));
    }
    if (count === 0) return count;
    isOver = true;
    await say(service.end(count, question));
    return count;
  };
  // Ends the listening where no sound came, or none can be sent any more.
  const silence = new Promise<null>((resolve, reject) => {
    sending().then((count) => count === 0 && resolve(null), reject);
  });
  silence.catch(() => {});
  const follow = service.follow(() => isOver);
  let messages = 0;
  let atTheClose: Heard | null = service.endsByClosing ? { text: '' } : null;
  try {
    for (;;) {
      const data = await Promise.race([socket.receive(), silence]).catch((error: unknown) => {
        // 1005 is a good end without a code.
        const isGood = [1000, 1005].includes(socket.closed()?.code ?? 0);
        if (!isGood) throw error;
        if (!isOver) throw endedEarly(printable(hidden.inMessage(socket.closed()?.reason ?? ''), 300));
        if (atTheClose !== null) return 'all is heard' as const;
        throw error;
      });
      if (data === null) return yield { text: '', final: true };
      if (data === 'all is heard') return yield { ...hidden.inAnswer(atTheClose!), final: true };
      messages++;
      const message = messageIn(data, service, hidden);
      // Of bytes what they say, so that keys can be taken out.
      const text = typeof data === 'string' && service.writing === undefined ? data : JSON.stringify(message);
      kept?.heard(text);
      const news = follow(message);
      if (news === null) {
        throw new RecognitionError(
          'garbage',
          `the server sent JSON without a transcript: ${beginningOf(text, hidden)}`,
        );
      }
      if (news === 'ready') isReady();
      if (typeof news === 'string') continue;
      if ('failed' in news) {
        const { status, message } = news.failed;
        const said = `the service answered: ${printable(hidden.inMessage(message), 300)}`;
        const refused = refusedAs(status, said, hints, recognitionFailure);
        // Whoever gives no access says it so, before anything else: later something was heard.
        throw messages === 1 ? refused : withUnheard(refused, false);
      }
      const { details, ...heard } = hidden.inAnswer(news.heard);
      const final = news.final === true;
      if (final && !isOver) throw endedEarly();
      if (service.endsByClosing) atTheClose = news.final === 'at the close' ? news.heard : null;
      yield { ...heard, final, ...(final && details ? { details } : {}) };
      if (final) return;
    }
  } finally {
    // Whoever waits for sound that nobody will hear is told so, and not waited for.
    isReady();
    void sounds.return(undefined).catch(() => {});
  }
}

/** What a service says so early is no transcript of the clip; no description has it that a session may end before it is told to. */
function endedEarly(reason = ''): RecognitionError {
  const what = 'the service ended before all of the audio was sent: what came after was not recognized';
  return new RecognitionError('unavailable', reason === '' ? what : `${what} (${reason})`, { retryable: true });
}

function asSent(message: LiveMessage): string | Uint8Array {
  return typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message);
}

function messageIn(
  data: string | Uint8Array,
  { writing }: LiveService,
  hidden: HiddenKey,
): Readonly<Record<string, unknown>> {
  const garbage = (what: string) =>
    new RecognitionError(
      'garbage',
      `the server sent ${what}${typeof data === 'string' ? `: ${beginningOf(data, hidden)}` : ''}`,
    );
  if (writing !== undefined) {
    const message = writing.read(data);
    if (message !== null) return message;
    throw garbage(
      `${typeof data === 'string' ? 'text' : 'bytes'} that ${typeof data === 'string' ? 'is' : 'are'} no ${writing.name}`,
    );
  }
  if (typeof data !== 'string') throw garbage('bytes where text was expected');
  const value = jsonIn(data, hidden, recognitionFailure, 'sent');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw garbage('JSON that is no object');
  return members(value);
}

/**
 * Sound as 16-bit samples, in messages as long as the service takes them: shorter chunks wait for the next, and the last is filled up
 * with silence.
 *
 * @throws RecognitionError `sound` for a chunk at another rate
 */
async function* inMessages(
  chunks: AsyncIterable<Clip>,
  rate: number,
  { min, max }: { readonly min: number; readonly max: number } = { min: 0, max: Number.POSITIVE_INFINITY },
): AsyncGenerator<Uint8Array, void, undefined> {
  const [shortest, longest] = [Math.ceil(min * rate), Math.floor(max * rate)];
  let left = new Float32Array(0);
  for await (const { samples, sampleRate } of chunks) {
    if (sampleRate !== rate) throw new RecognitionError('sound', `expected audio at ${rate} Hz, got ${sampleRate} Hz`);
    const all = new Float32Array(left.length + samples.length);
    all.set(left);
    all.set(samples, left.length);
    let from = 0;
    while (from < all.length && all.length - from >= shortest) {
      const to = Math.min(all.length, from + longest);
      yield bytesOf(all.subarray(from, to));
      from = to;
    }
    left = all.slice(from);
  }
  if (left.length === 0) return;
  const filled = new Float32Array(shortest);
  filled.set(left);
  yield bytesOf(filled);
}

function bytesOf(samples: Float32Array): Uint8Array {
  const bytes = new Uint8Array(2 * samples.length);
  const view = new DataView(bytes.buffer);
  for (let n = 0; n < samples.length; n++) view.setInt16(2 * n, toInt16(samples[n]!), true);
  return bytes;
}
