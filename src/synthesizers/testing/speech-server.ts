import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { asError, json, type LoopbackServer, serveOnLoopback } from '../../http/testing/loopback.ts';
import { awsTestKeys, wrongAwsSignature } from '../../http/testing/verify-aws-signature.ts';

/** What a server was asked. */
export interface SpeechQuestion {
  /** From 1, over all questions. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface SpeechServerOptions {
  /** Without it in the header of its service it answers 401, with what it got in the message. */
  readonly key: string;
  /** What it misbehaves like; true where it has answered. */
  misbehave?(question: SpeechQuestion, response: ServerResponse): boolean | Promise<boolean>;
}

export interface SpeechServer extends LoopbackServer {
  readonly questions: readonly SpeechQuestion[];
}

/**
 * A real server on loopback that speaks in tones, one for each character, behind the doors that five services publish: OpenAI's
 * `POST /v1/audio/speech` (API reference, "Create speech"), Google's `POST /v1/text:synthesize` and `GET /v1/voices` (discovery document
 * texttospeech v1), Azure's `POST /cognitiveservices/v1` and `GET …/voices/list` (Text to speech REST API), Amazon Polly's
 * `POST /polly/v1/speech` and `GET /polly/v1/voices` (botocore, polly 2016-06-10), and ElevenLabs'
 * `POST /elevenlabs/v1/text-to-speech/{voice}` and `GET /elevenlabs/v1/voices` (API reference).
 */
export async function startSpeechServer(options: SpeechServerOptions): Promise<SpeechServer> {
  const questions: SpeechQuestion[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await buffer(request)).toString('utf8');
    const { method = '', url: path = '', headers } = request;
    const question = { number: questions.length + 1, method, path, headers, body };
    questions.push(question);
    if (path.startsWith('/polly/')) {
      const keys = { accessKeyId: awsTestKeys.AWS_ACCESS_KEY_ID, sessionToken: awsTestKeys.AWS_SESSION_TOKEN };
      const call = { method, target: path, headers, body: Buffer.from(body) };
      const wrong = wrongAwsSignature(call, { ...keys, secret: options.key });
      if (wrong !== null) return json(response, 403, { message: `${wrong}: ${JSON.stringify(headers)}` });
      if (await options.misbehave?.(question, response)) return;
      return serve(question, response);
    }
    const given =
      headers.authorization?.replace(/^Bearer /, '') ??
      headers['x-goog-api-key'] ??
      headers['ocp-apim-subscription-key'] ??
      headers['xi-api-key'];
    if (given !== options.key)
      return json(response, 401, { error: { message: `Incorrect API key provided: ${given}` } });
    if (await options.misbehave?.(question, response)) return;
    serve(question, response);
  };
  return { ...(await serveOnLoopback(answer, asError)), questions };
}

