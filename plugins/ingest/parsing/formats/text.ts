import type { Block } from '../../document/document.ts'
import { highest } from '../extremes.ts'

const LIST_MARK = /^(\s*)(?:[-*•‣▪–]|\(?\d{1,3}[.)])\s+(?=\S)/

/**
 * Plain text: paragraphs between empty lines, and lists. Lines within a paragraph that are filled up to a margin are one text;
 * short ones, as of a poem or a log, stay lines.
 */
export function* parseText(text: string): Generator<Block> {
  for (const part of text.split(/\n[ \t\f\v]*\n+|\f/)) {
    const lines = part.split('\n').filter(line => line.trim())
    if (lines.length === 0) continue
    if (lines.some(line => LIST_MARK.test(line))) yield* listIn(lines)
    else yield { kind: 'paragraph', text: joined(lines) }
  }
}

function* listIn(lines: readonly string[]): Generator<Block> {
  let open: { kind: 'item' | 'paragraph'; depth: number; lines: string[] } | undefined
  const close = (): Block[] => {
    if (!open) return []
    const text = joined(open.lines)
    return [open.kind === 'item' ? { kind: 'item', depth: open.depth, text } : { kind: 'paragraph', text }]
  }
  for (const line of lines) {
    const mark = LIST_MARK.exec(line)
    if (mark) {
      yield* close()
      const depth = Math.floor((mark[1] ?? '').replaceAll('\t', '  ').length / 2)
      // Numbers say something, bullets do not.
      const isNumbered = /\d/.test(mark[0])
      open = { kind: 'item', depth, lines: [isNumbered ? line.trim() : line.slice(mark[0].length)] }
    } else if (open) open.lines.push(line)
    else open = { kind: 'paragraph', depth: 0, lines: [line] }
  }
  yield* close()
}

/** Lines of running text are of one length but for the last; then the breaks mean nothing. */
function joined(lines: readonly string[]): string {
  const trimmed = lines.map(line => line.trim())
  const inner = trimmed.slice(0, -1)
  const widest = highest(
    trimmed.map(line => line.length),
    0,
  )
  const isFilled = widest >= 50 && inner.every(line => line.length > widest * 0.7)
  return trimmed.join(isFilled ? ' ' : '\n')
}
