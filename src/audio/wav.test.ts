import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import fc from 'fast-check';
import { EarwitnessError } from '../base/errors.ts';
import { golden } from '../base/testing/golden.ts';
import { aiffLayout } from '../decoders/aiff/aiff.ts';
import { sphereLayout } from '../decoders/sphere/sphere.ts';
import type { Clip } from './clip.ts';
import { encodeWav } from './encode-wav.ts';
import { alawValues, bytesPerFrame, decodePcm, type PcmLayout, ulawValues } from './pcm.ts';
import { isWav, readsWavFormat, wavLayout } from './wav-layout.ts';

function decode(bytes: Uint8Array, find: typeof wavLayout = wavLayout): Clip & { readonly layout: PcmLayout } {
  const layout = find(bytes, bytes.length, 'a.wav');
  assert.ok(layout, 'a whole file has a layout');
  const { dataOffset, frames } = layout;
  return { ...decodePcm(bytes.subarray(dataOffset, dataOffset + frames * bytesPerFrame(layout)), layout), layout };
}

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));
const u16 = (value: number) => [value & 255, (value >> 8) & 255];
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(Math.floor(value / 65536))];
const chunk = (id: string, body: readonly number[], size = body.length) => [...ascii(id), ...u32(size), ...body];

function format(tag: number, channels: number, bits: number, extra: readonly number[] = []): number[] {
  const block = (channels * bits) / 8;
  return chunk('fmt ', [
    ...u16(tag),
    ...u16(channels),
    ...u32(8000),
    ...u32(8000 * block),
    ...u16(block),
    ...u16(bits),
    ...extra,
  ]);
}

function wavFile(...chunks: readonly (readonly number[])[]): Uint8Array {
  const body = chunks.flat();
  return Uint8Array.from([...ascii('RIFF'), ...u32(body.length + 4), ...ascii('WAVE'), ...body]);
}

function refused(bytes: Uint8Array, code: EarwitnessError['code'] = 'bad-input') {
  assert.throws(
    () => wavLayout(bytes, bytes.length, 'a.wav'),
    (thrown) => thrown instanceof EarwitnessError && thrown.code === code && thrown.message.startsWith('a.wav: '),
  );
}

test('floats come back from a WAV file bit for bit, at any whole rate', () => {
  fc.assert(
    fc.property(
      fc.float32Array({ noNaN: true, maxLength: 50 }),
      fc.integer({ min: 1, max: 384_000 }),
      (samples, sampleRate) => {
        const back = decode(encodeWav({ samples, sampleRate }, { format: 'f32' }));
        assert.deepEqual(back.samples, samples);
        assert.equal(back.sampleRate, sampleRate);
      },
    ),
  );
});

test('16 bits come back within half a step, saturated at full scale', () => {
  fc.assert(
    fc.property(fc.float32Array({ noNaN: true, min: -2, max: 2, maxLength: 50 }), (samples) => {
      const back = decode(encodeWav({ samples, sampleRate: 16000 }, { format: 's16' })).samples;
      back.forEach((value, n) => {
        const expected = Math.min(32767 / 32768, Math.max(-1, samples[n]!));
        assert.ok(Math.abs(value - expected) <= 0.5 / 32768 + 1e-9, `${samples[n]} became ${value}`);
      });
    }),
  );
});

test('a WAV file of 16 bits is, byte for byte, the one of the specification', () => {
  const bytes = encodeWav({ samples: new Float32Array([0, 0.5, -1, 3]), sampleRate: 8000 }, { format: 's16' });
  assert.deepEqual(bytes, wavFile(format(1, 1, 16), chunk('data', [0, 0, 0, 0x40, 0, 0x80, 0xff, 0x7f])));
  assert.throws(() => encodeWav({ samples: new Float32Array(1), sampleRate: 8000.5 }, { format: 's16' }), RangeError);
});

