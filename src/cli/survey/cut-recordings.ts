import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { badInput, messageOf } from '../../base/errors.ts';
import { personal } from '../../base/on-disk.ts';
import { counted } from '../../base/wording.ts';
import { withChannels } from '../../corpora/shared/with-channels.ts';
import type { SoundFiles, SoundPart } from '../../decoders/contract.ts';
import { maxClipSeconds } from '../../decoders/sound-files.ts';
import { quietPieces } from '../../recognizers/shared/quiet-pieces.ts';

import { loadMember } from '../../session/members/load-member.ts';
import { createServices } from '../../session/open/services.ts';
import type { Doing } from '../progress/lines.ts';
import type { Survey } from './survey.ts';
import { minutesText } from './survey-text.ts';

/** Name of the list that is written beside the config. */
export const piecesFile = 'earwitness-pieces.tsv';

/** Longest and mean of long recordings: more where they have words, which are of whole recordings. */
const longSeconds = { withWords: [300, 120], withoutWords: [60, 30] } as const;
const pieceSeconds = 15;
const heldSeconds = 600;
/** What helps whoever has words of long recordings. */
const stretches = 'a manifest of segments with their text (file, start, end, text)';
/** A piece in which nothing is louder holds no speech: about -60 dB of full scale. */
const quietest = 0.001;

/** Whether recordings are minutes each, where utterances are meant. */
export function isLongRecording({
  longestSeconds,
  minutes,
  clips,
  texts,
}: Pick<Survey, 'longestSeconds' | 'minutes' | 'clips' | 'texts'>): boolean {
  const [longest, mean] = texts === 0 ? longSeconds.withoutWords : longSeconds.withWords;
  return longestSeconds > longest && (minutes * 60) / clips > mean;
}

/**
 * Long recordings as they can be asked about: whole, where their words are known and no run would refuse them, else in pieces.
 *
 * @param found recordings that are long (`isLongRecording`)
 * @param baseFolder where a list of pieces is written, and from where its paths are meant
 * @param doing is told how many pieces there are
 * @throws EarwitnessError `bad-input`: a sound cannot be read, or the list not written
 */
export async function askable(found: Survey, baseFolder: string, doing: Doing): Promise<Survey> {
  if (found.texts === 0 || found.longestSeconds > maxClipSeconds) return cutRecordings(found, baseFolder, doing);
  const longest = minutesText(found.longestSeconds / 60);
  return {
    ...found,
    notes: [
      ...found.notes,
      `Recordings of up to ${longest} are kept whole, like their references. For narrower confidence intervals, use ${stretches}.`,
    ],
  };
}

/**
 * Cuts long recordings at pauses into pieces of at most 15 seconds, by a list of where each begins and ends: nothing is copied, and
 * what several utterances mean is cut once.
 * Words that belong to a whole recording cannot be divided among its pieces, so that these have none.
 *
 * @returns the pieces as a survey of their own
 */
