// Twelve folders that a stranger might have: in each, `init --yes` and then `run --preview` must end with something true or with
// one sentence that helps. The words are spelled in tones, which a model made in the test really hears.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Clip } from '../audio/clip.ts';
import { encodeWav } from '../audio/encode-wav.ts';
import { isComparison } from '../model/comparison.ts';
import type { Comparison, Estimate } from '../model/finding.ts';
import { rowsOf } from '../model/finding-rows.ts';
import { plainServices, tones } from '../recognizers/testing/tones.ts';
import { letterHz, writeTinyCtc } from '../recognizers/transformers/testing/tiny-ctc.ts';
import { transformers } from '../recognizers/transformers/transformers.ts';
import { runCommand, temporaryFolder } from './testing/run-command.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** What is heard, and what the list says of it: of 8 words one is another, so that the word error rate is 1 in 8. */
const said = ['ab ba', 'ba ab', 'bab a', 'abba b'];
const written = ['ab ba', 'ba ab', 'bab b', 'abba b'];
const speakers = ['anna', 'anna', 'ben', 'ben'];
const sexes = ['female', 'female', 'male', 'male'];

const spelled = (text: string): Clip =>
  tones(
    [...text.replaceAll(' ', '|')].map((letter) => letterHz[letter as keyof typeof letterHz]),
    { toneSeconds: 0.1, pauseSeconds: 0.1, startSeconds: 0.1 },
  );
const wav = (text: string) => encodeWav(spelled(text), { format: 's16' });

async function mp3(text: string): Promise<Uint8Array> {
  const { createMp3Encoder } = await import('wasm-media-encoders');
  const { samples, sampleRate } = spelled(text);
  const encoder = await createMp3Encoder();
  encoder.configure({ channels: 1, sampleRate, bitrate: 128, outputSampleRate: sampleRate as 16000 });
  const parts = [encoder.encode([samples]).slice(), encoder.finalize().slice()];
  return Buffer.concat(parts);
}

/** One file for each recording: its name by what is known of it. */
const each = (file: (index: number) => readonly [string, string | Uint8Array]): Files =>
  Object.fromEntries(said.map((_, index) => file(index)));
const lines = (line: (index: number) => string) => said.map((_, index) => `${line(index)}\n`).join('');

const sounds = {
  each: await Promise.all(said.map(async (text) => ({ wav: wav(text), mp3: await mp3(text) }))),
  long: encodeWav(spelled('ab|ba|'.repeat(270)), { format: 's16' }),
};
const libriSpeech = (index: number) => `${84 + Math.floor(index / 2)}-7-000${index % 2}`;
const chapter = (index: number) => `LibriSpeech/dev-clean/${84 + Math.floor(index / 2)}/7`;
const libriSpeechSounds = each((index) => [`${chapter(index)}/${libriSpeech(index)}.wav`, sounds.each[index]!.wav]);
const libriSpeechSpeakers = { 'LibriSpeech/SPEAKERS.TXT': '84 | F | dev-clean | 8 | A\n85 | M | dev-clean | 8 | B\n' };
const vctk = (index: number) => `p22${5 + Math.floor(index / 2)}`;

interface Case {
  readonly name: string;
  readonly files: Files;
  /** What is said to `init` beside `--yes`. */
  readonly init?: readonly string[];
  /** What `init` says it found. */
  readonly found: readonly RegExp[];
  /** The study, and what it says first of the recognizer: errors on clean sound, or changes when it is disturbed. */
  readonly concluded: readonly [study: string, value: number];
}

const oneInEight = ['robustness', 1 / 8] as const;
/** Tones come through noise. */
const unchanged = ['metamorphic', 0] as const;
const four = /Found here: 4 recordings, \d+ s, all with references, 2 speakers\./;
const bySex = /Groups: (?:sex|gender) \(female 2, male 2\)\./;

