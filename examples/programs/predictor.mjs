// A predictor that stays, in JavaScript: longer texts fail more, as much more as they did so far. See docs/protocol.md.
import { createInterface } from 'node:readline';

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const wordsOf = (text) => text.split(/\s+/).length;

/** Of the tried texts about as long as this one, the share of which it is true; a text more on either side where there are none. */
function chanceOf(text, tried, isTrue) {
  const near = tried.filter((one) => Math.abs(wordsOf(one.text) - wordsOf(text)) <= 2);
  return (near.filter(isTrue).length + 0.5) / (near.length + 1);
}

function predict({ id, tried, pool }) {
  const determined = tried.filter(({ determinable, failed }) => determinable && failed !== null);
  say({
    say: 'prediction',
    id,
    determinable: pool.map((text) => chanceOf(text, tried, ({ determinable }) => determinable)),
    failing: pool.map((text) => chanceOf(text, determined, ({ failed }) => failed)),
  });
}

const answer = {
  hello: () => say({ say: 'hello', protocol: 1, does: 'predict', name: 'by-length', version: '1' }),
  open: () => say({ say: 'opened' }),
  predict,
  ping: ({ id }) => say({ say: 'pong', id }),
  close: () => process.exit(0),
};

for await (const raw of createInterface({ input: process.stdin })) {
  const line = JSON.parse(raw);
  answer[line.say]?.(line);
}
