import type { Example } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import { alignedTranscript, keepBest, worstStretch } from '../shared/examples.ts';
import { named } from '../shared/wording.ts';
import type { Design } from './design.ts';
import type { IdentityControl } from './first-answers.ts';
import type { Scoring, Wrong } from './scoring.ts';

/** Looks out for the cases that are most worth hearing. */
export interface WorstCaseWatch {
  see(sheet: CaseSheet, violation: Case): void;
  /** Worst first, at most one of each utterance for each recognizer and condition. */
  items(): readonly Example[];
}

/** Violations of clips that are recognized alike every time come first, by the share of words that changed. */
export function watchWorstCases({ design, options }: Pick<Scoring, 'design' | 'options'>): WorstCaseWatch {
  const worst = keepBest<Example>(options.worst);
  return {
    see(sheet, violation) {
      const { control, edits, expected } = violation;
      const share = Math.min(1, edits / Math.max(1, expected.length));
      const rank = [control?.steady === false ? 0 : 1, share, Math.min(edits, 1000)];
      if (worst.wants(rank)) worst.offer(rank, exampleOf(sheet, violation));
    },
    items: () => worst.items(),
  };

  function exampleOf(
    sheet: CaseSheet,
    { recognizer, condition, draw, expected, followUp, control, wrong }: Case,
  ): Example {
    const { id, speaker } = sheet.utterance;
    const name = named(design.recognizers[recognizer]!.name);
    const conditionName = design.conditions[condition]!.name;
    const source = sheet.clean(recognizer, design.source(condition, recognizer));
    const row = (label: string, observation: typeof source, tokens: readonly string[]) =>
      alignedTranscript(label, expected, observation, () => [...tokens]);
    const changed = row(`${name}, ${named(conditionName)}`, sheet.followUp(condition, draw, recognizer), followUp);
    const startSeconds = worstStretch(changed.aligned ?? [], source?.soundSeconds ?? null);
    const notes = [
      wrong === null ? null : wrongInWords[wrong],
      control === null || control.recognitions < 2
        ? null
        : control.steady
          ? `${control.recognitions} recognitions of the clean clip agree`
          : 'recognitions of the clean clip differ by themselves',
    ].filter((note) => note !== null);
    return {
      title: `${named(id)}${speaker === undefined ? '' : `, speaker ${named(speaker)}`}: ${name}`,
      utteranceId: id,
      conditionName,
      draw,
      transcripts: [
        row(`${name}, expected from the clean clip`, source, expected),
        notes.length === 0 ? changed : { ...changed, note: [changed.note, ...notes].filter(Boolean).join('; ') },
      ],
      ...(startSeconds === undefined ? {} : { startSeconds }),
    };
  }
}

const wrongInWords = {
  source: 'by the reference, the clean clip was misrecognized and the changed one was not',
  'follow-up': 'by the reference, the changed clip was misrecognized',
  both: 'by the reference, both were misrecognized, in different ways',
  neither: 'by the reference, neither was misrecognized',
} as const;

/** One case: a clip, changed, heard by one recognizer before and after. */
interface Case {
  readonly recognizer: number;
  readonly condition: number;
  readonly draw: number;
  readonly expected: readonly string[];
  readonly followUp: readonly string[];
  readonly edits: number;
  /** Null: the clean clip was recognized once. */
  readonly control: IdentityControl | null;
  readonly wrong: Wrong | null;
}

/** What is known of one utterance: its clean recognitions and those of its changed clips. Wiped for the next one. */
export interface CaseSheet {
  utterance: Utterance;
  /** Of the utterance in the corpus. */
  number: number;
  clean(recognizer: number, repeat: number): Observation | undefined;
  followUp(condition: number, draw: number, recognizer: number): Observation | undefined;
  setClean(recognizer: number, repeat: number, observation: Observation): void;
  setFollowUp(condition: number, draw: number, recognizer: number, observation: Observation): void;
  wipe(utterance: Utterance): void;
}

/** An empty sheet for the first utterance; wiped for the next ones. */
export function createCaseSheet(design: Design, first: Utterance): CaseSheet {
  const { recognitions, maxDraws } = design;
  const recognizers = design.recognizers.length;
  const clean = new Array<Observation | undefined>(recognitions * recognizers).fill(undefined);
  const followUps = new Array<Observation | undefined>(design.conditions.length * maxDraws * recognizers).fill(
    undefined,
  );
  const cleanPlace = (recognizer: number, repeat: number) => repeat * recognizers + recognizer;
  const place = (condition: number, draw: number, recognizer: number) =>
    (condition * maxDraws + draw) * recognizers + recognizer;
  return {
    utterance: first,
    number: 0,
    clean: (recognizer, repeat) => clean[cleanPlace(recognizer, repeat)],
    followUp: (condition, draw, recognizer) => followUps[place(condition, draw, recognizer)],
    setClean(recognizer, repeat, observation) {
      clean[cleanPlace(recognizer, repeat)] = observation;
    },
    setFollowUp(condition, draw, recognizer, observation) {
      followUps[place(condition, draw, recognizer)] = observation;
    },
    wipe(utterance) {
      this.utterance = utterance;
      this.number++;
      clean.fill(undefined);
      followUps.fill(undefined);
    },
  };
}
