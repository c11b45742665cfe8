#!/usr/bin/env node
// A recognizer that stays, in JavaScript: says of each half second whether it was loud or quiet. docs/protocol.md has the protocol.
import { Buffer } from 'node:buffer';
import { stdin, stdout } from 'node:process';

const rate = 16_000;
const streams = new Map();
const say = (line) => stdout.write(`${JSON.stringify(line)}\n`);

function transcribe(samples) {
  const words = [];
  for (let from = 0; from < samples.length; from += rate / 2) {
    const part = samples.subarray(from, from + rate / 2);
    const power = part.reduce((sum, sample) => sum + sample * sample, 0) / part.length;
    const end = (from + part.length) / rate;
    words.push({ text: power > 1e-4 ? 'loud' : 'quiet', start: from / rate, end });
  }
  return { text: words.map(({ text }) => text).join(' '), words };
}

const answer = {
  hello: () =>
    say({ say: 'hello', protocol: 1, name: 'loud-or-quiet', version: '1', sampleRate: rate, batch: 4, streams: true }),
  open: () => say({ say: 'opened' }),
  recognize({ clips }, samples) {
    let from = 0;
    for (const { id, samples: length } of clips) {
      say({ say: 'transcript', id, ...transcribe(samples.subarray(from, from + length)) });
      from += length;
    }
  },
  stream: ({ id }) => streams.set(id, new Float32Array(0)),
  chunk({ id }, samples) {
    if (!streams.has(id)) return;
    streams.set(id, Float32Array.of(...streams.get(id), ...samples));
    say({ say: 'partial', id, text: transcribe(streams.get(id)).text });
  },
  end({ id }) {
    if (streams.has(id)) say({ say: 'transcript', id, ...transcribe(streams.get(id)) });
    streams.delete(id);
  },
  cancel({ id }) {
    if (streams.delete(id)) say({ say: 'failure', id, message: 'cancelled' });
  },
  ping: ({ id }) => say({ say: 'pong', id }),
  close: () => process.exit(0),
};

let read = Buffer.alloc(0);
for await (const chunk of stdin) {
  read = Buffer.concat([read, chunk]);
  for (let end = read.indexOf(10); end !== -1; end = read.indexOf(10)) {
    const line = JSON.parse(read.subarray(0, end).toString());
    const next = end + 1 + (line.bytes ?? 0);
    if (read.length < next) break;
    // Copied, because samples of 4 bytes must begin at a multiple of 4.
    answer[line.say]?.(line, new Float32Array(Uint8Array.from(read.subarray(end + 1, next)).buffer));
    read = read.subarray(next);
  }
}
