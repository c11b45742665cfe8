// PocketSphinx on whole clips, fed as fast as it goes, and fed in real time, on TIMIT: word errors of each, how soon the first
// words and the final transcript come, and how many words are taken back. The modes take turns with each clip.
//
//   node bench/streaming.ts [--limit 20] [--chunk-seconds 0.128]
//
// Real time means what it says: twenty clips need a minute. Needs Debian's libpocketsphinx3 and pocketsphinx-en-us, and TIMIT
// beside the repository in shared/data.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { durationSeconds } from '../src/audio/clip.ts';
import { wav } from '../src/decoders/wav/wav.ts';
import type { Recognition } from '../src/recognizers/contract.ts';
import { pocketsphinx } from '../src/recognizers/pocketsphinx/pocketsphinx.ts';
import type { Instability } from '../src/recognizers/shared/recognize-stream.ts';
import { plainServices } from '../src/recognizers/testing/tones.ts';
import { countEdits } from '../src/scoring/alignment/align.ts';
import { addCounts, type EditCounts, errorRate, noEdits } from '../src/scoring/edit-counts.ts';
import { normalizerNamed } from '../src/scoring/normalizers/normalizers.ts';

const data = fileURLToPath(new URL('../../shared/data', import.meta.url));
const { values } = parseArgs({
  options: { limit: { type: 'string', default: '20' }, 'chunk-seconds': { type: 'string', default: '0.128' } },
});
const services = plainServices(data);
const readiness = await pocketsphinx.readiness(services);
if (!existsSync(join(data, 'speech/manifest.tsv')) || !readiness.ready) {
  console.log(`skipped: ${readiness.ready ? `no TIMIT at ${data}` : readiness.found}`);
  process.exit(0);
}

const manifest = (await readFile(join(data, 'speech/manifest.tsv'), 'utf8')).split('\n').slice(1);
const rows = manifest.map((line) => line.split('\t')).filter(([, corpus]) => corpus === 'timit');
const step = rows.length / Math.min(rows.length, Math.max(1, Number(values.limit)));
const chosen = Array.from({ length: Math.floor(rows.length / step) }, (_, index) => rows[Math.floor(index * step)]!);

const stream = { mode: 'streaming', chunkSeconds: Number(values['chunk-seconds']) };
const modes: readonly [string, object][] = [
  ['batch', {}],
  ['streaming, fast', stream],
  ['streaming, real time', { ...stream, pace: 'real-time' }],
];

interface Sums {
  edits: EditCounts;
  readonly texts: string[];
  readonly firstPartials: number[];
  readonly latencies: number[];
  workSeconds: number;
  soundSeconds: number;
  finalWords: number;
  takenBack: number;
}

const normalizer = normalizerNamed('basic');
const opened = await Promise.all(
  modes.map(async ([name, options]) => ({
    name,
    recognizer: await pocketsphinx.open(pocketsphinx.options.parse(options), services),
    sums: {
      edits: noEdits,
      texts: [],
      firstPartials: [],
      latencies: [],
      workSeconds: 0,
      soundSeconds: 0,
      finalWords: 0,
      takenBack: 0,
    } as Sums,
  })),
);
for (const row of chosen) {
  const path = row[0]!;
  const clip = await wav.decode(await readFile(join(data, path)), path);
  for (const { recognizer, sums } of opened) {
    const request = { clip, utteranceId: path, conditionName: 'clean', repeat: 0, language: 'en' };
    const started = performance.now();
    const heard = await recognizer.recognize(request, new AbortController().signal);
    add(sums, heard, (performance.now() - started) / 1000, durationSeconds(clip), row[9]!);
  }
}

const inMs = (seconds: number[], share: number) => `${(1000 * quantile(seconds, share)).toFixed(0)} ms`;
const [batch] = opened;
for (const { name, recognizer, sums } of opened) {
  await recognizer.close();
  const { edits, texts, latencies, firstPartials, finalWords } = sums;
  const same = texts.filter((text, index) => text === batch!.sums.texts[index]).length;
  const line = [
    `${name}: WER ${errorRate(edits)!.toFixed(4)} (${edits.substitutions}S ${edits.deletions}D ${edits.insertions}I of ${edits.correct + edits.substitutions + edits.deletions} words, ${texts.length} clips)`,
    `${same} texts as in batch mode`,
    `real-time factor of the engine ${(sums.workSeconds / sums.soundSeconds).toFixed(3)}`,
  ];
  if (latencies.length > 0) {
    line.push(
      `first partial after ${inMs(firstPartials, 0.5)} (median), ${inMs(firstPartials, 0.9)} (90 %), n = ${firstPartials.length}`,
      `final ${inMs(latencies, 0.5)} (median), ${inMs(latencies, 0.9)} (90 %) after the end of the sound, n = ${latencies.length}`,
      `${sums.takenBack} words taken back for ${finalWords} final ones (${(sums.takenBack / finalWords).toFixed(2)})`,
    );
  }
  console.log(line.join('; '));
}

function add(sums: Sums, heard: Recognition, seconds: number, soundSeconds: number, reference: string): void {
  const { text, timing: { stream } = {}, details } = heard;
  sums.edits = addCounts(sums.edits, countEdits(normalizer.words(reference), normalizer.words(text)));
  sums.texts.push(text);
  sums.workSeconds += seconds - (stream?.waitedSeconds ?? 0);
  sums.soundSeconds += soundSeconds;
  if (stream === undefined) return;
  sums.latencies.push(stream.finalLatencySeconds);
  if (stream.firstPartialSeconds !== null) sums.firstPartials.push(stream.firstPartialSeconds);
  sums.finalWords += text.split(' ').filter(Boolean).length;
  sums.takenBack += (details!.streaming as unknown as Instability).wordsTakenBack;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
