import { badConfig } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import { chooseFittingSpeakers } from '../../model/attack.ts';
import type { Estimate } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import { type Condition, clean } from '../../model/trial.ts';
import { isWantedValue, type Utterance } from '../../model/utterance.ts';
import type { LoadedSounds } from '../../perturbations/contract.ts';
import { attackLadder } from '../../perturbations/ladders/srb-table.ts';
import type { RobustnessValue } from '../../scoring/srb/quality-difficulty.ts';
import type { Batch, Question, StudyContext, StudyRecognizer } from '../contract.ts';
import { Groups } from '../shared/cube/groups.ts';
import { chosenConditions, drawsOf } from '../shared/options.ts';
import { shortages } from '../shared/shortages.ts';
import { createSpeakerClusters } from '../shared/speaker-clusters.ts';
import { listed } from '../shared/wording.ts';
import { attackOn, attacksIn, knownLadders, loadedFor, recordedConditions } from './conditions.ts';
import type { RobustnessOptions } from './options.ts';

/** Whom and what a study asks. Trials, recognizers and conditions have numbers from here on. */
export interface Design {
  readonly recognizers: readonly StudyRecognizer[];
  /**
   * Clean first, then what is done to clean sound, sounds made against each recognizer last of it, then the recorded scenarios, to whose
   * sound nothing is done.
   */
  readonly conditions: readonly Condition[];
  /** How many of the conditions come before the attacks. */
  readonly unattacked: number;
  /** How many of the conditions come before the recorded scenarios. */
  readonly disturbed: number;
  readonly survey: Survey;
  readonly speakersFrom: NonNullable<StudyContext['speakersFrom']>;
  /** Utterances of speakers that attacks were fitted on, who are not heard in these. */
  readonly fittedOn: number;
  /** The numbers of the conditions that an utterance is heard in. */
  conditionsOf(utterance: Utterance): readonly number[];
  /** What is asked of the engine for a condition: recorded scenarios are clean sound to it, attacks are made against the recognizer. */
  asked(condition: number, recognizer: number): Condition;
  readonly repeats: number;
  /** The most draws of any condition. */
  readonly maxDraws: number;
  /** How often the sound of a condition is made for a recognizer. */
  draws(condition: number, recognizer: number): number;
  /** How often the sound of a condition is made at all. */
  soundDraws(condition: number): number;
  /** By data set: why the published difficulties do not apply to it; null where they do. */
  readonly notPublishedFor: readonly (Reason | null)[];
  /** How hard the scenarios are by what was measured of their sounds; null where that was not asked for. */
  readonly measured: MeasuredDifficulties | null;
  /** By condition: the sounds that its steps take from outside, as they were loaded; empty where nobody knows. */
  readonly sounds: readonly (readonly LoadedSounds[])[];
  /** Whether recognizers are not all asked about the same draws. */
  readonly uneven: boolean;
}

/**
 * Sounds are drawn again only where chance is in them, and only for recognizers that hear them: to one that knows only
 * names every draw is the same question.
 *
 * @throws EarwitnessError `bad-config` for a condition that does not exist
 */
export async function makeDesign(options: RobustnessOptions, context: StudyContext, survey: Survey): Promise<Design> {
  const { recognizers } = context;
  const ladders = knownLadders(options, context.ladders);
  const { attacks, others } = attacksIn(options.conditions);
  const unattacked = chosenConditions(others, ladders);
  const heard = [...unattacked, ...attacks];
  if (attacks.length > 0) requireAttacked(recognizers);
  const conditions = [...heard, ...recordedConditions(options, heard)];
  const isAttack = (condition: number) => condition >= unattacked.length && condition < heard.length;
  const drawn = (await drawsOf(conditions, options.draws, context)).map((count, place) =>
    isAttack(place) ? 1 : count,
  );
  const draws = (condition: number, recognizer: number) => {
    const { input, differentiable } = recognizers[recognizer]!;
    if (input === 'names') return 1;
    return isAttack(condition) && differentiable !== true ? 0 : drawn[condition]!;
  };
  const maxDraws = Math.max(...drawn);
  const isFitted = (condition: number) =>
    isAttack(condition) && heard[condition]!.steps.some(({ perturbation }) => perturbation === 'universal');
  const fitted = heard.some((_, condition) => isFitted(condition)) ? await fittedIn(options, context, survey) : null;
  const someUnasked =
    attacks.length > 0 && recognizers.some((_, recognizer) => draws(unattacked.length, recognizer) === 0);
  const ofClean = heard.map((_, index) => index);
  const ofFitted = ofClean.filter((condition) => !isFitted(condition));
  const ofRecorded = options.recorded.map((_, index) => [heard.length + index]);
  return {
    recognizers,
    conditions,
    unattacked: unattacked.length,
    disturbed: heard.length,
    survey,
    speakersFrom: context.speakersFrom ?? 'corpus',
    fittedOn: fitted?.utterances ?? 0,
    conditionsOf(utterance) {
      const { recorded } = survey.datasets[survey.datasetOf(utterance)]!;
      if (recorded !== null) return ofRecorded[recorded]!;
      return fitted?.has(utterance) ? ofFitted : ofClean;
    },
    asked: (condition, recognizer) => {
      if (isAttack(condition)) return attackOn(heard[condition]!, recognizers[recognizer]!, options);
      return condition < heard.length ? heard[condition]! : clean;
    },
    repeats: options.repeats,
    maxDraws,
    uneven: someUnasked || fitted !== null || (maxDraws > 1 && new Set(recognizers.map(({ input }) => input)).size > 1),
    draws,
    soundDraws: (condition) => Math.max(1, ...recognizers.map((_, recognizer) => draws(condition, recognizer))),
    notPublishedFor: survey.datasets.map(() => null),
    measured: null,
    sounds: conditions.map(({ rung }) => loadedFor(rung, ladders)),
  };
}

