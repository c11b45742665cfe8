import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { BundleLine, Seal } from './bundle-line.ts';
import { readBundle } from './read-bundle.ts';
import { brokenSeals, createSealer } from './sealer.ts';

/** What is held of a bundle at once; its answers are read again when they are needed. */
const mostHeldBytes = 1024 * 1024 * 1024;

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
  const refuse = (problem: string) => new EarwitnessError('bad-input', `${printable(file, 300)}: ${problem}`);
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
    if (held > mostHeldBytes) throw refuse('expected less than 1 GB beside the answers; it is made to overwhelm');
    if (line.part === 'material') materials.push(line);
    else if (line.part === 'condition') inOrder(conditions, line, line.index);
    else if (line.part === 'utterance') inOrder(utterances, line, line.position);
    else if (line.part === 'finding') findings.push(line);
    else if (single.has(line.part))
      throw refuse(`expected one part ${line.part}, but it has two; it was put together wrongly`);
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
        `expected its lines in order, but number ${index} comes where ${lines.length} should; it was put together wrongly`,
      );
    lines.push(line);
  }
}
