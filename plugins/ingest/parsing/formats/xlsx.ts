import { dateFromSerial, format, getFormatDateInfo, getFormatFromId, isDateFormat } from 'numfmt'
import { type Block, ReadingError } from '../../document/document.ts'
import { highest } from '../extremes.ts'
import { OfficeParts, walkXml } from '../office-parts.ts'
import type { Parsed, Reading } from '../reading.ts'
import { blocksOfSheet } from './csv.ts'
import { readSlide } from './pptx.ts'

interface Sheet {
  readonly name: string
  readonly part: string
}

/** A sheet has no more columns, whatever a cell says of its place. */
const COLUMNS_MAX = 16_384
/** Excel takes 32,767 characters at the most, other programs write more. */
const CELL_CHARS_MAX = 1_000_000
/** Cells that merged ones may fill; a workbook whose merges overlap each other fills far more. */
const MERGED_MAX = 1_000_000
/** Days from the first of 1900, from which most workbooks count, to that of 1904. */
const DAYS_TO_1904 = 1462

/** A workbook of Excel: each sheet under its name, its rows with the names of their columns, and formulas by their values. */
export async function parseXlsx(bytes: Uint8Array, { limits, warnings }: Reading): Promise<Parsed> {
  const parts = await OfficeParts.open(bytes, 'a workbook of Excel (XLSX)', limits)
  const { main = '' } = parts
  if (!/(?:^|\/)workbook\w*\.xml$/i.test(main)) throw otherKind(main)
  const workbook = readWorkbook(parts, main)
  if (workbook.hidden > 0) {
    warnings.push(`${workbook.hidden} hidden ${workbook.hidden === 1 ? 'sheet was' : 'sheets were'} left out.`)
  }
  const { title } = parts
  return { ...(title ? { title } : {}), blocks: blocksOf(parts, workbook, warnings, new TextBudget(limits.characters)) }
}

/** A text that cells share may be counted by each of a million cells, so it is the shown text that is bounded. */
class TextBudget {
  constructor(private left: number) {}

  take(text: string): string {
    this.left -= text.length
    if (this.left < 0 || text.length > CELL_CHARS_MAX) throw exceeded('more text than a workbook may')
    return text
  }
}

function exceeded(what: string): ReadingError {
  return new ReadingError('LIMIT_EXCEEDED', `The file holds ${what}. Divide it and send its parts.`)
}

function otherKind(main: string): ReadingError {
  const message = main.endsWith('.bin')
    ? 'The file is a binary workbook (XLSB). Save it as XLSX and send it again.'
    : 'The file is not a workbook of Excel (XLSX), but another kind of archive.'
  return new ReadingError('FORMAT_MISMATCH', message)
}

interface Workbook {
  readonly sheets: readonly Sheet[]
  readonly hidden: number
  readonly strings: readonly string[]
  /** Formats of numbers by the styles of cells. */
  readonly formats: readonly string[]
  readonly daysAdded: number
}

function readWorkbook(parts: OfficeParts, main: string): Workbook {
  const relations = parts.relations(main)
  const sheets: Sheet[] = []
  let [hidden, daysAdded] = [0, 0]
  walkXml(parts.text(main), {
    open(tag, { name = '', state = 'visible', 'r:id': id = '', date1904 }) {
      if (tag === 'workbookPr' && (date1904 === '1' || date1904 === 'true')) daysAdded = DAYS_TO_1904
      const relation = relations.get(id)
      if (tag !== 'sheet' || relation?.kind !== 'worksheet') return
      if (state === 'visible') sheets.push({ name, part: relation.target })
      else hidden++
    },
  })
  const partOf = (kind: string) => parts.text([...relations.values()].find(relation => relation.kind === kind)?.target)
  return {
    sheets,
    hidden,
    daysAdded,
    strings: stringsOf(partOf('sharedStrings')),
    formats: formatsOf(partOf('styles')),
  }
}

