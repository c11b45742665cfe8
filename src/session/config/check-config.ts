import { resolve } from 'node:path';
import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { usualRateHz } from '../../model/trial.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { usualNormalizers } from '../../studies/differential/options.ts';
import { namedNormalizer } from '../../studies/shared/options.ts';
import { checked, describeValue, type Problem } from '../members/explain-issue.ts';
import { type Family, loadMember, memberNames } from '../members/load-member.ts';
import { loadNormalizer } from '../members/load-normalizer.ts';
import { untrustedHosts } from '../members/own-module.ts';
import { checkConditions, checkSteps } from './check-conditions.ts';
import type {
  Config,
  ConfiguredCorpus,
  ConfiguredMember,
  ConfiguredRecognizer,
  ConfiguredStudy,
  ConfiguredSynthesizer,
} from './config.ts';
import {
  type ConfigFrame,
  channelsMeant,
  configFrame,
  corpusFrame,
  memberFrame,
  recognizerFrame,
  studyFrame,
  synthesizerFrame,
} from './frame.ts';

type Path = readonly PropertyKey[];

/** A part of a config, by its key. */
export type ConfigPart = keyof ConfigFrame;

/**
 * Checks a config against the frame and every member's own schema, and gives back all that is wrong: the frame's mistakes
 * do not hide the members', nor one member's another's.
 *
 * @param data plain data, from its root
 * @param baseFolder where relative paths of modules are meant from
 * @param unread what is not looked at; the config has nothing there
 */
export async function checkConfig(
  data: unknown,
  baseFolder: string,
  unread: readonly ConfigPart[] = [],
): Promise<{ readonly config: Config | null; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = [];
  const whole = object(data);
  const raw: Record<string, unknown> = { ...whole };
  for (const part of unread) delete raw[part];
  const needed = { corpus: { type: 'unread' }, recognizers: {} };
  const filled = Object.fromEntries(Object.entries(needed).filter(([part]) => unread.includes(part as ConfigPart)));
  const frame = checked(configFrame, whole === null ? data : { ...raw, ...filled }, [], problems);

  const member = (family: Exclude<Family, 'perturbations' | 'decoders'>, value: unknown, path: Path) =>
    checkMember(family, memberFrame, value, path, baseFolder, problems);
  /** Members that the config names, of a family that has nothing beside their options; null where there is none. */
  const named = async (family: 'sound-collections' | 'embedders' | 'predictors', key: ConfigPart) => {
    const members: Record<string, ConfiguredMember> = {};
    for (const [name, value] of Object.entries(object(raw[key]) ?? {})) {
      const found = await member(family, value, [key, name]);
      if (found) members[name] = bare(found);
    }
    return Object.keys(members).length === 0 ? null : members;
  };
  const synthesizers: Record<string, ConfiguredSynthesizer> = {};
  for (const [name, value] of Object.entries(object(raw.synthesizers) ?? {})) {
    const path = ['synthesizers', name];
    const found = await checkMember('synthesizers', synthesizerFrame, value, path, baseFolder, problems);
    if (!found) continue;
    const { pricePerMillionCharacters } = found.beside;
    synthesizers[name] = { ...bare(found), ...(pricePerMillionCharacters && { pricePerMillionCharacters }) };
  }
  const speakers = Object.keys(object(raw.synthesizers) ?? {});
  const written: readonly (readonly [unknown, Path])[] = Array.isArray(raw.corpus)
    ? raw.corpus.map((value, index) => [value, ['corpus', index]])
    : unread.includes('corpus')
      ? []
      : [[raw.corpus, ['corpus']]];
  const corpora: ConfiguredCorpus[] = [];
  for (const [value, path] of written) {
    const found = await checkMember('corpora', corpusFrame, value, path, baseFolder, problems);
    if (found === null) continue;
    checkSpeaker(found.options.synthesizer, speakers, path, problems);
    const { select, mark, channels } = found.beside;
    corpora.push({
      ...bare(found),
      select: select ?? null,
      ...(mark && { mark }),
      ...(channels && { channels: channelsMeant(channels) }),
    });
  }
  const recognizers: Record<string, ConfiguredRecognizer> = {};
  const heard = object(raw.recognizers);
  if (heard && Object.keys(heard).length === 0) {
    problems.push({
      path: ['recognizers'],
      at: 'value',
      text: 'expected at least one recognizer, but got an empty object',
    });
  }
  for (const [name, value] of Object.entries(heard ?? {})) {
    const path = ['recognizers', name];
    const found = await checkMember('recognizers', recognizerFrame, value, path, baseFolder, problems);
    if (found) recognizers[name] = recognizerFrom(found, found.beside);
  }
  // On its own, so that mistakes elsewhere do not hide those in steps.
  const rawLadders = configFrame.shape.ladders.safeParse(raw.ladders);
  const ladders = rawLadders.success ? await checkLadders(rawLadders.data, baseFolder, problems) : [];
  const studies: ConfiguredStudy[] = [];
  const normalizers: Record<string, string> = {};
  const writtenStudies = frame?.studies ?? (Array.isArray(raw.studies) ? raw.studies : []);
  for (const [index, value] of unread.includes('studies') ? [] : writtenStudies.entries()) {
    const path = ['studies', index];
    const found = await checkMember('studies', studyFrame, value, path, baseFolder, problems);
    if (!found) continue;
    const { name } = found.beside;
    if (name !== undefined && studies.some((other) => other.name?.toLowerCase() === name.toLowerCase())) {
      problems.push({
        path: [...path, 'name'],
        at: 'value',
        text: `expected each name once, but ${name} is there twice`,
      });
    }
    const spelled = withSpellings(found, frame?.spellings ?? []);
    for (const wanted of normalizersOf(spelled)) {
      const hash = await checkNormalizer(wanted, path, baseFolder, problems);
      if (hash !== null) normalizers[wanted] = hash;
    }
    const options = await checkConditions(spelled, path, ladders, baseFolder, problems);
    studies.push({ ...bare(found), options, ...(name !== undefined && { name }) });
  }

  const sounds = await named('sound-collections', 'sounds');
  const embedders = await named('embedders', 'embedders');
  const predictors = await named('predictors', 'predictors');

  const quality: ConfiguredMember[] = [];
  for (const [index, value] of (Array.isArray(raw.quality) ? raw.quality : []).entries()) {
    const written = typeof value === 'string' ? { type: value } : value;
    const path = ['quality', index];
    const found = await member('quality', written, path);
    if (found === null) continue;
    if (quality.some(({ type }) => type === found.type)) {
      problems.push({ path, at: 'value', text: `expected each measure once, but ${found.type} is there twice` });
    } else quality.push(bare(found));
  }

  if (frame === null || problems.length > 0) return { config: null, problems };
  const config: Config = {
    name: frame.name ?? null,
    seed: frame.seed,
    store: frame.store,
    corpora,
    synthesizers,
    ...(sounds && { sounds }),
    recognizers,
    studies,
    ...(embedders && { embedders }),
    ...(predictors && { predictors }),
    ...(quality.length === 0 ? {} : { quality }),
    ...(Object.keys(normalizers).length === 0 ? {} : { normalizers }),
    ladders,
    ...(frame.perturbationRateHz !== usualRateHz && { perturbationRateHz: frame.perturbationRateHz }),
    // Through JSON, so that nothing undefined is left in what is hashed.
    budget: JSON.parse(JSON.stringify(frame.budget)),
    failures: frame.failures,
    ...(frame.gate && { gate: JSON.parse(JSON.stringify(frame.gate)) }),
    ...(frame.executor && { executor: frame.executor }),
    ...(frame.clips && {
      clips: /^[a-z][\w+.-]+:\//i.test(frame.clips) ? frame.clips : resolve(baseFolder, frame.clips),
    }),
    workers: frame.workers ?? null,
    report: frame.report,
  };
  return { config, problems };
}

