import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import { RecognitionError } from '../contract.ts';
import { liveServices } from './live-services.ts';
import { serviceLanguage, toldLanguage } from './options.ts';
import type { ServiceFacts } from './service.ts';
import { hostedServices } from './services.ts';

const azure = { title: 'Azure Speech', models: [], languages: ['en-US', 'en-GB', 'de-DE', 'zh-CN'] };
const deepgram = { title: 'X', models: [], languages: ['en', 'en-GB', 'es-419', 'zh-TW', 'zh'] };
const plain = { model: '', sampleRate: 16_000 };

/** How a service writes a language, or in which sentence it is refused. */
function written(tag: string, service: ServiceFacts, model = service.models[0]!, sampleRate = 16_000) {
  try {
    return serviceLanguage(tag, service, { model, sampleRate });
  } catch (error) {
    assert.ok(error instanceof RecognitionError && error.kind === 'refused');
    return error.message;
  }
}

/** What a service is told where `language` says it, or in which sentence that is refused. */
function told(language: string, service: ServiceFacts, model = service.models[0]!, sampleRate = 16_000) {
  try {
    return toldLanguage(language, service, { model, sampleRate });
  } catch (error) {
    assert.ok(error instanceof EarwitnessError && error.code === 'bad-config');
    return error.message;
  }
}

test('a tag is written as the service writes it, and a bare language is the first of its regions', () => {
  const rows: readonly (readonly [string, typeof azure, string])[] = [
    ['en-gb', azure, 'en-GB'],
    ['en', azure, 'en-US'],
    ['zh', azure, 'zh-CN'],
    ['EN-gb', deepgram, 'en-GB'],
    // Parts are left out from behind: the bare language is no region, so nothing is exchanged.
    ['en-KE', deepgram, 'en'],
    ['zh-TW-x-old', deepgram, 'zh-TW'],
    ['es-419', deepgram, 'es-419'],
  ];
  for (const [tag, service, expected] of rows) {
    assert.equal(serviceLanguage(tag, service, plain), expected, tag);
  }
});

test('a region that the service has not is not exchanged for another, and an unknown language is refused in one sentence', () => {
  for (const tag of ['en-KE', 'sw', 'und', 'e\u001b[2J']) {
    assert.throws(
      () => serviceLanguage(tag, azure, plain),
      (error: unknown) => {
        assert.ok(error instanceof RecognitionError && error.kind === 'refused' && !error.retryable);
        assert.match(error.message, /^expected a language that Azure Speech is known to have \(en-US, en-GB.*\), but /);
        assert.doesNotMatch(error.message, /\p{Cc}/u);
        return true;
      },
    );
  }
  const open = { ...azure, takesOtherRegions: true };
  assert.equal(serviceLanguage('en-KE', open, plain), 'en-KE');
  assert.throws(() => serviceLanguage('und-Latn', open, plain), RecognitionError);
});

test('every service that lists languages has English or Mandarin by their bare tags', () => {
  for (const service of Object.values<ServiceFacts>({ ...hostedServices, ...liveServices })) {
    const { languages, title } = service;
    if (languages === 'account') continue;
    assert.equal(new Set(languages).size, languages.length, `${title} lists a language twice`);
    assert.match(written('en', service)!, /^en/);
  }
});

test('a language is found by its other code, and Chinese of Hong Kong is not asked as Mandarin', () => {
  const { speechmatics, gladia, google, deepgram: deep, baidu } = hostedServices;
  const aws = hostedServices['aws-transcribe'];
  const rev = hostedServices['rev-ai'];
  const rows: readonly (readonly [string, ServiceFacts, string])[] = [
    ['zh-CN', speechmatics, 'cmn'],
    ['zh', rev, 'cmn'],
    ['cmn-Hans-CN', deep, 'zh'],
    ['zh', google, 'cmn-Hans-CN'],
    ['nb', gladia, 'no'],
    ['nb-NO', speechmatics, 'no'],
    ['nb', rev, 'no'],
    ['fil-PH', aws, 'tl-PH'],
    ['jv', gladia, 'jw'],
    ['bg', gladia, 'bg'],
    ['zh-HK', speechmatics, 'yue'],
    ['zh-Hant-HK', hostedServices.elevenlabs, 'yue'],
    ['zh-HK', baidu, 'zh-HK'],
  ];
  for (const [tag, service, expected] of rows)
    assert.equal(written(tag, service), expected, `${service.title}: ${tag}`);
  assert.match(written('zh-HK', deep)!, /^expected a language that Deepgram is known to have/);
  assert.match(written('nn', speechmatics)!, /^expected a language/);
});

