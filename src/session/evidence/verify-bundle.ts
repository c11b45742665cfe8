import { createHash } from 'node:crypto';
import { isoTime } from '../../base/clock.ts';
import { EarwitnessError, missingProgram } from '../../base/errors.ts';
import { canonicalJson, hashJson } from '../../base/hash.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import type { RunReport } from '../../model/run.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { namedFindings } from '../../report/prepare/named-findings.ts';
import type { StudyContext } from '../../studies/contract.ts';
import { isOwnNormalizer, loadNormalizer } from '../members/load-normalizer.ts';
import { checkOwnModule, isModulePath } from '../members/own-module.ts';
import { packageVersion } from '../version.ts';
import type { BundleLine } from './bundle-line.ts';
import { createAnswerChecker } from './check-answers.ts';
import { collectedUtterances, type KnownParts, knownParts, type Plan, readPlan } from './known-parts.ts';
import { readBundle } from './read-bundle.ts';
import { recomputeFindings } from './recompute.ts';
import { createAnswerReplay } from './replay-answers.ts';
import type { AnswerCheck, RecomputedFinding, Verification, VerifyOptions } from './verification.ts';

/**
 * Checks an evidence bundle without recognizers, models, sounds or network: every hash, that the plan was fixed before the
 * first answer, and every number, by letting the studies conclude again from the answers.
 *
 * @throws EarwitnessError `bad-input` where the file is no whole bundle
 * @example const { verdict } = await verifyBundle('evidence.jsonl.gz', { plan: null, seal: null, modules: null, on() {} });
 */
export async function verifyBundle(file: string, options: VerifyOptions): Promise<Verification> {
  options.on('checking every hash');
  const checker = createAnswerChecker();
  const known = await knownParts(file, (line, before) => checker.add(line, before));
  const answers = checker.result();
  const plan = readPlan(known.plan);
  const { header, run, seal } = known;

  const sealFaults = [...known.brokenSeals];
  if (options.seal !== null && options.seal !== seal.sha256) {
    sealFaults.push(`the bundle is not the noted one: its seal is ${seal.sha256}`);
  }
  const limits: string[] = [];
  if (!header.transcripts) {
    limits.push(
      'This bundle has no transcripts, so no number can be recomputed, nor the hash of the utterances: only the other hashes and the times were checked.',
    );
  }
  const findings = header.transcripts ? await replayed(file, known, plan, options) : [];
  for (const { study, state, reason } of findings) {
    if (state === 'not possible') limits.push(`The finding of ${study} was not recomputed: ${reason}.`);
  }
  const planWrong = planFaults(known, plan, options.plan);
  const timeFaults = timesOutOfOrder(known, answers);
  const wrong =
    sealFaults.length + planWrong.length + timeFaults.length + answers.faultCount > 0 ||
    findings.some(({ state }) => state === 'different' || state === 'failed');
  return {
    verdict: wrong ? 'not verified' : limits.length > 0 ? 'limited' : 'verified',
    run: { id: run.id, name: run.name },
    madeBy: { plan: plan.program?.earwitness ?? 'unknown', bundle: header.earwitness },
    verifiedBy: packageVersion(),
    transcripts: header.transcripts,
    seal: { sha256: seal.sha256, faults: sealFaults },
    plan: { sha256: known.plan.hash, frozenAtMs: known.plan.frozenAtMs, faults: planWrong },
    answers,
    timeFaults,
    findings,
    limits,
    report: reportOf(known, plan, findings),
  };
}

async function replayed(
  file: string,
  known: KnownParts,
  plan: Plan,
  { modules, on }: VerifyOptions,
): Promise<RecomputedFinding[]> {
  const replay = createAnswerReplay(known, plan, answerLines(file));
  try {
    return await recomputeFindings(known, plan, {
      context: bundledContext(known, plan, modules),
      replay,
      modules,
      on: (study) => on(`computing ${study} again`),
    });
  } finally {
    await replay.close();
  }
}

async function* answerLines(file: string): AsyncGenerator<BundleLine<'answer' | 'batch'>> {
  for await (const { part, line } of readBundle(file)) {
    if (part === 'answer' || part === 'batch') yield line as BundleLine<'answer' | 'batch'>;
  }
}

function timesOutOfOrder({ run, plan }: KnownParts, { firstAskedAtMs }: AnswerCheck): string[] {
  const at = (ms: number) => isoTime(ms) ?? String(ms);
  const faults: string[] = [];
  if (firstAskedAtMs !== null && firstAskedAtMs < plan.frozenAtMs) {
    faults.push(
      `the first call of the run was made ${at(firstAskedAtMs)}, before its plan was fixed (${at(plan.frozenAtMs)})`,
    );
  }
  if (plan.frozenAtMs < run.startedAtMs || run.finishedAtMs < plan.frozenAtMs) {
    faults.push(
      `the plan was fixed ${at(plan.frozenAtMs)}, outside of the run (${at(run.startedAtMs)} to ${at(run.finishedAtMs)})`,
    );
  }
  return faults;
}

function reportOf({ run, header }: KnownParts, plan: Plan, findings: readonly RecomputedFinding[]): RunReport | null {
  const made = findings.flatMap(({ finding }) => (finding === null ? [] : [finding]));
  if (!header.transcripts || made.length < findings.length) return null;
  return {
    earwitness: packageVersion(),
    run: { name: run.name, seed: run.seed },
    recognizers: run.recognizers.map(({ name, identity }) => ({ name, identity })),
    tally: run.tally,
    failures: [],
    findings: namedFindings(made, []),
    warnings: [],
    timing: { run: run.id, plan: plan.name },
  };
}

