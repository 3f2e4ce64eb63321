import type { Sentence } from 'mneme/plugin'

/** Cut at the last mark within this length, or else at the last space: that is where scripts without stops end a clause. */
const CLAUSES_MAX = 300

/** Marks between clauses; a comma within a number is none. */
export const CLAUSE_MARK = /[,;:](?=\s)|[，、；：،؛။၊។]/gu

/** Cuts a sentence that is too long for one into pieces of whole clauses. What goes on without a space is nobody's words, and left out. */
export function clausesIn({ text, start: offset }: Sentence): Sentence[] {
  const pieces: Sentence[] = []
  for (let from = 0; from < text.length; ) {
    const { end, next, isWhole } = cutOf(text, from)
    const piece = text.slice(from, end)
    const words = piece.trim()
    const start = offset + from + piece.length - piece.trimStart().length
    if (isWhole && words !== '') pieces.push({ text: words, start, end: start + words.length })
    from = next
  }
  return pieces
}

/** Where the piece that begins at `from` ends, and the next one begins. */
function cutOf(text: string, from: number): { end: number; next: number; isWhole: boolean } {
  if (text.length - from <= CLAUSES_MAX) return { end: text.length, next: text.length, isWhole: true }
  const reach = text.slice(from, from + CLAUSES_MAX)
  const mark = [...reach.matchAll(CLAUSE_MARK)].at(-1)?.index
  if (mark !== undefined) return { end: from + mark, next: from + mark + 1, isWhole: true }
  const space = /^.*\S(?=\s)/su.exec(reach)?.[0].length
  if (space !== undefined) return { end: from + space, next: from + space + 1, isWhole: true }
  const gap = text.slice(from + CLAUSES_MAX).search(/\s/)
  const next = gap === -1 ? text.length : from + CLAUSES_MAX + gap
  return { end: next, next, isWhole: false }
}
