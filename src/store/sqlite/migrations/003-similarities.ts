/** How near in meaning two texts are, by the hash of both and of everything that decides the number. */
export const similarities = `
CREATE TABLE similarities (
  key BLOB PRIMARY KEY,
  value REAL,
  reason TEXT
) WITHOUT ROWID;

ALTER TABLE run_trials ADD COLUMN similarity INTEGER NOT NULL DEFAULT 0;
`;
