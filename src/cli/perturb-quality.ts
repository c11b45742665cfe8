import type { ConfiguredMember } from '../session/config/config.ts';
import { loadSpec } from '../session/members/parse-spec.ts';

/** For commander: measures one after the other, and in lists with commas where they have no options. */
export function collectMeasures(text: string, before: readonly string[] = []): string[] {
  const specs = text.includes(':') ? [text] : text.split(',');
  return [...before, ...specs.map((spec) => spec.trim()).filter((spec) => spec !== '')];
}

/**
 * The measures of quality that a command line names, with their options; one that the config has is meant as it stands there.
 *
 * @param configured the config's own
 * @throws EarwitnessError `bad-usage`: wrong options; `bad-config`: no such measure
 */
export async function namedMeasures(
  specs: readonly string[],
  configured: readonly ConfiguredMember[],
  baseFolder: string,
): Promise<ConfiguredMember[]> {
  const found = new Map<string, ConfiguredMember>();
  for (const spec of specs) {
    const known = configured.find(({ type }) => type === spec);
    if (known !== undefined) {
      found.set(spec, known);
      continue;
    }
    const { type, options, moduleHash } = await loadSpec('quality', spec, baseFolder);
    found.set(type, { type, options: options as ConfiguredMember['options'], moduleHash });
  }
  return [...found.values()];
}