function serve({ method, path, headers, body }: SpeechQuestion, response: ServerResponse): void {
  const url = new URL(path, 'http://127.0.0.1');
  const spoken = (text: unknown): Int16Array => {
    if (typeof text !== 'string' || text === '') throw new Error('no text');
    return tones(text);
  };
  switch (`${method} ${url.pathname.replace(/(?<=text-to-speech\/).*/, '…')}`) {
    case 'POST /v1/audio/speech': {
      const { input, voice, model, response_format: format } = JSON.parse(body);
      if (!voice || !model || format !== 'wav') throw new Error('no voice, model or format');
      // As one that streams: the length is not known yet.
      response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(wav(spoken(input), 16_000, 0xffffffff));
      break;
    }
    case 'GET /v1/voices':
      json(response, 200, {
        voices: [
          { languageCodes: ['en-GB'], name: 'en-GB-Neural2-A', ssmlGender: 'FEMALE', naturalSampleRateHertz: 24_000 },
          { languageCodes: ['de-DE'], name: 'de-DE-Standard-B', ssmlGender: 'MALE', naturalSampleRateHertz: 24_000 },
          {
            languageCodes: ['en-US'],
            name: 'en-US-Chirp3-HD-Orus',
            ssmlGender: 'NEUTRAL',
            naturalSampleRateHertz: 24_000,
          },
        ],
      });
      break;
    case 'POST /v1/text:synthesize': {
      const { input, voice, audioConfig } = JSON.parse(body);
      if (!voice.languageCode || !voice.name || audioConfig.audioEncoding !== 'LINEAR16') throw new Error('no voice');
      const audioContent = wav(spoken(input.text), audioConfig.sampleRateHertz).toString('base64');
      json(response, 200, { audioContent });
      break;
    }
    case 'GET /cognitiveservices/voices/list':
      json(response, 200, [
        { ShortName: 'en-GB-SoniaNeural', Locale: 'en-GB', Gender: 'Female', LocaleName: 'English (United Kingdom)' },
        { ShortName: 'en-IN-PrabhatNeural', Locale: 'en-IN', Gender: 'Male', LocaleName: 'English (India)' },
      ]);
      break;
    case 'POST /cognitiveservices/v1': {
      const [, rate] = /^riff-(\d+)khz-16bit-mono-pcm$/.exec(String(headers['x-microsoft-outputformat']))!;
      // One element `voice` in one `speak`, and no markup within it but what XML has escaped.
      const [, text] = /^<speak [^<>]*><voice name='[^'<>]*'>([^<>]*)<\/voice><\/speak>$/.exec(body)!;
      if (!headers['user-agent'] || headers['content-type'] !== 'application/ssml+xml') throw new Error('headers');
      response.writeHead(200).end(wav(spoken(text), 1000 * Number(rate)));
      break;
    }
    case 'GET /elevenlabs/v1/voices':
      json(response, 200, {
        voices: [
          { voice_id: '21m00Tcm', name: 'Rachel', labels: { gender: 'female', accent: 'american', age: 'young' } },
          { voice_id: 'IKne3meq', name: 'Charlie', labels: { gender: 'male', accent: 'australian', language: 'en' } },
        ],
      });
      break;
    case 'POST /elevenlabs/v1/text-to-speech/…': {
      const { text, model_id: model } = JSON.parse(body);
      if (!model || url.searchParams.get('output_format') !== 'pcm_24000') throw new Error('no model or format');
      response.writeHead(200).end(Buffer.from(spoken(text).buffer));
      break;
    }
    case 'GET /polly/v1/voices': {
      // Two pages, by its token.
      const [joanna, brian] = [
        { Gender: 'Female', Id: 'Joanna', LanguageCode: 'en-US', Name: 'Joanna', SupportedEngines: ['neural'] },
        { Gender: 'Male', Id: 'Brian', LanguageCode: 'en-GB', Name: 'Brian', SupportedEngines: ['neural'] },
      ];
      if (url.searchParams.get('Engine') !== 'neural') throw new Error('no engine');
      const isSecond = url.searchParams.get('NextToken') === 'a/b==';
      json(response, 200, isSecond ? { Voices: [brian] } : { Voices: [joanna], NextToken: 'a/b==' });
      break;
    }
    case 'POST /polly/v1/speech': {
      const { Engine, LanguageCode, OutputFormat, SampleRate, Text, VoiceId } = JSON.parse(body);
      if (OutputFormat !== 'pcm' || SampleRate !== '16000' || Engine !== 'neural' || !VoiceId)
        throw new Error('no voice');
      if (LanguageCode !== undefined && !/^[a-z]{2,3}-[A-Z]{2}$/.test(LanguageCode)) throw new Error('no language');
      // It counts every character twice, so that whoever reads this is told apart from who reckons.
      response
        .writeHead(200, { 'Content-Type': 'audio/pcm', 'x-amzn-RequestCharacters': String(2 * Text.length) })
        .end(Buffer.from(spoken(Text).buffer));
      break;
    }
    default:
      json(response, 404, { error: { message: 'no such path' } });
  }
}

/** 50 ms of a tone for each character. */
function tones(text: string): Int16Array {
  const each = 1200;
  return Int16Array.from({ length: each * text.length }, (_, n) => {
    return 8000 * Math.sin((n * (text.charCodeAt(Math.floor(n / each)) + 60)) / 2000);
  });
}

/** A WAV file of 16 bits and one channel, written by the letter and not by the code under test. */
function wav(samples: Int16Array, sampleRate: number, dataBytes = samples.byteLength): Buffer {
  const header = Buffer.from('RIFF....WAVEfmt .\0\0\0\x01\0\x01\0........\x02\0\x10\0data....', 'latin1');
  header.writeUInt32LE(dataBytes === samples.byteLength ? 36 + dataBytes : 0xffffffff, 4);
  header.writeUInt32LE(16, 16);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(2 * sampleRate, 28);
  header.writeUInt32LE(dataBytes, 40);
  return Buffer.concat([header, Buffer.from(samples.buffer)]);
}
