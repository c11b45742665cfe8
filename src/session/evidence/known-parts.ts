import { createHash, type Hash } from 'node:crypto';
import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { hashJson } from '../../base/hash.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { matching } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import type { ToldOfRecognizer } from '../../studies/contract.ts';
import type { BundleLine, Seal } from './bundle-line.ts';
import { readBundle } from './read-bundle.ts';

const hash = matching(/^[0-9a-f]{64}$/);
const object = z.record(z.string(), z.unknown()).transform((value) => value as JsonObject);
const names = z.array(z.string()).nullable();

const toldOfRecognizer = {
  name: z.string(),
  input: z.enum(['sound', 'names']),
  facts: object,
  pricePerMinute: z.strictObject({ amount: z.number(), currency: z.string() }).nullable(),
  differentiable: z.literal(true).exactOptional(),
} satisfies { [Key in keyof Required<ToldOfRecognizer>]: z.ZodType<ToldOfRecognizer[Key]> };

/** What `freezePlan` kept, as it is read back. */
const planShape = z.strictObject({
  format: z.literal(1),
  program: z.looseObject({ earwitness: z.string(), node: z.string(), platform: z.string() }).nullable(),
  name: z.string(),
  seed: z.number(),
  fresh: z.boolean(),
  parent: z.string().nullable(),
  config: hash,
  utterances: z.strictObject({ count: z.int(), sha256: hash }),
  recognizers: z.array(z.strictObject({ ...toldOfRecognizer, identity: object, vocabulary: hash.nullable() })),
  studies: z.array(
    z.strictObject({
      name: z.string(),
      version: z.number(),
      options: z.unknown().transform((value) => value as Json),
      module: z.strictObject({ path: z.string(), hash }).nullable(),
    }),
  ),
  ladders: hash,
  quality: z
    .array(
      z.strictObject({
        name: z.string(),
        key: hash,
        values: z.record(z.string(), z.string()),
        needsClean: z.boolean(),
      }),
    )
    .nullable(),
  embedders: names,
  predictors: names,
});

export type Plan = z.infer<typeof planShape>;

/** @throws EarwitnessError `bad-input` where it is no plan */
export function readPlan({ plan }: BundleLine<'plan'>): Plan {
  const parsed = planShape.safeParse(plan);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.map(String).join('.') ?? '';
  throw badInput(
    `plan: expected what a run writes when it begins, but ${printable(`${where}: ${issue?.message ?? 'it is none'}`, 200)}`,
  );
}

/** What is held of a bundle at once; its answers are read again when they are needed. */
const maxHeldBytes = 1024 * 1024 * 1024;

/** A bundle but for its answers. */
export interface KnownParts {
  readonly header: BundleLine<'header'>;
  readonly run: BundleLine<'run'>;
  readonly config: BundleLine<'config'>;
  readonly plan: BundleLine<'plan'>;
  readonly materials: readonly BundleLine<'material'>[];
  readonly conditions: readonly BundleLine<'condition'>[];
  readonly utterances: readonly BundleLine<'utterance'>[];
  readonly findings: readonly BundleLine<'finding'>[];
  readonly seal: Seal;
  /** Where lines are not those that were sealed; empty where all are. */
  readonly brokenSeals: readonly string[];
}

/** The utterances that the run began with; what studies made stands behind them. */
export function collectedUtterances({
  utterances,
}: Pick<KnownParts, 'utterances'>): readonly BundleLine<'utterance'>[] {
  return utterances.filter(({ utterance }) => utterance.made === undefined);
}

/**
 * Reads a bundle once, hashing all of it.
 *
 * @param onAnswer is told each answer and each batch as it goes by, once all that stands before them is known
 * @throws EarwitnessError `bad-input` as `readBundle`, or where a part is missing or comes twice
 */
