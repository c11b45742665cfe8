import { encodeWav } from '../../audio/encode-wav.ts';
import { sha256 } from '../../base/hash.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import { aboutMinutes, type ShownClip } from './clip-session.ts';
import {
  hasOriginalBeside,
  minutesOfRating,
  type RatingPlan,
  type RatingScale,
  type RatingTask,
} from './rating-plan.ts';
import { keptForm } from './take-part.ts';

/** Trials of one check; of these so many must be right. */
export const headphoneTrials = 6;
const neededRight = 5;
/** How often somebody may take the check. */
export const headphoneRounds = 2;

const sampleRate = 44_100;
const frequencyHz = 200;
const toneSeconds = 1;
const pauseSeconds = 0.5;
const rampSeconds = 0.1;
const loudness = 0.25;
/** 6 dB less. */
const softer = 10 ** (-6 / 20);

/** Which tone is softer, and which is turned round in one ear: all six ways. */
const ways = [0, 1, 2].flatMap((soft) => [0, 1, 2].flatMap((turned) => (turned === soft ? [] : [{ soft, turned }])));

/**
 * One trial of the headphone check of Woods, Siegel, Traer and McDermott ("Headphone screening to facilitate web-based auditory experiments", 2017): three tones, one of
 * them softer, another one with opposite phase in the two ears. Loudspeakers cancel that one, so that it seems the softest to whoever has no headphones on.
 *
 * @param place of the trial, counted from 0
 * @param drawn stands for whoever listens and how often: the order follows from it
 */
export function headphoneTrial(place: number, drawn: string) {
  const order = ways
    .map((way, at) => ({ way, lot: sha256(`${drawn} ${at}`) }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1));
  const { soft, turned } = order[place % ways.length]!.way;
  return { soft, wav: () => tones(soft, turned) };
}

/** Whether enough trials are right; null while some are open. */
export function headphonesPassed(right: readonly (boolean | null)[]): boolean | null {
  return right.includes(null) ? null : right.filter(Boolean).length >= neededRight;
}

function tones(soft: number, turned: number): Uint8Array {
  const [toneFrames, pauseFrames] = [toneSeconds, pauseSeconds].map((seconds) => Math.round(seconds * sampleRate));
  const frames = 3 * toneFrames! + 2 * pauseFrames!;
  const samples = new Float32Array(2 * frames);
  for (let tone = 0; tone < 3; tone++) {
    const start = tone * (toneFrames! + pauseFrames!);
    for (let frame = 0; frame < toneFrames!; frame++) {
      const seconds = Math.min(frame, toneFrames! - 1 - frame) / sampleRate;
      const ramp = Math.sin((Math.PI / 2) * Math.min(1, seconds / rampSeconds)) ** 2;
      const value =
        loudness * (tone === soft ? softer : 1) * ramp * Math.sin((2 * Math.PI * frequencyHz * frame) / sampleRate);
      samples[2 * (start + frame)] = value;
      samples[2 * (start + frame) + 1] = tone === turned ? -value : value;
    }
  }
  // Samples of both ears in turn, as WAV has them, under a header that says so.
  const bytes = encodeWav({ samples, sampleRate }, { format: 's16' });
  const header = new DataView(bytes.buffer);
  header.setUint16(22, 2, true);
  header.setUint32(28, 4 * sampleRate, true);
  header.setUint16(32, 4, true);
  return bytes;
}

/** What somebody said of a clip. */
export interface Rating {
  /** By scale. */
  readonly grades: Readonly<Record<string, number>>;
  /** How often it was heard to its end. */
  readonly plays: number;
}

