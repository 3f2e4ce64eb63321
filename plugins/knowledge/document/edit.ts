import { type Compiled, type Document, type Hand, linesOf, type Remark } from './document.ts'
import { withoutDoubles } from './hand.ts'
import { isMore, titleOf, visible } from './markdown.ts'
import { type Element, elementsOf } from './render.ts'
import { goneLines, type SinceRead, UP_TO_DATE } from './since-read.ts'

/** Statements that editors took out, for one document; the newest are kept. */
const REMOVED_MAX = 5_000

/**
 * Takes an editor's text apart into what is compiled and what is written by hand:
 *
 * - A line whose visible text is that of a compiled line is that line, with or without its comment.
 * - A compiled line that is missing was taken out. So was one that was changed; what it was changed into is written by hand.
 * - A compiled line that its editor has not read stays, for its absence tells nothing. One that went since stays away, unless
 *   it is written by hand as well.
 * - Everything else is written by hand. It keeps its place behind the compiled line or heading above it; from a heading of the
 *   editor's own on it comes last.
 */
export function edited(document: Document, content: string, since: SinceRead = UP_TO_DATE): Document {
  const lines = content.replace(/\r\n?/g, '\n').split('\n')
  const away = goneLines(lines, document, since.gone)
  const reader = new Reader(elementsOf(document), titleOf(document.category))
  for (const [n, line] of lines.entries()) reader.read(line, away.has(n))
  const { kept, title, remarks, sections } = reader.end()
  const unread = new Set(since.unread)
  for (const line of linesOf(document.compiled)) if (unread.has(line.hash)) kept.add(line)
  const gone = linesOf(document.compiled).filter(line => !kept.has(line))
  const removed = gone.flatMap(({ sources }) => sources.map(({ memory, hash }) => ({ memory, hash })))
  const hand: Hand = {
    title,
    remarks,
    sections,
    removed: withoutDoubles([...document.hand.removed, ...removed]).slice(-REMOVED_MAX),
  }
  return { ...document, compiled: onlyKept(document.compiled, kept), hand }
}

function onlyKept(compiled: Compiled, kept: ReadonlySet<object>): Compiled {
  return {
    ...compiled,
    sections: compiled.sections
      .map(section => ({ ...section, lines: section.lines.filter(line => kept.has(line)) }))
      .filter(({ lines }) => lines.length > 0),
    earlier: compiled.earlier.filter(line => kept.has(line)),
  }
}

const FENCE = /^\s{0,3}(```|~~~)/
const HEADING = /^\s{0,3}#{1,6}(\s|$)/
const TITLE = /^#\s/

/** Reads an edited text line by line. */
class Reader {
  readonly #elements: Map<string, Element[]>
  readonly #ownTitle: string
  readonly #kept = new Set<object>()
  readonly #remarks: Remark[] = []
  /** The title's line, where it is another than the document's own. */
  #title: string | null = null
  /** Finds the position at which a remark belongs now. */
  #place: Pick<Remark, 'after' | 'under'> = { after: null, under: null }
  /** Lines of the remark that is being read, empty ones in front included. */
  #remark: string[] = []
  /** Lines from the first heading of the editor's own on. */
  #sections: string[] = []
  #inSections = false
  #fence: string | undefined
  #begun = false

  constructor(elements: readonly Element[], ownTitle: string) {
    const others = elements.filter(({ kind }) => kind !== 'title')
    this.#elements = Map.groupBy(others, ({ text }) => visible(text))
    this.#ownTitle = ownTitle
  }

  read(line: string, isGone: boolean): void {
    const first = !this.#begun && line.trim() !== ''
    if (first) this.#begun = true
    if (this.#fence !== undefined || FENCE.test(line)) {
      this.#readFenced(line)
      return
    }
    if (first && TITLE.test(line)) {
      if (line.trimEnd() !== this.#ownTitle) this.#title = line.trimEnd()
      return
    }
    const element = this.#take(line)
    if (element) this.#meet(element)
    else if (isGone || isMore(line)) this.#leaveOut(line)
    else if (HEADING.test(line)) {
      this.#endRemark(false)
      this.#inSections = true
      if (this.#sections.at(-1)?.trim()) this.#sections.push('')
      this.#sections.push(line)
    } else this.#write(line)
  }

  end() {
    this.#endRemark(false)
    return {
      kept: this.#kept,
      title: this.#title,
      remarks: this.#remarks,
      sections: trimmed(this.#sections).join('\n'),
    }
  }

  #readFenced(line: string): void {
    const mark = FENCE.exec(line)?.[1]
    if (this.#fence === undefined) this.#fence = mark
    else if (mark === this.#fence) this.#fence = undefined
    this.#write(line)
  }

  /** The compiled line that this one is, once. */
  #take(line: string): Element | undefined {
    return this.#elements.get(visible(line))?.shift()
  }

  #meet(element: Element): void {
    this.#endRemark(true)
    if (element.kind === 'line') {
      this.#kept.add(element.line)
      this.#place = { after: element.line.hash, under: element.heading }
    } else {
      this.#inSections = false
      if (element.kind === 'heading') this.#place = { after: null, under: element.heading }
    }
  }

  /** Text under a heading that went belongs to none any more. */
  #leaveOut(line: string): void {
    this.#endRemark(true)
    if (HEADING.test(line)) {
      this.#inSections = false
      this.#place = { after: null, under: line }
    }
  }

  #write(line: string): void {
    if (this.#inSections) this.#sections.push(line)
    else this.#remark.push(line)
  }

  #endRemark(isFollowed: boolean): void {
    const lines = trimmed(this.#remark)
    const read = this.#remark
    this.#remark = []
    if (lines.length === 0) return
    this.#remarks.push({
      ...this.#place,
      text: lines.join('\n'),
      spaced: { before: read[0]?.trim() === '', after: isFollowed && read.at(-1)?.trim() === '' },
    })
  }
}

/** Without empty lines at its ends. */
function trimmed(lines: readonly string[]): string[] {
  const from = lines.findIndex(line => line.trim() !== '')
  const to = lines.findLastIndex(line => line.trim() !== '')
  return from < 0 ? [] : lines.slice(from, to + 1)
}
