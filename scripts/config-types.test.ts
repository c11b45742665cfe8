import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { z } from 'zod';
import type { JsonObject } from '../src/base/json.ts';
import { type Family, loadMember, memberNames } from '../src/session/members/load-member.ts';
import { writtenJsonSchema } from '../src/session/members/option-schema.ts';

const root = join(import.meta.dirname, '..');
// Inside of the repository, where the compiler finds the types of Node.
const folder = mkdtempSync(join(root, 'node_modules', '.config-types-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const families = {
  recognizers: 'RecognizerConfig',
  synthesizers: 'SynthesizerConfig',
  'sound-collections': 'SoundsConfig',
  corpora: 'CorpusConfig',
  studies: 'StudyConfig',
  embedders: 'EmbedderConfig',
  predictors: 'PredictorConfig',
  quality: 'QualityConfig',
  perturbations: 'StepConfig',
} as const satisfies Partial<Record<Family, string>>;

const values = [true, 7, 'some text', ['some text'], [7], {}, { unheardOf: 7 }, null];

/** Whether a complaint is about the kind of a value, which types can tell, and not about its range or its wording. */
function isOfKind(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'invalid_union') return issue.errors.every((branch) => branch.some(isOfKind));
  return ['invalid_type', 'invalid_value', 'unrecognized_keys', 'invalid_key', 'invalid_element'].includes(issue.code);
}

/** One line of TypeScript for every option of every member and each of `values`, with an error where the schema refuses it. */
async function lines(): Promise<string[]> {
  const written: string[] = [];
  for (const [family, type] of Object.entries(families) as [keyof typeof families, string][]) {
    for (const name of memberNames(family)) {
      const { member } = await loadMember(family, name, root);
      const schema = 'parameters' in member ? member.parameters : member.options;
      const { oneOf, ...whole } = writtenJsonSchema(schema);
      for (const { properties = {} } of (oneOf ?? [whole]) as JsonObject[]) {
        // An option of one possible value tells a form only where there are several.
        const form = Object.entries(oneOf === undefined ? {} : (properties as JsonObject)).flatMap(
          ([key, property]) => {
            const { const: value } = property as JsonObject;
            return value === undefined ? [] : [[key, value] as const];
          },
        );
        const narrowed = [...form, [family === 'perturbations' ? 'perturbation' : 'type', name] as const]
          .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
          .join(', ');
        const chosen = `Extract<${type}, { ${narrowed} }>`;
        const options = family === 'perturbations' ? `NonNullable<${chosen}['parameters']>` : chosen;
        for (const option of Object.keys(properties as JsonObject)) {
          for (const value of values) {
            const { error } = schema.safeParse({ ...Object.fromEntries(form), [option]: value });
            const refused =
              error?.issues.some((issue) => issue.path[0] === option && isOfKind(issue as z.core.$ZodIssue)) ?? false;
            if (refused) written.push(`// @ts-expect-error ${name}.${option}`);
            written.push(`export const c${written.length}: ${options}['${option}'] = ${JSON.stringify(value)};`);
          }
        }
      }
    }
  }
  return written;
}

test('The types of a config accept of every option of every member what its schema accepts, and nothing else', async () => {
  const names = Object.values(families).join(', ');
  const from = '../../src/session/config/written-config.ts';
  const text = [`import type { ${names} } from '${from}';`, ...(await lines())];
  assert.ok(text.length > 2000, `expected thousands of lines to compile, but there are ${text.length}`);
  writeFileSync(join(folder, 'config.ts'), text.join('\n'));
  const config = { extends: join(root, 'tsconfig.json'), include: ['config.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { status, stdout, stderr } = spawnSync('tsc', ['-p', folder], { encoding: 'utf8' });
  const explained = `${stdout}${stderr}`.split('\n').map((line) => {
    const at = /config\.ts\((\d+),/.exec(line)?.[1];
    return at === undefined ? line : `${line}\n    ${text[Number(at) - 1]}`;
  });
  assert.equal(status, 0, explained.slice(0, 40).join('\n'));
});