/**
 * Where a bundle is not what its plan says, one sentence for each place; none where it is.
 *
 * @param noted the plan's hash as somebody noted it when the run began; null where nobody did
 */
function planFaults(known: KnownParts, plan: Plan, noted: string | null): string[] {
  const { run, materials } = known;
  const faults: string[] = [];
  const expect = (holds: boolean, sentence: string) => {
    if (!holds) faults.push(sentence);
  };
  expect(hashJson(known.plan.plan) === known.plan.hash, 'the plan was changed: its hash is another');
  expect(noted === null || noted === known.plan.hash, `the plan is not the noted one: its hash is ${known.plan.hash}`);
  expect(hashJson(known.config.config) === plan.config, 'config: it is not the one that the plan was made from');
  expect(
    plan.seed === run.seed && plan.name === run.name && plan.fresh === run.fresh && plan.parent === run.parent,
    'run: name, seed or kind are not those of the plan',
  );
  const identities = run.recognizers.map(({ name, identity, epoch }) => ({
    name,
    identity: epoch === null ? identity : { ...identity, epoch },
  }));
  expect(
    canonicalJson(identities) === canonicalJson(plan.recognizers.map(({ name, identity }) => ({ name, identity }))),
    'run: its recognizers are not those of the plan',
  );
  if (known.header.transcripts) {
    expect(
      utterancesHash(known) === plan.utterances.sha256,
      'utterances: they are not those that the plan was made for',
    );
  } else {
    expect(
      collectedUtterances(known).length === plan.utterances.count,
      'utterances: their number is not that of the plan',
    );
  }
  for (const { kind, name, hash, value } of materials) {
    const text = `material ${kind}${name === '' ? '' : ` ${JSON.stringify(name)}`}`;
    if (value === undefined) expect(!known.header.transcripts, `${text}: it is missing`);
    else expect(hashJson(value) === hash, `${text}: it was changed`);
  }
  const has = (kind: string, name: string, hash: string) =>
    materials.some((material) => material.kind === kind && material.name === name && material.hash === hash);
  expect(has('ladders', '', plan.ladders), 'material ladders: they are not those of the plan');
  for (const { name, vocabulary } of plan.recognizers) {
    expect(
      vocabulary === null || has('vocabulary', name, vocabulary),
      `material vocabulary ${name}: it is not that of the plan`,
    );
  }
  return faults;
}

function utterancesHash(known: KnownParts): string {
  const hash = createHash('sha256');
  for (const { utterance } of collectedUtterances(known))
    hash.update(`${canonicalJson(utterance as unknown as Json)}\n`);
  return hash.digest('hex');
}

/**
 * What studies were told in a run, from its bundle alone.
 *
 * @param modules folder of normalizers of the user's own; null where none was given
 */
function bundledContext(known: KnownParts, plan: Plan, modules: string | null): StudyContext {
  const told = new Map(known.materials.map(({ kind, name, value }) => [JSON.stringify([kind, name]), value]));
  const get = (kind: string, name: string) => told.get(JSON.stringify([kind, name]));
  const collected = collectedUtterances(known);
  return {
    async *utterances() {
      for (const { utterance } of collected) yield utterance as unknown as Utterance;
    },
    utteranceCount: collected.length,
    recognizers: plan.recognizers.map(({ identity: _, vocabulary, ...told }) => ({
      ...told,
      vocabulary: vocabulary === null ? null : wordsOf(get('vocabulary', told.name)),
    })),
    ladders: get('ladders', '') as unknown as readonly Ladder[],
    // Asked of a name that the run was not told of, it is another question, which the replay names.
    isRandom: async (name) => get('random', name) !== false,
    async normalizer(name) {
      const hash = ownNormalizers(known)[name];
      if (isModulePath(name)) await checkOwnModule(name, modules, hash);
      if (!isOwnNormalizer(name)) return loadNormalizer(name, '.');
      const own = modules === null ? null : await loadNormalizer(name, modules);
      if (own?.module === hash) return own!;
      throw missingProgram(
        `it counts with ${printable(name, 150)}, ${own === null ? 'whose lists of equal spellings are files of the author: get them, and give their folder with --modules' : 'but the files in the folder given with --modules differ'}`,
      );
    },
    ...(plan.quality === null ? {} : { quality: plan.quality }),
    ...(plan.embedders === null ? {} : { embedders: plan.embedders }),
    ...(plan.predictors === null ? {} : { predictors: plan.predictors }),
    async readText(path) {
      const text = get('text', path);
      if (typeof text === 'string') return text;
      throw new EarwitnessError('run-differs', `it reads the file ${printable(path, 150)}, which is not in the bundle`);
    },
    async soundNames(collection) {
      const names = get('sounds', collection);
      if (Array.isArray(names)) return names.filter((name) => typeof name === 'string');
      throw new EarwitnessError(
        'run-differs',
        `it needs the sounds of ${printable(collection, 150)}, whose names are not in the bundle`,
      );
    },
    seed: plan.seed,
  };
}

/** Words as they were kept; nothing of what is no word. */
function wordsOf(value: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(value) ? value.filter((word) => typeof word === 'string') : []);
}

/** SHA-256 of the user's own normalizers by the paths that the config names. */
function ownNormalizers({ config }: KnownParts): Readonly<Record<string, string>> {
  const written = config.config.config as JsonObject | undefined;
  const { normalizers } = written ?? {};
  return typeof normalizers === 'object' && normalizers !== null ? (normalizers as Record<string, string>) : {};
}
