import { storableText } from 'mneme/plugin'
import type { Block, Chunk } from '../document/document.ts'
import { CHUNK_CHARS_MAX, CHUNK_CHARS_MIN, PATH_CHARS_MAX } from './limits.ts'
import { type Piece, piecesOf } from './pieces.ts'

/** Separates the headings of a path in a chunk's text. */
const PATH_GLUE = ' › '

interface Placed extends Piece {
  readonly path: readonly string[]
}

/**
 * Makes chunks of blocks as they come: by structure first, so that a chunk holds whole paragraphs, items, rows and records of one
 * section, under its heading path. Small sections that follow each other are joined, with their headings between them.
 */
export class Chunker {
  readonly #headings: { level: number; text: string; isUsed: boolean }[] = []
  #waiting: Placed[] = []

  /** The chunks that are complete with these blocks. */
  add(blocks: Iterable<Block>): Chunk[] {
    const chunks: Chunk[] = []
    for (const block of blocks) {
      if (block.kind === 'heading') this.#heading(block, chunks)
      else this.#body(block, chunks)
    }
    return chunks
  }

  /** The chunks that are left at the end of the document. */
  finish(): Chunk[] {
    const chunks: Chunk[] = []
    this.#keepBareHeadings(0, chunks)
    this.#flush(chunks)
    return chunks
  }

  #heading({ level, text, page }: Extract<Block, { kind: 'heading' }>, chunks: Chunk[]): void {
    const title = oneLine(text)
    if (!title) return
    this.#keepBareHeadings(level, chunks)
    while ((this.#headings.at(-1)?.level ?? 0) >= level) this.#headings.pop()
    // A section that is long enough stays by itself.
    if (lengthOf(this.#waiting) >= CHUNK_CHARS_MIN) this.#flush(chunks)
    // A paragraph that a document marks as a heading is kept whole, as text.
    if (title.length > PATH_CHARS_MAX) this.#body({ kind: 'paragraph', text: title, ...(page ? { page } : {}) }, chunks)
    else this.#headings.push({ level, text: title, isUsed: false })
  }

  #body(block: Exclude<Block, { kind: 'heading' }>, chunks: Chunk[]): void {
    const path = this.#headings.map(heading => heading.text)
    const max = CHUNK_CHARS_MAX - headOf(path).length
    for (const piece of piecesOf(block, max)) {
      for (const heading of this.#headings) heading.isUsed = true
      this.#place({ ...piece, path }, chunks)
    }
  }

  /** Headings with nothing below them are text like any other: nothing of a document is left out. */
  #keepBareHeadings(level: number, chunks: Chunk[]): void {
    const last = this.#headings.at(-1)
    if (!last || last.isUsed || last.level < level) return
    const path = this.#headings.slice(0, -1).map(heading => heading.text)
    for (const heading of this.#headings) heading.isUsed = true
    const bare = { text: last.text, glue: '\n\n', page: undefined, row: undefined, keyPath: undefined, path }
    this.#place(bare, chunks)
  }

  #place(piece: Placed, chunks: Chunk[]): void {
    if (this.#waiting.length > 0 && render([...this.#waiting, piece]).text.length > CHUNK_CHARS_MAX) this.#flush(chunks)
    this.#waiting.push(piece)
    // Rows and records are things of their own: they are joined only where one alone is too short to say much.
    const isUnit = piece.row !== undefined || piece.keyPath !== undefined
    if (isUnit && lengthOf(this.#waiting) >= CHUNK_CHARS_MIN) this.#flush(chunks)
  }

  #flush(chunks: Chunk[]): void {
    if (this.#waiting.length === 0) return
    const chunk = render(this.#waiting)
    this.#waiting = []
    if (chunk.text) chunks.push(chunk)
  }
}

/** All chunks of a document. */
export function chunksOf(blocks: Iterable<Block>): Chunk[] {
  const chunker = new Chunker()
  return [...chunker.add(blocks), ...chunker.finish()]
}

function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text, glue }) => sum + glue.length + text.length, 0)
}

function render(pieces: readonly Placed[]): Chunk {
  const common = commonPath(pieces.map(({ path }) => path))
  const [first] = pieces
  let text = headOf(common)
  let shown: readonly string[] = common
  pieces.forEach((piece, n) => {
    if (!isSame(piece.path, shown)) {
      const below = piece.path.slice(commonPath([piece.path, shown]).length)
      if (below.length > 0) text += `${n > 0 ? '\n\n' : ''}${below.join(PATH_GLUE)}\n\n`
      else text += '\n\n'
      shown = piece.path
    } else if (n > 0) text += piece.glue
    text += text ? piece.text : outdented(piece.text)
  })
  const { page, row, keyPath } = first ?? {}
  return {
    text: clean(text),
    headingPath: common.map(clean),
    ...(page === undefined ? {} : { page }),
    ...(row === undefined ? {} : { row }),
    ...(keyPath === undefined ? {} : { keyPath: clean(keyPath) }),
  }
}

/** The indentation that all lines have is taken off: at the beginning of a chunk that of the first line alone would go. */
function outdented(text: string): string {
  const lines = text.split('\n')
  const written = lines.filter(line => line.trim())
  const indent = Math.min(...written.map(line => line.length - line.trimStart().length))
  return lines.map(line => line.slice(indent)).join('\n')
}

function headOf(path: readonly string[]): string {
  if (path.length === 0) return ''
  let head = path.join(PATH_GLUE)
  // The innermost heading says most, so the outer ones give way.
  for (let from = 1; head.length > PATH_CHARS_MAX && from < path.length; from++) head = path.slice(from).join(PATH_GLUE)
  return `${head}\n\n`
}

function commonPath(paths: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = paths
  let length = first.length
  for (const path of others) {
    let n = 0
    while (n < length && path[n] === first[n]) n++
    length = n
  }
  return first.slice(0, length)
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, n) => part === b[n])
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Texts are compared as they are stored, without spaces around them. */
export function clean(text: string): string {
  return storableText(text).trim()
}
