/** Utterances that a study made while it ran stand behind those that were collected, and are not counted with them. */
export const addMadeColumn = `
ALTER TABLE run_utterances ADD COLUMN made INTEGER NOT NULL DEFAULT 0;
`;
