import type { SoundCodecs } from '../../audio/codecs/sound-codec.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { installLine, isAbsent } from '../../packages/installed-package.ts';
import { openMp3Codec } from './mp3-codec.ts';
import { openOpusCodec } from './opus-codec.ts';

const packages = { opus: 'libopus-wasm', mp3: 'wasm-media-encoders' } as const;
const makers: { readonly [Name in keyof SoundCodecs]: () => Promise<SoundCodecs[Name]> } = {
  opus: openOpusCodec,
  mp3: openMp3Codec,
};
const opened = new Map<keyof SoundCodecs, Promise<SoundCodecs[keyof SoundCodecs]>>();

/**
 * A codec in WebAssembly, from an optional package that is loaded when it is first asked for.
 *
 * @throws EarwitnessError `missing-program` with the line that installs it
 * @example const opus = await openCodec('opus');
 */
export function openCodec<Name extends keyof SoundCodecs>(name: Name): Promise<SoundCodecs[Name]> {
  const known = opened.get(name) ?? open(name);
  opened.set(name, known);
  return known as Promise<SoundCodecs[Name]>;
}

async function open(name: keyof SoundCodecs): Promise<SoundCodecs[keyof SoundCodecs]> {
  try {
    return await makers[name]();
  } catch (thrown) {
    opened.delete(name);
    throw isAbsent(thrown, packages[name]) ? missingCodec(name, thrown) : thrown;
  }
}

function missingCodec(name: keyof SoundCodecs, cause: unknown): EarwitnessError {
  return new EarwitnessError(
    'missing-program',
    `${name}: expected the package ${packages[name]}, which encodes this kind of sound, but it is not installed; type: ${installLine(packages[name])}`,
    { cause },
  );
}
