import type { Block } from '../document/document.ts'
import { splitText } from './sentences.ts'

/** The first cell of a row, and the name of a column or of a value, are repeated up to this length. */
const ROW_HEAD_CHARS_MAX = 120

/** Text of a block, or of a part of one, that stays together. */
export interface Piece {
  readonly text: string
  /** Separates it from the piece before it, in one chunk. */
  readonly glue: string
  readonly page: number | undefined
  readonly row: number | undefined
  readonly keyPath: string | undefined
}

/** The pieces of a block other than a heading, each of `max` characters at the most. */
export function piecesOf(block: Exclude<Block, { kind: 'heading' }>, max: number): Piece[] {
  const { page } = block
  const piece = (text: string, glue: string, at: Partial<Piece> = {}): Piece => ({
    text,
    glue,
    page,
    row: undefined,
    keyPath: undefined,
    ...at,
  })
  switch (block.kind) {
    case 'paragraph':
      return splitText(block.text, max).map(text => piece(text, '\n\n'))
    case 'item': {
      const indent = '  '.repeat(Math.min(block.depth, 4))
      const parts = splitText(block.text, max - indent.length - 2)
      const mark = /^\d+[.)]\s/.test(block.text) ? '' : '- '
      return parts.map((text, n) => piece(n === 0 ? indent + mark + text : text, n === 0 ? '\n' : '\n\n'))
    }
    case 'code':
      return splitLines(block.text, max).map(text => piece(text, '\n\n'))
    case 'row': {
      const placed = block.hasGaps ? block.cells.map(cell => cell.trim()).join('; ') : ''
      if (placed && placed.length <= max) return [piece(placed, '\n', { row: block.row })]
      const cells = block.cells.flatMap((cell, n) =>
        cell.trim() ? [[block.columns[n] ?? '', cell.trim()] as const] : [],
      )
      return splitRow(cells, max).map(text => piece(text, '\n', { row: block.row }))
    }
    case 'record': {
      return splitFields(splitNamed(block.fields, max), max, '\n').map(text =>
        piece(text, '\n\n', { keyPath: block.path }),
      )
    }
  }
}

function labelled(name: string, value: string): string {
  return name ? `${name}: ${value}` : value
}

/** A row that is divided is still one thing: its first cell, where it is short, and the name of the column stand in each part. */
function splitRow(cells: readonly (readonly [string, string])[], max: number): string[] {
  const fields = cells.map(([name, value]) => labelled(name, value))
  if (fields.join('; ').length <= max) return splitFields(fields, max)
  const [first = ''] = fields
  const head = first.length <= ROW_HEAD_CHARS_MAX ? `${first}; ` : ''
  const parts = splitFields(splitNamed(cells, max - head.length), max - head.length)
  return parts.map((part, n) => (n === 0 ? part : head + part))
}

/** The name of a value stands with each of its parts; one that is too long to be repeated, with the first. */
function splitNamed(fields: readonly (readonly [string, string])[], max: number): string[] {
  return fields.flatMap(([name, value]) => {
    if (name.length > ROW_HEAD_CHARS_MAX) return splitText(labelled(name, value), max)
    return splitText(value, max - name.length - 2).map(part => labelled(name, part))
  })
}

/** Fields stay whole where they fit; a long one is divided between its sentences. */
function splitFields(fields: readonly string[], max: number, separator = '; '): string[] {
  const parts: string[] = []
  let part = ''
  for (const field of fields.flatMap(one => splitText(one, max))) {
    if (part && part.length + separator.length + field.length > max) {
      parts.push(part)
      part = ''
    }
    part = part ? `${part}${separator}${field}` : field
  }
  if (part) parts.push(part)
  return parts
}

function splitLines(text: string, max: number): string[] {
  const parts: string[] = []
  let part = ''
  for (const line of text.split('\n').flatMap(one => (one.length > max ? splitText(one, max, false) : [one]))) {
    if (part && part.length + 1 + line.length > max) {
      parts.push(part)
      part = ''
    }
    part = part ? `${part}\n${line}` : line
  }
  if (part.trim()) parts.push(part)
  return parts
}
