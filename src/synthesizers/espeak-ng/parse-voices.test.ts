import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseVoices } from './espeak-ng.ts';

test('reads the table of eSpeak NG 1.51', () => {
  const table = `Pty Language       Age/Gender VoiceName          File                 Other Languages
 5  chr-US-Qaaa-x-west --/M      Cherokee_          iro/chr
 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)
 5  en-us-nyc       --/F      English_(America,_New_York_City) gmw/en-US-nyc
 5  yue             --/M      Chinese_(Cantonese) sit/yue              (zh-yue 5)(zh 5)
 5  yue             --/-      Chinese_(Cantonese,_latin_as_Jyutping) sit/yue-Latn-jyutping (zh 5)
 7  af              --/M      afrikaans-mbrola-1 mb/mb-af1
`;
  assert.deepEqual(parseVoices(table), [
    { name: 'chr-US-Qaaa-x-west', language: 'chr-US', attributes: { sex: 'male' }, file: 'iro/chr' },
    { name: 'en-gb', language: 'en-GB', attributes: { sex: 'male', accent: 'Great Britain' }, file: 'gmw/en' },
    {
      name: 'en-us-nyc',
      language: 'en-US',
      attributes: { sex: 'female', accent: 'America, New York City' },
      file: 'gmw/en-US-nyc',
    },
    { name: 'sit/yue', language: 'yue', attributes: { sex: 'male', accent: 'Cantonese' }, file: 'sit/yue' },
    {
      name: 'sit/yue-Latn-jyutping',
      language: 'yue',
      attributes: { accent: 'Cantonese, latin as Jyutping' },
      file: 'sit/yue-Latn-jyutping',
    },
  ]);
  assert.deepEqual(parseVoices(''), []);
});
