import type { EarwitnessConfig } from './written-config.ts';

/**
 * Gives back what it is given: it is there so that editors know what may stand in a config.
 *
 * @example
 * // earwitness.config.ts
 * import { defineConfig } from 'earwitness';
 * export default defineConfig({
 *   corpus: { type: 'folder', folder: 'recordings' },
 *   recognizers: { narrow: { type: 'pocketsphinx', beam: 1e-20 } },
 * });
 */
export function defineConfig(config: EarwitnessConfig): EarwitnessConfig {
  return config;
}
