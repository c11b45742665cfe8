/**
 * Which texts are worth speaking, by the hash of everything that decides it, as 64-bit floats (little-endian) in the order of
 * the pool; and how long a run had been at work when it asked. `asks` says which of the two a question is about.
 */
export const predictions = `
CREATE TABLE predictions (
  key BLOB PRIMARY KEY,
  determinable BLOB NOT NULL,
  failing BLOB NOT NULL,
  seconds REAL NOT NULL
);

CREATE TABLE elapsed (
  key BLOB PRIMARY KEY,
  seconds REAL NOT NULL
) WITHOUT ROWID;

ALTER TABLE run_trials ADD COLUMN asks TEXT;
`;
