import { printable } from '../base/printable.ts';
import type { Condition } from '../model/condition.ts';
import type { ClipMeasurement } from '../model/measurement.ts';
import type { SoundDone } from '../session/export/perturb-corpus.ts';
import { createCountingLine } from './progress/counting-line.ts';
import type { Screen } from './progress/progress-line.ts';
import { timeLeft } from './progress/time-left.ts';

/** More sounds than people read about one by one. */
const mostToldApart = 50;
/** Of many failures, so many are told. */
const mostFailuresTold = 20;

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
        if (++counts.failed <= mostFailuresTold) say(printable(failure, 1000));
        if (counts.failed === mostFailuresTold) say('… further failures are counted only');
      } else if (counts.sounds <= mostToldApart) {
        const name = output ?? `${utterance.utterance.id}, ${conditions[condition]!.name}`;
        say(summary(name, measurement!, skipped));
      }
      line.done(counts.done, counts.sounds, counts.failed > 0 ? `, ${counts.failed} failed` : '');
    },
    warn: (message) => say(`warning: ${printable(message, 1000)}`),
    end(place) {
      line.clear();
      const { sounds, failed, skipped, seconds } = counts;
      if (sounds <= mostToldApart && place === null) return;
      const parts = [
        `${sounds - failed} sounds, ${timeLeft(seconds)} of sound${place === null ? '' : ` in ${printable(place)}`}`,
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

function summary(name: string, measurement: ClipMeasurement, skipped: boolean): string {
  const level = measurement.levelDbfs === null ? 'silent' : `${measurement.levelDbfs.toFixed(1)} dBFS`;
  const facts = measurement.facts.length === 0 ? '' : `\n    ${printable(JSON.stringify(measurement.facts), 600)}`;
  return `${printable(name)}: ${measurement.durationSeconds.toFixed(2)} s, ${level}, ${(100 * measurement.clippedShare).toFixed(2)} % clipped${skipped ? ', was there already' : ''}${facts}${qualityOf(measurement)}`;
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