test('every coding gives full scale as 1, whatever its byte width', () => {
  const cases: readonly [string, number[], number[], number[]][] = [
    ['8 bits unsigned', format(1, 1, 8), [0, 128, 192], [-1, 0, 0.5]],
    ['16 bits', format(1, 1, 16), [0, 0x80, 0, 0, 1, 0], [-1, 0, 1 / 32768]],
    ['24 bits', format(1, 1, 24), [0, 0, 0x80, 0xff, 0xff, 0xff, 0, 0, 0x40], [-1, -1 / 8388608, 0.5]],
    ['32 bits', format(1, 1, 32), [0, 0, 0, 0x80, 0, 0, 0, 0x40], [-1, 0.5]],
    ['32-bit floats', format(3, 1, 32), [0, 0, 0x80, 0xbf, 0, 0, 0, 0x3f], [-1, 0.5]],
    ['64-bit floats', format(3, 1, 64), [0, 0, 0, 0, 0, 0, 0xf0, 0xbf], [-1]],
    ['A-law', format(6, 1, 8), [0xd5, 0x55, 0xaa], [8 / 32768, -8 / 32768, 32256 / 32768]],
    ['mu-law', format(7, 1, 8), [0xff, 0x7f, 0x80], [0, 0, 32124 / 32768]],
    ['two channels', format(1, 2, 16), [0, 0x40, 0, 0, 0, 0x80, 0, 0x80], [0.25, -1]],
  ];
  for (const [name, fmt, data, expected] of cases) {
    assert.deepEqual(
      [...decode(wavFile(fmt, chunk('data', data))).samples].map((x) => x + 0),
      expected,
      name,
    );
  }
});

test('an extensible format is read by its sub-format, and 20 bits as the upper part of 24', () => {
  const guidTail = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];
  const extension = (tag: number, valid: number) => [...u16(22), ...u16(valid), ...u32(0), ...u16(tag), ...guidTail];
  const bytes = wavFile(format(0xfffe, 1, 24, extension(1, 20)), chunk('data', [0, 0, 0x40]));
  assert.deepEqual([...decode(bytes).samples], [0.5]);
  assert.equal(readsWavFormat(bytes.subarray(0, 64)), true);
  const float = wavFile(format(0xfffe, 1, 32, extension(3, 32)), chunk('data', [0, 0, 0, 0x3f]));
  assert.deepEqual([...decode(float).samples], [0.5]);
});

test('a frame that has not the bytes of its channels and bits is read by these where the bytes of a second agree, else refused', () => {
  const header = (channels: number, bits: number, blockBytes: number, secondBytes: number) =>
    wavFile(
      chunk('fmt ', [...u16(1), ...u16(channels), ...u32(8000), ...u32(secondBytes), ...u16(blockBytes), ...u16(bits)]),
      chunk('data', [0, 0x40, 0, 0x40]),
    );
  assert.deepEqual([...decode(header(1, 16, 4, 16_000)).samples], [0.5, 0.5]);
  assert.deepEqual([...decode(header(2, 16, 2, 32_000)).samples], [0.5]);
  assert.throws(
    () => decode(header(1, 16, 4, 32_000)),
    /expected frames of 2 bytes \(1 x 16 bits\), but its header says 4; the file is damaged/,
  );
  assert.throws(() => decode(header(2, 16, 2, 16_000)), /frames of 4 bytes \(2 x 16 bits\), but its header says 2;/);
  assert.throws(() => decode(header(1, 16, 0, 0)), /says 0;/);
  // Bits that fill the upper part of more bytes contradict nothing.
  assert.deepEqual([...decode(header(1, 24, 4, 32_000)).samples], [0.5 + 2 ** -17]);
  assert.deepEqual([...decode(header(1, 12, 2, 16_000)).samples], [0.5, 0.5]);
});

test('unknown and odd chunks are passed over, padded or not, before and behind the samples', () => {
  const data = chunk('data', [0, 0x40]);
  const fmt = format(1, 1, 16);
  for (const bytes of [
    wavFile(chunk('JUNK', [1, 2, 3]), [0], fmt, chunk('abcd', [1]), [0], data),
    wavFile(chunk('LIST', [1, 2, 3]), fmt, data),
    wavFile(fmt, data, chunk('LIST', [1, 2, 3, 4])),
    wavFile(fmt, chunk('fact', u32(1)), data, [7]),
  ]) {
    assert.deepEqual([...decode(bytes).samples], [0.5]);
  }
});