/** Texts that cells share; readings of words (ruby) are none. */
function stringsOf(xml: string): string[] {
  const strings: string[] = []
  let [text, isText, isReading] = ['', false, false]
  walkXml(xml, {
    open(tag) {
      if (tag === 'si') text = ''
      else if (tag === 'rPh') isReading = true
      else if (tag === 't') isText = !isReading
    },
    text(part) {
      if (isText) text += part
    },
    close(tag) {
      if (tag === 't') isText = false
      else if (tag === 'rPh') isReading = false
      else if (tag === 'si') strings.push(text)
    },
  })
  return strings
}

function formatsOf(xml: string): string[] {
  const own = new Map<number, string>()
  const formats: string[] = []
  let isOfCells = false
  walkXml(xml, {
    open(tag, { numFmtId, formatCode }) {
      if (tag === 'numFmt') own.set(Number(numFmtId), formatCode ?? '')
      else if (tag === 'cellXfs') isOfCells = true
      else if (tag === 'xf' && isOfCells) {
        const id = Number(numFmtId ?? 0)
        formats.push(own.get(id) ?? getFormatFromId(id) ?? 'General')
      }
    },
    close(tag) {
      if (tag === 'cellXfs') isOfCells = false
    },
  })
  return formats
}

function* blocksOf(parts: OfficeParts, workbook: Workbook, warnings: string[], budget: TextBudget): Generator<Block> {
  let unknown = 0
  for (const { name, part } of workbook.sheets) {
    const { rows, places, withoutValue } = readSheet(parts.text(part), workbook, budget)
    unknown += withoutValue
    const xmlOf = (kind: string) =>
      [...parts.relations(part).values()].filter(one => one.kind === kind).map(({ target }) => parts.text(target))
    const boxes = xmlOf('drawing').flatMap(xml => readSlide(xml).blocks)
    const comments = commentsOf(xmlOf('comments'), xmlOf('threadedComment'), places)
    if (rows.length + boxes.length + comments.length === 0) continue
    if (workbook.sheets.length > 1) yield { kind: 'heading', level: 1, text: name }
    if (rows.length > 0) yield* blocksOfSheet(rows)
    yield* boxes
    for (const text of comments) yield { kind: 'paragraph', text: budget.take(text) }
  }
  if (unknown > 0) {
    warnings.push(
      `${unknown} ${unknown === 1 ? 'formula has' : 'formulas have'} no value in the file and ${unknown === 1 ? 'was' : 'were'} left out: open it in Excel, save it and send it again.`,
    )
  }
}

interface Cell {
  readonly column: number
  readonly type: string
  readonly style: number
  value: string
  hasFormula: boolean
}

interface SheetCells {
  readonly rows: string[][]
  /** The cells of rows by the numbers of these. */
  readonly places: ReadonlyMap<number, ReadonlyMap<number, string>>
  readonly withoutValue: number
}

function readSheet(xml: string, workbook: Workbook, budget: TextBudget): SheetCells {
  const sparse: Map<number, string>[] = []
  /** The places of rows, which stand together, in the sheet. */
  const places = new Map<number, Map<number, string>>()
  const merges: Merge[] = []
  let row = new Map<number, string>()
  let cell: Cell | undefined
  let [text, isReading, withoutValue, next, at] = ['', false, 0, 0, 0]
  walkXml(xml, {
    open(tag, { r = '', t = 'n', s = '0', ref = '' }) {
      if (tag === 'row') {
        const place = Number(r) || at + 1
        // A row without values may be left out, and still divides tables.
        if (place > at + 1 && sparse.length > 0) sparse.push(new Map())
        ;[row, next, at] = [new Map(), 0, place]
        places.set(place, row)
      } else if (tag === 'c')
        cell = { column: columnOf(r) ?? next, type: t, style: Number(s), value: '', hasFormula: false }
      else if (tag === 'f' && cell) cell.hasFormula = true
      else if (tag === 'mergeCell') merges.push(mergeOf(ref))
      isReading = tag === 'v' || tag === 't'
      text = ''
    },
    text(part) {
      if (isReading) text += part
    },
    close(tag) {
      if ((tag === 'v' || tag === 't') && cell) cell.value += text
      isReading = false
      if (tag === 'c' && cell) {
        next = cell.column + 1
        if (cell.hasFormula && cell.value === '') withoutValue++
        const shown = budget.take(shownValue(cell, workbook))
        if (shown && cell.column < COLUMNS_MAX) row.set(cell.column, shown)
        cell = undefined
      } else if (tag === 'row') sparse.push(row)
    },
  })
  spreadMerges(merges, places)
  return { rows: dense(sparse), places, withoutValue }
}

