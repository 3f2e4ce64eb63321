/** A run of text as pdf.js tells it, placed on its page; sizes are in points, y grows upwards. */
export interface TextRun {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size: number
}

/** Holds what stands on one baseline, from left to right. */
export interface Row {
  readonly runs: readonly TextRun[]
  readonly y: number
  /** That of most letters. */
  readonly size: number
}

/** Baselines less than this part of a letter's size apart are one: those of a scan differ by a little from word to word. */
const SAME_BASELINE = 0.3
/** A raised or lowered run is smaller by so much than its row, stands at most so much of the row's size off it, and touches a run there. */
const OFF_SIZE = 0.85
const OFF_HEIGHT = 0.55
const TOUCHING = 0.35

/** The rows of some runs from the top, whatever the order in which they were drawn. */
export function rowsOf(runs: readonly TextRun[]): Row[] {
  const baselines: TextRun[][] = []
  let [y, weight] = [0, 0]
  for (const run of runs.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const row = baselines.at(-1)
    const size = Math.min(run.size, row?.[0]?.size ?? run.size)
    if (row && y - run.y < Math.max(1, size * SAME_BASELINE)) {
      row.push(run)
      weight += run.text.length
      y += ((run.y - y) * run.text.length) / weight
    } else {
      baselines.push([run])
      y = run.y
      weight = run.text.length
    }
  }
  return withOffTheLine(baselines.map(rowOf))
}

function rowOf(runs: readonly TextRun[]): Row {
  const letters = (run: TextRun) => run.text.length
  const all = runs.reduce((sum, run) => sum + letters(run), 0)
  const y = runs.reduce((sum, run) => sum + run.y * letters(run), 0) / all
  let [size, counted] = [10, 0]
  for (const run of runs.toSorted((a, b) => a.size - b.size)) {
    if (counted * 2 < all) size = run.size
    counted += letters(run)
  }
  return { runs: runs.toSorted((a, b) => a.x - b.x), y, size }
}

/** Puts raised and lowered runs, as powers and the numbers of notes, into the row whose letters they touch. */
function withOffTheLine(rows: readonly Row[]): Row[] {
  const held = rows.map(({ runs }) => [...runs])
  for (const [n, small] of rows.entries()) {
    for (const near of [n - 2, n - 1, n + 1, n + 2]) {
      const row = rows[near]
      if (!row || Math.abs(row.y - small.y) > row.size * OFF_HEIGHT) continue
      for (const run of small.runs) {
        const into = held[near] ?? []
        if (run.size >= row.size * OFF_SIZE || !held[n]?.includes(run) || !touches(run, into, row.size)) continue
        held[n] = held[n]?.filter(other => other !== run) ?? []
        into.push(run)
      }
    }
  }
  return held.flatMap((runs, n) => {
    const row = rows[n]
    if (!row || runs.length === 0) return []
    return runs.length === row.runs.length ? [row] : [{ ...row, runs: runs.toSorted((a, b) => a.x - b.x) }]
  })
}

function touches(run: TextRun, runs: readonly TextRun[], size: number): boolean {
  const near = (gap: number) => gap > -size * TOUCHING && gap < size * TOUCHING
  return runs.some(
    other => other.text.trim() && (near(run.x - other.x - other.width) || near(other.x - run.x - run.width)),
  )
}
