import type { Buffer } from 'node:buffer'

/** Rich text is groups, control words with a number, and bytes of text. */
export type RtfToken =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'control'; readonly word: string; readonly value: number | undefined }
  | { readonly kind: 'byte'; readonly byte: number }

const [OPEN, CLOSE, BACKSLASH, LINE_FEED, RETURN] = [0x7b, 0x7d, 0x5c, 0x0a, 0x0d]
/** A control word ends with a space, which is a part of it. */
const CONTROL = /^([a-zA-Z]{1,32})(-?\d{1,10})? ?/
const CONTROL_CHARS_MAX = 48

export function* tokensOf(bytes: Buffer): Generator<RtfToken> {
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at++] ?? 0
    if (byte === OPEN) yield { kind: 'open' }
    else if (byte === CLOSE) yield { kind: 'close' }
    else if (byte !== BACKSLASH) {
      if (byte !== LINE_FEED && byte !== RETURN && byte !== 0) yield { kind: 'byte', byte }
    } else {
      const [whole = '', word = '', digits] = CONTROL.exec(bytes.toString('latin1', at, at + CONTROL_CHARS_MAX)) ?? []
      const sign = String.fromCharCode(bytes[at] ?? 0)
      const value = digits === undefined ? undefined : Number(digits)
      if (word) {
        at += whole.length
        // So many bytes of something else follow.
        if (word === 'bin') at += Math.max(0, value ?? 0)
        else yield { kind: 'control', word, value }
      } else if (sign === "'") {
        const code = Number.parseInt(bytes.toString('latin1', at + 1, at + 3), 16)
        at += 3
        if (!Number.isNaN(code)) yield { kind: 'byte', byte: code }
      } else {
        at++
        if ('\\{}'.includes(sign)) yield { kind: 'byte', byte: sign.charCodeAt(0) }
        else yield { kind: 'control', word: sign === '\n' || sign === '\r' ? 'par' : sign, value: undefined }
      }
    }
  }
}

const decoders = new Map<string, TextDecoder>()

/** The platform has no decoder of the oldest pages of codes; the letters A to Z are alike in all. */
export function decoderOf(charset: string): TextDecoder {
  const known = decoders.get(charset)
  if (known) return known
  let decoder: TextDecoder
  try {
    decoder = new TextDecoder(charset)
  } catch {
    decoder = new TextDecoder('windows-1252')
  }
  decoders.set(charset, decoder)
  return decoder
}
