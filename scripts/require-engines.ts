// Where EARWITNESS_REQUIRE_ENGINES=1 is set (as .ci/run does), fails if an engine that the tests are about is missing: there
// a skipped test would be a test that nobody runs. Elsewhere it does nothing.
import { type ExaminedMember, examineMachine } from '../src/cli/examine-machine.ts';

/**
 * `command` needs a program of the user's, `openai-compatible` a server; `recorded` and
 * `scripted` need nothing.
 */
const declared = new Set([
  'pocketsphinx',
  'transformers',
  'sherpa-onnx',
  'flite',
  'espeak-ng',
  'festival',
  'sentence-transformer',
  'harper',
]);

if (process.env.EARWITNESS_REQUIRE_ENGINES === '1') {
  const { recognizers, synthesizers, decoders, embedders, grammarCheckers } = await examineMachine(process.cwd());
  const engines = [...recognizers, ...synthesizers, ...embedders, ...grammarCheckers].filter(({ name }) =>
    declared.has(name),
  );
  const missing = [...engines, ...decoders].filter(({ ready }) => !ready);
  for (const engine of missing) console.error(sentence(engine));
  for (const name of declared) {
    if (engines.some((engine) => engine.name === name)) continue;
    console.error(`expected a member called ${name}, but the catalog has none; mend scripts/require-engines.ts`);
    process.exitCode = 1;
  }
  if (missing.length > 0) process.exitCode = 1;
}

function sentence({ name, found, install }: ExaminedMember): string {
  const how = install === undefined || found.includes(install) ? '' : `; install it with: ${install}`;
  return `${name} has to work here, but it does not: ${found}${how}`;
}
