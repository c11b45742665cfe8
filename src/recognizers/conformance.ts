import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { type Clip, durationSeconds } from '../audio/clip.ts';
import { resample } from '../audio/resample.ts';
import { canonicalJson } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { Transcript } from '../model/observation.ts';
import {
  RecognitionError,
  type RecognitionRequest,
  type Recognizer,
  type RecognizerKind,
  type RecognizerServices,
} from './contract.ts';
import { heldResources, settledResources } from './testing/held-resources.ts';
import { checkStream } from './testing/stream-conformance.ts';

/** A member with what is needed to prove it. */
export interface ConformanceCase<Options> {
  readonly kind: RecognizerKind<Options>;
  /** As they stand in a config. */
  readonly options: unknown;
  readonly services: RecognizerServices;
  /** Two requests with different answers; with clips of some seconds where the member hears. */
  readonly requests: readonly [RecognitionRequest, RecognitionRequest];
  /** Texts that stand in options or environment and must never come out. */
  readonly secrets?: readonly string[];
  /** Why the member cannot be tried on this machine; false where it can. */
  readonly skip: string | false;
  /** Why its answers to one request may differ; absent where they may not. */
  readonly nondeterministic?: string;
}

/** Ten minutes of sound and a thousand recognitions: with EARWITNESS_SLOW_TESTS=1 alone. */
const skipSlow = process.env.EARWITNESS_SLOW_TESTS === '1' ? false : 'slow; set EARWITNESS_SLOW_TESTS=1';
const longClipSeconds = 600;
const manyRecognitions = 1000;
const recognitionsToWarmUp = 200;
const mostGrowthBytes = 32 * 2 ** 20;

const neverAborted = new AbortController().signal;
const mostSecondsToAbort = 1;
const timeUnderWay = 50;
const mostMsToClose = 3000;
/** Frames of a decoder are counted in whole, and the last may reach past the sound by one. */
const pastTheEndSeconds = 0.05;

