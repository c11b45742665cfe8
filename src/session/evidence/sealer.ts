import { createHash, type Hash } from 'node:crypto';
import { hashJson } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import type { Seal } from './bundle-line.ts';

const blockLines = 100;

interface Growing {
  lines: number;
  readonly whole: Hash;
  block: Hash;
  readonly hundreds: string[];
}

/** Hashes lines as they go by, part by part. */
export interface Sealer {
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
export function brokenSeals(stated: Seal, found: Seal): string[] {
  const broken: string[] = [];
  if (stated.sha256 !== hashJson(stated.parts as Json)) {
    broken.push('the seal itself was changed: its hash is not that of the hashes in it');
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
