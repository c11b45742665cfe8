import type { Json, JsonObject } from '../base/json.ts';
import { timeLeft } from '../base/number-format.ts';
import { printable } from '../base/printable.ts';
import type { ClipMeasurement, Condition } from '../model/trial.ts';
import type { SoundDone } from '../session/export/perturb-corpus.ts';
import { createCountingLine } from './progress/lines.ts';
import type { Screen } from './progress/progress-line.ts';

/** More sounds than people read about one by one. */
const maxToldApart = 50;
/** Of many failures, so many are told. */
const maxFailuresTold = 20;

/** Tells people what becomes of the sounds. */
export interface PerturbProgress {
  begin(sounds: number): void;
  done(sound: SoundDone): void;
  warn(message: string): void;
  /** Takes the line away and says what was done. */
  end(place: string | null): void;
  readonly failed: number;
  readonly sounds: number;
}

/** A line for each of a few sounds; for many, one that is drawn over itself on a terminal, and a sentence at the end. */
export function createPerturbProgress(screen: Screen, conditions: readonly Condition[]): PerturbProgress {
  const line = createCountingLine(screen, 'sounds');
  const counts = { sounds: 0, done: 0, failed: 0, skipped: 0, seconds: 0 };
  const say = (text: string) => {
    line.clear();
    screen.write(`${text}\n`);
  };
  return {
    begin(sounds) {
      counts.sounds = sounds;
    },
    done({ utterance, condition, output, measurement, failure, skipped }) {
      counts.done++;
      if (skipped) counts.skipped++;
      counts.seconds += measurement?.durationSeconds ?? 0;
      if (failure !== null) {
        const { id } = utterance.utterance;
        const told = failure.includes(id) ? failure : `${id}: ${failure}`;
        if (++counts.failed <= maxFailuresTold) say(printable(told, 1000));
        if (counts.failed === maxFailuresTold) say('… further failures are counted only');
      } else if (counts.sounds <= maxToldApart) {
        const name = output ?? `${utterance.utterance.id}, ${conditions[condition]!.name}`;
        say(summary(name, measurement!, conditions[condition]!, skipped));
      }
      line.done(counts.done, counts.sounds, counts.failed > 0 ? `, ${counts.failed} failed` : '');
    },
    warn: (message) => say(`warning: ${printable(message, 1000)}`),
    end(place) {
      line.clear();
      const { sounds, failed, skipped, seconds } = counts;
      if (sounds <= maxToldApart && place === null) return;
      const parts = [
        `${sounds - failed} sounds, ${timeLeft(seconds)} of audio${place === null ? '' : ` in ${printable(place)}`}`,
        ...(skipped > 0 ? [`${skipped} were there already`] : []),
        ...(failed > 0 ? [`${failed} failed`] : []),
      ];
      screen.write(`${parts.join('; ')}\n`);
    },
    get failed() {
      return counts.failed;
    },
    get sounds() {
      return counts.sounds;
    },
  };
}

function summary(name: string, measurement: ClipMeasurement, { steps }: Condition, skipped: boolean): string {
  const { durationSeconds, levelDbfs, clippedShare, facts } = measurement;
  const parts = [
    `${durationSeconds.toFixed(2)} s`,
    levelDbfs === null ? 'silent' : `${levelDbfs.toFixed(1)} dBFS`,
    ...(clippedShare > 0 ? [`${percent(clippedShare)} clipped`] : []),
    ...(skipped ? ['was there already'] : []),
  ];
  const done = facts.flatMap((fact, index) => stepText(fact, steps[index]?.parameters ?? {}) ?? []).join('; ');
  return `${printable(name)}: ${parts.join(', ')}${done === '' ? '' : `\n    ${printable(done, 600)}`}${qualityOf(measurement)}`;
}

/** Facts that tell people nothing that the others do not: where exactly, by how many samples, how it was computed. */
const untold =
  /^(perturbation|asked.*|.*Samples|compensatedDelaySeconds|startsSeconds|encodedBytes|codedRateHz|segmentSeconds|taps|peak|peakBefore|gain|pairs|.*Metres)$/;

/** What a step did, or where it says nothing of that what it was told to do: `white noise, 6.0 dB SNR`. Null: nothing. */
function stepText({ perturbation, ...facts }: JsonObject, parameters: JsonObject): string | null {
  // Guards against peaks, where there was none, and the rate that a clip has.
  if (facts.factor === 1 || facts.clippedShare === 0 || (facts.fromHz !== undefined && facts.fromHz === facts.toHz))
    return null;
  const told = Object.entries(facts).flatMap(([key, value]) => (untold.test(key) ? [] : valueText(key, value)));
  // Texts among parameters name ways of computing.
  const asked = () =>
    Object.entries(parameters).flatMap(([key, value]) => (typeof value === 'string' ? [] : valueText(key, value)));
  return [String(perturbation).replaceAll('-', ' '), ...(told.length > 0 ? told : asked())].join(', ');
}

/** A value with the unit that its name ends in: `achievedSnrDb` is `6.0 dB SNR`, `addedSeconds` is `added 0.25 s`. */
function valueText(key: string, value: Json): string[] {
  const words = key
    .replace(/^(achieved|measured)(?=[A-Z])/, '')
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase();
  if (typeof value === 'string') return [value];
  if (typeof value === 'boolean') return value ? [words] : [];
  if (typeof value !== 'number' || (value === 0 && /chunks|hz/.test(words))) return [];
  if (words === 'dropped share') return [`${percent(value)} of the sound`];
  if (/share$/.test(words)) return [`${percent(value)} ${words.replace(/ ?share$/, '')}`.trim()];
  if (words === 'sample rate') return [`${value} Hz`];
  if (/^snr db$/.test(words)) return [`${value.toFixed(1)} dB SNR`];
  const [, name, unit] = /^(.*?) ?(db|dbfs|seconds|hz|kilobits per second|bits|chunks|talkers)$/.exec(words) ?? [];
  if (unit === undefined) return [`${words} ${short(value)}`];
  if (unit === 'chunks' || unit === 'bits' || unit === 'talkers')
    return [`${short(value)} ${[unit, name].filter(Boolean).join(' ')}`];
  return [[name, short(value), units[unit]].filter(Boolean).join(' ')];
}

const units: Readonly<Record<string, string>> = {
  db: 'dB',
  dbfs: 'dBFS',
  seconds: 's',
  hz: 'Hz',
  'kilobits per second': 'kbit/s',
};

/** Three digits that count. */
function short(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)));
}

function percent(share: number): string {
  return `${short(100 * share)} %`;
}

/** A line for each measure: `stoi 0.914`; where it has no value, why. */
function qualityOf({ quality = {} }: ClipMeasurement): string {
  return Object.entries(quality)
    .map(([measure, { values, reason }]) => {
      const known = Object.entries(values).filter(([, value]) => value !== null);
      const shown = known.map(([name, value]) =>
        name === measure ? value!.toFixed(3) : `${name} ${value!.toFixed(3)}`,
      );
      return `\n    ${printable(`${measure}: ${[...shown, ...(reason === undefined ? [] : [`none: ${reason}`])].join(', ')}`, 600)}`;
    })
    .join('');
}
