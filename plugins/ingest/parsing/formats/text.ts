import type { Block } from '../../document/document.ts'
import { highest } from '../extremes.ts'
import { displayWidth, glueBetween, joinLines } from '../running-text.ts'

/** Three letters that take the place of two each. */
const SLACK_COLUMNS = 6
const LIST_MARK = /^(\s*)(?:[-*•‣▪–]|\(?\d{1,3}[.)])\s+(?=\S)/

/**
 * Plain text: paragraphs between empty lines, and lists. Lines within a paragraph that are filled up to a margin are one text;
 * others, as of a poem, a log or a program, stay lines.
 */
export function* parseText(text: string): Generator<Block> {
  for (const part of text.split(/\n[ \t\f\v]*\n+|\f/)) {
    const lines = part.split('\n').filter(line => line.trim())
    if (lines.length === 0) continue
    if (lines.some(line => LIST_MARK.test(line))) yield* listIn(lines)
    else yield paragraphOf(lines)
  }
}

function* listIn(lines: readonly string[]): Generator<Block> {
  let open: { kind: 'item' | 'paragraph'; depth: number; indent: number; lines: string[] } | undefined
  const close = (): Block[] => {
    if (!open) return []
    const { kind, depth, lines: own } = open
    return [kind === 'item' ? { kind, depth, text: joined(own) } : paragraphOf(own)]
  }
  for (const line of lines) {
    const indent = indentOf(line)
    const mark = LIST_MARK.exec(line)
    if (mark) {
      yield* close()
      // Numbers say something, bullets do not.
      const isNumbered = /\d/.test(mark[0])
      const text = isNumbered ? line.trimStart() : line.slice(mark[0].length)
      open = { kind: 'item', depth: Math.floor(indent / 2), indent, lines: [text] }
    } else if (open && !(open.kind === 'item' && indent < open.indent)) open.lines.push(line)
    else {
      yield* close()
      open = { kind: 'paragraph', depth: 0, indent, lines: [line] }
    }
  }
  yield* close()
}

function indentOf(line: string): number {
  return (/^\s*/.exec(line)?.[0] ?? '').replaceAll('\t', '  ').length
}

/** Lines whose indentation says something are kept as code is. */
function paragraphOf(lines: readonly string[]): Block {
  const isCode = !isFilled(lines) && lines.some(line => indentOf(line) > 0)
  return { kind: isCode ? 'code' : 'paragraph', text: joined(lines) }
}

function joined(lines: readonly string[]): string {
  return isFilled(lines) ? joinLines(lines) : lines.map(line => line.trimEnd()).join('\n')
}

/**
 * Lines of running text are of one length but for the last, and begin below each other but for the first; then the breaks mean nothing. Text
 * of Chinese and Japanese may break at nearly every letter, so its lines are as long as each other but for a few.
 */
function isFilled(lines: readonly string[]): boolean {
  const widths = lines.map(line => displayWidth(line.trim()))
  const widest = highest(widths, 0)
  const indents = new Set(lines.slice(1).map(indentOf))
  const isFull = (width: number, n: number) => {
    const [line = '', next = ''] = lines.slice(n, n + 2).map(one => one.trim())
    const breaksAnywhere = displayWidth(line.slice(-1)) > 1 && !glueBetween(line, next)
    return breaksAnywhere ? width >= widest - SLACK_COLUMNS : width > widest * 0.7
  }
  return widest >= 50 && indents.size <= 1 && widths.slice(0, -1).every(isFull)
}