test('a model is asked in no language that it does not hear, and the sentence names the model or the rate that does', () => {
  const { baidu, ibm } = hostedServices;
  assert.equal(
    written('en', baidu, 'pro_api'),
    'expected a language that Baidu short speech recognition is known to have with model pro_api at 16000 Hz (zh-CN, zh, cmn), but the utterance is in en; `model: server_api` has it, or leave such utterances out',
  );
  assert.match(written('yue', baidu, 'server_api', 8000)!, /at 8000 Hz .* `sampleRate: 16000` has it/);
  assert.equal(written('zh-CN', baidu, 'server_api', 8000), 'zh-CN');
  // ibm-cloud-docs/speech-to-text: no large model of these, and Mandarin, Hindi and Swedish by telephone alone.
  assert.match(written('ko', ibm)!, /with model large .* `model: Multimedia` has it/);
  for (const tag of ['zh-CN', 'hi', 'sv', 'ar', 'cs'])
    assert.match(written(tag, ibm)!, /`model: Telephony` has it/, tag);
  assert.equal(written('es-MX', ibm), 'es-MX');
  assert.match(written('es-419', ibm)!, /\(es-ES, es-AR, .*\), but .* `model: Telephony` has it/);
  assert.equal(written('en', ibm, 'de-DE_Telephony')!.startsWith('expected a language'), true);
  assert.equal(written('de', ibm, 'de-DE_Telephony'), 'de-DE');
  assert.equal(written('en-IN', ibm, 'en-WW_Medical_Telephony'), 'en-IN');
});

test('what `language` names is written as the service does, or refused with what comes nearest', () => {
  const { baidu, ibm, speechmatics, deepgram: deep } = hostedServices;
  const { iflytek, assemblyai } = liveServices;
  assert.deepEqual(
    ['en-US', 'zh_CN', 'yue', 'zh-CN-sichuan'].map((tag) => told(tag, baidu)),
    ['en', 'zh-CN', 'yue', 'zh-CN-sichuan'],
  );
  assert.equal(
    told('ja', baidu),
    'language: expected a language that Baidu short speech recognition is known to have (zh-CN, zh, cmn, en, yue, zh-HK, zh-CN-sichuan), but got ja',
  );
  assert.equal(told('en_us', iflytek), 'en-US');
  assert.match(
    told('ja_jp', iflytek)!,
    /^language: expected a language that iFlytek .* \(zh-CN, zh, cmn, en, en-US\), but got ja_jp$/,
  );
  assert.match(told('en', baidu, 'pro_api')!, /; `model: server_api` has it$/);
  assert.match(told('ko', ibm)!, /but got ko; `model: Multimedia` has it$/);
  assert.match(told('de', assemblyai, 'universal-streaming-english')!, /\(en\), but got de/);
  // Lists that are not whole: the service itself refuses what it lacks.
  assert.deepEqual([told('multi', deep), told('cmn_en', speechmatics)], ['multi', 'cmn_en']);
  assert.match(told('multi', speechmatics, 'melia-1')!, /with model melia-1 .*but got multi$/);
  assert.match(told('fr', hostedServices['wit-ai'])!, /^language: wit.ai hears the one of its key; take it out$/);
});

test('no language is told only where the service finds it out', () => {
  const finds = (services: Readonly<Record<string, ServiceFacts>>) =>
    Object.keys(services).filter((name) => told('none', services[name]!) === null);
  assert.deepEqual(finds(hostedServices), [
    ...['deepgram', 'azure', 'elevenlabs', 'assemblyai', 'gladia', 'speechmatics', 'aws-transcribe'],
  ]);
  assert.deepEqual(finds(liveServices), ['deepgram', 'assemblyai', 'gladia']);
  assert.equal(
    told('none', hostedServices.baidu),
    'language: expected one, since Baidu short speech recognition does not find it out by itself, but got none',
  );
  assert.match(told('none', liveServices.deepgram, 'base')!, /by itself with model base, but got none$/);
});
