import type { Clip } from '../../audio/clip.ts';
import { bytesPerFrame, decodePcm } from '../../audio/pcm.ts';
import { isWav, wavLayout } from '../../audio/wav-layout.ts';
import { EarwitnessError } from '../../base/errors.ts';

/**
 * The sound that a synthesizer gave as a WAV file.
 *
 * @param engine what error messages begin with
 * @throws EarwitnessError `bad-input` where it is none, is cut off, or holds no sound
 */
export function readWav(bytes: Uint8Array, engine: string): Clip {
  if (!isWav(bytes))
    throw noSound(engine, bytes.length === 0 ? 'gave nothing' : `gave ${bytes.length} bytes of something else`);
  const layout = wavLayout(bytes, bytes.length, engine);
  if (layout === null) throw noSound(engine, 'gave a file that ends before its samples');
  if (layout.promisedFrames > layout.frames) throw noSound(engine, 'gave a file that is cut off');
  const start = layout.dataOffset;
  const clip = decodePcm(bytes.subarray(start, start + layout.frames * bytesPerFrame(layout)), layout);
  if (clip.samples.length === 0) throw noSound(engine, 'gave a file without samples');
  if (!clip.samples.every(Number.isFinite)) throw noSound(engine, 'gave samples that are not numbers');
  return clip;
}

function noSound(engine: string, came: string): EarwitnessError {
  return new EarwitnessError(
    'bad-input',
    `${engine}: expected a WAV file with the spoken text, but it ${came}; try the text with the program itself`,
  );
}
