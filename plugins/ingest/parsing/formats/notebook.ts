import { type Block, ReadingError } from '../../document/document.ts'
import type { Parsed, Reading } from '../reading.ts'
import { parseHtmlPart } from './html.ts'
import { jsonValueOf } from './json.ts'
import { parseMarkdown } from './markdown.ts'
import { parseText } from './text.ts'

type Fields = Readonly<Record<string, unknown>>

/** Colours of a terminal, which messages of errors and progress have. */
const TERMINAL_CODES = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`, 'g')
/** An object says no more of itself than what it is, as `<Figure size 640x480 with 1 Axes>`. */
const OBJECT = /^<[^<>]*>$/

/**
 * A notebook of Jupyter (https://nbformat.readthedocs.io, versions 3 and 4) by its cells: the text of Markdown, code, and what code printed.
 * Pictures are counted, not read.
 */
export function parseNotebook(text: string, { limits, warnings }: Reading): Parsed {
  const notebook = fieldsOf(jsonValueOf(text, limits))
  const { worksheets } = notebook
  const parts = Array.isArray(worksheets) ? worksheets.map(fieldsOf) : [notebook]
  if (!parts.some(({ cells }) => Array.isArray(cells))) {
    throw new ReadingError('FORMAT_MISMATCH', 'The file is not a notebook (IPYNB): it has no cells.')
  }
  const cells = parts.flatMap(({ cells: own }) => (Array.isArray(own) ? own.map(fieldsOf) : []))
  const first = cells.map(titleOf).find(title => title !== undefined)
  return { ...(first ? { title: first } : {}), blocks: blocksOf(cells, warnings) }
}

function titleOf({ cell_type: type, source }: Fields): string | undefined {
  return type === 'markdown' ? parseMarkdown(linesOf(source)).title : undefined
}

function* blocksOf(cells: readonly Fields[], warnings: string[]): Generator<Block> {
  let pictures = 0
  for (const cell of cells) {
    const { cell_type: type, level } = cell
    const source = linesOf(cell.source ?? cell.input)
    if (type === 'markdown') yield* parseMarkdown(source).blocks
    else if (type === 'heading') yield { kind: 'heading', level: Number(level) || 1, text: source }
    else if (type !== 'code') yield* parseText(source)
    else {
      if (source.trim()) yield { kind: 'code', text: source.trimEnd() }
      for (const output of Array.isArray(cell.outputs) ? cell.outputs.map(fieldsOf) : []) {
        const data = { ...output, ...fieldsOf(output.data) }
        if (Object.keys(data).some(key => /^(?:image\/|png$|jpeg$|svg$)/.test(key))) pictures++
        yield* outputOf(data)
      }
    }
  }
  if (pictures > 0)
    warnings.push(`${pictures} of its outputs ${pictures === 1 ? 'is a picture' : 'are pictures'} and left out.`)
}

/** An output comes in several forms, of which a table of HTML names its columns; version 3 names forms by a word. */
function* outputOf(data: Fields): Generator<Block> {
  const html = linesOf(data['text/html'] ?? data.html)
  const markdown = linesOf(data['text/markdown'])
  const plain = printed(linesOf(data['text/plain'] ?? data.text))
  if (/<table\b/i.test(html)) yield* parseHtmlPart(html)
  else if (markdown.trim()) yield* parseMarkdown(markdown).blocks
  else if (plain.trim() && !OBJECT.test(plain.trim())) yield { kind: 'code', text: plain }
  if (typeof data.ename === 'string') yield { kind: 'paragraph', text: printed(`${data.ename}: ${data.evalue ?? ''}`) }
}

/** A terminal shows of a line what was written last, over the rest, as a bar of progress is. */
function printed(text: string): string {
  const lines = text.replace(TERMINAL_CODES, '').split('\n')
  return lines
    .map(line => line.trimEnd().split('\r').at(-1) ?? '')
    .join('\n')
    .trimEnd()
}

/** A text may be a list of its lines. */
function linesOf(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join('') : typeof value === 'string' ? value : ''
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