const cases: readonly Case[] = [
  {
    name: 'LibriSpeech with transcripts',
    files: {
      ...libriSpeechSounds,
      ...libriSpeechSpeakers,
      [`${chapter(0)}/84-7.trans.txt`]: lines((index) => `${libriSpeech(index)} ${written[index]!.toUpperCase()}`)
        .split('\n')
        .slice(0, 2)
        .join('\n'),
      [`${chapter(2)}/85-7.trans.txt`]: lines((index) => `${libriSpeech(index)} ${written[index]!.toUpperCase()}`)
        .split('\n')
        .slice(2)
        .join('\n'),
    },
    found: [four, bySex, /Read as librispeech dev-clean\./],
    concluded: oneInEight,
  },
  {
    name: 'LibriSpeech without transcripts',
    files: { ...libriSpeechSounds, ...libriSpeechSpeakers },
    found: [/Found here: 4 recordings, \d+ s, none with references, 2 speakers\./, bySex, /Without references/],
    concluded: unchanged,
  },
  {
    name: 'a partial copy of Common Voice',
    files: {
      'cv-corpus-17/en/validated.tsv': `client_id\tpath\tsentence\tage\tgender\tlocale\n${lines(
        (index) => `${speakers[index]}\tcommon_voice_en_${index}.mp3\t${written[index]}\t\t${sexes[index]}\ten`,
      )}zoe\tcommon_voice_en_99.mp3\tNot here.\t\tfemale\ten\n`,
      ...each((index) => [`cv-corpus-17/en/clips/common_voice_en_${index}.mp3`, sounds.each[index]!.mp3]),
    },
    found: [four, bySex, /Read as Common Voice, validated\.tsv\./, /left out 1: lines whose sounds are not there/],
    concluded: oneInEight,
  },
  {
    name: 'VCTK',
    files: {
      'speaker-info.txt':
        'ID  AGE  GENDER  ACCENTS  REGION\n225  23  F  English  Surrey\n226  22  M  English  Surrey\n',
      ...each((index) => [`wav48/${vctk(index)}/${vctk(index)}_00${index}.wav`, sounds.each[index]!.wav]),
      ...Object.fromEntries(
        said.map((_, index) => [`txt/${vctk(index)}/${vctk(index)}_00${index}.txt`, written[index]!]),
      ),
    },
    found: [four, /Groups: age \(.*\), sex \(female 2, male 2\)\./, /Read as vctk\./],
    concluded: oneInEight,
  },
  {
    name: 'a NeMo manifest',
    files: {
      'test_manifest.json': lines((index) =>
        JSON.stringify({ audio_filepath: `audio/utt${index}.wav`, duration: 1.5, text: written[index] }),
      ),
      ...each((index) => [`audio/utt${index}.wav`, sounds.each[index]!.wav]),
    },
    found: [
      /Found here: 4 recordings, \d+ s, all with references, speakers unknown\./,
      /Read as the manifest test_manifest\.json: audio in "audio_filepath", references in "text"\./,
    ],
    concluded: oneInEight,
  },
  {
    name: 'a NeMo manifest of another machine',
    files: {
      'train_manifest.json': lines((index) =>
        JSON.stringify({ audio_filepath: `/raid/eva/audio/${speakers[index]}/${index}.wav`, text: written[index] }),
      ),
      ...each((index) => [`audio/${speakers[index]}/${index}.wav`, sounds.each[index]!.wav]),
    },
    found: [
      /Found here: 4 recordings, \d+ s, all with references, /,
      /Its paths begin with "\/raid\/eva\/", from another machine: files here whose paths end alike are used\./,
    ],
    concluded: oneInEight,
  },
  {
    name: 'texts in a folder like that of the sounds',
    files: {
      ...each((index) => [`my data/audio/${speakers[index]}/${index}.wav`, sounds.each[index]!.wav]),
      ...each((index) => [`my data/transcripts/${speakers[index]}/${index}.txt`, written[index]!]),
    },
    found: [
      /Found here: 4 recordings, \d+ s, all with references, /,
      /audio files in my data\/audio, words in files of the same names in my data\/transcripts\./,
    ],
    concluded: oneInEight,
  },
  {
    name: 'a Kaldi data folder',
    files: {
      'data/test/wav.scp': lines((index) => `${speakers[index]}-${index} audio/${index}.wav`),
      'data/test/text': lines((index) => `${speakers[index]}-${index} ${written[index]}`),
      'data/test/utt2spk': lines((index) => `${speakers[index]}-${index} ${speakers[index]}`),
      'data/test/spk2gender': 'anna f\nben m\n',
      ...each((index) => [`audio/${index}.wav`, sounds.each[index]!.wav]),
    },
    found: [four, bySex, /Read as the Kaldi data folder data\/test\./],
    concluded: oneInEight,
  },
  {
    name: 'an audiofolder of Hugging Face in parts',
    files: {
      'train/metadata.csv': 'file_name,transcription\nother.wav,ab\n',
      'train/other.wav': sounds.each[0]!.wav,
      'test/metadata.csv': `file_name,transcription,speaker_id,gender\n${lines(
        (index) => `clip ${index}.wav,"${written[index]}",${speakers[index]},${sexes[index]}`,
      )}`,
      ...each((index) => [`test/clip ${index}.wav`, sounds.each[index]!.wav]),
    },
    found: [
      four,
      bySex,
      /Read as the manifest test\/metadata\.csv: /,
      /Not used: train\/metadata\.csv: another manifest; it is read by: earwitness init train\/metadata\.csv/,
    ],
    concluded: oneInEight,
  },
  {
    name: 'MP3s with a CSV of odd column names',
    files: {
      'liste.csv': `Aufnahme;Sprecher;Wortlaut;Geschlecht;Dauer\n${lines(
        (index) => `a${index}.mp3;${speakers[index]};${written[index]};${sexes[index]};1,5`,
      )}`,
      ...each((index) => [`Aufnahmen/a${index}.mp3`, sounds.each[index]!.mp3]),
    },
    found: [
      four,
      /Groups: Geschlecht \(female 2, male 2\)\./,
      /Read as the manifest liste\.csv: audio in "Aufnahme", references in "Wortlaut", speakers in "Sprecher"\./,
    ],
    concluded: oneInEight,
  },
  {
    name: 'names with blanks and umlauts',
    files: {
      ...each((index) => [`Gespräche mit Müller/Früh – Nr. ${index}.wav`, sounds.each[index]!.wav]),
      ...Object.fromEntries(said.map((_, index) => [`Gespräche mit Müller/Früh – Nr. ${index}.txt`, written[index]!])),
    },
    found: [
      /Found here: 4 recordings, \d+ s, all with references, speakers unknown\./,
      /Read as audio files in Gespräche mit Müller, words in files beside them\./,
    ],
    concluded: oneInEight,
  },
  {
    name: 'one long recording',
    files: { 'meeting.wav': sounds.long },
    found: [
      /Found here: 1 recording, 5\.4 minutes, none with references, speakers unknown\./,
      /Recordings of up to 5\.4 minutes were cut at pauses into 2\d pieces of at most 15 s/,
    ],
    concluded: unchanged,
  },
  {
    name: 'one long recording beside its words',
    files: { 'meeting.wav': sounds.long, 'meeting.txt': 'ab ba '.repeat(270) },
    found: [
      /Found here: 1 recording, 5\.4 minutes, all with references, speakers unknown\./,
      /Recordings of up to 5\.4 minutes are kept whole, like their references\. For narrower confidence intervals, use a manifest/,
    ],
    // What is longer than 30 s is heard in parts, at whose edges words come as letters: in English these are one word.
    concluded: ['robustness', 0],
  },
  {
    name: 'nothing at all',
    files: { 'notes.md': 'to do' },
    init: ['--example'],
    found: [/^\S+ speaks example texts: edit them in the config\./],
    concluded: ['robustness', 1],
  },
];

