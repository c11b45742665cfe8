import { badInput } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Finding } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import type { Condition } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { NewAnswer, PlannedQuestion, Store } from '../../store/contract.ts';
import type { BundleLine } from './bundle-line.ts';
import { createSealer } from './known-parts.ts';
import { readBundle } from './read-bundle.ts';

const pageSize = 500;

/**
 * Puts the run of a bundle into a store, so that its trials can be read as those of any run: what was asked, what was answered, what
 * was found. Measurements of clips and the like stay behind: it cannot be bundled again.
 *
 * @returns the run's id in the bundle
 * @throws EarwitnessError `bad-input` as `readBundle`, for a bundle without transcripts, and where its lines are not those that were sealed
 */
export async function importBundle(store: Store, file: string): Promise<string> {
  const refuse = (problem: string) => badInput(`${printable(file, 300)}: ${problem}`);
  const known: { [Part in 'run' | 'config' | 'plan']?: BundleLine<Part> } = {};
  const speakers: { readonly id: string; readonly speaker: string | null }[] = [];
  const findings: Finding[] = [];
  const sealer = createSealer();
  let run: string | null = null;
  let batch = 0;
  let answers: BundleLine<'answer'>[] = [];

  const begin = (): string => {
    if (run !== null) return run;
    const { run: about, config, plan } = known;
    if (about === undefined || config === undefined || plan === undefined) {
      throw refuse('expected run, config and plan before anything else; it is malformed, get it again');
    }
    const { id, name, seed, parent, recognizers, startedAtMs } = about;
    run = store.createRun(
      // Answers of others are not these, whatever was asked.
      { name, purpose: '', config: config.config, seed, fresh: true, parent, recognizers, startedAtMs },
      id,
    ).id;
    store.freezePlan(run, plan.plan, plan.frozenAtMs);
    return run;
  };
  const keep = () => {
    if (answers.length === 0) return;
    const of = begin();
    store.plan(of, batch, answers.map(questionOf));
    store.record(of, { answers: answers.flatMap((line) => answerOf(line, batch, speakers)) });
    answers = [];
  };

  for await (const read of readBundle(file)) {
    if (read.part === 'seal') {
      if (sealer.seal().sha256 !== read.line.sha256) {
        throw refuse('its lines are not those that were sealed; `earwitness verify` says where it was changed');
      }
      continue;
    }
    sealer.add(read.part, read.text);
    const { line } = read;
    if (line.part === 'header' && !line.transcripts) {
      throw refuse(
        'expected a bundle with transcripts, but it was made without (--no-transcripts); ask for one that has them',
      );
    }
    if (line.part === 'run') known.run = line;
    else if (line.part === 'config') known.config = line;
    else if (line.part === 'plan') known.plan = line;
    else if (line.part === 'condition') store.addCondition(begin(), line.index, line.condition as unknown as Condition);
    else if (line.part === 'utterance') {
      const utterance = line.utterance as unknown as Utterance;
      if (line.position !== speakers.length)
        throw refuse('expected its utterances in order; it is malformed, get it again');
      speakers.push({ id: utterance.id, speaker: utterance.speaker ?? null });
      store.addUtterances(begin(), line.position, [utterance]);
      if (line.sound !== null) store.saveSounds(begin(), [{ utterance: line.position, identity: line.sound }]);
    } else if (line.part === 'batch') {
      keep();
      batch = line.batch;
      store.beginBatch(begin(), batch, line.study);
      store.completeBatch(begin(), batch, line.keysHash, line.size);
    } else if (line.part === 'answer') {
      // What measures clips and texts is no trial.
      if (line.recognizer !== null) answers.push(line);
      if (answers.length === pageSize) keep();
    } else if (line.part === 'finding') findings.push(line.finding as unknown as Finding);
  }
  keep();
  const id = begin();
  store.completeUtterances(id);
  store.finishRun(id, known.run!.finishedAtMs, findings);
  return id;
}

function questionOf(line: BundleLine<'answer'>): PlannedQuestion {
  const { position, key, utterance, condition, draw, recognizer, repeat } = line;
  return { position, key, utterance, condition, draw, recognizer, repeat, twin: false };
}

function answerOf(
  { position, key, utterance, observation }: BundleLine<'answer'>,
  batch: number,
  speakers: readonly { readonly id: string; readonly speaker: string | null }[],
): NewAnswer[] {
  const about = speakers[utterance];
  if (observation === undefined || about === undefined) return [];
  const { id: utteranceId, speaker } = about;
  return [
    { place: { batch, position }, key, utteranceId, speaker, observation: observation as unknown as Observation },
  ];
}
