// Lays out the packages that are published besides the whole: what dist/ has of scoring, of statistics, and of audio with its
// perturbations, each with all it imports and nothing else. zod, the one library among that, comes along without its other languages.
//
//   node scripts/build-packages.ts [FOLDER]      into dist-packages/ if no folder is named; dist/ must be built
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const zodFolder = join(root, 'node_modules', 'zod');

/** The packages by name, with what `import` of each begins with in dist/. */
export const packages: Readonly<Record<string, { readonly entry: string; readonly description: string }>> = {
  scoring: {
    entry: 'scoring/scoring.js',
    description:
      'Word and character error rates of speech recognizers: normalizers, alignment as jiwer and sclite do it, NIST files, BLEU.',
  },
  statistics: {
    entry: 'statistics/statistics.js',
    description:
      'Intervals and tests for error rates of clustered and paired data: bootstrap, permutations, mixed-effects Poisson regression.',
  },
  audio: {
    entry: 'perturbations/perturbations.js',
    description:
      'Sounds in memory and forty things to do to them: noise, rooms, codecs, clipping, tempo; the same samples from the same seed.',
  },
};

/**
 * Lays out one package.
 *
 * @param built where tsc put everything
 */
export function layOutPackage(name: string, folder: string, built: string): void {
  const { entry, description } = packages[name]!;
  const vendor = 'vendor/zod';
  const todo = [entry, entry.replace(/\.js$/, '.d.ts')];
  const seen = new Set(todo);
  const want = (file: string) => {
    if (!seen.has(file)) todo.push(file);
    seen.add(file);
  };
  for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
    const ofZod = file.startsWith(`${vendor}/`);
    const place = ofZod ? join(zodFolder, relative(vendor, file)) : join(built, file);
    let text = readFileSync(place, 'utf8');
    // Its sentences in 60 languages would be most of the package.
    if (file === `${vendor}/v4/locales/index.js`) text = 'export { default as en } from "./en.js";\n';
    text = text.replaceAll(/(\bfrom\s+|\bimport\s*\(?\s*)(["'])([^"']+)\2/g, (whole, before, quote, target: string) => {
      const there =
        target === 'zod'
          ? posix.relative(posix.dirname(file), `${vendor}/index.js`)
          : target.startsWith('.')
            ? target
            : null;
      // Examples in comments import too.
      if (/^\s*(?:\*|\/\/)/.test(lineOf(text, whole))) return whole;
      if (there === null)
        throw new Error(`${name}: expected ${file} to import files of its own alone, but it imports ${target}`);
      const next = posix.join(posix.dirname(file), there);
      // Compiled declarations name what they mean as it is called when it runs.
      const declared = file.endsWith('.d.ts') ? next.replace(/\.(?:js|ts)$/, '.d.ts') : next;
      want(declared);
      return `${before}${quote}${there.startsWith('.') ? there : `./${there}`}${quote}`;
    });
    const target = join(folder, file);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  if (seen.has(`${vendor}/index.js`)) cpSync(join(zodFolder, 'LICENSE'), join(folder, vendor, 'LICENSE'));
  const { version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = {
    name: `@earwitness/${name}`,
    version,
    description,
    license,
    type: 'module',
    sideEffects: false,
    exports: {
      '.': { types: `./${entry.replace(/\.js$/, '.d.ts')}`, default: `./${entry}` },
      './package.json': './package.json',
    },
    engines,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const page = readFileSync(join(root, 'docs', 'packages', `${name}.md`), 'utf8');
  writeFileSync(join(folder, 'README.md'), page.replaceAll(/^<!--.*-->\n/gm, ''));
}

function lineOf(text: string, part: string): string {
  const at = text.indexOf(part);
  return text.slice(text.lastIndexOf('\n', at) + 1, at);
}

if (process.argv[1] === import.meta.filename) {
  const folder = resolve(process.argv[2] ?? join(root, 'dist-packages'));
  rmSync(folder, { recursive: true, force: true });
  for (const name of Object.keys(packages)) layOutPackage(name, join(folder, name), join(root, 'dist'));
}
