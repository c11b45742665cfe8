import { createHash } from 'node:crypto';
import { canonicalJson, hashJson } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { collectedUtterances, type KnownParts } from './known-parts.ts';
import type { Plan } from './plan-shape.ts';

/**
 * Where a bundle is not what its plan says, one sentence for each place; none where it is.
 *
 * @param noted the plan's hash as somebody noted it when the run began; null where nobody did
 */
export function planFaults(known: KnownParts, plan: Plan, noted: string | null): string[] {
  const { run, materials } = known;
  const faults: string[] = [];
  const expect = (holds: boolean, sentence: string) => {
    if (!holds) faults.push(sentence);
  };
  expect(hashJson(known.plan.plan) === known.plan.hash, 'the plan was changed: its hash is another');
  expect(
    noted === null || noted === known.plan.hash,
    `the plan is not the one that was noted: its hash is ${known.plan.hash}`,
  );
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
