import type { FilledIn } from './filled-in.ts'
import { withFilledIn } from './labelled.ts'
import { levelRuns, NO_RUNS, type PlacedRun } from './level-runs.ts'
import { type Line, linesOf } from './lines.ts'
import type { Page, Pdf } from './open.ts'

/** The lines of a page with what was written onto it, those of its main direction first. Undefined for a page that is damaged: the others are read all the same. */
export async function linesOfPage(pdf: Pdf, number: number, written: readonly FilledIn[]): Promise<Line[] | undefined> {
  try {
    const page = await pdf.getPage(number)
    const [main = NO_RUNS, ...others] = levelRuns(await placedRuns(page))
    const runs = withFilledIn(main, written)
    page.cleanup()
    return [runs, ...others.map(one => one.runs)].flatMap(one => linesOf(one, number))
  } catch {
    return undefined
  }
}

async function placedRuns(page: Page): Promise<PlacedRun[]> {
  const items = await itemsOf(page)
  return items.flatMap((item): PlacedRun[] => {
    if (!('str' in item) || !item.str) return []
    const [a = 0, b = 0, , , x = 0, y = 0] = item.transform as number[]
    const angle = Math.atan2(b, a)
    const place = { text: item.str, x, y, size: Math.hypot(a, b) || item.height || 10 }
    // Vertical writing has upright letters, and its lines run down.
    return item.dir === 'ttb'
      ? [{ ...place, length: item.height, angle: angle - Math.PI / 2 }]
      : [{ ...place, length: item.width, angle }]
  })
}

/** pdf.js does not take these letters with points for right-to-left, and so only turns what they are made of. */
const POINTED_HEBREW = /[\ufb1d-\ufb4f]/

/** Text is normalised after it is turned: pdf.js would divide a ligature first, and turn its letters round with the line. */
async function itemsOf(page: Page) {
  const { items } = await page.getTextContent({ disableNormalization: true })
  const isPointed = items.some(item => 'str' in item && POINTED_HEBREW.test(item.str))
  return isPointed ? (await page.getTextContent()).items : items
}
