import { readFileSync } from 'node:fs'
import fontkit from '@pdf-lib/fontkit'
import createBidi from 'bidi-js'
import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from 'pdf-lib'

export type PdfPart =
  | { readonly kind: 'heading' | 'paragraph' | 'item'; readonly text: string }
  | { readonly kind: 'row'; readonly cells: readonly string[] }

export interface PdfOptions {
  readonly columns?: 1 | 2
  readonly header?: string
  /** Letters beyond those of Western Europe need a font of their own. */
  readonly unicode?: boolean
  readonly compressed?: boolean
  readonly pagesMax?: number
  /** Places right-to-left lines word by word from the right; otherwise in whole stretches from the left. Writers do either. */
  readonly byWord?: boolean
}

const WIDTH = 595
const HEIGHT = 842
const MARGIN = 60
const SIZE = 11
const LEADING = 14
const RIGHT_TO_LEFT = /[\p{sc=Hebrew}\p{sc=Arabic}]/u
const bidi = createBidi()

/** Sets a document in pages: justified by nothing, words divided at the end of lines, with a running header and page numbers. */
export async function makePdf(
  parts: Iterable<PdfPart>,
  options: PdfOptions = {},
): Promise<{ bytes: Uint8Array; pages: number; parts: number }> {
  const document = await PDFDocument.create()
  document.registerFontkit(fontkit)
  const font = options.unicode
    ? await document.embedFont(
        readFileSync(new URL('../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf', import.meta.url)),
        { subset: true },
      )
    : await document.embedFont(StandardFonts.TimesRoman)
  const setter = new Setter(document, font, options)
  let count = 0
  for (const part of parts) {
    if (setter.pages >= (options.pagesMax ?? Number.POSITIVE_INFINITY)) break
    setter.set(part)
    count++
  }
  const bytes = await document.save({ useObjectStreams: options.compressed ?? true })
  return { bytes, pages: setter.pages, parts: count }
}

class Setter {
  pages = 0
  #page: PDFPage | undefined
  #column = 0
  #y = 0

  constructor(
    private readonly document: PDFDocument,
    private readonly font: PDFFont,
    private readonly options: PdfOptions,
  ) {}

  set(part: PdfPart): void {
    if (part.kind === 'row') {
      this.#row(part.cells)
      return
    }
    const size = part.kind === 'heading' ? 16 : SIZE
    const indent = part.kind === 'item' ? 12 : 0
    const text = part.kind === 'item' ? `• ${part.text}` : part.text
    for (const line of this.#lines(text, size, this.#width() - indent)) this.#draw(line, size, indent)
    this.#y -= LEADING * 0.7
  }

  #row(cells: readonly string[]): void {
    const page = this.#room(LEADING)
    // In half a page the cells of a row have half the room.
    const size = this.options.columns === 2 ? 4 : 7
    const width = this.#width() / cells.length
    const isFromRight = cells.some(cell => RIGHT_TO_LEFT.test(cell))
    cells.forEach((cell, n) => {
      const x = this.#x() + n * width
      if (isFromRight) this.#drawFromRight(page, cell, size, this.#x() + this.#width() - n * width)
      else page.drawText(cell, { x, y: this.#y, size, font: this.font })
    })
    this.#y -= LEADING
  }

  #draw(line: string, size: number, indent: number): void {
    const page = this.#room(size * 1.3)
    if (RIGHT_TO_LEFT.test(line)) this.#drawFromRight(page, line, size, this.#x() + this.#width() - indent)
    else page.drawText(line, { x: this.#x() + indent, y: this.#y, size, font: this.font })
    this.#y -= size * 1.3
  }

  /** The font shapes and turns what runs to the left; where its stretches stand, the bidirectional algorithm says. */
  #drawFromRight(page: PDFPage, line: string, size: number, from: number): void {
    const width = (text: string) => this.font.widthOfTextAtSize(text, size)
    const stretches = this.options.byWord ? stretchesOf(line).flatMap(inWords) : stretchesOf(line)
    let right = from
    const placed = stretches.toReversed().map(text => {
      right -= width(text)
      return { text, x: right }
    })
    for (const { text, x } of this.options.byWord ? placed : placed.toReversed()) {
      page.drawText(text, { x, y: this.#y, size, font: this.font })
    }
  }

  #room(height: number): PDFPage {
    if (this.#page && this.#y - height > MARGIN) return this.#page
    if (this.#page && this.#column + 1 < (this.options.columns ?? 1)) this.#column++
    else {
      this.#page = this.document.addPage([WIDTH, HEIGHT])
      this.#column = 0
      this.pages++
      const { header } = this.options
      if (header) this.#page.drawText(header, { x: MARGIN, y: HEIGHT - 30, size: 9, font: this.font })
      this.#page.drawText(String(this.pages), { x: WIDTH / 2, y: 25, size: 9, font: this.font })
    }
    this.#y = HEIGHT - MARGIN
    return this.#page
  }

  #x(): number {
    return MARGIN + this.#column * (this.#width() + 25)
  }

  #width(): number {
    const columns = this.options.columns ?? 1
    return (WIDTH - 2 * MARGIN - (columns - 1) * 25) / columns
  }

  /** Lines that fit; a long word at the end of one is divided where letters stand on both sides. */
  #lines(text: string, size: number, width: number): string[] {
    const lines: string[] = []
    let line = ''
    const fits = (candidate: string) => this.font.widthOfTextAtSize(candidate, size) <= width
    for (const word of text.split(' ')) {
      const longer = line ? `${line} ${word}` : word
      if (fits(longer)) {
        line = longer
        continue
      }
      const at = Math.floor(word.length / 2)
      const divided = `${line} ${word.slice(0, at)}-`
      if (/^\p{Ll}{9,}$/u.test(word) && fits(divided)) {
        lines.push(divided)
        line = word.slice(at)
      } else {
        lines.push(line)
        line = word
      }
    }
    lines.push(line)
    return lines
  }
}

/** Stretches of one direction from the left to the right of the line, each in reading order. */
function stretchesOf(line: string): string[] {
  const levels = bidi.getEmbeddingLevels(line, 'auto')
  const order = bidi.getReorderedIndices(line, levels)
  const stretches: { indices: number[]; level: number }[] = []
  for (const index of order) {
    const level = levels.levels[index] ?? 0
    const last = stretches.at(-1)
    if (last && last.level === level) last.indices.push(index)
    else stretches.push({ indices: [index], level })
  }
  return stretches.map(({ indices }) =>
    indices
      .toSorted((a, b) => a - b)
      .map(index => line[index])
      .join(''),
  )
}

/** The words of a stretch from the left to the right. */
function inWords(stretch: string): string[] {
  const words = stretch.match(/\S+\s*|\s+/g) ?? []
  return RIGHT_TO_LEFT.test(stretch) ? words.toReversed() : words
}
