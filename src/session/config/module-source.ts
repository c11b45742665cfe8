import { importOwn, reasonOf } from '../members/own-module.ts';
import type { ConfigSource, Refuse } from './config-source.ts';
import { plainData } from './plain-data.ts';

/**
 * Reads a config from the default export of a module (.ts, .mts, .js, .mjs). `import { defineConfig } from 'earwitness'`
 * works in it even where the package is not installed beside it, as after `npx earwitness`.
 */
export async function moduleSource(file: string, refuse: Refuse): Promise<ConfigSource> {
  const module = await importOwn(file, 'session/config/define-config').catch((error: unknown) =>
    refuse(`loading it failed: ${reasonOf(error)}`, null, error),
  );
  if (module.default === undefined)
    refuse('expected `export default defineConfig({ … })`, but it has no default export');
  return { ...plainData(module.default), position: () => null };
}