test('lengths that a streaming writer left open mean: to the end of the file', () => {
  const samples = [0, 0x40, 0, 0xc0];
  for (const size of [0, 0xffffffff, 0x7ffff024, 0x80000000]) {
    const { samples: found, layout } = decode(wavFile(format(1, 1, 16), chunk('data', [...samples, 9], size)));
    assert.deepEqual([...found], [0.5, -0.5], `${size}`);
    assert.equal(layout.promisedFrames, 2);
  }
  const empty = decode(wavFile(format(1, 1, 16), chunk('data', []), chunk('LIST', [1, 2])));
  assert.equal(empty.samples.length, 0);
});

test('RF64 takes its length from ds64, RIFX its numbers the other way round', () => {
  const ds64 = chunk('ds64', [...u32(0), ...u32(0), ...u32(2), ...u32(0), ...u32(0), ...u32(0), ...u32(0)]);
  const bytes = wavFile(ds64, format(1, 1, 16), chunk('data', [0, 0x40, 0, 0], 0xffffffff));
  bytes.set(ascii('RF64'));
  assert.deepEqual([...decode(bytes).samples], [0.5]);
  const swapped = Uint8Array.from(
    [
      ...ascii('RIFX'),
      0,
      0,
      0,
      38,
      ...ascii('WAVEfmt '),
      0,
      0,
      0,
      16,
      0,
      1,
      0,
      1,
      0,
      0,
      0x1f,
      0x40,
      0,
      0,
      0x3e,
      0x80,
    ].concat([0, 2, 0, 16, ...ascii('data'), 0, 0, 0, 2, 0x40, 0]),
  );
  assert.deepEqual([...decode(swapped).samples], [0.5]);
  assert.equal(decode(swapped).sampleRate, 8000);
});

test('a file that is cut off at any byte is refused in a sentence, or says how much is missing', () => {
  const whole = wavFile(chunk('LIST', [1, 2, 3]), [0], format(1, 2, 16), chunk('data', [1, 2, 3, 4, 5, 6, 7, 8]));
  for (let length = 12; length < whole.length; length++) {
    const bytes = whole.subarray(0, length);
    try {
      const layout = wavLayout(bytes, length, 'a.wav');
      assert.ok(layout && layout.frames < layout.promisedFrames, `${length} bytes`);
    } catch (thrown) {
      assert.ok(thrown instanceof EarwitnessError && thrown.code === 'bad-input', `${length} bytes: ${thrown}`);
    }
  }
});

test('bytes changed at random give a layout within the file, or a sentence', () => {
  const whole = wavFile(chunk('LIST', [1, 2, 3]), [0], format(1, 2, 16), chunk('data', [1, 2, 3, 4, 5, 6, 7, 8]));
  const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 6 });
  fc.assert(
    fc.property(changes, (list) => {
      const bytes = Uint8Array.from(whole);
      for (const [place, value] of list) bytes[place] = value;
      if (!isWav(bytes)) return;
      try {
        const { samples, layout } = decode(bytes);
        assert.equal(samples.length, layout.frames);
        assert.ok(layout.dataOffset + layout.frames * bytesPerFrame(layout) <= bytes.length);
      } catch (thrown) {
        assert.ok(thrown instanceof EarwitnessError, `${thrown}`);
      }
    }),
    { numRuns: 2000 },
  );
});

test('a header that is longer than what was read asks for more', () => {
  const bytes = wavFile(chunk('LIST', new Array(500).fill(0)), format(1, 1, 16), chunk('data', [0, 0]));
  assert.equal(wavLayout(bytes.subarray(0, 100), bytes.length, 'a.wav'), null);
  assert.equal(wavLayout(bytes.subarray(0, 560), bytes.length, 'a.wav')?.frames, 1);
});

test('compressed WAV, no format, no channels and no rate are refused', () => {
  const data = chunk('data', [0, 0]);
  refused(wavFile(format(2, 1, 4), data));
  refused(wavFile(data));
  refused(wavFile(format(1, 0, 16), data));
  const noRate = wavFile(format(1, 1, 16), data);
  noRate.fill(0, 24, 28);
  refused(noRate);
  assert.equal(readsWavFormat(wavFile(format(0x55, 1, 0), data)), false);
  // A chunk that says it is longer than any file, or too short for what must be in it.
  for (const size of [0xffffffff, 0x7fffffff, 15, 0]) {
    refused(wavFile(chunk('fmt ', format(1, 1, 16).slice(8), size), data));
  }
});

