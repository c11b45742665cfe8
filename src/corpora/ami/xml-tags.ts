/** A tag with what it says and the text right behind it. */
export interface XmlTag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly text: string;
}

/**
 * The opening tags of an NXT file in their order: what AMI's annotations need of XML, in time that grows with the file's
 * length alone. Declarations, comments and closing tags are passed over.
 *
 * @param bytes in the encoding that the declaration names: ISO-8859-1 in AMI, else UTF-8
 */
export function* xmlTags(bytes: Uint8Array): Generator<XmlTag> {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const xml = new TextDecoder(/encoding="iso-8859-1"/i.test(head) ? 'latin1' : 'utf-8').decode(bytes);
  for (const [, name, inside, text] of xml.matchAll(/<([A-Za-z][\w:.-]*)([^<>]*)>([^<]*)/g)) {
    const attributes = new Map<string, string>();
    for (const [, key, value] of inside!.matchAll(/\s([\w:.-]+)="([^"]*)"/g)) attributes.set(key!, decoded(value!));
    yield { name: name!, attributes, text: decoded(text!).trim() };
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' };

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return Object.hasOwn(entities, name) ? entities[name]! : whole;
    const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
