// What the package exports, with its types: docs/api.txt, so that a change of what others build on is seen in review.
//
//   node scripts/api.ts            writes it anew
//   node scripts/api.ts --check    fails where it is not what src/ exports
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

const root = join(import.meta.dirname, '..');
const entries = {
  earwitness: 'index.d.ts',
  'earwitness/scoring': 'scoring/scoring.d.ts',
  'earwitness/statistics': 'statistics/statistics.d.ts',
  'earwitness/audio': 'perturbations/perturbations.d.ts',
  'earwitness/studies': 'studies/studies.d.ts',
};

/** Exported names and what is declared of them, without comments, on one line each. */
function declarationsOf(file: string): Map<string, string> {
  const source = readFileSync(file, 'utf8');
  const { program, comments } = parseSync(file, source);
  const text = (start: number, end: number): string => {
    let [from, found] = [start, ''];
    for (const comment of comments) {
      if (comment.start < from || comment.end > end) continue;
      found += source.slice(from, comment.start);
      from = comment.end;
    }
    const written = (found + source.slice(from, end)).replaceAll(/import\("[^"]+"\)\./g, '');
    return written.replaceAll(/\s+/g, ' ').trim();
  };
  const other = (specifier: string) => declarationsOf(join(dirname(file), specifier.replace(/\.(js|ts)$/, '.d.ts')));
  const own = new Map<string, string>();
  const exported = new Map<string, string>();
  for (const node of program.body) {
    const declaration = node.type === 'ExportNamedDeclaration' ? (node.declaration ?? node) : node;
    const direct = declaration !== node;
    const found: [name: string, written: string][] =
      declaration.type === 'VariableDeclaration'
        ? declaration.declarations.flatMap(({ id, start, end }) =>
            id.type === 'Identifier' ? [[id.name, `${declaration.kind} ${text(start, end)}`]] : [],
          )
        : 'id' in declaration && declaration.id !== null && 'name' in declaration.id
          ? [[declaration.id.name, text(declaration.start, declaration.end)]]
          : [];
    for (const [name, written] of found) {
      own.set(name, written);
      if (direct) exported.set(name, written);
    }
  }
  for (const node of program.body) {
    if (node.type === 'ExportAllDeclaration') {
      // Of `export type *` only types can be used.
      const typesAlone = node.exportKind === 'type';
      for (const [name, written] of other(node.source.value)) {
        if (!(typesAlone && /^(const|declare function) /.test(written))) exported.set(name, written);
      }
    }
    if (node.type !== 'ExportNamedDeclaration' || node.declaration !== null) continue;
    const from = node.source === null ? own : other(node.source.value);
    for (const { local, exported: as } of node.specifiers) {
      const [inner, outer] = [local, as].map((one) => ('name' in one ? one.name : one.value)) as [string, string];
      const written = from.get(inner);
      if (written === undefined) throw new Error(`${file}: ${inner} is exported and not declared`);
      exported.set(outer, inner === outer ? written : `${written} (as ${outer})`);
    }
  }
  return exported;
}

function api(): string {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-api-'));
  try {
    const options = ['-p', 'tsconfig.build.json', '--outDir', folder, '--emitDeclarationOnly'];
    const { status, stdout } = spawnSync('tsc', options, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(stdout);
    return Object.entries(entries)
      .map(([name, file]) => {
        const lines = [...declarationsOf(join(folder, file))].sort(([a], [b]) => (a < b ? -1 : 1));
        return `# ${name}\n${lines.map(([exported, written]) => `${exported}: ${written}\n`).join('')}`;
      })
      .join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const place = join(root, 'docs', 'api.txt');
const now = api();
if (process.argv.includes('--check')) {
  if (readFileSync(place, 'utf8') !== now) {
    console.error(
      'docs/api.txt is not what src/ exports: npm run generate, and tell users of what changed in CHANGELOG.md',
    );
    process.exitCode = 1;
  }
} else {
  writeFileSync(place, now);
}