async function cutRecordings(found: Survey, baseFolder: string, doing: Doing): Promise<Survey> {
  const services = createServices({ baseFolder });
  const { member } = await loadMember('corpora', found.corpus.type, baseFolder);
  const { options: read, channels } = found.corpus;
  const opened = await member.open(member.options.parse(read) as never, services.corpus);
  const corpus = channels === undefined ? opened : withChannels(opened, channels, services.sounds);
  const names = found.groups.map(({ name }) => name);
  const rows: string[][] = [['file', 'start', 'end', 'channel', 'speaker', ...names]];
  const cut = new Set<string>();
  let outside = false;
  let seconds = 0;
  let longestSeconds = 0;
  try {
    for await (const { sound, speaker, attributes } of corpus.utterances()) {
      if (sound === undefined || !('file' in sound)) continue;
      const stretch = JSON.stringify(sound);
      if (cut.has(stretch)) continue;
      cut.add(stretch);
      doing('cutting long recordings at pauses', () => counted(rows.length - 1, 'piece'));
      const file = relative(baseFolder, sound.file);
      outside ||= file.startsWith('..');
      for await (const { startSeconds, endSeconds } of loudPieces(sound, services.sounds)) {
        const length = endSeconds - startSeconds;
        const times = [startSeconds, endSeconds].map((time) => time.toFixed(3));
        const facts = [speaker ?? '', ...names.map((name) => attributes[name] ?? '')];
        const channel = typeof sound.channel === 'number' ? String(sound.channel) : '';
        rows.push([file, ...times, channel, ...facts].map((field) => field.replace(/[\t\r\n]/g, ' ')));
        seconds += length;
        longestSeconds = Math.max(longestSeconds, length);
      }
    }
  } finally {
    await corpus.close();
    await services.close();
  }
  // A list of files with one channel has no column for it, and an attribute of that name stays.
  const unused = rows.slice(1).some((row) => row[3] !== '') ? rows[0]!.indexOf('channel', 4) : 3;
  const lines = rows.map((row) => row.filter((_, column) => column !== unused).join('\t'));
  await keepList(join(baseFolder, piecesFile), `${lines.join('\n')}\n`);
  const options = {
    file: piecesFile,
    ...(outside ? { allowOutside: true } : {}),
    attributes: names,
    language: found.language,
  };
  const words =
    found.texts > 0
      ? ` References are for whole recordings, of which at most ${maxClipSeconds / 60} minutes can be recognized at once: the pieces have none. For word error rates, use ${stretches}.`
      : '';
  const longest = minutesText(found.longestSeconds / 60);
  return {
    ...found,
    corpus: { type: 'manifest', options, ...(channels === 'mean' && { channels }) },
    clips: lines.length - 1,
    texts: 0,
    whole: { clips: found.clips, texts: found.texts },
    whoSpeaks: null,
    minutes: seconds / 60,
    minutesEstimated: false,
    longestSeconds,
    notes: [
      ...found.notes,
      `Recordings of up to ${longest} were cut at pauses into ${lines.length - 1} pieces of at most ${pieceSeconds} s (${piecesFile}).${words}`,
    ],
  };
}

/** Pieces of a stretch in which something is to be heard. A part of the sound is held at a time, not hours of it. */
async function* loudPieces(
  { file, startSeconds: start = 0, endSeconds, channel }: { readonly file: string } & SoundPart,
  sounds: SoundFiles,
): AsyncGenerator<{ readonly startSeconds: number; readonly endSeconds: number }> {
  const end = endSeconds ?? (await sounds.durationSeconds(file));
  for (let from = start; from < end; ) {
    const isLast = from + heldSeconds >= end;
    const to = isLast ? endSeconds : from + heldSeconds;
    const part = {
      startSeconds: from,
      ...(to !== undefined && { endSeconds: to }),
      ...(channel !== undefined && { channel }),
    };
    const { samples, sampleRate } = await sounds.read(file, part);
    const pieces = quietPieces(samples, sampleRate, pieceSeconds);
    // The last piece ends with the part and not in a pause: the next part begins with it.
    const rest = isLast ? null : pieces.pop()!;
    for (const piece of pieces) {
      if (piece.samples.every((sample) => Math.abs(sample) < quietest)) continue;
      const startSeconds = from + piece.startSeconds;
      yield { startSeconds, endSeconds: startSeconds + piece.samples.length / sampleRate };
    }
    from = rest === null ? end : from + rest.startSeconds;
  }
}

/** Writes the list; one that is there stays, and must be the same: somebody may have added words to it. */
async function keepList(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: personal.file });
  } catch (error) {
    if ((await readFile(file, 'utf8').catch(() => null)) === text) return;
    throw badInput(
      `${piecesFile}: expected to write a manifest of pieces, but ${existsSync(file) ? 'another exists; name that manifest instead of the folder, or remove it' : `that failed (${messageOf(error)})`}`,
      { cause: error },
    );
  }
}