const goldens = golden('codecs/codecs.json');
test('all 256 values of both G.711 codings are those of Python, ffmpeg and SoX', () => {
  const { g711 } = JSON.parse(readFileSync(goldens, 'utf8'));
  assert.deepEqual([...ulawValues], g711.ulaw['decode_256 (audioop)']);
  assert.deepEqual([...alawValues], g711.alaw['decode_256 (audioop)']);
});

function sphereFile(fields: readonly string[], data: readonly number[]): Uint8Array {
  const header = ['NIST_1A', '   1024', ...fields, 'end_head', ''].join('\n').padEnd(1024, ' ');
  return Uint8Array.from([...ascii(header), ...data]);
}

test('SPHERE is read in both byte orders, in mu-law and with two channels', () => {
  const base = ['sample_rate -i 16000', 'channel_count -i 1', 'sample_n_bytes -i 2'];
  const little = sphereFile(
    [...base, 'sample_count -i 2', 'sample_byte_format -s2 01', 'sample_coding -s3 pcm'],
    [0, 0x40, 0, 0xc0],
  );
  assert.deepEqual([...decode(little, sphereLayout).samples], [0.5, -0.5]);
  const big = sphereFile([...base, 'sample_count -i 2', 'sample_byte_format -s2 10'], [0x40, 0, 0xc0, 0]);
  assert.deepEqual([...decode(big, sphereLayout).samples], [0.5, -0.5]);
  const ulaw = sphereFile(
    ['sample_rate -i 8000', 'channel_count -i 2', 'sample_n_bytes -i 1', 'sample_count -i 1', 'sample_coding -s4 ulaw'],
    [0x80, 0xff],
  );
  assert.deepEqual([...decode(ulaw, sphereLayout).samples], [16062 / 32768]);
});

test('SPHERE that is compressed, cut off or without a rate is refused, and says so', () => {
  const said = (bytes: Uint8Array) => {
    try {
      sphereLayout(bytes, bytes.length, 'a.wav');
    } catch (thrown) {
      assert.ok(thrown instanceof EarwitnessError && thrown.code === 'bad-input', `${thrown}`);
      return thrown.message;
    }
    return '';
  };
  const shorten = sphereFile(['sample_rate -i 8000', 'sample_coding -s26 pcm,embedded-shorten-v2.00'], []);
  assert.match(said(shorten), /compressed with shorten.*sph2pipe/);
  assert.match(said(sphereFile(['sample_n_bytes -i 2', 'sample_byte_format -s2 01'], [])), /sample_rate/);
  for (let length = 16; length < 1024; length += 7) assert.notEqual(said(shorten.subarray(0, length)), '');
});

test('AIFF is read with its 80-bit rate, and AIFF-C with little-endian samples', () => {
  const common = [0, 1, 0, 0, 0, 2, 0, 16, 0x40, 0x0b, 0xfa, 0, 0, 0, 0, 0, 0, 0];
  const big = (id: string, body: readonly number[]) => [...ascii(id), 0, 0, 0, body.length, ...body];
  const file = (form: string, ...chunks: readonly number[][]) =>
    Uint8Array.from([...ascii('FORM'), 0, 0, 0, 0, ...ascii(form), ...chunks.flat()]);
  const sound = (data: readonly number[]) => big('SSND', [0, 0, 0, 0, 0, 0, 0, 0, ...data]);
  const plain = decode(file('AIFF', big('COMM', common), sound([0x40, 0, 0xc0, 0])), aiffLayout);
  assert.deepEqual([...plain.samples, plain.sampleRate], [0.5, -0.5, 8000]);
  const swapped = decode(
    file('AIFC', big('COMM', [...common, ...ascii('sowt'), 0, 0]), sound([0, 0x40, 0, 0xc0])),
    aiffLayout,
  );
  assert.deepEqual([...swapped.samples], [0.5, -0.5]);
});
