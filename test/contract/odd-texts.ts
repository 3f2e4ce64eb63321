import { Buffer } from 'node:buffer'
import type { Json } from '../support/client.ts'

/** A text that is hard to keep, and as it stands in an address: what is no text cannot be put there by the usual means. */
export interface OddText {
  readonly name: string
  readonly text: string
  readonly encoded: string
  /** No field may take it. */
  readonly refused?: boolean
}

const plain = (name: string, text: string): OddText => ({ name, text, encoded: encodeURIComponent(text) })

export const ODD_TEXTS: readonly OddText[] = [
  { name: 'NUL', text: 'a\u0000b', encoded: 'a%00b', refused: true },
  { name: 'a lone high surrogate', text: 'a\ud83d', encoded: 'a%ED%A0%BD', refused: true },
  { name: 'a lone low surrogate', text: '\ude00a', encoded: '%ED%B8%80a', refused: true },
  plain('emoji', '👩‍👩‍👧‍👦🏳️‍🌈'),
  plain('right to left', '\u202eשלום \u0645\u0631\u062d\u0628\u0627\u200f'),
  plain('combining signs', 'Z\u0351\u036b\u0343a\u0301'),
  plain('SQL', "'; drop table memories.memory; -- $1 %s \\"),
  plain('the last day', 'Where was Ada on 9999-12-31T23:59:59Z?'),
  plain('a day beyond the calendar', '275759 years from now, or 44 BC, or 2026-13-45T99:99:99+99:99'),
  plain('a path', '../../etc/passwd'),
  plain('a very long one', 'long '.repeat(2000)),
]

/** A text field of a body's schema; a number stands for an item of a list, `*` for the name of a field that is free. */
export type FieldPath = readonly (string | number)[]

/** Lists the text fields of a schema, those of lists and of objects with free names included. */
export function textFields(schema: Json, at: FieldPath = []): FieldPath[] {
  if (schema.anyOf) return schema.anyOf.flatMap((part: Json) => textFields(part, at))
  if (schema.type === 'string') return [at]
  if (schema.type === 'array') return textFields(schema.items, [...at, 0])
  if (schema.type !== 'object') return []
  const named = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, part]) => textFields(part, [...at, name]))
  return schema.properties ? named : [[...at, '*']]
}

/** Sets a field of a copy of a body, and makes what it stands in. */
export function bodyWith(body: Json, path: FieldPath, value: Json): Json {
  const [first, ...rest] = path
  if (first === undefined) return value
  if (first === '*') return { ...asObject(body), [value]: value }
  if (typeof first === 'number') return [bodyWith(Array.isArray(body) ? body[0] : undefined, rest, value)]
  return { ...asObject(body), [first]: bodyWith(asObject(body)[first], rest, value) }
}

function asObject(value: Json): Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

const BOUNDARY = 'odd-texts'

/** A form with a field that holds a text as it is in UTF-8, or as near to that as it can be, and perhaps a file of that name. */
export function formWith(fields: Readonly<Record<string, string>>, file?: { name: string; content: string }) {
  const parts = Object.entries(fields).map(([name, value]) =>
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`),
      bytesOf(value),
    ]),
  )
  if (file) {
    const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="`
    parts.push(
      Buffer.concat([
        Buffer.from(head),
        bytesOf(file.name),
        Buffer.from(`"\r\ncontent-type: text/plain\r\n\r\n${file.content}`),
      ]),
    )
  }
  const body = Buffer.concat([
    ...parts.flatMap(part => [part, Buffer.from('\r\n')]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])
  return { raw: body, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } }
}

/** Writes half a surrogate pair as an encoder without scruples does. */
function bytesOf(text: string): Buffer {
  return Buffer.concat(
    [...text].map(sign => {
      const code = sign.codePointAt(0) ?? 0
      if (code < 0xd800 || code > 0xdfff) return Buffer.from(sign)
      return Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)])
    }),
  )
}
