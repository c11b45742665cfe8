// Takes the sounds out of Parquet files, as Hugging Face packs data sets, and writes them beside a list of everything else that
// the files say: a folder of each split that `earwitness init` and Hugging Face's audiofolder read.
//
//   node unpack.mjs PARQUET_FILE_OR_FOLDER NEW_FOLDER
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';

const [from, to, ...rest] = process.argv.slice(2);
if (to === undefined || rest.length > 0)
  fail('expected a Parquet file or a folder of them, and a new folder to write to');
if (!existsSync(from)) fail(`${from}: expected a Parquet file or a folder of them, but there is none`);
if (existsSync(to)) fail(`${to}: expected a new folder to write to, but it is there already`);

const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet').catch(() =>
  fail('expected the package hyparquet, but it is not installed here; type: npm install hyparquet'),
);
// Snappy, which is usual, needs nothing more.
const { compressors } = await import('hyparquet-compressors').catch(() => ({ compressors: undefined }));

const folder = statSync(from).isDirectory() ? from : dirname(from);
const files =
  folder === from
    ? readdirSync(from, { recursive: true })
        .filter((name) => name.endsWith('.parquet'))
        .sort()
        .map((name) => join(from, name))
    : [from];
if (files.length === 0) fail(`${from}: expected Parquet files (.parquet), but there is none`);

// Whole or nothing: a part of a data set looks like all of it.
const unfinished = `${to}.unfinished`;
rmSync(unfinished, { recursive: true, force: true });
const lists = new Map();
for (const path of files) {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const described = metadata.key_value_metadata?.find(({ key }) => key === 'huggingface')?.value;
  const features = described === undefined ? {} : (JSON.parse(described).info?.features ?? {});
  // train-00000-of-00003 is a part of train.
  const name = relative(folder, path).slice(0, -'.parquet'.length);
  const split = join(unfinished, name.replace(/-\d+-of-\d+$/, ''));
  const rows = lists.get(split) ?? [];
  lists.set(split, rows);
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    const read = await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd, utf8: false }).catch(
      (error) => {
        const missing = /compression codec/.test(error.message) ? '; type: npm install hyparquet-compressors' : '';
        fail(`${path}: ${error.message}${missing}`);
      },
    );
    for (const row of read) rows.push(unpacked(row, features, split, rows.length));
    rowStart = rowEnd;
  }
}
for (const [split, rows] of lists) {
  const sounds = rows.filter((row) => row.file_name !== undefined);
  if (sounds.length === 0)
    fail(`${basename(split)}: expected a column of sounds, each with its bytes, but there is none`);
  writeFileSync(join(split, 'metadata.jsonl'), sounds.map((row) => `${JSON.stringify(row)}\n`).join(''));
}
renameSync(unfinished, to);
for (const [split, rows] of lists)
  console.log(
    `${join(to, relative(unfinished, split))}: ${rows.filter((row) => row.file_name !== undefined).length} sounds`,
  );

/** Writes the sound of a row. Returns what else the row says: texts, numbers and names of classes. */
function unpacked(row, features, split, index) {
  const said = {};
  for (const [column, value] of Object.entries(row)) {
    const names = features[column]?.names;
    if (value?.bytes instanceof Uint8Array && said.file_name === undefined) {
      said.file_name = `${String(index).padStart(6, '0')}${endingOf(value)}`;
      mkdirSync(split, { recursive: true });
      writeFileSync(join(split, said.file_name), value.bytes, { flag: 'wx' });
    } else if (Array.isArray(names) && value !== null) said[column] = names[Number(value)];
    else if (typeof value === 'bigint') said[column] = Number(value);
    else if (['string', 'number', 'boolean'].includes(typeof value)) said[column] = value;
  }
  return said;
}

function endingOf({ path, bytes }) {
  const named = extname(path ?? '').toLowerCase();
  if (/^\.[a-z0-9]{2,4}$/.test(named)) return named;
  const first = String.fromCharCode(...bytes.subarray(0, 4));
  return { RIFF: '.wav', fLaC: '.flac', OggS: '.ogg' }[first] ?? '.mp3';
}

function fail(message) {
  if (to !== undefined) rmSync(`${to}.unfinished`, { recursive: true, force: true });
  console.error(`unpack: ${message}`);
  process.exit(1);
}
