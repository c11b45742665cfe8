import { messageOf, missingProgram } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { installLine, packageVersion, readinessOf } from '../../packages/installed-package.ts';
import type { GrammarCheckerKind } from '../contract.ts';

const name = 'harper.js';
const purpose = 'which checks grammar';

/** Kinds of complaints about how a sentence reads; all others say that it is wrong. */
const clarityKinds: ReadonlySet<string> = new Set(['Enhancement', 'Readability', 'Redundancy', 'Style']);

/** Measured with 2.10.0: bench/grammar.ts. */
const limits =
  'Harper goes by a dictionary and rules: of sentences of AequeVox that were spoilt on purpose, version 2.10.0 complained of 282 of 300 with a misspelt last word, and of none of 261 whose verb lacked its s.';

/**
 * Harper (E. Potter and others), a checker of English by rules and a dictionary, in WebAssembly, with its own choice of rules
 * switched on. Most mistakes it does not find (bench/grammar.ts): "Mary love plastic cups." passes. The package is the user's to
 * install, because it weighs 73 MB and few need it.
 *
 * @example
 * const checker = await harper.open();
 * await checker.check('He have a dog.'); // [{ kind: 'Agreement', about: 'correctness', words: 'have', … }]
 */
export const harper: GrammarCheckerKind = {
  name: 'harper',
  about: 'Harper, a checker of American English by rules; the package harper.js is yours to install',

  async open() {
    const version = packageVersion(name, purpose);
    const linter = await load();
    return {
      identity: { engine: name, version, dialect: 'American', rules: 'default' },
      limits,
      async check(sentence) {
        const lints = await linter.lint(sentence, { language: 'plaintext' });
        return lints.map((lint) => {
          const kind = lint.lint_kind();
          const about = clarityKinds.has(kind) ? 'clarity' : 'correctness';
          const complaint = { kind, about, message: lint.message(), words: lint.get_problem_text() } as const;
          lint.free();
          return complaint;
        });
      },
      close: () => linter.dispose(),
    };
  },

  readiness: () => readinessOf(async () => `${name} ${packageVersion(name, purpose)}`),
};

async function load() {
  try {
    const { Dialect, LocalLinter } = await import('harper.js');
    const { binary } = await import('harper.js/binary');
    const linter = new LocalLinter({ binary, dialect: Dialect.American });
    await linter.setup();
    return linter;
  } catch (cause) {
    throw missingProgram(
      `the package ${name} does not load (${printable(messageOf(cause).split('\n')[0]!)}); type: ${installLine(name)}`,
      { cause },
    );
  }
}
