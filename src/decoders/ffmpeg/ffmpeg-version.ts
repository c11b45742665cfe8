import { spawnSync } from 'node:child_process';
import { EarwitnessError } from '../../base/errors.ts';

let version: string | null = null;

/**
 * Version of the installed ffmpeg, asked once.
 *
 * @throws EarwitnessError `missing-program` where there is none
 */
export function ffmpegVersion(): string {
  if (version !== null) return version;
  const answer = spawnSync('ffmpeg', ['-version'], { encoding: 'utf8', timeout: 20_000, maxBuffer: 1 << 20 });
  const match = /^ffmpeg version (\S+)/.exec(answer.stdout ?? '');
  if (!match) throw missingFfmpeg('this sound file');
  version = match[1]!;
  return version;
}

/** The sentence for a file that only ffmpeg could read. */
export function missingFfmpeg(nameForErrors: string): EarwitnessError {
  return new EarwitnessError(
    'missing-program',
    `${nameForErrors}: expected WAV, FLAC, MP3, Ogg Vorbis, Ogg Opus, AIFF or NIST SPHERE, and it is none of these; other sound files need the program ffmpeg, which is not installed; install it (Debian: apt install ffmpeg) or convert the file`,
  );
}
