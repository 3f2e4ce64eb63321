import type { Buffer } from 'node:buffer'

/** Whatever stands in these opens and closes nothing. */
const PASSED_OVER = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<!', '>'],
  ['<?', '?>'],
] as const
const OPENING_CHARS_MAX = 9
const NAME_CHARS_MAX = 64
const [CLOSING, SLASH, EXCLAMATION, QUESTION, EQUALS, SPACE] = [0x3e, 0x2f, 0x21, 0x3f, 0x3d, 0x20] as const
const [DOUBLE_QUOTE, SINGLE_QUOTE] = [0x22, 0x27] as const

/** A tag of XML as it is written, or a comment, a declaration or the like. */
export interface Tag {
  readonly kind: 'opening' | 'closing' | 'empty' | 'other'
  readonly name: string
  readonly start: number
  /** The place behind it. */
  readonly end: number
  /** One for its element, and at least one for each of its attributes, also where these are not written as they should be. */
  readonly marks: number
}

/** @param start where its `<` stands */
export function tagAt(bytes: Buffer, start: number): Tag {
  const next = bytes[start + 1]
  if (next === EXCLAMATION || next === QUESTION) return otherAt(bytes, start)
  let [quote, nameEnd, spaces, signs]: [number | undefined, number, number, number] = [undefined, 0, 0, 0]
  let at = start + 1
  for (; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    // A `>` within a quoted value does not end the tag.
    if (quote !== undefined) {
      if (byte === quote) quote = undefined
      continue
    }
    if (byte === CLOSING) break
    if (byte === DOUBLE_QUOTE || byte === SINGLE_QUOTE) quote = byte
    else if (byte === EQUALS) signs++
    else if (byte <= SPACE) spaces++
    if (nameEnd === 0 && byte <= SPACE) nameEnd = at
  }
  const kind = next === SLASH ? 'closing' : bytes[at - 1] === SLASH ? 'empty' : 'opening'
  const from = kind === 'closing' ? start + 2 : start + 1
  const to = Math.min(nameEnd || (kind === 'empty' ? at - 1 : at), from + NAME_CHARS_MAX)
  const name = bytes.toString('latin1', from, to)
  return { kind, name, start, end: Math.min(at + 1, bytes.length), marks: 1 + Math.max(spaces, signs) }
}

function otherAt(bytes: Buffer, start: number): Tag {
  const opening = bytes.toString('latin1', start, start + OPENING_CHARS_MAX)
  const close = PASSED_OVER.find(([begins]) => opening.startsWith(begins))?.[1] ?? '>'
  const end = bytes.indexOf(close, start + 2)
  return { kind: 'other', name: '', start, end: end === -1 ? bytes.length : end + close.length, marks: 1 }
}

/** The value of an attribute of a tag as it is written, with its entities. */
export function attributeOf(bytes: Buffer, { start, end }: Tag, name: string): string | undefined {
  const at = bytes.subarray(start, end).toString('utf8')
  return new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    .exec(at)
    ?.slice(1)
    .find(value => value !== undefined)
}

/** A switch is on where its element stands, unless that says otherwise (ECMA-376, ST_OnOff). */
export function isOn(bytes: Buffer, tag: Tag): boolean {
  return !['0', 'false', 'off'].includes(attributeOf(bytes, tag, 'w:val') ?? '')
}
