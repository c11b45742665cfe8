import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const face = readFileSync(join(import.meta.dirname, 'index.ts'), 'utf8');

/** Every function of the face, with the text that stands before it where it is written. */
function functions(): (readonly [name: string, before: string])[] {
  const written: (readonly [string, string])[] = [['index.ts', face]];
  for (const [, , file] of face.matchAll(/^export \{([^}]*)\} from '\.\/([^']+)'/gm))
    written.push([file!, readFileSync(join(import.meta.dirname, file!), 'utf8')]);
  return written.flatMap(([, text]) =>
    [...text.matchAll(/^export (?:async )?function (\w+)/gm)]
      .filter(([, name]) => new RegExp(`\\b${name}\\b`).test(face))
      .map((found) => [found[1]!, text.slice(0, found.index)] as const),
  );
}

test('every function of the package is documented where it is written: what it does, and an example', () => {
  assert.ok(functions().length > 12);
  for (const [name, before] of functions()) {
    assert.match(before, /\*\/\n$/, `${name} has no documentation`);
    assert.match(before.slice(before.lastIndexOf('/**')), /@example/, `${name} has no example`);
  }
});
