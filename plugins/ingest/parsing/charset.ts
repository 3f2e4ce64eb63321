import { Buffer } from 'node:buffer'
import { ReadingError } from '../document/document.ts'
import { guessCharset } from './guess-charset.ts'

/** So much of a text says what it is encoded in. */
const SAMPLE_BYTES = 64 * 1024

/**
 * Decodes text: by its byte order mark, by the escapes of ISO-2022-JP, as UTF-8 where it is that, by the first that is known of what its
 * sender, a server and the document itself name, and at last by what it is like.
 * @param warnings gets a sentence where that is no more than a guess
 */
export async function decodeText(
  bytes: Uint8Array,
  named: readonly (string | undefined)[],
  warnings: string[],
): Promise<string> {
  const marked = byMark(bytes)
  if (marked) return decode(bytes, marked)
  // Its bytes are those of ASCII, so that they would pass for UTF-8.
  if (isIso2022Jp(bytes)) return decode(bytes, 'iso-2022-jp')
  // UTF-8 is so seldom met by chance that it goes before any claim.
  const utf8 = asUtf8(bytes)
  if (utf8 !== undefined && !utf8.includes('\u0000')) return utf8
  const wide = byZeros(bytes)
  if (wide) return decode(bytes, wide)
  const claim = named.find(charset => charset !== undefined && saysMore(charset))
  if (claim) return decode(bytes, claim)
  const { charset, isClear } = await guessCharset(bytes.subarray(0, SAMPLE_BYTES))
  if (!isClear) {
    warnings.push(
      `The text does not say which encoding it is in, and was read as ${charset}: letters beyond A to Z may be wrong. Send it as UTF-8, or with its charset.`,
    )
  }
  return decode(bytes, charset)
}

/** The encoding that an HTML or XML document names in its first bytes (HTML Standard, 13.2.3.2: within 1,024 bytes). */
export function charsetInside(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 2048)).toString('latin1')
  return (
    /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1] ??
    /<\?xml[^>]+encoding\s*=\s*["']([\w-]+)/i.exec(head)?.[1]
  )
}

/** Refuses what is no text at all, however it is decoded. */
export function requireText(text: string, kind: string): string {
  const sample = text.slice(0, SAMPLE_BYTES)
  const odd = sample.match(/(?!\s)[\p{Cc}\ufffd]/gu)?.length ?? 0
  if (odd > sample.length / 20)
    throw new ReadingError('FORMAT_MISMATCH', `The file is not ${kind}: its bytes are no text.`)
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
}

function byMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes[2] === 0 && bytes[3] === 0) return 'utf-32le'
  if (bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 0xfe && bytes[3] === 0xff) return 'utf-32be'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

const ESCAPE = '\u001b'
/** Each switches to the letters of a Japanese standard. */
const JAPANESE = ['$@', '$B', '(J', '(I'].map(code => ESCAPE + code)

function isIso2022Jp(bytes: Uint8Array): boolean {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return JAPANESE.some(code => all.includes(code)) && bytes.every(byte => byte < 0x80)
}

/** Without a mark: in UTF-32 the highest byte of each character is zero, in UTF-16 every other byte of letters of the West. */
function byZeros(bytes: Uint8Array): string | undefined {
  if (isUtf32(bytes, 3, 2)) return 'utf-32le'
  if (isUtf32(bytes, 0, 1)) return 'utf-32be'
  const length = Math.min(bytes.length, 4096)
  let even = 0
  let odd = 0
  for (let n = 0; n < length; n++) if (bytes[n] === 0) n % 2 === 0 ? even++ : odd++
  if (odd > length / 5 && even < odd / 10) return 'utf-16le'
  if (even > length / 5 && odd < even / 10) return 'utf-16be'
  return undefined
}

/** @param zero where the highest byte of four stands, and `plane` where the one after it does, which is the plane of Unicode */
function isUtf32(bytes: Uint8Array, zero: number, plane: number): boolean {
  if (bytes.length % 4 !== 0) return false
  return bytes
    .subarray(0, 4096)
    .every((byte, n) => (n % 4 === zero ? byte === 0 : n % 4 !== plane || byte <= 3 || (byte >= 14 && byte <= 16)))
}

/** The platform's decoder knows no UTF-32. */
function decodeUtf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: string[] = []
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    const point = view.getUint32(at, isLittle)
    const isScalar = point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
    parts.push(isScalar ? String.fromCodePoint(point) : '\ufffd')
  }
  const text = parts.join('')
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function asUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** It names a known encoding, and another than UTF-8, which the text is not by now: programs call everything that. */
function saysMore(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding !== 'utf-8'
  } catch {
    return false
  }
}

function decode(bytes: Uint8Array, charset: string): string {
  if (charset.startsWith('utf-32')) return decodeUtf32(bytes, charset === 'utf-32le')
  return new TextDecoder(charset).decode(bytes)
}
