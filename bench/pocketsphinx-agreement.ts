// The member `pocketsphinx` beside the same decoder's own command line, on TIMIT's 160 sentences: word error rates, and
// whether words, times and confidences are the same. One clip of either needs about a second, and the command line loads
// its model anew for each.
//
//   node bench/pocketsphinx-agreement.ts [--limit 160] [--scenario aequevox/noise:3] [--no-narrow]
//
// Needs Debian's libpocketsphinx3, pocketsphinx and pocketsphinx-en-us, and TIMIT beside the repository in shared/data.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { encodeWav } from '../src/audio/encode-wav.ts';
import { createRandom } from '../src/base/random.ts';
import { wav } from '../src/decoders/wav/wav.ts';
import { applySteps } from '../src/perturbations/apply-steps.ts';
import { resolveScenario } from '../src/perturbations/scenarios.ts';
import { pocketsphinx } from '../src/recognizers/pocketsphinx/pocketsphinx.ts';
import { plainServices } from '../src/recognizers/testing/tones.ts';
import { countEdits } from '../src/scoring/alignment/align.ts';
import { addCounts, errorRate, noEdits } from '../src/scoring/edit-counts.ts';
import { normalizerNamed } from '../src/scoring/normalizers/normalizers.ts';
import { loadLadders } from '../src/session/members/listings.ts';
import { loadMember } from '../src/session/members/load-member.ts';

const run = promisify(execFile);
const largestDifference = 0.02;
const data = fileURLToPath(new URL('../../shared/data', import.meta.url));
const { values } = parseArgs({
  allowNegative: true,
  options: {
    limit: { type: 'string', default: '160' },
    scenario: { type: 'string' },
    narrow: { type: 'boolean', default: true },
  },
});
const services = plainServices(data);
const readiness = await pocketsphinx.readiness(services);
const missing = !existsSync(join(data, 'speech/manifest.tsv'))
  ? `no TIMIT at ${data}`
  : !readiness.ready
    ? readiness.found
    : existsSync('/usr/bin/pocketsphinx_continuous')
      ? null
      : "Debian's package pocketsphinx is not installed";
if (missing !== null) {
  console.log(`skipped: ${missing}`);
  process.exit(0);
}

const manifest = (await readFile(join(data, 'speech/manifest.tsv'), 'utf8')).split('\n').slice(1);
const rows = manifest.map((line) => line.split('\t')).filter(([, corpus]) => corpus === 'timit');
// Every so-manieth, so that a few still hold all speakers.
const step = rows.length / Math.min(rows.length, Math.max(1, Number(values.limit)));
const chosen = Array.from({ length: Math.floor(rows.length / step) }, (_, index) => rows[Math.floor(index * step)]!);

const hub = 'models/pocketsphinx-hub4wsj_sc_8k';
const systems: readonly [string, object, readonly string[]][] = [
  ["Debian's en-us", {}, []],
  ["Debian's en-us, narrow beams", { beams: 'narrow' }, []],
  ['hub4wsj_sc_8k', { acousticModel: hub }, ['-hmm', join(data, hub)]],
];

const normalizer = normalizerNamed('basic');
const steps = values.scenario === undefined ? [] : resolveScenario(values.scenario, await loadLadders())[0]!.steps;
const perturbations = await Promise.all(
  steps.map(async ({ perturbation }) => (await loadMember('perturbations', perturbation, '.')).member),
);
const folder = await mkdtemp(join(tmpdir(), 'earwitness-bench-'));
let failed = false;
try {
  for (const [name, written, parameters] of systems) {
    const beside = !('beams' in written);
    if (!beside && !values.narrow) continue;
    const recognizer = await pocketsphinx.open(pocketsphinx.options.parse(written), services);
    let own = noEdits;
    let other = noEdits;
    let same = 0;
    let words = 0;
    let sameWords = 0;
    let ownSeconds = 0;
    for (const row of chosen) {
      const path = row[0]!;
      const { clip } = await applySteps(await wav.decode(await readFile(join(data, path)), path), steps, {
        ready: (position) => ({ perturbation: perturbations[position]!, prepared: null }),
        randomFor: (position) => createRandom({ bench: 'agreement', path, position }),
      });
      const reference = normalizer.words(row[9]!);
      const request = { clip, utteranceId: row[2]!, conditionName: 'clean', repeat: 0, language: 'en' };
      const started = performance.now();
      const heard = await recognizer.recognize(request, new AbortController().signal);
      ownSeconds += (performance.now() - started) / 1000;
      own = addCounts(own, countEdits(reference, normalizer.words(heard.text)));
      if (!beside) continue;
      const file = join(folder, 'clip.wav');
      await writeFile(file, encodeWav(clip, { format: 's16' }));
      const told = await commandLine(file, parameters);
      other = addCounts(other, countEdits(reference, normalizer.words(told.text)));
      const ownWords = (heard.words ?? []).map((word) => {
        const seconds = [word.startSeconds!, word.endSeconds! - 0.01].map((value) => value.toFixed(3));
        return `${word.text} ${seconds.join(' ')} ${(word.confidence ?? 1).toFixed(4)}`;
      });
      words += told.words.length;
      sameWords += told.words.filter((word, index) => word === ownWords[index]).length;
      if (heard.text === told.text) same++;
    }
    await recognizer.close();
    const rate = errorRate(own)!;
    const line = `${values.scenario ?? 'clean'}, ${name}: WER ${rate.toFixed(4)} on ${chosen.length} clips, ${(ownSeconds / chosen.length).toFixed(2)} s a clip`;
    if (!beside) {
      console.log(line);
      continue;
    }
    const otherRate = errorRate(other)!;
    if (Math.abs(rate - otherRate) > largestDifference) failed = true;
    console.log(
      `${line}; pocketsphinx_continuous ${otherRate.toFixed(4)}; the same text for ${same}, the same word, times and confidence for ${sameWords} of ${words}`,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
if (failed) {
  console.log(`failed: a difference of more than ${largestDifference}`);
  process.exitCode = 1;
}

async function commandLine(file: string, parameters: readonly string[]): Promise<{ text: string; words: string[] }> {
  const { stdout } = await run('pocketsphinx_continuous', [
    '-infile',
    file,
    '-time',
    'yes',
    '-logfn',
    '/dev/null',
    ...parameters,
  ]);
  const lines = stdout.split('\n').filter(Boolean);
  const timed = /^(\S+) (-?\d+\.\d+) (-?\d+\.\d+) (\d+\.\d+)$/;
  const words = lines.flatMap((line) => {
    const [, text, start, end, confidence] = timed.exec(line) ?? [];
    if (text === undefined || /^[<[(]/.test(text)) return [];
    return [`${text.replace(/\(\d+\)$/, '')} ${start} ${end} ${Math.min(1, Number(confidence)).toFixed(4)}`];
  });
  return { text: lines.filter((line) => !timed.test(line)).join(' '), words };
}
