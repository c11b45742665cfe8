import { readTextLines } from '../../corpora/shared/text-lines.ts';
import type { Glm } from '../../scoring/glm/glm.ts';
import { parseGlm } from '../../scoring/glm/parse-glm.ts';

/** The global mapping file that `--glm` names. */
export async function readGlm(file: string): Promise<Glm> {
  const lines: string[] = [];
  for await (const { text } of readTextLines(file, file)) lines.push(text);
  return parseGlm(lines.join('\n'), file);
}
