import { getResolvedPDFJS } from 'unpdf'
import { openPdf, type Page, type Pdf } from './open.ts'

/** Each page takes two lists of all that is drawn on it. */
const PAGES_MAX = 20

/** Counts pages without text by that what they hold instead. Blank ones are not counted. */
export interface TextlessPages {
  readonly pictures: number
  /** Pages with text whose fonts could not be read. */
  readonly unreadable: number
  /** False where more pages have no text than were looked at. */
  readonly isComplete: boolean
}

/**
 * Finds out what the first textless pages of a PDF hold. No picture is decoded for it, which would take up to a second each: every picture is
 * too large for documents that are opened so. pdf.js leaves such a picture out, or breaks off the list of a page's operators at it where it is
 * to stop at errors: a page has a picture where the one list is shorter than the other. A document that cannot be looked at so was read all the
 * same, and nothing is known of these pages.
 */
export async function lookAtTextless(pdf: Pdf, pages: readonly number[]): Promise<TextlessPages> {
  const isComplete = pages.length <= PAGES_MAX
  try {
    return { ...(await contentsOf(pdf, pages.slice(0, PAGES_MAX))), isComplete }
  } catch {
    return { pictures: 0, unreadable: 0, isComplete }
  }
}

async function contentsOf(pdf: Pdf, pages: readonly number[]): Promise<Omit<TextlessPages, 'isComplete'>> {
  /** The pages that can be read each have a number of operators. */
  const drawn = new Map<number, number>()
  for (const number of pages) {
    const operators = await readPage(pdf, number, async (page, list) =>
      (await hasBrokenFont(page, list)) ? undefined : list.fnArray.length,
    )
    if (operators !== undefined) drawn.set(number, operators)
  }
  return { pictures: await countPictures(pdf, drawn), unreadable: pages.length - drawn.size }
}

async function countPictures(pdf: Pdf, drawn: ReadonlyMap<number, number>): Promise<number> {
  if (drawn.size === 0) return 0
  const strict = await openPdf(await pdf.getData(), { stopAtErrors: true })
  try {
    let pictures = 0
    for (const [number, operators] of drawn) {
      if ((await readPage(strict, number, (_, list) => list.fnArray.length)) < operators) pictures++
    }
    return pictures
  } finally {
    await strict.loadingTask.destroy()
  }
}

/** Reads something off the list of what is drawn on a page, which is let go of with that. */
async function readPage<T>(
  pdf: Pdf,
  number: number,
  read: (page: Page, list: Operators) => T | Promise<T>,
): Promise<T> {
  const page = await pdf.getPage(number)
  const value = await read(page, await page.getOperatorList())
  page.cleanup()
  return value
}

type Operators = Awaited<ReturnType<Page['getOperatorList']>>

/** pdf.js keeps a sentence in the place of a font that it could not read. */
async function hasBrokenFont(page: Page, { fnArray, argsArray }: Operators): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS()
  const names = fnArray.flatMap((fn, n) => (fn === OPS.setFont ? [String(argsArray[n]?.[0])] : []))
  return names.some(name => page.commonObjs.has(name) && typeof page.commonObjs.get(name) === 'string')
}
