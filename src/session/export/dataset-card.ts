/**
 * README.md of a data set as Hugging Face `datasets` reads it: which files are which split.
 *
 * @param paths of the splits, as patterns below the folder; of plain characters
 */
export function datasetCard(paths: readonly (readonly [split: string, pattern: string])[]): string {
  const files = paths.map(
    ([split, pattern]) => `      - split: ${JSON.stringify(split)}\n        path: ${JSON.stringify(pattern)}\n`,
  );
  return `---
configs:
  - config_name: default
    data_files:
${files.join('')}---

Speech under perturbations, one split for each condition, made by Earwitness. Licences: see ATTRIBUTION.

Columns: \`condition\` and \`severity\` (1 the mildest, 0 the clean sound), \`seed\` and \`draw\` from which chance was drawn,
\`facts\` as JSON: level, clipped share, a hash of the samples, and what each step says of what it did.
`;
}
