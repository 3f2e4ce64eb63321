import { type Document, type Line, linesOf } from './document.ts'
import { visible } from './markdown.ts'
import { elementsOf } from './render.ts'
import { hashOf } from './wording.ts'

/** Tells what became of a document since somebody read it. */
export interface SinceRead {
  /** Hashes of the compiled lines that came. */
  readonly unread: readonly string[]
  /** Hashes of what was shown of the compiled lines and headings that went. */
  readonly gone: readonly string[]
}

export const UP_TO_DATE: SinceRead = { unread: [], gone: [] }

/** No document has more lines and headings. */
const GONE_MAX = 600

/** Names what a line of Markdown shows without holding it. */
export function shownHash(line: string): string {
  return hashOf(visible(line))
}

/** Continues what readers have not seen of a former document by its difference from the present one. */
export function sinceReadOf(document: Document, former: Document): (before: SinceRead) => SinceRead {
  const shown = new Set(elementsOf(document).map(({ text }) => visible(text)))
  const went = elementsOf(former).flatMap(element => {
    if ((element.kind !== 'line' && element.kind !== 'heading') || shown.has(visible(element.text))) return []
    return [{ line: element.kind === 'line' ? element.line.hash : undefined, hash: shownHash(element.text) }]
  })
  // A line that says the same in other words is another one to whoever has read it.
  const known = new Set(linesOf(former.compiled).map(wordingOf))
  const lines = linesOf(document.compiled).map(line => ({ hash: line.hash, isNew: !known.has(wordingOf(line)) }))
  return before => {
    const unread = new Set(before.unread)
    const seen = went.flatMap(({ line, hash }) => (line !== undefined && unread.has(line) ? [] : [hash]))
    return {
      unread: [...new Set(lines.flatMap(({ hash, isNew }) => (isNew || unread.has(hash) ? [hash] : [])))],
      gone: [...new Set([...before.gone, ...seen])].slice(-GONE_MAX),
    }
  }
}

function wordingOf({ hash, text }: Line): string {
  return `${hash} ${text}`
}
