import { Buffer } from 'node:buffer'
import { zipSync } from 'fflate'
import { type Block, ReadingError } from '../../document/document.ts'
import { unpackArchive } from '../archive.ts'
import type { ParsingLimits } from '../limits.ts'
import type { Reading } from '../reading.ts'
import { CODE, WordBody } from './docx-body.ts'
import { WordChunks } from './docx-chunks.ts'
import { LeanMarkup } from './docx-markup.ts'
import { WordNumbering } from './docx-numbering.ts'
import { WordStyles } from './docx-styles.ts'
import { parseHtmlPart } from './html.ts'

const COMPOUND_FILE = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)

/** A Word document, by its structure: headings, lists, tables, notes and the documents that it holds. */
export async function parseDocx(
  bytes: Uint8Array,
  reading: Pick<Reading, 'limits' | 'warnings' | 'depth' | 'readPart'>,
): Promise<{ title: string | undefined; blocks: AsyncGenerator<Block> }> {
  const { limits, warnings } = reading
  requireArchive(bytes)
  // Pictures, fonts and embedded objects say nothing that could be read; documents that stand in its text do.
  const archive = { kind: 'a Word document', reads: READ, bytesMax: limits.decompressedBytes }
  const parts = await unpackArchive(bytes, archive)
  const main = Object.keys(parts).find(name => DOCUMENT.test(name))
  if (!main) {
    throw new ReadingError('FORMAT_MISMATCH', 'The file is not a Word document, but another kind of archive.')
  }
  const chunks = new WordChunks(parts, main, reading)
  const leftOut = readably(parts, limits, chunks)
  if (leftOut > 0) warnings.push(leftOutOf(leftOut))
  // Packed anew from what was unpacked within bounds, so that no other reader of archives finds something else in it.
  const buffer = Buffer.from(zipSync(parts, { level: 0 }))
  const html = await toHtml(buffer)
  return {
    title: titleOf(parts['docProps/core.xml']),
    blocks: chunks.within(parseHtmlPart(html, { showsBoxes: true, hasInnerTables: true })),
  }
}

const READ = /\.(xml|rels|html?|xhtml|mht|mhtml|eml|rtf|txt|md|docx)$/i
const STYLES = /^word\/styles\d*\.xml$/
const NUMBERING = /^word\/numbering\d*\.xml$/
const FONTS = /^word\/fontTable\d*\.xml$/
const DOCUMENT = /^word\/document\d*\.xml$/
const NOTES = /^word\/(?:footnotes|endnotes|comments)\d*\.xml$/

/** Writes the parts as mammoth can read them. @returns the number of things that are left out */
function readably(
  parts: Record<string, Uint8Array>,
  limits: Pick<ParsingLimits, 'markupBytes' | 'marks' | 'nesting'>,
  chunks: WordChunks,
): number {
  const markup = new LeanMarkup(limits)
  const first = (pattern: RegExp) => Object.keys(parts).find(name => pattern.test(name))
  const [stylesName, numberingName, fontsName] = [first(STYLES), first(NUMBERING), first(FONTS)]
  for (const name of [stylesName, numberingName, fontsName]) if (name) parts[name] = markup.of(inUtf8(parts[name]))
  const textOf = (name: string | undefined) => name && new TextDecoder().decode(parts[name])
  const styles = new WordStyles(textOf(stylesName), textOf(fontsName))
  const numbering = textOf(numberingName)
  const counted = new WordNumbering(numbering, styles)
  let leftOut = 0
  for (const [name, part] of Object.entries(parts)) {
    if (name === stylesName || name === numberingName || name === fontsName) continue
    const lean = markup.of(inUtf8(part), styles)
    const body = DOCUMENT.test(name) || NOTES.test(name) ? new WordBody(lean, counted, styles, chunks) : undefined
    parts[name] = body?.written ?? lean
    leftOut += body?.leftOut ?? 0
  }
  // The numbers stand in the text now.
  if (numberingName && numbering)
    parts[numberingName] = new TextEncoder().encode(
      numbering.replace(/<w:numFmt\b[^>]*>/g, '<w:numFmt w:val="bullet"/>'),
    )
  return leftOut
}

function leftOutOf(count: number): string {
  return `${count} of its charts, diagrams and parts of other files ${count === 1 ? 'was' : 'were'} left out.`
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
    styleMap: [
      "p[style-name='Title'] => h1:fresh",
      "p[style-name='Subtitle'] => h2:fresh",
      `p.${CODE} => pre:separator('\\n')`,
    ],
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

function requireArchive(bytes: Uint8Array): void {
  if (COMPOUND_FILE.every((byte, n) => bytes[n] === byte)) throw compoundFault(bytes)
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) {
    throw new ReadingError('FORMAT_MISMATCH', 'The file is not a Word document (DOCX).')
  }
}

/** A part may be in UTF-16, which its mark says; neither the count of its markup nor mammoth reads that. */
function inUtf8(part: Uint8Array = new Uint8Array()): Uint8Array {
  const isLittle = part[0] === 0xff && part[1] === 0xfe
  const isBig = part[0] === 0xfe && part[1] === 0xff
  if (!isLittle && !isBig) return part
  return new TextEncoder().encode(new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(part))
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
