import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesPerFrame, decodePcm } from '../../audio/pcm.ts';
import { compressedWavFrames, wavCompression, wavLayout } from '../../audio/wav-layout.ts';
import { badInput, type EarwitnessError, missingProgram } from '../../base/errors.ts';
import { temporaryFolder } from '../../base/on-disk.ts';
import { type ProgramOutcome, runProgram } from '../../system/run-program.ts';
import type { Decoder } from '../contract.ts';
import { severalTracks } from '../shared/refusals.ts';
import { mp4Seconds } from './mp4-length.ts';
import { oneFile } from './one-file.ts';

const maxSeconds = 300;
/** Of decoded sound: 1.5 hours of 44.1 kHz stereo. */
const maxOutputBytes = 2_000_000_000;

/**
 * Anything that is not text, through the program ffmpeg where it is installed. The program is given bytes, never a name or
 * an address from outside, and may open nothing else.
 */
export const ffmpeg: Decoder = {
  name: 'ffmpeg',
  get version() {
    return `${ffmpegVersion() ?? ''}, revision 2`;
  },
  recognizes: (head) => head.length > 0 && !isText(head),
  requires(head, nameForErrors) {
    if (ffmpegVersion() === null) throw missingFfmpeg(nameForErrors, head);
  },
  async decode(file, nameForErrors, mix, warn) {
    const bytes = await oneFile(file, nameForErrors, warn);
    const format = formatReadTwice(bytes);
    const answer = format
      ? await withTemporaryFile(bytes, (path) =>
          decodeInput(['-protocol_whitelist', 'file', '-f', format, '-i', path], null),
        )
      : await decodeInput(['-protocol_whitelist', 'pipe', '-i', 'pipe:0'], bytes);
    const errors = errorsIn(answer.errors);
    if (answer.end.how === 'not started') throw missingFfmpeg(nameForErrors, bytes, answer.end.error);
    if (answer.end.how === 'too long' || answer.end.how === 'too much') {
      throw badInput(
        `${nameForErrors}: expected audio that ffmpeg decodes within ${maxSeconds} s to at most ${maxOutputBytes / 1e9} GB, but it takes more; cut it into several files`,
      );
    }
    if (hasNoSound.test(errors)) {
      throw badInput(
        `${nameForErrors}: expected an audio file, but there is no sound in it (a video without a sound track, a picture); take it out`,
      );
    }
    const layout = answer.output.length > 44 ? wavLayout(answer.output, answer.output.length, nameForErrors) : null;
    // ffmpeg decodes what it can of a damaged file, reports the rest, and calls that a success.
    if (layout === null || layout.frames === 0 || answer.end.how !== 'exit' || answer.end.code !== 0 || errors !== '') {
      const said =
        errors
          .replace(/[^ -~]+/g, ' ')
          .trim()
          .slice(0, 200) || 'there is no sound in it';
      throw badInput(
        `${nameForErrors}: expected an audio file, but ffmpeg cannot read it (${said}); copy it again from its source or take it out`,
      );
    }
    const tracks = tracksIn(answer.errors);
    if (tracks > 1) warn?.(severalTracks(nameForErrors, tracks));
    // Blocks of compressed WAV and of AAC are filled up at the end.
    const seconds = mp4Seconds(bytes);
    const said = seconds === null ? null : Math.round(seconds * layout.sampleRate);
    const frames = Math.min(layout.frames, said ?? compressedWavFrames(bytes) ?? layout.frames);
    const end = layout.dataOffset + frames * bytesPerFrame(layout);
    return decodePcm(answer.output.subarray(layout.dataOffset, end), layout, mix);
  },
};

/** What ffmpeg says where the first stream of sound is asked for and there is none. */
const hasNoSound = /Stream map .* matches no streams/;

function decodeInput(input: readonly string[], bytes: Uint8Array | null): Promise<ProgramOutcome> {
  const options = ['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'level+info', ...input];
  const output = ['-map', '0:a:0', '-map_metadata', '-1', '-c:a', 'pcm_f32le', '-bitexact', '-f', 'wav', 'pipe:1'];
  return runProgram({
    program: 'ffmpeg',
    arguments: [...options, ...output],
    input: bytes,
    maxSeconds,
    maxOutputBytes,
  });
}

/** Of what ffmpeg says, by lines with their level: what went wrong. Tags of the file, which may say anything, stand further right. */
function errorsIn(said: string): string {
  const lines = said.match(/^(?:\[[^\]\n]* @ 0x[0-9a-f]+\] )*\[(?:error|fatal|panic)\] .*$/gm) ?? [];
  return lines.map((line) => line.replace(/^(?:\[[^\]]* @ \w+\] )*\[\w+\] (?:pipe:0: |\S*\/sound: )?/, '')).join('; ');
}

/** Tracks of audio among the streams that ffmpeg tells of before it says what it makes of them. */
function tracksIn(said: string): number {
  const [input = ''] = said.split(/^\[info\] (?:Stream mapping|Output #0)/m);
  return input.match(/^\[info\] {3}Stream #0:\d+[^\n]*: Audio: /gm)?.length ?? 0;
}

async function withTemporaryFile<Result>(
  bytes: Uint8Array,
  action: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = temporaryFolder('sound');
  try {
    const path = join(folder, 'sound');
    await writeFile(path, bytes);
    return await action(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Files that are not read in one go, by how they begin and ffmpeg's name of the format: an index at the end, or a length. */
const readTwice = { '....ftyp': 'mov', caff: 'caf', wvpk: 'wv' } as const;

function formatReadTwice(head: Uint8Array): string | undefined {
  const beginning = String.fromCharCode(...head.subarray(0, 8));
  return Object.entries(readTwice).find(([pattern]) => new RegExp(`^${pattern}`, 's').test(beginning))?.[1];
}

/** Play lists and scripts are text: ffmpeg must not be led on by them to other files. */
function isText(head: Uint8Array): boolean {
  return head.subarray(0, 512).every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}

let version: string | null = null;

/** Version of the installed ffmpeg, asked once it is there; null where there is none. */
function ffmpegVersion(): string | null {
  if (version !== null) return version;
  const answer = spawnSync('ffmpeg', ['-version'], { encoding: 'utf8', timeout: 20_000, maxBuffer: 1 << 20 });
  const match = /^ffmpeg version (\S+)/.exec(answer.stdout ?? '');
  version = match?.[1] ?? null;
  return version;
}

/** The sentence for a file that only ffmpeg could read. */
function missingFfmpeg(nameForErrors: string, head: Uint8Array, cause?: Error): EarwitnessError {
  const compression = wavCompression(head);
  const isAiff = /^FORM.{4}AIFC/s.test(String.fromCharCode(...head.subarray(0, 12)));
  const came =
    compression === null && !isAiff
      ? 'none of these, and other audio is read by'
      : `a compressed ${isAiff ? 'AIFF' : `WAV (${compression})`}, which is read by`;
  return missingProgram(
    `${nameForErrors}: expected WAV, FLAC, MP3, Ogg Vorbis, Ogg Opus, AIFF or NIST SPHERE, but it is ${came} the program ffmpeg, which is not installed; install that (Debian: apt install ffmpeg) or convert the file`,
    { cause },
  );
}
