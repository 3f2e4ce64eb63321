import { Buffer } from 'node:buffer'
import { unzipSync, zipSync } from 'fflate'
import { type Block, ReadingError } from '../../document/document.ts'
import type { ParsingLimits } from '../limits.ts'
import { parseHtmlPart } from './html.ts'

/** More parts than any Word file has. */
const ENTRIES_MAX = 5000
const COMPOUND_FILE = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)

/** A Word document, by its structure: headings, lists, tables and notes. */
export async function parseDocx(
  bytes: Uint8Array,
  limits: Pick<ParsingLimits, 'decompressedBytes' | 'nesting'>,
): Promise<{ title: string | undefined; blocks: Generator<Block> }> {
  const unpacked = Object.entries(unzip(bytes, limits.decompressedBytes))
  const parts = Object.fromEntries(unpacked.map(([name, part]) => [name, inUtf8(part)]))
  if (!parts['word/document.xml'] && !Object.keys(parts).some(name => /^word\/document\d*\.xml$/.test(name))) {
    throw new ReadingError('FORMAT_MISMATCH', 'The file is not a Word document, but another kind of archive.')
  }
  for (const part of Object.values(parts)) requireNesting(part, limits.nesting)
  // Packed anew from what was unpacked within bounds, so that no other reader of archives finds something else in it.
  const buffer = Buffer.from(zipSync(parts, { level: 0 }))
  const html = await toHtml(buffer)
  return { title: titleOf(parts['docProps/core.xml']), blocks: parseHtmlPart(html) }
}

/** mammoth 1.13 sets `__proto__`, which has no effect on Deno; this runs in a thread that ends with its document. */
async function loadMammoth() {
  Object.defineProperty(Object.prototype, '__proto__', {
    configurable: true,
    get() {
      return Object.getPrototypeOf(this)
    },
    set(prototype: object | null) {
      Object.setPrototypeOf(this, prototype)
    },
  })
  return (await import('mammoth')).default
}

async function toHtml(buffer: Buffer): Promise<string> {
  const mammoth = await loadMammoth()
  const options = {
    convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"],
    includeDefaultStyleMap: true,
    externalFileAccess: false,
  }
  try {
    const { value } = await mammoth.convertToHtml({ buffer }, options)
    return value.replace(/<a href="#(?:footnote|endnote|comment)-ref-[^"]*">\s*↑\s*<\/a>/g, '')
  } catch (error) {
    throw new ReadingError('CORRUPT_FILE', 'The Word document is damaged and could not be read.', { cause: error })
  }
}

function unzip(bytes: Uint8Array, bytesMax: number): Record<string, Uint8Array> {
  if (COMPOUND_FILE.every((byte, n) => bytes[n] === byte)) throw compoundFault(bytes)
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) {
    throw new ReadingError('FORMAT_MISMATCH', 'The file is not a Word document (DOCX).')
  }
  let total = 0
  let entries = 0
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (++entries > ENTRIES_MAX) throw tooMuch()
        // Pictures, fonts and embedded files say nothing that could be read.
        if (!/\.(xml|rels)$/i.test(name)) return false
        total += originalSize
        if (total > bytesMax) throw tooMuch()
        return true
      },
    })
  } catch (error) {
    if (error instanceof ReadingError) throw error
    throw new ReadingError('CORRUPT_FILE', 'The Word document is damaged: its archive could not be opened.', {
      cause: error,
    })
  }
}

/** A part may be in UTF-16, which its mark says; neither the count below nor mammoth reads that. */
function inUtf8(part: Uint8Array): Uint8Array {
  const isLittle = part[0] === 0xff && part[1] === 0xfe
  const isBig = part[0] === 0xfe && part[1] === 0xff
  if (!isLittle && !isBig) return part
  return new TextEncoder().encode(new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(part))
}

/** Counted before anything is parsed: readers of XML take the square of the time that its depth is. */
function requireNesting(xml: Uint8Array, max: number): void {
  const bytes = Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength)
  let depth = 0
  for (let at = bytes.indexOf('<'); at !== -1; at = bytes.indexOf('<', at)) {
    const opening = bytes.toString('latin1', at, at + OPENING_CHARS_MAX)
    const close = PASSED_OVER.find(([begins]) => opening.startsWith(begins))?.[1]
    if (close) {
      const end = bytes.indexOf(close, at + 2)
      if (end === -1) return
      at = end + close.length
      continue
    }
    const end = endOfTag(bytes, at + 1)
    if (bytes[at + 1] === SLASH) depth = Math.max(0, depth - 1)
    else if (bytes[end - 1] !== SLASH) depth++
    if (depth > max) {
      throw new ReadingError('LIMIT_EXCEEDED', `The Word document nests its parts more than ${max} levels deep.`)
    }
    at = end
  }
}

/** Whatever stands in these opens and closes nothing. */
const PASSED_OVER = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<!', '>'],
  ['<?', '?>'],
] as const
const OPENING_CHARS_MAX = 9
const [CLOSING, SLASH, DOUBLE_QUOTE, SINGLE_QUOTE] = [0x3e, 0x2f, 0x22, 0x27] as const

/** The place of the `>` that ends a tag: one within a quoted value does not. */
function endOfTag(bytes: Buffer, start: number): number {
  let quote: number | undefined
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (quote === undefined && byte === CLOSING) return at
    if (byte === quote) quote = undefined
    else if (quote === undefined && (byte === DOUBLE_QUOTE || byte === SINGLE_QUOTE)) quote = byte
  }
  return bytes.length
}

function tooMuch(): ReadingError {
  return new ReadingError('LIMIT_EXCEEDED', 'The Word document holds far more than a document may when it is unpacked.')
}

/** Encrypted documents are kept in a container that old Word files have too; its directory names what is in it, in UTF-16. */
function compoundFault(bytes: Uint8Array): ReadingError {
  const isEncrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(
    Buffer.from('EncryptedPackage', 'utf16le'),
  )
  if (isEncrypted) {
    return new ReadingError(
      'PASSWORD_PROTECTED',
      'The Word document is protected by a password. Remove the password and send it again.',
    )
  }
  return new ReadingError(
    'FORMAT_MISMATCH',
    'The file is an old Word document (DOC). Save it as DOCX and send it again.',
  )
}

function titleOf(core: Uint8Array | undefined): string | undefined {
  if (!core) return undefined
  const title = /<dc:title>([^<]*)<\/dc:title>/.exec(new TextDecoder().decode(core))?.[1]?.trim()
  return title?.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => XML[name] ?? '') || undefined
}

const XML: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
