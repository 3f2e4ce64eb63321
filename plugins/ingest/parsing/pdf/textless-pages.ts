import { getResolvedPDFJS } from 'unpdf'
import { openPdf, type Pdf } from './open.ts'

/** Counts pages without text by that what they hold instead. Blank ones are not counted. */
export interface TextlessPages {
  readonly pictures: number
  /** Pages with text whose fonts could not be read. */
  readonly unreadable: number
}

type Page = Awaited<ReturnType<Pdf['getPage']>>

/**
 * Finds out what textless pages of a PDF hold. No picture is decoded for it, which would take up to a second each: every picture is too large
 * for documents that are opened so. pdf.js leaves such a picture out, or breaks off the list of a page's operators at it where it is to stop at
 * errors: a page has a picture where the one list is shorter than the other.
 */
export async function lookAtTextless(pdf: Pdf, pages: readonly number[]): Promise<TextlessPages> {
  const strict = await openPdf(await pdf.getData(), { stopAtErrors: true })
  let pictures = 0
  let unreadable = 0
  for (const number of pages) {
    const page = await pdf.getPage(number)
    const shown = await page.getOperatorList()
    if (await hasBrokenFont(page, shown)) unreadable++
    else if ((await operatorsOf(strict, number)) < shown.fnArray.length) pictures++
    page.cleanup()
  }
  await strict.loadingTask.destroy()
  return { pictures, unreadable }
}

async function operatorsOf(pdf: Pdf, number: number): Promise<number> {
  const page = await pdf.getPage(number)
  const { fnArray } = await page.getOperatorList()
  page.cleanup()
  return fnArray.length
}

type Operators = Awaited<ReturnType<Page['getOperatorList']>>

/** pdf.js keeps a sentence in the place of a font that it could not read. */
async function hasBrokenFont(page: Page, { fnArray, argsArray }: Operators): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS()
  const names = fnArray.flatMap((fn, n) => (fn === OPS.setFont ? [String(argsArray[n]?.[0])] : []))
  return names.some(name => page.commonObjs.has(name) && typeof page.commonObjs.get(name) === 'string')
}
