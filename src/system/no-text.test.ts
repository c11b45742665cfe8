import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readTextLines } from './text-lines.ts';

const tar = Buffer.concat([Buffer.from('refs/a.txt'.padEnd(257, '\0')), Buffer.from('ustar\0'), Buffer.alloc(249)]);
const bytes = (text: string) => Buffer.from(text, 'latin1');

/** Of each the name, what it begins with, and what is said. */
const noTexts: readonly (readonly [string, Buffer, RegExp])[] = [
  ['refs.tar', tar, /an archive \(tar\); unpack it: tar -xf/],
  ['refs.tar.gz', gzipSync(tar), /an archive \(tar\)/],
  ['refs.txt', tar, /an archive \(tar\)/],
  ['a.zip', bytes('PK\x03\x04'), /an archive \(ZIP\); unpack it/],
  ['a.xlsx', bytes('PK\x03\x04'), /a spreadsheet; save it as CSV/],
  ['a.docx', bytes('PK\x03\x04'), /a document .*; save it as plain text/],
  ['a.txt.bz2', bytes('BZh91AY&SY'), /bzip2; unpack it: bunzip2/],
  ['a.xz', bytes('\xfd7zXZ\0'), /xz; unpack it: unxz/],
  ['a.zst', bytes('\x28\xb5\x2f\xfd'), /zstd/],
  ['a.rtf', bytes('{\\rtf1\\ansi the cat}'), /RTF, .*; save it as plain text/],
  ['a.pdf', bytes('%PDF-1.7'), /PDF/],
  ['a.html', bytes('<!DOCTYPE html><html>'), /HTML/],
  ['a.txt', bytes('\ufeff<table border="1" class="dataframe">'.replace('\ufeff', '\xef\xbb\xbf')), /HTML/],
  ['a.xml', bytes('<?xml version="1.0"?><Trans>'), /XML; write its words/],
  ['a.db', bytes('SQLite format 3\0'), /SQLite/],
  ['a.npy', bytes('\x93NUMPY\x01\0'), /NumPy/],
  ['a.pkl', bytes('\x80\x04\x95'), /pickled by Python/],
  ['a.arrow', bytes('\xff\xff\xff\xff\x10\0\0\0'), /Arrow/],
  ['a.wav', bytes('RIFF\x24\0\0\0WAVEfmt '), /audio; name the file of its words/],
  ['a.aif', bytes('FORM\0\0\0\x2eAIFFCOMM'), /audio; name the file of its words/],
  ['a.m4a', bytes('\0\0\0\x20ftypM4A '), /audio; name the file of its words/],
  ['a.bin', Buffer.alloc(5000, 'ab\0'), /made of bytes that are no letters/],
];

test('archives, documents, data of programs, audio and markup are no text, whatever they are called', async () => {
  for (const [name, content, said] of noTexts) {
    const all = (async function* () {
      yield content;
    })();
    await assert.rejects(readTextLines(all, name).next(), (error: Error) => {
      assert.match(error.message, said, name);
      return error.message.startsWith(`${name}: expected a text file, but it is `);
    });
  }
});

test('texts that begin like one are texts', async () => {
  for (const text of [
    'RIFF raff',
    'FORM 12 is filled in',
    'MAC and PC',
    'riff on it',
    'PK fire',
    'ID3 tags',
    'BZh is no word',
    '<unk> the cat',
    '7z',
    'a\0b and more of it',
    '{ \\rtf }',
    'tableau',
  ]) {
    const all = (async function* () {
      yield Buffer.from(text);
    })();
    assert.deepEqual((await readTextLines(all, 'a.txt').next()).value, { number: 1, text });
  }
});