/** What somebody reads before the first clip. */
export function welcome(plan: RatingPlan, tasks: readonly RatingTask[], first: string): Markup {
  const beside = hasOriginalBeside(plan);
  const about = beside
    ? 'Beside each is the original, as it was spoken. Say how well you can understand the clip, compared with it.'
    : 'Some of them were changed. Say of each how good it sounds.';
  return html`<div class="task"><p class="text">You will hear ${tasks.length} short clips of speech. ${about} It takes ${aboutMinutes(minutesOfRating(plan, tasks))}; you can stop at any time and go on later with the same link.</p>
<p class="text">${plan.headphones === 'off' ? 'Please listen in a quiet place.' : 'Please use headphones in a quiet place.'} Set the volume with the first clip, and leave it so: that some clips are softer or louder than others may be part of what you rate.</p>
<p class="text">There is no right or wrong: what counts is how it sounds to you. Use the whole range, and do not think long.</p>
<p class="actions"><a class="go" href="${first}">Begin</a></p></div>`;
}

/** A player that loads a clip whole before it can be played. */
function playerOf(audio: string, label: string, name: 'clip' | 'original'): Markup {
  return html`<section class="player" aria-label="${label}" data-audio="${audio}" data-name="${name}"><p class="actions"><button type="button" data-play data-label="${label}" disabled>Loading …</button><span class="small quiet" data-state role="status"></span></p></section>`;
}

/** One trial of the headphone check. */
export function headphoneContent(
  { round, place }: { readonly round: number; readonly place: number },
  { path, audio }: { readonly path: string; readonly audio: string },
): Markup {
  const lead =
    round === 0
      ? 'Put your headphones on. You hear three tones: which one is the softest?'
      : 'That did not sound like headphones. Put them on, left and right as marked, and try again: which tone is the softest?';
  const choices = ['First', 'Second', 'Third'].map(
    (label, at) => html`<label><input type="radio" name="softest" value="${at + 1}" required> ${label}</label>`,
  );
  const form = keptForm(
    `${path}/softest`,
    html`<fieldset data-scale><legend>The softest tone</legend>${choices}</fieldset><input type="hidden" name="plays" value="0">
<p class="small quiet keys"><kbd>Esc</kbd> plays and stops, <kbd>1</kbd> to <kbd>3</kbd> choose the first to the third tone, <kbd>Enter</kbd> saves.</p>`,
    'Save and go on',
  );
  return html`<div class="task"><p class="text">${lead}</p><p class="small quiet">${place + 1} of ${headphoneTrials}</p>${playerOf(audio, 'Play the tones', 'clip')}${form}</div>`;
}

/** Who has no headphones on goes no further. */
export function noHeadphonesContent(): Markup {
  return html`<p class="text">This listening test needs headphones, and twice it did not sound like them. Thank you for trying; you can close this page, or ask whoever invited you.</p>`;
}

/** A clip's players, and its scales. */
export function ratingContent(
  scales: readonly RatingScale[],
  { audio, value: rating, form, hasOriginal }: ShownClip<Rating> & { readonly hasOriginal: boolean },
): readonly Markup[] {
  const most = scales[0]!.grades.length;
  const fieldsets = scales.map(({ name, question, grades }) => {
    const chosen = rating?.grades[name];
    const choices = grades.map(
      (label, at) =>
        html`<label><input type="radio" name="${name}" value="${at + 1}" required${chosen === at + 1 && html` checked`}> ${at + 1}${label !== null && html` <span class="quiet">${label}</span>`}</label>`,
    );
    return html`<fieldset data-scale><legend>${question}</legend>${choices}</fieldset>`;
  });
  const keys = html`<p class="small quiet keys"><kbd>Esc</kbd> plays and stops the clip, ${hasOriginal && html`<kbd>o</kbd> the original, `}<kbd>1</kbd> to <kbd>${most === 10 ? 9 : most}</kbd> choose this grade${most === 10 && html`, <kbd>0</kbd> chooses 10`}, <kbd>Enter</kbd> saves.</p>`;
  const original = hasOriginal ? [playerOf(`${audio}/original`, 'Play the original', 'original')] : [];
  const fields = html`${fieldsets}<input type="hidden" name="plays" value="${rating?.plays ?? 0}">${keys}`;
  return [...original, playerOf(audio, 'Play the clip', 'clip'), form(fields)];
}
