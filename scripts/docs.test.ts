// What stands in the README and in docs/ is tried as it stands there: configs are loaded, programs typed and run, commands run and
// what they print compared with what is shown. With SHOW_ANEW=1 in the environment what they print is put into the pages instead.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { parseGrammar } from '../src/corpora/sentences/grammar/read-grammar.ts';
import { loadConfig } from '../src/session/config/load-config.ts';
import { noPython } from '../src/system/testing/no-python.ts';
import {
  type Block,
  blocksOf,
  entries,
  missingLine,
  pageRemark,
  pages,
  showAnew,
  wholeConfig,
  workplace,
} from './documents.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'earwitness-docs-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');

const place = ({ page, line }: Block) => `${page}:${line}`;
const fileOf = ({ page, line }: Block, ending: string) => join(folder, `${basename(page, '.md')}-${line}.${ending}`);

/** Into which file a program is written, and what runs it; Python without packages of others (pandas, numpy), as it is everywhere. */
const programs: Readonly<Record<string, readonly [file: string, command: string]>> = {
  ts: ['program.ts', 'node program.ts'],
  python: ['program.py', 'python3 -S -u program.py'],
};

/** Pages whose blocks have a test of their own. */
const here = pages.filter((page) => pageRemark(page, 'tested in') === null);

test('pages that name a test of their own have it', () => {
  for (const page of pages) {
    const own = pageRemark(page, 'tested in');
    if (own !== null) assert.match(readFileSync(join(root, own), 'utf8'), new RegExp(basename(page)), page);
  }
});

test('every block is of a kind that is tried', () => {
  const kinds = ['yaml', 'ts', 'python', 'sh', 'text', 'jsgf', 'json'];
  for (const block of here.flatMap(blocksOf)) {
    assert.ok(
      kinds.includes(block.language),
      `${place(block)}: \`\`\`${block.language} is none of ${kinds.join(', ')}`,
    );
  }
});

for (const page of here) {
  const blocks = blocksOf(page);
  const configs = blocks.filter(({ language }) => language === 'yaml' || language === 'json');
  for (const block of configs) {
    test(`${place(block)} is accepted as a config, or as a part of one`, async () => {
      const file = fileOf(block, 'yaml');
      writeFileSync(file, wholeConfig(block));
      await loadConfig(file);
    });
  }

  for (const block of blocks.filter(({ language }) => language === 'jsgf')) {
    test(`${place(block)} is a grammar`, () => {
      assert.doesNotThrow(() => parseGrammar(block.text, place(block)));
    });
  }

  for (const block of blocks.filter(({ language, text }) => language === 'ts' && /defineConfig\(/.test(text))) {
    test(`${place(block)} is accepted as a config`, async () => {
      const file = fileOf(block, 'ts');
      writeFileSync(file, block.text);
      await loadConfig(file);
    });
  }

  const commands = blocks.filter(({ language, text, remark }) => {
    const runs =
      remark?.key === 'saved as' ||
      language === 'sh' ||
      language === 'python' ||
      language === 'text' ||
      (language === 'ts' && /console\.log\(/.test(text));
    return runs && remark?.key !== 'not run' && remark?.key !== 'figures of';
  });
  if (commands.length > 0) {
    test(`${page}: commands and programs run, in order, and print what is shown`, async (t) => {
      const needed = pageRemark(page, 'needs');
      if (needed !== null && !isReady(needed)) return t.skip(`${needed} is not on this machine`);
      const own = join(folder, `run-${basename(page, '.md')}`);
      mkdirSync(own);
      const run = workplace(own, pageRemark(page, 'run in'));
      const before = pageRemark(page, 'before');
      if (before !== null) assert.equal((await run(before)).status, 0, `${page}: ${before}`);
      const shown = new Map<Block, string>();
      let printed: string | null = '';
      for (const block of commands) {
        if (block.remark?.key === 'saved as') {
          writeFileSync(join(own, 'here', block.remark.value), block.text);
          continue;
        }
        if (block.language === 'python' && noPython !== false) {
          t.diagnostic(`${place(block)} is not run: ${noPython}`);
          printed = null;
          continue;
        }
        if (block.language === 'text') {
          if (printed === null) continue;
          if (process.env.SHOW_ANEW === '1') {
            shown.set(block, printed);
            continue;
          }
          const missing = missingLine(block.text, printed);
          assert.equal(
            missing,
            null,
            `${place(block)}: not among what came out:\n${missing}\n\nwhat came out:\n${printed}`,
          );
          continue;
        }
        const [file, program] = programs[block.language] ?? [];
        if (file !== undefined) writeFileSync(join(own, 'here', file), block.text);
        const { status, stdout, stderr } = await run(program ?? block.text);
        assert.equal(status, 0, `${place(block)} ended with ${status}:\n${stdout}${stderr}`);
        for (const [, value] of block.text.matchAll(/console\.log\(.*\); \/\/ (.+)/g)) {
          assert.ok(stdout.split('\n').includes(value!), `${place(block)}: printed no line ${value}, but\n${stdout}`);
        }
        printed = stdout.trim() === '' ? stderr : stdout;
      }
      if (shown.size > 0) showAnew(page, shown);
    });
  }

  test(`${page}: every link leads somewhere`, () => {
    const text = readFileSync(join(root, page), 'utf8');
    for (const [, target] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
      assert.ok(existsSync(join(root, dirname(page), target!)), `${page}: nothing at ${target}`);
    }
  });
}

/** Whether a recognizer works on this machine. */
function isReady(recognizer: string): boolean {
  const { stdout } = spawnSync(process.execPath, [join(root, 'bin', 'earwitness.js'), 'doctor', '--json'], {
    encoding: 'utf8',
  });
  const { recognizers } = JSON.parse(stdout) as { recognizers: readonly { name: string; ready: boolean }[] };
  return recognizers.some(({ name, ready }) => name === recognizer && ready);
}

test('programs and configs in TypeScript have the types that editors will see', () => {
  const typed = here.flatMap(blocksOf).filter(({ language }) => language === 'ts');
  assert.ok(typed.length >= 3);
  const include = typed.map((block) => {
    const file = fileOf(block, 'typed.ts');
    writeFileSync(file, block.text);
    return file;
  });
  const paths = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, [file]]));
  const compilerOptions = { paths, typeRoots: [join(root, 'node_modules', '@types')], types: ['node'] };
  const tsconfig = { extends: join(root, 'tsconfig.json'), compilerOptions, include };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});
