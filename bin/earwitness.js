#!/usr/bin/env node
// Parses on every Node since 12, as a module and as a script, so that an old one gets a sentence instead of a stack: no
// import or require statement, no import.meta, nothing newer than dynamic import.
(() => {
  const version = process.versions.node.split('.').map(Number);
  if (version[0] < 22 || (version[0] === 22 && version[1] < 18)) {
    process.stderr.write(
      `earwitness: expected Node 22.18 or newer, but this is Node ${process.versions.node}; in a project, npm i node@24 brings it (then: npx earwitness); or install a newer one (https://nodejs.org)\n`,
    );
    // 5: something that has to be installed is missing. `earwitness --help` lists all exit codes.
    process.exit(5);
  }
  // What packages say of themselves to those who write programs with them.
  process.noDeprecation = true;
  // Halves the time to the first line of help. Lies in the system's folder for temporary files; in the environment it also
  // serves the thread of a run and the processes of its recognizers.
  const cache = process.getBuiltinModule('path').join(process.getBuiltinModule('os').tmpdir(), 'node-compile-cache');
  process.env.NODE_COMPILE_CACHE ||= cache;
  process.getBuiltinModule('module').enableCompileCache(process.env.NODE_COMPILE_CACHE);
  // In a checkout the sources win, so that a forgotten build never runs in their place. Under node_modules Node strips no
  // types, and there lies the compiled form.
  const { existsSync, realpathSync } = process.getBuiltinModule('fs');
  const { dirname, join, sep } = process.getBuiltinModule('path');
  const root = dirname(dirname(realpathSync(process.argv[1])));
  const fromSource = root.split(sep).indexOf('node_modules') === -1 && existsSync(join(root, 'src', 'cli', 'main.ts'));
  // Started by Python, which keeps it between calls.
  const door = process.argv[2] === '--channel' ? 'channel' : 'cli';
  const entry = fromSource ? import(`../src/${door}/main.ts`) : import(`../dist/${door}/main.js`);
  entry.then(
    ({ main }) => main(process.argv.slice(2)),
    (error) => {
      process.stderr.write(`earwitness: the program itself cannot be loaded; install it again\n${error.stack}\n`);
      process.exitCode = 1;
    },
  );
})();
