// A folder with an invented corpus, recognizers that mishear its words as real ones do, and the config of a run over them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeWav } from '../src/audio/encode-wav.ts';
import { createRandom, type Random } from '../src/base/random.ts';

export interface InventedCorpus {
  readonly systems: number;
  readonly clips: number;
  /** Clean, and white noise ever louder. */
  readonly conditions: number;
  readonly speakers: number;
  /** Accents: groups of speakers. */
  readonly groups: number;
}

const vocabulary = 20_000;
const neighbours = 6;
const recordings = 20;
const sampleRate = 16_000;

/** Words as languages have them: short ones often, long ones seldom, all of them different. */
function inventWords(random: Random): string[] {
  const syllables = [
    'ba',
    'den',
    'fi',
    'gor',
    'hu',
    'ka',
    'len',
    'mi',
    'nos',
    'pu',
    'ra',
    'ser',
    'ti',
    'vom',
    'xe',
    'ya',
  ];
  const words = new Set<string>();
  for (let tried = 0; words.size < vocabulary; tried++) {
    const length = 1 + Math.floor((1 + (3 * words.size) / vocabulary) * (random.next() + Math.min(1, tried / 1e5)));
    words.add(Array.from({ length }, () => syllables[Math.floor(16 * random.next())]!).join(''));
  }
  return [...words];
}

/** Writes list, audio, recognizers and config; each speaker has clips of all kinds. */
export function inventCorpus(folder: string, { systems, clips, conditions, speakers, groups }: InventedCorpus): void {
  mkdirSync(folder, { recursive: true });
  const random = createRandom('invented corpus');
  const words = inventWords(random);
  // The frequent ones lie at the beginning, about as in Zipf's law.
  const drawn = () => words[Math.floor(vocabulary ** random.next()) - 1]!;
  const texts = Array.from({ length: clips }, () =>
    Array.from({ length: 6 + Math.floor(9 * random.next()) }, drawn).join(' '),
  );
  for (let at = 0; at < recordings; at++) {
    const samples = Float32Array.from(
      { length: sampleRate },
      (_, n) => 0.2 * Math.sin((n / sampleRate) * (1000 + 200 * at)),
    );
    writeFileSync(join(folder, `audio-${at}.wav`), encodeWav({ samples, sampleRate }, { format: 's16' }));
  }
  const list = texts.map((text, at) => {
    const speaker = at % speakers;
    const told = [
      `speaker ${speaker}`,
      `accent ${speaker % groups}`,
      speaker % 2 ? 'female' : 'male',
      ['18-30', '31-50', '51-70'][speaker % 3],
    ];
    return [`clip-${String(at).padStart(5, '0')}`, `audio-${at % recordings}.wav`, ...told, text].join('\t');
  });
  writeFileSync(join(folder, 'list.tsv'), `id\tfile\tspeaker\taccent\tsex\tage\ttext\n${list.join('\n')}\n`);
  writeFileSync(join(folder, 'words.json'), JSON.stringify(words));
  writeFileSync(join(folder, 'mishearing.mjs'), mishearing);
  const names = Array.from({ length: systems }, (_, at) => `system ${at + 1}`);
  const noises = Array.from({ length: conditions - 1 }, (_, at) => ({
    name: `noise ${conditions - 1 - at} dB`,
    steps: [{ perturbation: 'white-noise', parameters: { snrDb: conditions - 1 - at } }],
  }));
  const config = {
    name: 'leaderboard',
    corpus: { type: 'manifest', file: 'list.tsv', language: 'en' },
    recognizers: Object.fromEntries(
      names.map((name, at) => [name, { type: './mishearing.mjs', chance: 0.05 + 0.01 * at, seed: at }]),
    ),
    studies: [
      { type: 'disparity', attributes: ['accent', 'sex'] },
      ...(noises.length > 0 ? [{ type: 'robustness', conditions: noises, groupBy: ['accent', 'sex'] }] : []),
    ],
    report: { folder: 'report' },
  };
  writeFileSync(join(folder, 'earwitness.config.json'), JSON.stringify(config));
}

/**
 * A recognizer that is told of names alone. Of each word it makes what is mostly one of a few others; more often in noise, for some accents,
 * and it drops and adds some. One clip of two hundred fails.
 */
const mishearing = `import { readFileSync } from 'node:fs';
import { RecognitionError } from 'earwitness';
import { z } from 'zod';

const here = (name) => new URL(name, import.meta.url);

export default {
  name: 'mishearing',
  about: 'Mishears words for others that are near',
  options: z.strictObject({ chance: z.number().describe('Of each word'), seed: z.int().describe('Of chance') }),
  isolation: 'none',
  async describe({ chance, seed }) {
    const identity = { engine: 'mishearing', chance, seed };
    return { identity, input: 'names', pinned: true, concurrency: 64, usesProcessor: false, facts: {} };
  },
  async open({ chance, seed }) {
    const words = JSON.parse(readFileSync(here('./words.json'), 'utf8'));
    const places = new Map(words.map((word, at) => [word, at]));
    const lines = readFileSync(here('./list.tsv'), 'utf8').trim().split('\\n').slice(1).map((line) => line.split('\\t'));
    const known = new Map(lines.map(([id, , , accent, , , text]) => [id, { group: Number(accent.slice(7)), text: text.split(' ') }]));
    return {
      async recognize({ utteranceId, conditionName }) {
        const { group, text } = known.get(utteranceId);
        const noise = conditionName === 'clean' ? 0 : 0.01 * (20 - parseInt(conditionName.slice(6)));
        let state = seed + 1;
        for (const sign of utteranceId + conditionName) state = Math.imul(state ^ sign.charCodeAt(0), 0x01000193) >>> 0;
        const next = () => {
          state = (state + 0x6d2b79f5) >>> 0;
          let mixed = Math.imul(state ^ (state >>> 15), state | 1);
          mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
          return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
        };
        if (next() < 0.005) throw new RecognitionError('timeout', 'no answer in time', { retryable: false });
        const wrong = chance + noise + 0.001 * group;
        const heard = text.flatMap((word) => {
          if (next() >= wrong) return [word];
          const kind = next();
          if (kind < 0.2) return [];
          const near = (places.get(word) * 7919 + 104729 * Math.floor(${neighbours} * next() ** 2)) % words.length;
          return kind < 0.3 ? [word, words[near % 200]] : [words[near]];
        });
        return { text: heard.join(' ') };
      },
      async close() {},
    };
  },
  async readiness() {
    return { ready: true, found: 'nothing is needed' };
  },
};
`;
