// An embedder that stays, in JavaScript: counts the letters of a text, a to z. See docs/protocol.md.
import { createInterface } from 'node:readline';

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

function vectorOf(text) {
  const counts = Array.from({ length: 26 }, () => 0);
  for (const letter of text.toLowerCase()) {
    const place = letter.charCodeAt(0) - 97;
    if (place >= 0 && place < 26) counts[place] += 1;
  }
  return counts;
}

const answer = {
  hello: () =>
    say({ say: 'hello', protocol: 1, does: 'embed', name: 'letters', version: '1', languages: ['en'], batch: 64 }),
  open: () => say({ say: 'opened' }),
  embed: ({ id, texts }) => say({ say: 'vectors', id, vectors: texts.map(vectorOf) }),
  ping: ({ id }) => say({ say: 'pong', id }),
  close: () => process.exit(0),
};

for await (const raw of createInterface({ input: process.stdin })) {
  const line = JSON.parse(raw);
  answer[line.say]?.(line);
}
