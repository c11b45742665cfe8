/** What a run warned of, so that a report made later says it too. Null of runs before. */
export const warnings = `
ALTER TABLE runs ADD COLUMN warnings TEXT;
`;