type Found<Beside> = ConfiguredMember & { readonly beside: Beside };

/** A corpus that speaks names who speaks. */
function checkSpeaker(speaker: unknown, speakers: readonly string[], path: Path, problems: Problem[]): void {
  if (typeof speaker !== 'string' || speakers.includes(speaker)) return;
  const nearest = nearestName(speaker, speakers);
  const hint = nearest === null ? 'name one there' : `did you mean "${nearest}"?`;
  const text = `expected the name of one of the config's synthesizers, but got ${describeValue(speaker)}; ${hint}`;
  problems.push({ path: [...path, 'synthesizer'], at: 'value', text });
}

function bare({ type, options, moduleHash }: ConfiguredMember): ConfiguredMember {
  return { type, options, moduleHash };
}

function recognizerFrom(found: ConfiguredMember, beside: z.output<typeof recognizerFrame>): ConfiguredRecognizer {
  return {
    ...bare(found),
    limits: JSON.parse(JSON.stringify(beside.limits ?? {})),
    epoch: beside.epoch ?? null,
    isolate: beside.isolate ?? null,
    pricePerMinute: beside.pricePerMinute ?? null,
    facts: (beside.facts ?? {}) as JsonObject,
  };
}

async function checkMember<Frame extends z.ZodObject>(
  family: Exclude<Family, 'perturbations' | 'decoders'>,
  frame: Frame,
  value: unknown,
  path: Path,
  baseFolder: string,
  problems: Problem[],
): Promise<Found<z.output<Frame>> | null> {
  const written = object(value);
  // What is no object was reported with the frame.
  if (written === null) return null;
  if (typeof written.type !== 'string') {
    const came = written.type === undefined ? 'it is missing' : `got ${describeValue(written.type)}`;
    const names = memberNames(family).map((name) => JSON.stringify(name));
    problems.push({ path: [...path, 'type'], at: 'value', text: `expected one of ${names.join(', ')}, but ${came}` });
    return null;
  }
  const beside: Record<string, unknown> = {};
  const own: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(written)) (Object.hasOwn(frame.shape, key) ? beside : own)[key] = part;

  const besideChecked = checked(frame, beside, path, problems);
  let loaded: Awaited<ReturnType<typeof loadMember<typeof family>>>;
  try {
    loaded = await loadMember(family, written.type, baseFolder);
  } catch (error) {
    if (!(error instanceof EarwitnessError)) throw error;
    problems.push({ path: [...path, 'type'], at: 'value', text: error.message });
    return null;
  }
  const options = checked(loaded.member.options, own, path, problems, Object.keys(frame.shape));
  for (const host of untrustedHosts(written.type, options, baseFolder)) {
    const text = `expected a host that the command line allows (--trust none), but got ${host}; allow it with --allow-host ${host}`;
    problems.push({ path, at: 'value', text });
  }
  if (besideChecked === null || options === null) return null;
  return {
    type: written.type,
    options: JSON.parse(JSON.stringify(options)) as JsonObject,
    moduleHash: loaded.moduleHash,
    beside: besideChecked,
  };
}

