import { median } from './lines.ts'
import type { TextRun } from './rows.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** A run of text where its page has it: its baseline begins at a point and has an angle, in radians against the clock from the page's right. */
export interface PlacedRun extends Point {
  readonly text: string
  /** Along the baseline, in points. */
  readonly length: number
  readonly size: number
  readonly angle: number
}

/** Runs of one direction as they are seen with their baselines level, and where other points of the page are then. */
export interface LevelRuns {
  readonly runs: readonly TextRun[]
  readonly level: (point: Point) => Point
}

/** A page without text, as it is. */
export const NO_RUNS: LevelRuns = { runs: [], level: point => point }

/** Baselines that are less than half of this apart run in one direction: those of a scan lie askew by a degree or two. */
const STEP = Math.PI / 12

/**
 * Turns the runs of a page until their baselines are level. Tables across a page are set sideways, scans lie askew, and lines of vertical
 * writing run down: each is read as if the page were turned for it. The direction of the most letters comes first.
 */
export function levelRuns(placed: readonly PlacedRun[]): LevelRuns[] {
  const byDirection = Map.groupBy(placed, ({ angle }) => directionOf(angle))
  const letters = (runs: readonly PlacedRun[]) => runs.reduce((sum, { text }) => sum + text.trim().length, 0)
  return [...byDirection]
    .toSorted(([, a], [, b]) => letters(b) - letters(a))
    .map(([direction, runs]) => {
      const askew = median(runs.map(({ angle }) => Math.asin(Math.sin(angle - direction * STEP))))
      const level = turnedBack(direction * STEP + askew)
      return { runs: runs.map(run => ({ text: run.text, width: run.length, size: run.size, ...level(run) })), level }
    })
}

function directionOf(angle: number): number {
  const full = Math.round((2 * Math.PI) / STEP)
  return (Math.round(angle / STEP) + full) % full
}

function turnedBack(angle: number): LevelRuns['level'] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  return ({ x, y }) => ({ x: x * cos + y * sin, y: y * cos - x * sin })
}