/** Registers the tests that every recognizer must pass, under its name. */
export function testRecognizer<Options>(tried: ConformanceCase<Options>): void {
  const { kind, services, requests, skip, nondeterministic } = tried;
  const [first, second] = requests;
  const hears = first.clip !== undefined;
  const options = () => kind.options.parse(tried.options);
  const { mode } = tried.options as { readonly mode?: string };
  const title = (what: string) => `${kind.name}${mode === undefined ? '' : ` (${mode})`} ${what}`;
  const proves = (what: string, prove: () => Promise<void>, why: string | false = false) =>
    test(title(what), { skip: skip || why }, prove);
  /** Everything that came out, in which no secret may stand. */
  const cameOut: string[] = [];
  const opened = async (use: (recognizer: Recognizer) => Promise<void>) => {
    const recognizer = await kind.open(options(), services);
    try {
      await use(recognizer);
    } finally {
      await recognizer.close();
    }
  };
  const ask = async (
    recognizer: Recognizer,
    request: RecognitionRequest,
    signal: AbortSignal = neverAborted,
  ): Promise<Transcript> => {
    try {
      const { timing, ...transcript } = await recognizer.recognize(request, signal);
      cameOut.push(JSON.stringify(transcript));
      return transcript;
    } catch (error) {
      cameOut.push(inspect(error, { depth: 10, showHidden: true }));
      throw error;
    }
  };

  test(title('describes every option and refuses unknown ones'), () => {
    const schema = z.toJSONSchema(kind.options, { io: 'input', unrepresentable: 'any' }) as JsonObject;
    assert.deepEqual(undescribed(schema, kind.name), []);
    const unknown = kind.options.safeParse({ ...(tried.options as object), noSuchOption: 1 });
    assert.equal(unknown.success, false);
  });

  proves('tells its identity without paths and secrets, the same each time', async () => {
    const description = await kind.describe(options(), services);
    assert.deepEqual(await kind.describe(options(), services), description);
    const text = canonicalJson({ ...description } as unknown as JsonObject);
    for (const hidden of [services.baseFolder, homedir(), ...(tried.secrets ?? [])].filter(
      (value) => value.length > 1,
    )) {
      assert.ok(!text.includes(hidden), `${hidden} stands in ${text}`);
    }
    assert.doesNotMatch(canonicalJson(description.identity), /"\/|file:/);
    assert.equal(description.input, hears ? 'sound' : 'names');
    assert.ok(description.concurrency >= 1);
  });

  proves('would work on this machine, and says what it found', async () => {
    const readiness = await kind.readiness(services);
    assert.equal(readiness.ready, true, readiness.found);
    assert.ok(readiness.found.length > 0);
  });

  const same = nondeterministic === undefined ? false : `its answers may differ: ${nondeterministic}`;

  proves(
    'gives the same transcript for the same request',
    async () => {
      await opened(async (recognizer) => {
        const transcript = await ask(recognizer, first);
        checkTranscript(transcript, first.clip);
        assert.deepEqual(await ask(recognizer, first), transcript);
      });
    },
    same,
  );

  proves(
    'answers from the request alone: B after A is B of a fresh one',
    async () => {
      let fresh: Transcript | undefined;
      await opened(async (recognizer) => {
        fresh = await ask(recognizer, second);
      });
      await opened(async (recognizer) => {
        assert.notEqual((await ask(recognizer, first)).text, fresh?.text);
        assert.deepEqual(await ask(recognizer, second), fresh);
        await ask(recognizer, first);
        assert.deepEqual(await ask(recognizer, second), fresh);
      });
    },
    same,
  );

  proves(
    'answers two requests at once as it does one after the other',
    async () => {
      await opened(async (one) => {
        const expected = [await ask(one, first), await ask(one, second)];
        assert.deepEqual(await Promise.all([ask(one, first), ask(one, second)]), expected);
        await opened(async (other) => {
          assert.deepEqual(await Promise.all([ask(one, first), ask(other, second)]), expected);
        });
      });
    },
    same,
  );

  proves('gives back everything it opened', async () => {
    const once = () => opened(async (recognizer) => void (await ask(recognizer, second)));
    // What a library keeps for the life of the process, it opens with the first call.
    await once();
    const before = heldResources();
    for (let time = 0; time < 3; time++) await once();
    const after = await settledResources(before, mostMsToClose);
    assert.ok(
      after.handles <= before.handles &&
        after.openFiles <= before.openFiles &&
        after.childProcesses <= before.childProcesses,
      `${inspect(before)} became ${inspect(after)}`,
    );
  });

  proves('ends a call that is given up within a second, and answers the next one', async () => {
    let expected: Transcript | undefined;
    await opened(async (recognizer) => {
      expected = await ask(recognizer, second);
      const abort = new AbortController();
      const call = ask(recognizer, first.clip ? { ...first, clip: repeated(first.clip, 6) } : first, abort.signal);
      const settled = call.then(
        () => null,
        (error: unknown) => error,
      );
      await new Promise((resolve) => setTimeout(resolve, timeUnderWay));
      const started = performance.now();
      abort.abort(new Error('tried'));
      const error = await settled;
      assert.ok((performance.now() - started) / 1000 < mostSecondsToAbort, 'giving up took longer than a second');
      if (error !== null) assert.ok(error instanceof RecognitionError, String(error));
      const next = await ask(recognizer, second);
      if (same === false) assert.deepEqual(next, expected);
    });
  });

  proves('fails with a kind', async () => {
    await opened(async (recognizer) => {
      const { clip: _, ...soundless } = first;
      const impossible = hears ? soundless : { ...first, utteranceId: 'no\u0000such\nutterance' };
      await assert.rejects(ask(recognizer, impossible), (error: unknown) => {
        assert.ok(error instanceof RecognitionError, String(error));
        assert.equal(error.kind, hears ? 'sound' : 'unknown-utterance');
        assert.doesNotMatch(error.message, /[\p{Cc}]/u);
        return true;
      });
    });
  });

  proves(
    'does not grow over a thousand recognitions',
    async () => {
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      const brief = second.clip ? { ...second, clip: stretch(second.clip, 0.5) } : second;
      await opened(async (recognizer) => {
        let before = 0;
        for (let call = 0; call <= manyRecognitions; call++) {
          if (call === recognitionsToWarmUp) {
            collect();
            before = process.memoryUsage().rss;
          }
          await recognizer.recognize(brief, neverAborted);
        }
        collect();
        const grown = process.memoryUsage().rss - before;
        assert.ok(grown < mostGrowthBytes, `${(grown / 2 ** 20).toFixed(1)} MB more`);
      });
    },
    skipSlow,
  );

  const provesDiscretion = () =>
    proves('shows its secrets in no transcript and no error', async () => {
      assert.ok(cameOut.length > 0);
      for (const secret of tried.secrets ?? []) {
        for (const text of cameOut) assert.ok(!text.includes(secret), `a secret stands in ${text.slice(0, 1000)}`);
      }
    });

  if (!hears) {
    provesDiscretion();
    return;
  }
  const { clip } = first as { clip: Clip };
  const { clip: otherClip } = second as { clip: Clip };

  test(title('hears a sound while it is spoken'), { skip: skip || same }, async (context) => {
    await opened(async (recognizer) => {
      if (!recognizer.stream) return context.skip('it hears whole clips only');
      await checkStream({ recognizer, clips: [clip, otherClip] });
    });
  });

  proves(
    'hears ten minutes',
    async () => {
      const long = repeated(clip, Math.ceil(longClipSeconds / durationSeconds(clip)));
      await opened(async (recognizer) => checkTranscript(await ask(recognizer, { ...first, clip: long }), long));
    },
    skipSlow,
  );

  proves('hears clips of 8, 16 and 48 kHz, and leaves them as they are', async () => {
    await opened(async (recognizer) => {
      for (const sampleRate of [8000, 16_000, 48_000]) {
        const heard = resample(clip, sampleRate);
        const before = Float32Array.from(heard.samples);
        checkTranscript(await ask(recognizer, { ...first, clip: heard }), heard);
        assert.deepEqual(heard.samples, before);
      }
    });
  });

  proves('answers to an empty clip, to silence and to 10 ms', async () => {
    await opened(async (recognizer) => {
      const rate = clip.sampleRate;
      const short = { samples: clip.samples.slice(rate, rate + rate / 100), sampleRate: rate };
      for (const samples of [
        new Float32Array(0),
        new Float32Array(2 * rate),
        short.samples,
        new Float32Array(1).fill(1),
      ]) {
        checkTranscript(await ask(recognizer, { ...first, clip: { samples, sampleRate: rate } }), undefined);
      }
      checkTranscript(await ask(recognizer, first), clip);
    });
  });

  provesDiscretion();
}

function checkTranscript(transcript: Transcript, clip: Clip | undefined): void {
  assert.equal(typeof transcript.text, 'string');
  let last = 0;
  for (const { text, startSeconds, endSeconds, confidence } of transcript.words ?? []) {
    assert.ok(text.length > 0);
    if (startSeconds !== undefined && endSeconds !== undefined) {
      assert.ok(startSeconds >= last && endSeconds > startSeconds, `${text}: ${startSeconds} to ${endSeconds}`);
      last = startSeconds;
      if (clip) assert.ok(endSeconds <= durationSeconds(clip) + pastTheEndSeconds, `${text} ends after the sound`);
    }
    if (confidence !== undefined) assert.ok(confidence >= 0 && confidence <= 1);
  }
}

/** The clip so many times over, so that there is something to give up. */
function repeated({ samples, sampleRate }: Clip, times: number): Clip {
  const all = new Float32Array(times * samples.length);
  for (let start = 0; start < all.length; start += samples.length) all.set(samples, start);
  return { samples: all, sampleRate };
}

/** The beginning of a clip. */
function stretch({ samples, sampleRate }: Clip, seconds: number): Clip {
  return { samples: samples.slice(0, Math.round(seconds * sampleRate)), sampleRate };
}

/** Paths of options that say nothing about themselves, and of objects that let unknown ones through. */
function undescribed(schema: JsonObject, path: string): string[] {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonObject>>;
  const found = Object.entries(properties).flatMap(([name, property]) => [
    ...(typeof property.description === 'string' && property.description.length > 5 ? [] : [`${path}.${name}`]),
    ...undescribed(property, `${path}.${name}`),
  ]);
  const items = schema.items as JsonObject | undefined;
  return [
    ...found,
    ...(schema.properties && schema.additionalProperties !== false ? [`${path} is not strict`] : []),
    ...(items ? undescribed(items, `${path}[]`) : []),
  ];
}
