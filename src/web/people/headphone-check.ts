import { encodeWav } from '../../audio/encode-wav.ts';
import { sha256 } from '../../base/hash.ts';

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
