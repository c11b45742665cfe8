import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { readRunCases } from '../../session/cases/run-cases.ts';
import { type WordsRequest, writeWords } from '../../session/cases/write-words.ts';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import { say } from '../output.ts';
import { addStoreOption, storeFile } from '../store-option.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import { refuseExisting } from '../write-sound.ts';
import { share } from './share.ts';
import { type CaseFlags, nothingFailed, tell } from './tell.ts';

/** `cases words`: the words that broke most, for recognizers that take hints or pronunciations. */
export function addWords(command: Command): void {
  addStoreOption(command.command('words').description('list the words that broke most, for hints and pronunciations'))
    .argument('[run]', 'its id, the beginning of it, or "last"', 'last')
    .requiredOption('-o, --output <file>', 'the list, most important word first')
    .option('--recognizer <name>', 'only what this one failed')
    .option('--most <n>', 'words at most', wholeNumber, 100)
    .addOption(
      new Option('--form <form>', 'one word on each line, or a prompt').choices(['lines', 'prompt']).default('lines'),
    )
    .option('--held-out <file>', 'keep some texts out of the list and write them there, to try it on')
    .option('--share <share>', 'of the texts that are held out', share, 0.5)
    .option(
      '--dictionary <file>',
      'a pronouncing dictionary (a word and its phonemes on each line) to look words up in',
    )
    .option('--pronunciations <file>', 'write what it has for words that the recognizer does not know')
    .option('--force', 'overwrite files that are there')
    .option('--json', 'data as JSON on stdout')
    .action(words);
}

interface WordFlags extends CaseFlags, WordsRequest {
  readonly force?: true;
}

async function words(wanted: string, { store: named, json, force, ...options }: WordFlags): Promise<void> {
  const { output, heldOut, dictionary, pronunciations } = options;
  if ((dictionary === undefined) !== (pronunciations === undefined)) {
    throw new EarwitnessError('bad-usage', 'expected --dictionary and --pronunciations together; add the other one');
  }
  const files = [output, heldOut, pronunciations].filter((file) => file !== undefined);
  refuseSame([...files, ...(dictionary === undefined ? [] : [dictionary])]);
  for (const file of files) await refuseExisting(file, force === true);
  using store = openStore(await storeFile(named), { readonly: true });
  const known = readRunCases(store, wanted);
  const written = await writeWords(store, known, options);
  const { run, words: list, failed, texts, held, looked } = written;
  if (failed === 0) return tell(json, { run, words: 0, failed: 0 }, nothingFailed(run));
  if (heldOut !== undefined && known.leftOut > 0) {
    say(
      `the run did not keep ${known.leftOut} rows, so that most texts held out are such as fail; set mostCases of its study higher and run again: every answer is taken over`,
    );
  }
  const more = [
    ...(held === null ? [] : [`; ${held} texts held out in ${heldOut}`]),
    ...(looked === null
      ? []
      : [`; ${looked.found} pronunciations in ${pronunciations}, ${looked.missing.length} not found`]),
  ];
  await tell(
    json,
    {
      run,
      file: resolve(output),
      words: list as unknown as Json,
      failed,
      texts,
      heldOut: held,
      pronunciations: looked as unknown as Json,
    },
    `${output}: ${list.length} words from ${failed} failed cases of ${texts} texts${more.join('')}`,
  );
}

/** One would overwrite the other, or what it is made from. */
function refuseSame(files: readonly string[]): void {
  const paths = files.map((file) => resolve(file));
  const twice = files.find((_, place) => paths.indexOf(paths[place]!) !== place);
  if (twice !== undefined)
    throw new EarwitnessError('bad-usage', `expected different files, but ${twice} comes twice; give one another name`);
}
