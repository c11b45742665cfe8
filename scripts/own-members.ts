// The members of docs/own-members.md, as files of a project that can run them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { encodeWav } from '../src/audio/encode-wav.ts';

const page = join(import.meta.dirname, '..', 'docs', 'own-members.md');
const sampleRate = 16_000;

/** The files that the page shows whole, by their paths, which are their first lines. */
export function ownMemberFiles(): ReadonlyMap<string, string> {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms);
  return new Map([...blocks].map(([, file, text]) => [file!, text!]));
}

/** Writes the page's files into a folder, with the recordings that it says must be there. */
export function layOutOwnMembers(folder: string): void {
  const keep = (file: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  };
  for (const [file, text] of ownMemberFiles()) keep(file, text);
  const tone = (hertz: readonly number[], seconds: number) => {
    const length = Math.round(seconds * sampleRate);
    const samples = Float32Array.from({ length: hertz.length * length }, (_, index) => {
      return 0.3 * Math.sin((2 * Math.PI * hertz[Math.floor(index / length)]! * index) / sampleRate);
    });
    return encodeWav({ samples, sampleRate }, { format: 's16' });
  };
  const calls = ['Ann', 'Ben', 'Cem', 'Dee'].map((caller, index) => {
    keep(`recordings/${caller}.wav`, tone([400, 550, 400 + 150 * index], 0.2));
    const said = `1 two ${['one', 'two', 'three', 'four'][index]}`;
    return { file: `${caller}.wav`, said, caller, region: index < 2 ? 'north' : 'south' };
  });
  keep('recordings/calls.json', JSON.stringify(calls));
  for (const place of ['kitchen', 'car']) keep(`hums/${place}-1.wav`, tone([place === 'car' ? 700 : 1000], 2));
}

/**
 * Sees to it that a run of the page's config says what its members make of it, which is known by what they are.
 *
 * @param json what `earwitness run --json` printed
 * @throws Error with what is otherwise
 */
export function checkOwnMembersRun(json: string): void {
  const { tally, findings } = JSON.parse(json);
  const of = (name: string) => findings.find((one: { study: { name: string } }) => one.study.name === name);
  const say = (holds: boolean, what: string) => {
    if (!holds) throw new Error(`docs/own-members.md: ${what}`);
  };
  say(tally.failed === 0, `expected no failed trial, but got ${JSON.stringify(tally)}`);
  // 4 calls and 24 texts by two voices; the soft voice (0.04) is above the threshold of the keen one (0.02) alone (0.1).
  const [keen, dull] = of('silent-answers').sections[0].tables[0].rows;
  say(
    keen.clips === 52 && keen.silent === 0,
    `expected the keen one to hear 52 clips, but got ${JSON.stringify(keen)}`,
  );
  // Six speakers are fewer than an interval takes: the verdict is open, and says why.
  const { difference: comparison } = of('silent-answers').sections[0].tables[1].rows[0];
  say(Math.abs(comparison.difference.value - 24 / 52) < 1e-12, 'expected the dull one to be silent 24 times more');
  say(
    comparison.verdict === 'cannot tell' && comparison.open.reason.code === 'few-for-verdict',
    'expected an open verdict with why',
  );
  say(dull.silent === 24, `expected the dull one to miss the 24 soft clips, but got ${JSON.stringify(dull)}`);
  const { wordErrorRate } = of('robustness')
    .sections.flatMap(({ tables = [] }) => tables)
    .find(({ id }: { id: string }) => id === 'robustness-conditions')
    .rows.find((one: { recognizer: string }) => one.recognizer === 'keen');
  say(wordErrorRate.value === 0 && wordErrorRate.n.words === 156, 'expected the keen one to hear all of 156 words');
  say(JSON.stringify(of('sound-quality')).includes('crestDb'), 'expected the crest factors of the clips');
  say(JSON.stringify(of('metamorphic')).includes('"name":"letters"'), 'expected similarities by the embedder');
  say(JSON.stringify(of('differential')).includes('longer'), 'expected searches by the predictor');
}
