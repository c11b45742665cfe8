import type { ConfiguredMember } from '../session/config/config.ts';
import { loadSpec } from '../session/open/parse-spec.ts';

/**
 * For commander: measures one after the other, and in lists with commas. A comma may also stand between options of a measure:
 * what follows it is then another `option=value`, or lies inside of braces.
 *
 * @example collectMeasures('srmr,dnsmos:models=m,threads=2') // ['srmr', 'dnsmos:models=m,threads=2']
 */
export function collectMeasures(text: string, before: readonly string[] = []): string[] {
  const specs: string[] = [];
  for (const part of text.split(',')) {
    const last = specs.at(-1) ?? '';
    const goesOn = isOpenJson(last) || (last.includes(':') && /^\s*\w+\s*=/.test(part));
    if (goesOn) specs.push(`${specs.pop()},${part}`);
    else specs.push(part);
  }
  return [...before, ...specs.map((spec) => spec.trim()).filter((spec) => spec !== '')];
}

/** Whether options in braces are not at their end yet. */
function isOpenJson(spec: string): boolean {
  const brace = /:\s*\{/.exec(spec);
  if (brace === null) return false;
  try {
    JSON.parse(spec.slice(brace.index + 1));
    return false;
  } catch {
    return true;
  }
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
