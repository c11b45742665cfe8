// Makes the folder of a new member with its contract filled in as far as possible, and a test that fails until it works.
// usage: npm run new <family> <name>
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folders, templates } from './member-templates.ts';

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}

const [wanted = '', name = ''] = process.argv.slice(2);
if (!Object.hasOwn(folders, wanted))
  fail(
    `expected one of ${Object.keys(folders).join(', ')}, but got ${JSON.stringify(wanted)}; as in: npm run new recognizer my-engine`,
  );
const family = wanted as keyof typeof folders;
const folder = folders[family];
if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
  fail(`expected a name in kebab-case, but got ${JSON.stringify(name)}; as in: npm run new ${family} my-engine`);
const isFile = family === 'normalizer';
const members = join(import.meta.dirname, '..', 'src', folder);
const target = isFile ? members : join(members, name);
if (existsSync(isFile ? join(target, `${name}.ts`) : target))
  fail(`src/${folder}/${name} exists already; take another name`);

const camelCase = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
mkdirSync(target, { recursive: true });
for (const [file, text] of Object.entries(templates[family])) {
  const filled = text.replaceAll('__NAME__', name).replaceAll('__CONST__', camelCase);
  writeFileSync(join(target, file.replaceAll('__NAME__', name)), filled.trimStart());
}
const next = isFile ? 'name it in src/scoring/normalizers/normalizers.ts' : '`npm run generate`';
console.log(
  `src/${folder}/${name}${isFile ? '.ts' : ''} is made. Its tests fail until it works. Next: fill it in, ${next}, \`npm run check\`; CONTRIBUTING.md says what reviewers look at.`,
);