async function checkLadders(
  ladders: ConfigFrame['ladders'],
  baseFolder: string,
  problems: Problem[],
): Promise<Ladder[]> {
  const found: Ladder[] = [];
  for (const [name, ladder] of Object.entries(ladders)) {
    const families: Ladder['families'][number][] = [];
    for (const [familyName, family] of Object.entries(ladder.families)) {
      const rungs: Ladder['families'][number]['rungs'][number][] = [];
      for (const [rank, rung] of family.rungs.entries()) {
        const path: Path = ['ladders', name, 'families', familyName, 'rungs', rank, 'steps'];
        rungs.push({ label: rung.label, steps: await checkSteps(rung.steps, path, baseFolder, problems) });
      }
      families.push({ name: familyName, about: family.about ?? '', axis: family.axis ?? 'severity', rungs });
    }
    found.push({ name, about: ladder.about ?? '', source: ladder.source ?? 'the config', families });
  }
  return found;
}

function object(value: unknown): Record<string, unknown> | null {
  return isJsonObject(value) ? value : null;
}

/** Options of a study with the equal spellings of the config behind the names of its normalizers. */
function withSpellings({ type, options }: Pick<ConfiguredMember, 'type' | 'options'>, spellings: readonly string[]) {
  // That of the corpus is one of the others', with its spellings.
  const isOthers = type === 'corpus' && options.normalizer === null;
  if (spellings.length === 0 || !('normalizer' in options) || isOthers) return options;
  const added = spellings.map((one) => `+${one}`).join('');
  const tolerant = object(options.tolerant) as JsonObject | null;
  // Which is usual the study differential knows when it has seen its texts.
  const own = tolerant !== null && options.normalizer === null ? '' : namedNormalizer(optionsOfWords.parse(options));
  return {
    ...options,
    normalizer: own + added,
    ...(typeof tolerant?.normalizer === 'string' && {
      tolerant: { ...tolerant, normalizer: tolerant.normalizer + added },
    }),
  };
}

const optionsOfWords = z.looseObject({ normalizer: z.string().nullish(), profile: z.string().nullish() });

/** What studies agree upon calling `normalizer`, by name or path; one that a study completes by each name that it may begin with. */
function normalizersOf({ normalizer, tolerant }: JsonObject): string[] {
  const named = [normalizer, object(tolerant)?.normalizer].filter((one) => typeof one === 'string');
  return named.flatMap((one) => (one.startsWith('+') ? usualNormalizers.map((usual) => usual + one) : [one]));
}

/**
 * Checks a normalizer that a study names, which its schema cannot: it loads no modules and reads no lists.
 *
 * @returns SHA-256 of the user's own, or null
 */
async function checkNormalizer(
  normalizer: string,
  path: readonly PropertyKey[],
  baseFolder: string,
  problems: Problem[],
): Promise<string | null> {
  try {
    return (await loadNormalizer(normalizer, baseFolder)).module ?? null;
  } catch (error) {
    if (!(error instanceof EarwitnessError)) throw error;
    if (!problems.some(({ text }) => text === error.message))
      problems.push({ path: [...path, 'normalizer'], at: 'value', text: error.message });
    return null;
  }
}