/** Comments stand behind their cell and what begins its row. Excel keeps a copy of each thread of comments for older versions. */
function commentsOf(
  notes: readonly string[],
  threads: readonly string[],
  rows: ReadonlyMap<number, ReadonlyMap<number, string>>,
): string[] {
  const byCell = new Map<string, string[]>()
  for (const xml of threads) for (const [cell, text] of readComments(xml)) append(byCell, cell, text)
  const threaded = new Set(byCell.keys())
  for (const xml of notes)
    for (const [cell, text] of readComments(xml)) if (!threaded.has(cell)) append(byCell, cell, text)
  return [...byCell].map(([cell, texts]) => {
    const row = rows.get(Number(/\d+$/.exec(cell)?.[0]))
    const column = columnOf(cell) ?? 0
    // The cell may be one of the second of two tables.
    let start = column
    while (row?.has(start - 1)) start--
    const about = [...new Set([row?.get(start), row?.get(column)])].filter(Boolean).join(', ')
    return `Comment on ${cell}${about && ` (${about})`}: ${texts.join('\n')}`
  })
}

function append(lists: Map<string, string[]>, key: string, text: string): void {
  const list = lists.get(key)
  if (list) list.push(text)
  else lists.set(key, [text])
}

function readComments(xml: string): (readonly [cell: string, text: string])[] {
  const comments: (readonly [string, string])[] = []
  let [cell, text, isText] = ['', '', false]
  walkXml(xml, {
    open(tag, { ref = '' }) {
      if (tag === 'comment' || tag === 'threadedComment') [cell, text] = [ref, '']
      isText = tag === 't' || tag === 'text'
    },
    text(part) {
      if (isText) text += part
    },
    close(tag) {
      isText = false
      if ((tag === 'comment' || tag === 'threadedComment') && text.trim()) comments.push([cell, text.trim()])
    },
  })
  return comments
}

