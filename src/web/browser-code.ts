import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

const imported = /^import \{([^}]*)\} from '(\.[^']+)';$/gm;
const exported = /^export (?=(?:async )?(?:function\*?|const|class) (\w+))/gm;

/**
 * Modules of ours as one script for browsers, with all that they import: pages from file:// can load no modules. What they export can be
 * used by the text that follows.
 *
 * @param entries modules that need nothing of Node
 * @param then the text behind them
 */
export function browserCode(entries: readonly URL[], then: string): string {
  const names = new Map<string, string>();
  const parts: string[] = [];
  const exports: string[] = [];
  const add = (module: URL): string => {
    const known = names.get(module.href);
    if (known !== undefined) return known;
    const name = `module${names.size}`;
    names.set(module.href, name);
    const code = plainCode(module);
    const needed = [...code.matchAll(imported)].map(([, list = '', path = '']) => {
      const bound = list.replace(/\s+/g, ' ').replaceAll(' as ', ': ');
      return `const {${bound}} = ${add(new URL(path, module))};`;
    });
    const own = [...code.matchAll(exported)].map(([, one]) => one!);
    const body = code.replace(imported, '').replace(exported, '');
    parts.push(`const ${name} = (() => {\n${needed.join('\n')}\n${body}\nreturn { ${own.join(', ')} };\n})();`);
    if (entries.some(({ href }) => href === module.href)) exports.push(`const { ${own.join(', ')} } = ${name};`);
    return name;
  };
  for (const entry of entries) add(entry);
  return `'use strict';\n(() => {\n${parts.join('\n')}\n${exports.join('\n')}\n{\n${then}\n}\n})();\n`;
}

/** In the package modules are JavaScript already. */
function plainCode(module: URL): string {
  const text = readFileSync(module, 'utf8');
  if (!module.pathname.endsWith('.ts')) return text;
  // It warns of being new each time that it is used.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}