const onOneLine = (text: string) => text.replace(/\s+/g, ' ');

const readiness = await transformers.readiness(plainServices('.', {}));

test('init and a preview say something true in each of the folders that a stranger might have', {
  skip: readiness.ready ? false : readiness.found,
}, async (t) => {
  await using models = await temporaryFolder();
  writeTinyCtc(models.file('tones'));
  const recognizer = `whisper-tones=whisper:${models.file('tones')}`;
  for (const { name, files, init: more = [], found, concluded } of cases) {
    await t.test(name, async () => {
      await using folder = await temporaryFolder();
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder.path, path)), { recursive: true });
        await writeFile(folder.file(path), content);
      }
      const init = await runCommand(['init', '--yes', ...more, '-l', 'en', '-r', recognizer], { cwd: folder.path });
      assert.equal(init.code, 0, init.stderr);
      for (const line of found) assert.match(onOneLine(init.stderr), line);
      // The first where recognizers run by default, in processes of their own; those cost more than the rest of a case.
      const executor = name === cases[0]!.name ? 'auto' : 'here';
      const preview = await runCommand(['run', '--preview', '--no-sound', '--json', '--executor', executor], {
        cwd: folder.path,
      });
      assert.equal(preview.code, 0, preview.stderr);
      const [finding] = JSON.parse(preview.stdout).findings;
      const { cell } = finding.answer[0];
      const quoted = rowsOf(finding, cell.table)[cell.row]![cell.column] as Comparison | Estimate;
      const { value } = isComparison(quoted) ? quoted.difference : quoted;
      assert.deepEqual([finding.study.name, value], concluded);
      assert.match(
        preview.stderr,
        /(?:These were all \d utterances|This was the only utterance): nothing is left to run\.|Next: earwitness run$/m,
      );
    });
  }
});
