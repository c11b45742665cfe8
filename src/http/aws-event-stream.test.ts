import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAwsEvent, writeAwsEvent } from './aws-event-stream.ts';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'));
const said = (text: string) => Buffer.from(text);

/** AWS' published messages: github.com/awslabs/aws-c-event-stream (Apache-2.0), tests/message_deserializer_test.c. */
const published = [
  { name: 'nothing', hex: '00000010 00000000 05c248eb 7d98c8ff', headers: {}, payload: '' },
  {
    name: 'a payload',
    hex: '0000001d 00000000 fd528c5a 7b27666f6f273a27626172277d c3653936',
    ...{ headers: {}, payload: "{'foo':'bar'}" },
  },
  {
    name: 'a header and a payload',
    hex: `0000003d 00000020 07fd8396 0c636f6e74656e742d74797065 07 0010 6170706c69636174696f6e2f6a736f6e
      7b27666f6f273a27626172277d 8d9c08b1`,
    ...{ headers: { 'content-type': 'application/json' }, payload: "{'foo':'bar'}" },
  },
];
const audio = { ':content-type': 'application/octet-stream', ':event-type': 'AudioEvent', ':message-type': 'event' };

/** What the kit of AWS for Python writes (PyPI: amazon-transcribe 0.6.4, EventStreamMessageSerializer). */
const written = [
  {
    name: 'audio',
    hex: `0000006c 00000058 5c509ce3 0d3a636f6e74656e742d747970650700186170706c69636174696f6e2f6f637465742d73747265616d
      0b3a6576656e742d7479706507000a417564696f4576656e74 0d3a6d6573736167652d747970650700056576656e74 01020304 744c824a`,
    ...{ headers: audio, payload: '\x01\x02\x03\x04' },
  },
  {
    name: 'the end of audio',
    hex: `00000068 00000058 a9d03a23 0d3a636f6e74656e742d747970650700186170706c69636174696f6e2f6f637465742d73747265616d
      0b3a6576656e742d7479706507000a417564696f4576656e74 0d3a6d6573736167652d747970650700056576656e74 5cc64095`,
    ...{ headers: audio, payload: '' },
  },
];

/** From the same kit: a header of each type. */
const allTypes = bytes(`00000096 0000007f fbde6174 0d3a6d6573736167652d747970650700056576656e74 0379657300 026e6f01
  046279746502fd 0573686f727403fed4 03696e740400011170 046c6f6e6705fffffffed5fa0e00 056279746573 06000200ff
  0474657874 07000466c3bc72 047768656e 080000019cb323e500 02696409 12345678123456781234567812345678
  7b2261223a317d 12e08a9c`);

for (const { name, hex, headers, payload } of [...published, ...written]) {
  test(`messages are read and written as AWS has them: ${name}`, () => {
    assert.deepEqual(writeAwsEvent(headers, said(payload)), Buffer.from(bytes(hex)));
    const read = readAwsEvent(bytes(hex))!;
    assert.deepEqual([read.headers, Buffer.from(read.payload).toString()], [headers, payload]);
  });
}

test('headers of other types are passed over', () => {
  const { headers, payload } = readAwsEvent(allTypes)!;
  assert.deepEqual(headers, { ':message-type': 'event', text: 'für' });
  assert.equal(Buffer.from(payload).toString(), '{"a":1}');
});

test('a message with any bit turned over, cut anywhere or with something behind it is none', () => {
  for (let at = 0; at < allTypes.length; at++) {
    const turned = Uint8Array.from(allTypes);
    turned[at]! ^= 1 << (at % 8);
    assert.equal(readAwsEvent(turned), null, `byte ${at}`);
    assert.equal(readAwsEvent(allTypes.subarray(0, at)), null, `${at} bytes`);
  }
  assert.equal(readAwsEvent(Buffer.concat([allTypes, Buffer.of(0)])), null);
});

test('headers that reach beyond their end, or are of no known type, make no message although its checksums are right', () => {
  const name = { name: 'x'.repeat(20) };
  const good = Buffer.from(writeAwsEvent(name, Buffer.alloc(0)));
  const [typeAt, lengthAt] = [12 + 1 + 4, 12 + 1 + 4 + 1];
  for (const [at, value] of [
    [12, 200],
    [typeAt, 10],
    [lengthAt + 1, 21],
  ] as const) {
    const wrong = Buffer.from(good);
    wrong[at] = value;
    assert.equal(readAwsEvent(withChecksum(wrong)), null, `${at}`);
  }
  assert.deepEqual(readAwsEvent(withChecksum(good))?.headers, name);
});

/** The same CRC-32, of a byte at a time (ISO 3309: the polynomial 0xedb88320). */
function withChecksum(message: Buffer): Buffer {
  let crc = 0xffff_ffff;
  for (const byte of message.subarray(0, -4)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0);
  }
  message.writeUInt32BE(~crc >>> 0, message.length - 4);
  return message;
}
