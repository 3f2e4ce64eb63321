import { lexicons } from 'mneme/plugin'
import { highest, lowest } from '../extremes.ts'
import type { Line } from './lines.ts'

/** Lines at the top and at the bottom of a page that may be its furniture. */
const EDGE_LINES = 3
/** Fewer repetitions may be chance. */
const REPEATS_MIN = 3
/** Headers may stand on every other page, and change with the chapter. */
const SHARE_MIN = 0.2
/** Numbers of a line that may be the page's. */
const NUMBERS_MAX = 4

const PAGE_NUMBER = new RegExp(
  `^[\\s\\-–—|[(]*(?:(?:${lexicons.PAGE_WORDS.join('|')})\\s*)?(?:\\d{1,5}|[ivxlcdm]{1,8})(?:\\s*(?:\\/|${lexicons.PAGE_COUNT_WORDS.join('|')})\\s*\\d{1,5})?[\\s\\-–—|\\])]*$`,
  'i',
)

/**
 * The lines of some pages without page numbers, and with running headers and footers only where they stand first, since the name of a report
 * and those of a table's columns may be repeated too. Pages of which nothing else would be left, as slides and forms of a line each, keep all.
 * @param told what was repeated on the pages before; the keys of these are added
 */
export function withoutFurniture(pages: readonly (readonly Line[])[], told: Set<string>): Line[][] {
  const repeated = repeatedKeys(pages)
  const bare = pages.map(lines => {
    const edges = new Set(edgesOf(lines))
    return lines.flatMap(line => {
      if (!edges.has(line)) return [line]
      if (pages.length > 1 && PAGE_NUMBER.test(line.text) && isOutermost(line, lines)) return []
      const keys = keysOf(line).filter(key => repeated.has(key))
      if (keys.length === 0) return [line]
      const texts = keys.map(textOfKey)
      const isKnown = PAGE_NUMBER.test(line.text) || texts.some(text => told.has(text))
      for (const text of texts) told.add(text)
      return isKnown ? [] : [{ ...line, isRepeated: true }]
    })
  })
  return bare.every(isWithoutText) ? pages.map(lines => [...lines]) : bare
}

/** Tells whether nothing is on a page but what others have too. */
export function isWithoutText(lines: readonly Line[]): boolean {
  return lines.every(line => line.isRepeated)
}

/** The keys that enough pages have. A number that grows with the pages is a page's own, so few of them are enough. */
function repeatedKeys(pages: readonly (readonly Line[])[]): Set<string> {
  const [same, numbered] = [new Map<string, number>(), new Map<string, number>()]
  const count = (counts: Map<string, number>, keys: readonly string[]) => {
    for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  for (const lines of pages) {
    const edges = edgesOf(lines)
    count(same, edges.map(keyOf))
    count(numbered, edges.flatMap(numberedKeysOf))
  }
  const least = Math.max(REPEATS_MIN, Math.ceil(pages.length * SHARE_MIN))
  const often = [...same].filter(([, times]) => times >= least)
  return new Set([...often, ...[...numbered].filter(([, times]) => times >= REPEATS_MIN)].map(([key]) => key))
}

function keysOf(line: Line): string[] {
  return [keyOf(line), ...numberedKeysOf(line)]
}

/** A key without the height, by which what stands elsewhere is known too. */
function textOfKey(key: string): string {
  return key.slice(key.indexOf(' ') + 1)
}

/** Equal for what stands in the same place of pages. */
function keyOf({ text, y }: Line): string {
  return `${Math.round(y / 4)} ${text.replace(/\s+/g, ' ').toLowerCase()}`
}

/** Equal for lines in the same place that differ in one number alone, by as much as their pages are apart: other numbers are content. */
function numberedKeysOf(line: Line): string[] {
  const key = keyOf(line)
  const start = key.indexOf(' ')
  const numbers = [...key.matchAll(/\d{1,7}/g)].filter(({ index }) => index > start)
  return numbers.slice(-NUMBERS_MAX).map(({ 0: number, index }) => {
    return `${key.slice(0, index)}#${Number(number) - line.page}#${key.slice(index + number.length)}`
  })
}

function edgesOf(lines: readonly Line[]): Line[] {
  const byHeight = lines.toSorted((a, b) => b.y - a.y)
  return [...new Set([...byHeight.slice(0, EDGE_LINES), ...byHeight.slice(-EDGE_LINES)])]
}

function isOutermost(line: Line, lines: readonly Line[]): boolean {
  const heights = lines.map(({ y }) => y)
  return line.y >= highest(heights) - 1 || line.y <= lowest(heights) + 1
}
