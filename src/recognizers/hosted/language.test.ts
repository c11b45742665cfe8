import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecognitionError } from '../contract.ts';
import { serviceLanguage } from './options.ts';
import { hostedServices } from './services.ts';

const azure = ['en-US', 'en-GB', 'de-DE', 'zh-CN'];
const deepgram = ['en', 'en-GB', 'es-419', 'zh-TW', 'zh'];

test('a tag is written as the service writes it, and a bare language is the first of its regions', () => {
  const rows: readonly (readonly [string, readonly string[], string])[] = [
    ['en-gb', azure, 'en-GB'],
    ['en', azure, 'en-US'],
    ['zh', azure, 'zh-CN'],
    ['EN-gb', deepgram, 'en-GB'],
    // Parts are left out from behind: the bare language is no region, so nothing is exchanged.
    ['en-KE', deepgram, 'en'],
    ['zh-TW-x-old', deepgram, 'zh-TW'],
    ['es-419', deepgram, 'es-419'],
  ];
  for (const [tag, supported, expected] of rows) {
    assert.equal(serviceLanguage(tag, 'X', supported, false), expected, tag);
  }
});

test('a region that the service has not is not exchanged for another, and an unknown language is refused in one sentence', () => {
  for (const tag of ['en-KE', 'sw', 'und', 'e\u001b[2J']) {
    assert.throws(
      () => serviceLanguage(tag, 'Azure Speech', azure, false),
      (error: unknown) => {
        assert.ok(error instanceof RecognitionError && error.kind === 'refused' && !error.retryable);
        assert.match(error.message, /^expected a language that Azure Speech is known to have \(en-US, en-GB.*\), but /);
        assert.doesNotMatch(error.message, /\p{Cc}/u);
        return true;
      },
    );
  }
  assert.equal(serviceLanguage('en-KE', 'Azure Speech', azure, true), 'en-KE');
  assert.throws(() => serviceLanguage('und-Latn', 'Azure Speech', azure, true), RecognitionError);
});

test('every service that lists languages has English or Mandarin by their bare tags', () => {
  for (const { languages, title } of Object.values(hostedServices)) {
    if (languages === 'account') continue;
    assert.equal(new Set(languages).size, languages.length, `${title} lists a language twice`);
    assert.match(serviceLanguage('en', title, languages, false), /^en/);
  }
});
