#!/usr/bin/env node
// A synthesizer that stays (docs/protocol.md), without any package: 50 ms of a tone for each character, higher for the voice "high".
import { createInterface } from 'node:readline';

const sampleRate = 16000;
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

function tones(text, voice) {
  const each = sampleRate / 20;
  return Float32Array.from({ length: each * text.length }, (_, n) => {
    const character = text.charCodeAt(Math.floor(n / each)) + 60;
    return 0.25 * Math.sin((n * character * (voice === 'high' ? 2 : 1)) / 2000);
  });
}

for await (const raw of createInterface({ input: process.stdin })) {
  const line = JSON.parse(raw);
  if (line.say === 'hello') {
    const voices = [
      { name: 'low', language: 'en', attributes: { sex: 'male' } },
      { name: 'high', language: 'en', attributes: { sex: 'female' } },
    ];
    say({ say: 'hello', protocol: 1, name: 'tones', version: '1', sampleRate, voices });
  } else if (line.say === 'open') say({ say: 'opened' });
  else if (line.say === 'speak') {
    const audio = Buffer.from(tones(line.text, line.voice).buffer).toString('base64');
    say({ say: 'speech', id: line.id, audio });
  } else if (line.say === 'ping') say({ say: 'pong', id: line.id });
  else if (line.say === 'close') break;
}
process.exit(0);
