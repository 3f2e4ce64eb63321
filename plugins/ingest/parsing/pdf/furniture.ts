import type { Line } from './lines.ts'

/** Lines at the top and at the bottom of a page that may be its furniture. */
const EDGE_LINES = 3
/** Fewer repetitions may be chance. */
const REPEATS_MIN = 3
/** Headers may stand on every other page, and change with the chapter. */
const SHARE_MIN = 0.2

const PAGE_NUMBER =
  /^[\s\-–—|[(]*(?:(?:page|seite|página|pagina|p\.?|s\.?)\s*)?(?:\d{1,5}|[ivxlcdm]{1,8})(?:\s*(?:\/|of|von|de|di|sur)\s*\d{1,5})?[\s\-–—|\])]*$/i

/** The lines of some pages without running headers, footers and page numbers. */
export function withoutFurniture(pages: readonly (readonly Line[])[]): Line[][] {
  const counts = new Map<string, number>()
  for (const lines of pages) {
    for (const key of new Set(edgesOf(lines).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const least = Math.max(REPEATS_MIN, Math.ceil(pages.length * SHARE_MIN))
  return pages.map(lines => {
    const gone = new Set(edgesOf(lines).filter(line => isFurniture(line, lines, counts, least, pages.length)))
    return lines.filter(line => !gone.has(line))
  })
}

function isFurniture(
  line: Line,
  lines: readonly Line[],
  counts: ReadonlyMap<string, number>,
  least: number,
  pages: number,
): boolean {
  if ((counts.get(keyOf(line)) ?? 0) >= least) return true
  return pages > 1 && PAGE_NUMBER.test(line.text) && isOutermost(line, lines)
}

/** Equal for what stands in the same place of pages but for the numbers in it. */
function keyOf({ text, y }: Line): string {
  return `${Math.round(y / 4)} ${text.replace(/\d+/g, '#').replace(/\s+/g, ' ').toLowerCase()}`
}

function edgesOf(lines: readonly Line[]): Line[] {
  const byHeight = lines.toSorted((a, b) => b.y - a.y)
  return [...new Set([...byHeight.slice(0, EDGE_LINES), ...byHeight.slice(-EDGE_LINES)])]
}

function isOutermost(line: Line, lines: readonly Line[]): boolean {
  const heights = lines.map(({ y }) => y)
  return line.y >= Math.max(...heights) - 1 || line.y <= Math.min(...heights) + 1
}
