// Recordings of published corpora with the list that describes them, where both stand beside the repository; else sounds that SoX writes in
// the corpus' own format, for people who are invented.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readRows } from '../../system/read-rows.ts';
import { collected, utterancesOf } from '../conformance.ts';
import type { Corpus } from '../contract.ts';

const data = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const stored = existsSync(`${data}speech/manifest.tsv`);

/** Whether recordings are those of the corpus. */
export const realRecordings = stored;

/** For `skip`: recordings can be had, stored or made. */
export const needsRecordings = {
  skip:
    !stored &&
    spawnSync('sox', ['--version']).status !== 0 &&
    'neither recordings beside the repository nor SoX are here',
};

/** A line of the list, and its recording. */
export interface Recording {
  readonly utt: string;
  readonly speaker: string;
  readonly sex: string;
  readonly age: string;
  readonly accent: string;
  readonly text: string;
  readonly extra: string;
  /** The file. */
  readonly bytes: () => Uint8Array;
  /** What the file holds, where it is made: samples between -1 and 1. */
  readonly samples: Float32Array | null;
}

type Listed = Pick<Recording, 'utt'> & Partial<Recording>;

/** How a corpus stores its sounds, for SoX. */
interface Format {
  readonly type: 'wav' | 'sph' | 'flac' | 'mp3';
  readonly sampleRate: number;
}

/** Recordings of a corpus as the list beside the repository names them, or those invented here. */
export async function recordingsOf(corpus: string, invented: readonly Listed[], format: Format): Promise<Recording[]> {
  if (stored) {
    const rows = await collected(readRows(`${data}speech/manifest.tsv`, 'manifest.tsv'));
    return rows
      .filter((row) => row.text('corpus') === corpus)
      .map((row) => {
        const text = (name: string) => row.text(name) ?? '';
        const path = `${data}${text('path')}`;
        const [utt, speaker, sex, age, accent] = ['utt', 'speaker', 'sex', 'age', 'accent'].map(text);
        return {
          ...{ utt: utt!, speaker: speaker!, sex: sex!, age: age!, accent: accent!, text: text('text') },
          ...{ extra: text('extra'), bytes: () => readFileSync(path), samples: null },
        };
      });
  }
  // Of different lengths, so that one in another's place is told from it.
  const sounds = [0, 1, 2].map((index) => soundBySox(6000 + 1000 * index, format));
  return invented.map((row, index) => {
    const { bytes, samples } = sounds[index % sounds.length]!;
    const unknown = { speaker: '', sex: '', age: '', accent: '', text: '', extra: '' };
    return { ...unknown, ...row, bytes: () => bytes, samples };
  });
}

/** A tone in SoX's file. */
function soundBySox(count: number, { type, sampleRate }: Format): { bytes: Uint8Array; samples: Float32Array } {
  const steps = Int16Array.from({ length: count }, (_, n) => Math.round(12_000 * Math.sin((n * n) / 40_000 + n / 5)));
  const raw = ['-t', 'raw', '-e', 'signed', '-b', '16', '-L', '-c', '1', '-r', String(sampleRate), '-'];
  const bytes = execFileSync('sox', ['-D', '-R', ...raw, '-t', type, '-'], { input: new Uint8Array(steps.buffer) });
  return { bytes, samples: Float32Array.from(steps, (step) => step / 32_768) };
}

/** Checks that the corpus gives made recordings (of many, some) their own samples, as SoX was given them. */
export async function assertOwnSounds(corpus: Corpus, recordings: readonly Recording[]): Promise<void> {
  const byId = new Map(recordings.map((recording) => [recording.utt, recording]));
  const utterances = await utterancesOf(corpus);
  const step = Math.ceil(utterances.length / 40);
  for (const utterance of utterances.filter((_, index) => index % step === 0)) {
    const { samples: expected } = byId.get(utterance.id)!;
    if (expected === null) continue;
    const { samples } = await corpus.clip(utterance);
    assert.deepEqual([utterance.id, samples.length], [utterance.id, expected.length]);
    assert.ok(
      samples.every((sample, n) => sample === expected[n]),
      utterance.id,
    );
  }
}
