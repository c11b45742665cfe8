import { createHmac, randomBytes } from 'node:crypto';
import { messageOf } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { formatFixed } from '../base/number-format.ts';
import { limitText } from '../base/printable.ts';
import type { AddressedClip, ToldClips } from '../browser/told.ts';
import { jsonLines, pathInWords } from '../report/prepare/json-lines.ts';
import { type ClipPair, clipsOf, type PlayedClip, type WantedClip } from './clips.ts';
import { type Answer, json, notFound } from './frame.ts';

/** So many clips can be asked for by the ids that pages gave out. */
const keptIds = 2000;
const maxFacts = 60;

/** Audio by ids that mean nothing outside: never by a path, and only of clips that stand on a page. */
interface AudioAnswers {
  /** The address of a clip, for a page that shows it. */
  address(run: string, wanted: WantedClip): string;
  /** @param part absent: what there is, as JSON; `0.wav`, `1.picture`, …: one of it */
  answer(id: string, part: string | undefined): Promise<Answer>;
}

/** What makes the clips. */
interface ClipMaker {
  /** @throws EarwitnessError `bad-input` where the audio cannot be made */
  clip(run: string, wanted: WantedClip): Promise<ClipPair>;
}

/** @param allowed whether audio may be made at all */
export function createAudioAnswers(threads: ClipMaker, allowed: boolean): AudioAnswers {
  const ids = new Map<string, { readonly run: string; readonly wanted: WantedClip }>();
  const key = randomBytes(32);
  return {
    address(run, wanted) {
      const id = createHmac('sha256', key)
        .update(JSON.stringify([run, wanted]))
        .digest('base64url')
        .slice(0, 22);
      ids.delete(id);
      ids.set(id, { run, wanted });
      if (ids.size > keptIds) ids.delete(ids.keys().next().value!);
      return `/audio/${id}`;
    },
    async answer(id, part) {
      const known = ids.get(id);
      if (known === undefined || !allowed) return notFound('This audio is on no page that was shown.');
      let pair: ClipPair;
      try {
        pair = await threads.clip(known.run, known.wanted);
      } catch (error) {
        return json({ problem: `The audio cannot be made again: ${messageOf(error).replace(/\.$/, '')}.` });
      }
      if (part === undefined) {
        const { clips, ...others } = describedClips(pair);
        const addressed = (at: number) => ({ wav: `/audio/${id}/${at}.wav`, picture: `/audio/${id}/${at}.picture` });
        const told: ToldClips<AddressedClip> = {
          ...{ ...others, clips: clips.map((clip, at) => ({ ...clip, ...addressed(at) })) },
        };
        return json(told);
      }
      const [place = '', kind] = part.split('.');
      const clip = /^[01]$/.test(place) ? clipsOf(pair)[Number(place)] : undefined;
      if (clip !== undefined && kind === 'wav') return { type: 'audio/wav', body: clip.wav };
      if (clip !== undefined && kind === 'picture')
        return { type: 'application/octet-stream', body: pictureBytes(clip) };
      return notFound('There is no such audio.');
    },
  };
}

/** What the player is told of a clip before and after, besides the samples. */
export function describedClips(pair: ClipPair): ToldClips {
  const labels = ['clean', 'changed'];
  return {
    clips: clipsOf(pair).map(({ seconds, rms, picture: { maxHz } }, at) => ({
      ...{ label: labels[at]!, seconds: `${formatFixed(seconds, 2)} s`, rms, maxHz },
    })),
    timeMap: pair.timeMap,
    facts: pair.facts.map((facts) => {
      const { perturbation = '', ...own } = facts as JsonObject;
      return {
        step: limitText(String(perturbation), 80),
        facts: jsonLines(own)
          .slice(0, maxFacts)
          .map(({ path, value }) => [limitText(pathInWords(path), 80), limitText(rounded(value), 120)] as const),
      };
    }),
    note:
      pair.same === false
        ? 'This audio was made again and differs from the samples that the recognizers received.'
        : pair.same === null
          ? 'Made again from its recipe; what the recognizers received was not kept to compare.'
          : '',
  };
}

/** Six digits of a number are enough to read, and of what computing leaves of a zero none. */
function rounded(text: string): string {
  if (/^-?\d\.\d{6,}e-\d+$/.test(text)) return String(Number(Number(text).toFixed(6)));
  return /^-?\d+\.\d{6,}$/.test(text) ? String(Number(Number(text).toPrecision(6))) : text;
}

/** Columns and rows as two 32-bit numbers, smallest and largest sample of each column, then the levels. */
export function pictureBytes({ picture: { columns, rows, peaks, levels } }: PlayedClip): Uint8Array {
  const bytes = new Uint8Array(8 + peaks.byteLength + levels.length);
  new Uint32Array(bytes.buffer, 0, 2).set([columns, rows]);
  bytes.set(new Uint8Array(peaks.buffer, peaks.byteOffset, peaks.byteLength), 8);
  bytes.set(levels, 8 + peaks.byteLength);
  return bytes;
}
