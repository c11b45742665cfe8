/**
 * Quality of clips: one row for each clip and measure, so that a measure can be asked for after others. `measure` is the hash
 * of everything that decides a value. A question names the set of measures that it asks for.
 */
export const quality = `
CREATE TABLE qualities (
  clip BLOB NOT NULL,
  measure BLOB NOT NULL,
  name TEXT NOT NULL,
  result TEXT NOT NULL,
  PRIMARY KEY (clip, measure)
) WITHOUT ROWID;

CREATE TABLE quality_sets (
  hash BLOB NOT NULL,
  measure BLOB NOT NULL,
  PRIMARY KEY (hash, measure)
) WITHOUT ROWID;

ALTER TABLE run_trials ADD COLUMN quality BLOB;
`;
