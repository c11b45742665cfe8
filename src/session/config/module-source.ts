import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { messageOf } from '../../base/errors.ts';
import type { ConfigSource, Refuse } from './config-source.ts';
import { plainData } from './plain-data.ts';

/**
 * Reads a config from the default export of a module (.ts, .mts, .js, .mjs). `import { defineConfig } from 'earwitness'`
 * works in it even where the package is not installed beside it, as after `npx earwitness`.
 */
export async function moduleSource(file: string, refuse: Refuse): Promise<ConfigSource> {
  const url = pathToFileURL(file).href;
  const ours = new URL(import.meta.url.endsWith('.ts') ? './define-config.ts' : './define-config.js', import.meta.url);
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'earwitness' && context.parentURL === url) {
        try {
          return next(specifier, context);
        } catch {
          return { url: ours.href, shortCircuit: true };
        }
      }
      // Told the format, Node neither guesses nor warns where no package.json says "module".
      const known = specifier === url && /\.ts$/.test(file) ? { format: 'module-typescript' } : {};
      return { ...next(specifier, context), ...known };
    },
  });
  let module: Record<string, unknown>;
  try {
    module = await import(url);
  } catch (error) {
    refuse(`loading it failed: ${reason(error)}`, null, error);
  } finally {
    hooks.deregister();
  }
  if (module.default === undefined)
    refuse('expected `export default defineConfig({ … })`, but it has no default export');
  return { ...plainData(module.default), position: () => null };
}

/** Syntax errors carry file and line only at the head of their stack. */
function reason(error: unknown): string {
  const where = error instanceof SyntaxError ? /:(\d+)\s*$/m.exec(error.stack?.split('\n')[0] ?? '') : null;
  return where ? `${messageOf(error)} (line ${where[1]})` : messageOf(error);
}
