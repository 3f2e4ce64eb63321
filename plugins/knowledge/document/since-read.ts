import { type Document, type Line, linesOf } from './document.ts'
import { namedIn, visible } from './markdown.ts'
import { elementsOf } from './render.ts'
import { hashOf } from './wording.ts'

/** Tells what became of a document since somebody read it. */
export interface SinceRead {
  /** Hashes of the compiled lines that came. */
  readonly unread: readonly string[]
  /** Hashes of what was shown of the compiled lines and headings that went, each as often as it went. */
  readonly gone: readonly string[]
}

export const UP_TO_DATE: SinceRead = { unread: [], gone: [] }

/** No document has more lines and headings. */
const GONE_MAX = 600

/** Continues what readers have not seen of a former document by its difference from the present one. */
export function sinceReadOf(document: Document, former: Document): (before: SinceRead) => SinceRead {
  const shown = Map.groupBy(elementsOf(document), ({ text }) => visible(text))
  const went = elementsOf(former).flatMap(element => {
    if (element.kind !== 'line' && element.kind !== 'heading') return []
    if (shown.get(visible(element.text))?.pop()) return []
    return [{ line: element.kind === 'line' ? element.line.hash : undefined, hash: hashOf(visible(element.text)) }]
  })
  // A line that says the same in other words is another one to whoever has read it.
  const known = new Set(linesOf(former.compiled).map(wordingOf))
  const lines = linesOf(document.compiled).map(line => ({ hash: line.hash, isNew: !known.has(wordingOf(line)) }))
  return before => {
    const unread = new Set(before.unread)
    const gone = new Set(before.gone)
    // A document has a heading once, so one that went before and came back is not counted again.
    const seen = went.filter(({ line, hash }) => (line === undefined ? !gone.has(hash) : !unread.has(line)))
    return {
      unread: [...new Set(lines.flatMap(({ hash, isNew }) => (isNew || unread.has(hash) ? [hash] : [])))],
      gone: [...before.gone, ...seen.map(({ hash }) => hash)].slice(-GONE_MAX),
    }
  }
}

/**
 * Finds the lines of a text that went from its document since it was read: each as often as it went, and never one that is still written
 * by hand. Lines that name memories were compiled, so of equal ones they are the first to go.
 * @returns their numbers
 */
export function goneLines(lines: readonly string[], document: Document, gone: readonly string[]): Set<number> {
  if (gone.length === 0) return new Set()
  const { remarks, sections } = document.hand
  const byHand = occurrences([...remarks.map(({ text }) => text), sections].flatMap(text => text.split('\n')))
  const compiled = occurrences(elementsOf(document).map(({ text }) => text))
  const went = Map.groupBy(gone, hash => hash)
  const groups = Map.groupBy(lines.keys(), n => visible(lines[n] ?? ''))
  return new Set(
    [...groups].flatMap(([text, numbers]) => {
      const others = numbers.slice(compiled(text))
      const count = Math.min(went.get(hashOf(text))?.length ?? 0, others.length - byHand(text))
      const isUnnamed = (n: number) => Number(namedIn(lines[n] ?? '').length === 0)
      return count > 0 ? others.sort((a, b) => isUnnamed(a) - isUnnamed(b)).slice(0, count) : []
    }),
  )
}

/** Counts the lines that show the same. */
function occurrences(lines: readonly string[]): (text: string) => number {
  const groups = Map.groupBy(lines, visible)
  return text => groups.get(text)?.length ?? 0
}

function wordingOf({ hash, text }: Line): string {
  return `${hash} ${text}`
}