/** Utterances of clean sound that are not heard in what is fitted: of the speakers that it is fitted on, or of nobody known. */
async function fittedIn({ fitSpeakers }: RobustnessOptions, context: StudyContext, survey: Survey) {
  const names: string[] = [];
  for await (const { speaker, reference } of context.utterances()) {
    if (speaker !== undefined && reference !== undefined) names.push(speaker);
  }
  const speakers = chooseFittingSpeakers(names, fitSpeakers, context.seed);
  const has = ({ speaker }: Utterance) => speaker === undefined || speakers.has(speaker);
  let utterances = 0;
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined || !has(utterance)) continue;
    if (survey.datasets[survey.datasetOf(utterance)]!.recorded === null) utterances++;
  }
  return { has, utterances };
}

function requireAttacked(recognizers: readonly StudyRecognizer[]): void {
  if (recognizers.some(({ input, differentiable }) => input === 'names' || differentiable === true)) return;
  throw badConfig(
    `conditions: expected a recognizer whose network can be differentiated, for ${attackLadder.families.map(({ name }) => `srb/${name}`).join(' and ')}, but none of this run can be; add one of type transformers, or leave them out`,
  );
}

/** Made to be misheard, each recognizer by itself: the study `adversarial` tells of them. */
export function isAttack(
  condition: number,
  { unattacked, disturbed }: Pick<Design, 'unattacked' | 'disturbed'>,
): boolean {
  return condition >= unattacked && condition < disturbed;
}

/** Trials of one utterance that is heard in some conditions. */
function trialsEach({ recognizers, repeats, draws }: Design, conditions: readonly number[]): number {
  let trials = 0;
  for (const condition of conditions) {
    for (let recognizer = 0; recognizer < recognizers.length; recognizer++) {
      trials += repeats * draws(condition, recognizer);
    }
  }
  return trials;
}

/**
 * One batch for everything: utterance by utterance, so that answers about one utterance can be scored and forgotten
 * together; recognizers innermost, so that a clip is made once.
 */
export function designedBatch(design: Design, context: StudyContext): Batch {
  const { scored, scoredRecorded } = design.survey;
  const others = design.unattacked - 1;
  const attacks = design.disturbed - design.unattacked;
  const recorded = design.conditions.length - design.disturbed;
  const parts = [
    'clean',
    ...(others > 0 ? [counted(others, 'condition')] : []),
    ...(attacks > 0 ? [counted(attacks, 'attack')] : []),
    ...(recorded > 0 ? [counted(recorded, 'recorded scenario')] : []),
  ];
  const ofClean = design.conditions.map((_, index) => index).slice(0, design.disturbed);
  const ofFitted = ofClean.filter(
    (condition) => !design.conditions[condition]!.steps.some(({ perturbation }) => perturbation === 'universal'),
  );
  const once = design.recognizers.length * design.repeats;
  return {
    about: [listed(parts), ...design.survey.shortages].join('. '),
    size:
      (scored - scoredRecorded - design.fittedOn) * trialsEach(design, ofClean) +
      design.fittedOn * trialsEach(design, ofFitted) +
      scoredRecorded * once,
    questions: () => questions(design, context),
  };
}

async function* questions(design: Design, context: StudyContext): AsyncGenerator<Question> {
  const { recognizers, repeats, maxDraws } = design;
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined) continue;
    for (const conditionIndex of design.conditionsOf(utterance)) {
      for (let draw = 0; draw < maxDraws; draw++) {
        for (let repeat = 0; repeat < repeats; repeat++) {
          for (const [index, { name: recognizer }] of recognizers.entries()) {
            if (draw >= design.draws(conditionIndex, index)) continue;
            const condition = design.asked(conditionIndex, index);
            yield { ask: 'recognition', trial: { utterance, condition, draw, recognizer, repeat } };
          }
        }
      }
    }
  }
}

/** How hard a scenario is in a data set by what was measured of its sounds. */
export interface MeasuredDifficulty {
  readonly condition: number;
  readonly dataset: number;
  /** Means over clips; null where the measure is not in the config, or says nothing about recordings as they are. */
  readonly dnsmos: Estimate | null;
  readonly pesq: Estimate | null;
  readonly points: Estimate;
}

