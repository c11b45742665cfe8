// Kills a run with SIGKILL at 100 random moments, running it again each time, and compares what is stored at the end with
// a run that nobody disturbed. Two `scripted` recognizers hear the sound, in this process and in processes of their own.
// `differential` searches among spoken texts, where each batch depends on the answers before it and asks the best first.
// usage: node bench/kill.ts [kills] [seed] [robustness|differential]
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeWav } from '../src/audio/encode-wav.ts';
import { createRandom } from '../src/base/random.ts';
import type { EarwitnessConfig } from '../src/session/config/written-config.ts';
import { openFile } from '../src/store/sqlite/database.ts';

const kills = Number(process.argv[2] ?? 100);
const random = createRandom({ bench: 'kill', seed: Number(process.argv[3] ?? 1) });
const command = new URL('../bin/earwitness.js', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'earwitness-kill-'));
const utterances = 60;

function noiseOnClips(): EarwitnessConfig {
  mkdirSync(join(folder, 'clips'));
  const rows = ['id\tpath\tsentence\tspeaker'];
  for (let index = 0; index < utterances; index++) {
    const samples = Float32Array.from({ length: 8000 }, (_, place) => Math.sin((place * (index + 1)) / 50) / 3);
    writeFileSync(join(folder, 'clips', `${index}.wav`), encodeWav({ samples, sampleRate: 8000 }, { format: 's16' }));
    rows.push(`u${index}\tclips/${index}.wav\tone two three u${index}\ts${index % 12}`);
  }
  writeFileSync(join(folder, 'clips.tsv'), `${rows.join('\n')}\n`);
  const recognizer = { type: 'scripted', needsAudio: true, default: 'one two {hash}', delaySeconds: 0.004 } as const;
  return {
    corpus: { type: 'manifest', file: 'clips.tsv', columns: { reference: 'sentence' } },
    recognizers: {
      here: { ...recognizer, failures: [{ match: { utterance: 'u7' }, kind: 'unavailable' }], limits: { attempts: 1 } },
      apart: { ...recognizer, seed: 2, isolate: 'process' },
    },
    studies: [{ type: 'robustness', conditions: ['aequevox/noise', 'aequevox/drop'], resamples: 200 }],
  };
}

/** Both mishear some words, so that texts with them fail, and what is left of a text when it is cut down too. */
function failingTexts(): EarwitnessConfig {
  const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliet'];
  const texts = words.flatMap((first) => words.map((second) => `${first} and ${second} too`));
  const idOf = (text: string) => `${createHash('sha256').update(text).digest('hex').slice(0, 16)}-slt`;
  const heard = (lost: readonly string[]) =>
    Object.fromEntries(texts.map((text) => [idOf(text), lost.some((word) => text.includes(word)) ? 'what' : text]));
  const recognizer = { type: 'scripted', delaySeconds: 0.004, default: 'what' } as const;
  return {
    corpus: { type: 'sentences', texts, synthesizer: 'flite', voices: ['slt'], language: 'en' },
    synthesizers: { flite: { type: 'flite' } },
    recognizers: {
      here: { ...recognizer, answers: heard(['golf']) },
      apart: { ...recognizer, answers: heard(['golf', 'delta', 'echo']), seed: 2, isolate: 'process' },
    },
    studies: [{ type: 'differential', asking: 'best-first', replicates: 2, stop: { iterations: 4 } }],
  };
}

function prepare(config: EarwitnessConfig): void {
  for (const name of ['whole', 'broken']) {
    writeFileSync(
      join(folder, `${name}.json`),
      JSON.stringify({ ...config, store: `${name}.sqlite`, report: { folder: name, sound: false } }),
    );
  }
}

async function run(name: string, killAfterMs: number | null): Promise<boolean> {
  const child = spawn(process.execPath, [command, 'run', '--config', join(folder, `${name}.json`), '--json'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  const timer = killAfterMs === null ? null : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const [code, signal] = await once(child, 'exit');
  if (timer) clearTimeout(timer);
  if (signal === 'SIGKILL') return false;
  if (code !== 0) throw new Error(`the run ended with ${code}: ${said}`);
  return true;
}

/** Everything that was observed in the run, in order, without times. */
function observed(name: string): string[] {
  const database = openFile(join(folder, `${name}.sqlite`), { readonly: true });
  const rows = database
    .prepare(
      `SELECT t.batch, t.position, hex(t.key) AS key, o.transcript, o.failure_kind, o.failure_message, o.sound_seconds, o.calls
       FROM run_trials t LEFT JOIN observations o ON o.number = t.observation
       WHERE t.recognizer IS NOT NULL AND t.run = (SELECT max(number) FROM runs) ORDER BY batch, position`,
    )
    .all();
  database.close();
  return rows.map((row) => JSON.stringify(row));
}

function count(name: string, sql: string): number {
  const database = openFile(join(folder, `${name}.sqlite`), { readonly: true });
  const number = database.prepare(sql).pluck().get() as number;
  database.close();
  return number;
}

try {
  prepare(process.argv[4] === 'differential' ? failingTexts() : noiseOnClips());
  const started = performance.now();
  await run('whole', null);
  const wholeMs = performance.now() - started;
  let killed = 0;
  let finished = false;
  let rounds = 0;
  const differences: string[] = [];
  while (killed < kills) {
    finished = false;
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `broken.sqlite${end}`), { force: true });
    rounds++;
    while (!finished) {
      // Early and late moments alike; once enough were killed, the run is let through.
      finished = await run('broken', killed < kills ? random.next() * wholeMs : null);
      if (!finished) killed++;
      process.stderr.write(`\r${killed} kills, ${rounds} runs`);
    }
    const [whole, broken] = [observed('whole'), observed('broken')];
    if (whole.length !== broken.length) differences.push(`${whole.length} trials became ${broken.length}`);
    whole.forEach((row, index) => {
      if (row !== broken[index]) differences.push(`${row}\n  became ${broken[index]}`);
    });
    const doubled = count('broken', 'SELECT count(*) - count(DISTINCT key) FROM observations');
    const askedAgain = count(
      'broken',
      "SELECT count(*) FROM attempts later JOIN attempts earlier USING (key) WHERE later.number > earlier.number AND earlier.state IN ('answered', 'failed')",
    );
    // A kill between the end of a run and the end of its process leaves a finished run, and the next is another.
    const unfinished = count('broken', 'SELECT count(*) FROM runs WHERE finished_at_ms IS NULL');
    if (doubled > 0) differences.push(`${doubled} observations are there twice`);
    if (askedAgain > 0) differences.push(`${askedAgain} stored answers were asked again`);
    if (unfinished > 0) differences.push(`${unfinished} runs were begun and not gone on with`);
    process.stderr.write(`; lost in flight ${count('broken', "SELECT count(*) FROM attempts WHERE state = 'lost'")}\n`);
  }
  console.log(
    `${killed} kills over ${rounds} runs of ${observed('whole').length} trials: ${differences.length} differences`,
  );
  for (const difference of differences.slice(0, 10)) console.log(difference);
  process.exitCode = differences.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