export async function knownParts(
  file: string,
  onAnswer: (
    line: BundleLine<'answer' | 'batch'>,
    known: Pick<KnownParts, 'run' | 'plan' | 'materials' | 'conditions' | 'utterances'>,
  ) => void,
): Promise<KnownParts> {
  const refuse = (problem: string) => badInput(`${printable(file, 300)}: ${problem}`);
  const single = new Map<string, BundleLine>();
  const materials: BundleLine<'material'>[] = [];
  const conditions: BundleLine<'condition'>[] = [];
  const utterances: BundleLine<'utterance'>[] = [];
  const findings: BundleLine<'finding'>[] = [];
  const one = <Part extends 'header' | 'run' | 'config' | 'plan'>(part: Part): BundleLine<Part> => {
    const line = single.get(part);
    if (line === undefined) throw refuse(`expected a bundle with a part ${part}, but it has none; get it again`);
    return line as BundleLine<Part>;
  };
  const sealer = createSealer();
  let held = 0;
  let seal: Seal | null = null;
  for await (const read of readBundle(file)) {
    if (read.part === 'seal') {
      seal = read.line;
      continue;
    }
    sealer.add(read.part, read.text);
    const { line } = read;
    if (line.part === 'answer' || line.part === 'batch') {
      onAnswer(line, { run: one('run'), plan: one('plan'), materials, conditions, utterances });
      continue;
    }
    held += read.text.length;
    if (held > maxHeldBytes) throw refuse('expected less than 1 GB beside the answers; it may be malicious');
    if (line.part === 'material') materials.push(line);
    else if (line.part === 'condition') inOrder(conditions, line, line.index);
    else if (line.part === 'utterance') inOrder(utterances, line, line.position);
    else if (line.part === 'finding') findings.push(line);
    else if (single.has(line.part)) throw refuse(`expected one part ${line.part}, but it has two; it is malformed`);
    else single.set(line.part, line);
  }
  if (seal === null) throw refuse('expected a seal at its end, but it has none');
  return {
    ...{ header: one('header'), run: one('run'), config: one('config'), plan: one('plan') },
    ...{ materials, conditions, utterances, findings, seal },
    brokenSeals: brokenSeals(seal, sealer.seal()),
  };

  function inOrder<Line>(lines: Line[], line: Line, index: number): void {
    if (index !== lines.length)
      throw refuse(
        `expected its lines in order, but number ${index} comes where ${lines.length} should; it is malformed`,
      );
    lines.push(line);
  }
}

const blockLines = 100;

interface Growing {
  lines: number;
  readonly whole: Hash;
  block: Hash;
  readonly hundreds: string[];
}

/** Hashes lines as they go by, part by part. */
interface Sealer {
  /** @param line without the line feed that ends it */
  add(part: string, line: string): void;
  seal(): Seal;
}

export function createSealer(): Sealer {
  const parts = new Map<string, Growing>();
  return {
    add(part, line) {
      let growing = parts.get(part);
      if (growing === undefined) {
        growing = { lines: 0, whole: createHash('sha256'), block: createHash('sha256'), hundreds: [] };
        parts.set(part, growing);
      }
      const text = `${line}\n`;
      growing.whole.update(text);
      growing.block.update(text);
      if (++growing.lines % blockLines === 0) {
        growing.hundreds.push(growing.block.digest('hex'));
        growing.block = createHash('sha256');
      }
    },
    seal() {
      const sealed = Object.fromEntries(
        [...parts].map(([part, { lines, whole, block, hundreds }]) => [
          part,
          {
            lines,
            sha256: whole.digest('hex'),
            hundreds: lines % blockLines === 0 ? hundreds : [...hundreds, block.digest('hex')],
          },
        ]),
      );
      return { part: 'seal', parts: sealed, sha256: hashJson(sealed as Json) };
    },
  };
}

/** Where lines are not those that were sealed, one sentence for each part; none where all are. */
function brokenSeals(stated: Seal, found: Seal): string[] {
  const broken: string[] = [];
  if (stated.sha256 !== hashJson(stated.parts as Json)) {
    broken.push('the seal was changed: its hash is not that of the hashes in it');
  }
  for (const part of new Set([...Object.keys(stated.parts), ...Object.keys(found.parts)])) {
    const [sealed, here] = [stated, found].map(({ parts }) => (Object.hasOwn(parts, part) ? parts[part] : undefined));
    if (sealed === undefined) {
      broken.push(`${part}: ${here!.lines} lines that were not there when it was sealed`);
    } else if (here === undefined) {
      broken.push(`${part}: all ${sealed.lines} lines are missing`);
    } else if (sealed.sha256 !== here.sha256) {
      const count = sealed.lines === here.lines ? '' : `${here.lines} lines where ${sealed.lines} were sealed; `;
      const first = sealed.hundreds.findIndex((hash, index) => hash !== here.hundreds[index]);
      const from = Math.max(0, first) * blockLines;
      const to = Math.min(from + blockLines, Math.max(sealed.lines, here.lines));
      const where = to - from === 1 ? `line ${from + 1}` : `lines ${from + 1} to ${to}`;
      broken.push(`${part}: ${count}something was changed in ${where} of this part`);
    }
  }
  return broken;
}