/** Difficulties of a run's own sounds. */
export interface MeasuredDifficulties {
  readonly rows: readonly MeasuredDifficulty[];
  /** Measures and scale, for people. */
  readonly about: string;
  of(condition: number, dataset: number): RobustnessValue;
}

/** Utterances whose rates are averaged with others' and not pooled: one corpus in one language, or a recorded scenario. */
export interface Dataset {
  /** Value of the attribute that tells corpora apart; null where they have none. */
  readonly corpus: string | null;
  /** First part of the language's tag: `en`. */
  readonly language: string;
  /** Which of the options' recorded scenarios it is; null: clean sound, to be disturbed. */
  readonly recorded: number | null;
}

/** What is known of the utterances before anything is asked. */
interface Survey {
  readonly datasets: readonly Dataset[];
  /** The attribute that tells corpora apart. */
  readonly corpusBy: string;
  /** Utterances with a reference. */
  readonly scored: number;
  /** Of these, those of recorded scenarios. */
  readonly scoredRecorded: number;
  /** Without a reference. */
  readonly skipped: number;
  /** Whether there were too many corpora to be kept apart. */
  readonly merged: boolean;
  /** What so few speakers cannot show, whatever they are answered. */
  readonly shortages: readonly string[];
  /** The number of an utterance's data set. */
  datasetOf(utterance: Utterance): number;
}

/** More corpora than this are none: the attribute tells something else. */
const maxDatasets = 64;

/**
 * Looks through the utterances once: which corpora and languages there are, and what belongs to recorded scenarios (an
 * utterance to the first that it fits).
 *
 * @throws EarwitnessError `bad-config` for a recorded scenario to which no utterance with a reference belongs
 */
export async function surveyUtterances(options: RobustnessOptions, context: StudyContext): Promise<Survey> {
  const { corpusBy, recorded } = options;
  const found = new Map<string, Dataset>();
  const counts = { scored: 0, scoredRecorded: 0, skipped: 0 };
  let merged = false;
  let [clusters, groups] = [createSpeakerClusters(), new Groups(options.groupBy)];
  const datasetFor = (utterance: Utterance): Dataset => {
    const place = recorded.findIndex(({ where }) => fits(utterance, where));
    return {
      corpus: merged ? null : (valuesOf(utterance, corpusBy)[0] ?? null),
      language: merged ? 'several' : (utterance.language.split('-')[0] ?? utterance.language).toLowerCase(),
      recorded: place < 0 ? null : place,
    };
  };
  const key = ({ corpus, language, recorded: place }: Dataset) =>
    JSON.stringify(place === null ? [corpus, language] : [place, language]);

  const look = async () => {
    found.clear();
    [clusters, groups] = [createSpeakerClusters(), new Groups(options.groupBy)];
    Object.assign(counts, { scored: 0, scoredRecorded: 0, skipped: 0 });
    for await (const utterance of context.utterances()) {
      if (utterance.reference === undefined) {
        counts.skipped++;
        continue;
      }
      const dataset = datasetFor(utterance);
      counts.scored++;
      groups.enter(utterance, clusters.clusterOf(utterance));
      if (dataset.recorded !== null) counts.scoredRecorded++;
      if (!found.has(key(dataset))) found.set(key(dataset), dataset);
      if (found.size > maxDatasets && !merged) return false;
    }
    return true;
  };
  if (!(await look())) {
    merged = true;
    await look();
  }
  const numbers = new Map([...found.keys()].map((name, index) => [name, index]));
  const datasets = [...found.values()];
  recorded.forEach(({ name }, place) => {
    if (counts.scored === 0 || datasets.some((dataset) => dataset.recorded === place)) return;
    throw badConfig(
      `recorded: expected utterances with a reference for ${printable(JSON.stringify(name))}, but none has the attributes of its where; see what there is with the study corpus`,
    );
  });
  const met = { clusters, groups: () => groups.groups() };
  return {
    ...{ datasets, corpusBy },
    ...counts,
    merged,
    shortages: context.recognizers.length < 2 ? [] : shortages(met, options.minimumSpeakers, options.level),
    datasetOf: (utterance) => numbers.get(key(datasetFor(utterance)))!,
  };
}

function fits(utterance: Utterance, where: RobustnessOptions['recorded'][number]['where']): boolean {
  return Object.entries(where).every(([name, wanted]) =>
    valuesOf(utterance, name).some((value) =>
      [wanted].flat().some((one) => isWantedValue(utterance, name, value, one, 'recorded')),
    ),
  );
}

/** An attribute, or what the utterance itself says under this name. */
function valuesOf(utterance: Utterance, name: string): readonly string[] {
  if (Object.hasOwn(utterance.attributes, name)) return [utterance.attributes[name]!];
  if (name === 'tag') return utterance.tags;
  if (name === 'language') return [utterance.language];
  return name === 'speaker' && utterance.speaker !== undefined ? [utterance.speaker] : [];
}
