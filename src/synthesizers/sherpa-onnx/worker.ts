// The entry of a process that speaks by the lines of docs/protocol.md. The library ends its process where it cannot read a model, and
// prints what it likes to the error stream.
import { createInterface } from 'node:readline';
import { messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { libraryVersion, loadLibrary, type OfflineTts } from '../../packages/sherpa-onnx.ts';

/** What is asked beside the lines of the protocol. */
interface Asked {
  readonly say: string;
  readonly id?: number;
  readonly text: string;
  readonly generation: JsonObject & { readonly sid: number; readonly speed: number };
}

/** A line of the protocol holds no more: two minutes at 24 kHz. */
const maxSamples = 3_000_000;

const config = JSON.parse(process.argv[2]!) as object;
let library: Awaited<ReturnType<typeof loadLibrary>> | null = null;
let voices: OfflineTts | null = null;

const say = (line: JsonObject) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function answer({ say: asked, id, text, generation }: Asked): Promise<JsonObject> {
  switch (asked) {
    case 'hello':
      library = await loadLibrary();
      return { say: 'hello', protocol: 1, name: 'sherpa-onnx', version: libraryVersion() };
    case 'open':
      voices = await library!.OfflineTts.createAsync(config);
      return { say: 'opened' };
    case 'speak': {
      const { sid, speed } = generation;
      const request = { text, sid, speed, enableExternalBuffer: false, generationConfig: generation };
      // Not `generateAsync`: what is thrown inside of it comes never (1.13.8), and here nobody waits for anything else.
      const { samples, sampleRate } = voices!.generate(request);
      if (samples.length > maxSamples) throw new Error('the speech is longer than two minutes; split the text');
      const audio = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString('base64');
      return { say: 'speech', id: id!, audio, sampleRate };
    }
    default:
      return { say: 'pong', id: id! };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line) as Asked;
  if (asked.say === 'close') break;
  const answered = await answer(asked).catch((error: unknown) => {
    const message = printable(messageOf(error), 500);
    return { say: 'failure', message, ...(asked.say === 'speak' && { id: asked.id! }) };
  });
  say(answered);
}
process.exit(0);
