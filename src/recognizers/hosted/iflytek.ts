import { createHmac } from 'node:crypto';
import { badConfig } from '../../base/errors.ts';
import { codes, heard, items, type LiveService, members, textIn } from './service.ts';

/** The three that iFlytek's console shows: the first says who asks and is no secret, the second goes along, the third signs. */
function partsOf(key: string): readonly [appId: string, apiKey: string, apiSecret: string] {
  const [appId, apiKey, apiSecret, ...more] = key.split(':');
  if (!appId || !apiKey || !apiSecret || more.length > 0) {
    throw badConfig(
      'keyVariable: expected APPID:APIKey:APISecret, as the console of iFlytek shows them, in the environment variable, but it does not have three parts between colons',
    );
  }
  return [appId, apiKey, apiSecret];
}

/**
 * https://www.xfyun.cn/doc/asr/voicedictation/API.html (github.com/iFLYTEK-OP/websdk-java: doc/speech/IAT.md, IatClient, IatSendTask,
 * Hmac256Signature, AuthUtil). It ends by itself after a pause, which is as long here as it may be: `eos` on the page, `vad_eos` in the kit.
 */
export const iflytek: LiveService = {
  title: 'iFlytek voice dictation',
  documentation: 'https://www.xfyun.cn/doc/asr/voicedictation/API.html',
  address: () => 'https://iat-api.xfyun.cn',
  regions: [],
  models: ['iat', 'medical'],
  keyVariable: 'IFLYTEK_CREDENTIALS',
  authorize(key) {
    partsOf(key);
    return {};
  },
  secrets: (key) => [key, ...partsOf(key).slice(1)],
  price: null,
  concurrency: 50,
  maxSeconds: 59,
  // A message has 13,000 characters of base64 at most.
  chunkSeconds: { min: 0.01, max: 0.3 },
  languages: codes('zh-CN zh cmn en en-US'),
  sampleRates: () => [8000, 16_000],
  path: () => '/v2/iat',
  sign(key, { hostname, pathname }, nowMs) {
    const [, apiKey, apiSecret] = partsOf(key);
    const date = new Date(nowMs).toUTCString();
    const signed = `host: ${hostname}\ndate: ${date}\nGET ${pathname} HTTP/1.1`;
    const signature = createHmac('sha256', apiSecret).update(signed).digest('base64');
    const authorization = Buffer.from(
      `api_key="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`,
    ).toString('base64');
    return { query: { authorization, date, host: hostname }, secret: authorization };
  },
  sound: (samples, question, { first, key }) => ({
    ...(first
      ? {
          common: { app_id: key === null ? '' : partsOf(key)[0] },
          business: businessOf(question.language, question.model),
        }
      : {}),
    data: { status: first ? 0 : 1, ...formatOf(question), audio: Buffer.from(samples).toString('base64') },
  }),
  end: (_, question) => ({ data: { status: 2, ...formatOf(question), audio: '' } }),
  follow() {
    const results = new Map<number, string>();
    return ({ code, message, data }) => {
      if (code !== 0) {
        return typeof code === 'number'
          ? { failed: { status: statusOfCode[code] ?? 400, message: `${textIn(message) ?? 'no reason'} (${code})` } }
          : null;
      }
      const { status, result } = members(data);
      const { sn, ws, pgs, rg } = members(result);
      if (Array.isArray(ws)) {
        if (typeof sn !== 'number') return null;
        // Corrections stand in place of results from one number to another.
        if (pgs === 'rpl' && Array.isArray(rg)) {
          for (const number of [...results.keys()]) if (number >= rg[0] && number <= rg[1]) results.delete(number);
        }
        results.set(
          sn,
          items(ws)
            .map(({ cw }) => textIn(items(cw)[0]?.w) ?? '')
            .join(''),
        );
      } else if (status !== 2) return 'nothing';
      const inOrder = [...results].sort(([one], [other]) => one - other);
      const said = heard(
        inOrder
          .map(([, text]) => text)
          .join('')
          .trim(),
        [],
      );
      return { heard: said, final: status === 2 };
    };
  },
};

const formatOf = ({ sampleRate }: { readonly sampleRate: number }) => ({
  format: `audio/L16;rate=${sampleRate}`,
  encoding: 'raw',
});

function businessOf(language: string | null, domain: string) {
  const isEnglish = language?.startsWith('en') === true;
  return {
    ...{ language: isEnglish ? 'en_us' : 'zh_cn', domain, accent: 'mandarin', eos: 10_000, vad_eos: 10_000 },
    // Results that are corrected while one speaks; Mandarin alone has them.
    ...(isEnglish ? {} : { dwa: 'wpgs' }),
  };
}

/**
 * iFlytek's numbers by the status that says the same: an app that it does not know; no license, or one that is used up for the day or has
 * run out; too many a second; a session, a network or an engine that took too long.
 */
const statusOfCode: Readonly<Record<number, number>> = {
  ...{ 10005: 401, 10105: 401, 10313: 401 },
  ...{ 10010: 402, 10110: 402, 11200: 402, 11201: 402, 11203: 402 },
  ...{ 10800: 429, 11202: 429 },
  ...{ 10014: 504, 10114: 504, 10200: 504, 10222: 503, 10700: 504 },
};