interface Merge {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

function mergeOf(range: string): Merge {
  const [from = '', to = ''] = range.split(':')
  const [left = 0, right = 0] = [from, to].map(columnOf)
  const [top = 0, bottom = 0] = [from, to].map(reference => Number(/\d+$/.exec(reference)?.[0] ?? 0))
  return { left, right: Math.min(right, COLUMNS_MAX), top, bottom }
}

/** A cell that is merged over rows says the same of each; one that is merged over the names of columns belongs to each of them. */
function spreadMerges(merges: readonly Merge[], rows: ReadonlyMap<number, Map<number, string>>): void {
  const last = highest([...rows.keys()])
  let filled = 0
  for (const { left, top, bottom } of merges) {
    const value = rows.get(top)?.get(left)
    for (let at = top + 1; value !== undefined && at <= Math.min(bottom, last); at++) {
      if (++filled > MERGED_MAX) throw exceeded('more merged cells than a workbook may')
      const row = rows.get(at)
      if (row && row.size > 0) row.set(left, value)
    }
  }
  const groups = merges.filter(({ left, right, top }) => right > left && (rows.get(top)?.size ?? 0) > 1)
  const [top = 0] = groups.map(merge => merge.top).toSorted((a, b) => a - b)
  const [group, names] = [rows.get(top), rows.get(top + 1)]
  if (!group || !names) return
  // Only what a report says of itself may stand above: in a table such a cell is a value.
  if ([...rows].some(([at, row]) => at < top && row.size > names.size / 2)) return
  const side = groups.filter(merge => merge.top === top)
  // They can only have more columns together where they overlap, as no merged cells do.
  if (side.reduce((sum, { left, right }) => sum + right - left + 1, 0) > COLUMNS_MAX) return
  const covered = side.flatMap(({ left, right }) =>
    Array.from({ length: right - left + 1 }, (_, n) => [left + n, left] as const),
  )
  // In a form the cells of each row are merged alike.
  if (!covered.every(([column]) => names.has(column))) return
  for (const [column, left] of covered) group.set(column, group.get(left) ?? '')
  for (const [column, value] of group) {
    const name = names.get(column)
    names.set(column, name && name !== value ? `${value} ${name}`.trim() : value)
  }
  group.clear()
}

/** Rows of the columns that have a value anywhere, and of one for the empty ones between two of them. */
function dense(sparse: readonly Map<number, string>[]): string[][] {
  const columns = [...new Set(sparse.flatMap(row => [...row.keys()]))].toSorted((a, b) => a - b)
  let place = -1
  const places = new Map(
    columns.map((column, n) => {
      place += n > 0 && column > (columns[n - 1] ?? 0) + 1 ? 2 : 1
      return [column, place]
    }),
  )
  return sparse.map(row => {
    const cells: string[] = []
    for (const [column, value] of row) cells[places.get(column) ?? 0] = value
    return Array.from(cells, cell => cell ?? '')
  })
}

/** @returns the column of a reference such as `AB12`, from 0 */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0]
  if (!letters) return undefined
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function shownValue({ type, value, style }: Cell, { strings, formats, daysAdded }: Workbook): string {
  if (type === 's') return strings[Number(value)]?.trim() ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : value && 'FALSE'
  if (type === 'd') return value.replace(/T00:00:00(?:\.0+)?$/, '')
  if (type !== 'n' || value.trim() === '') return value.trim()
  const number = Number(value)
  return Number.isFinite(number) ? shownNumber(number, formats[style] ?? 'General', daysAdded) : value
}

/** A format that shows zeros before a number or lines within it, or a sign beside the digits: a percentage, a currency or a unit. */
const SHOWS_MORE = /^0(?:\\?[ -]|0)*0$|%|\p{Sc}|\[\$[^\]-]|"[^"]*[\p{L}\p{S}][^"]*"/u

/** Dates and times as ISO 8601 has them; percentages and sums of money as they are shown; other numbers with all of their digits. */
function shownNumber(number: number, pattern: string, daysAdded: number): string {
  if (isDateFormat(pattern)) return dateOf(number + daysAdded, pattern)
  const plain = String(Number(number.toPrecision(15)))
  if (!SHOWS_MORE.test(pattern)) return plain
  try {
    return format(pattern, number, { throws: true }).trim() || plain
  } catch {
    return plain
  }
}

function dateOf(serial: number, pattern: string): string {
  const shows = getFormatDateInfo(pattern)
  const [year, month, day, hour, minute, second] = dateFromSerial(serial)
  const two = (part: number) => String(part).padStart(2, '0')
  const time = shows.seconds || second > 0 ? [hour, minute, second] : [hour, minute]
  const isTime = shows.hours || shows.minutes || shows.seconds
  // Durations go beyond a day, and have no date.
  if (/\[[hms]+\]/i.test(pattern)) return format(pattern, serial, { throws: false })
  if (isTime && !shows.year && !shows.day) return time.map(two).join(':')
  if (serial < 0) return String(serial)
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  return isTime ? `${date} ${time.map(two).join(':')}` : date
}
