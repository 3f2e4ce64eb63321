import { degrees, PDFDocument, StandardFonts } from 'pdf-lib'

export interface Drawn {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size?: number
}

const SIZE = 10

/** A page on which these words are drawn one after the other; turned, it is shown as before. */
export function pdfOf(words: readonly Drawn[], isTurned = false, copies: readonly number[] = [0]): Promise<Uint8Array> {
  return pdfOfPages([words], isTurned, copies)
}

export async function pdfOfPages(
  pages: readonly (readonly Drawn[])[],
  isTurned = false,
  copies: readonly number[] = [0],
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (const words of pages) {
    const page = pdf.addPage(isTurned ? [842, 595] : [595, 842])
    if (isTurned) page.setRotation(degrees(90))
    for (const { text, x, y, size = SIZE } of words) {
      for (const off of copies) {
        const place = isTurned ? { x: 842 - y, y: x + off, rotate: degrees(90) } : { x: x + off, y }
        page.drawText(text, { ...place, size, font })
      }
    }
  }
  return pdf.save()
}

const metrics = await (await PDFDocument.create()).embedFont(StandardFonts.Helvetica)
/** Letters are drawn without the kerning that the width of a whole text has. */
export const widthOf = (text: string) =>
  [...text].reduce((sum, letter) => sum + metrics.widthOfTextAtSize(letter, SIZE), 0)

/** The words of a line, each at its own place. */
export function line(text: string, x: number, y: number): Drawn[] {
  let at = x
  return text.split(' ').map(word => {
    const drawn = { text: word, x: at, y }
    at += widthOf(`${word} `)
    return drawn
  })
}

export const lines = (texts: readonly string[], x: number, top: number) =>
  texts.flatMap((text, n) => line(text, x, top - n * 14))
export const table = (rows: readonly (readonly string[])[], top: number) =>
  rows.flatMap((row, n) => row.flatMap((cell, column) => line(cell, 60 + column * 130, top - n * 16)))

export const PROSE = [
  'The harbour of Ghent was opened by the mayor',
  'of the town, who spoke about ships and trade',
  'until the evening came over the river and its',
  'many bridges, which had been built long before',
  'anybody thought of engines, cranes or of steel',
  'and which carry more people than they used to',
  'on any other day of the whole of that year.',
]
export const OTHERS = [
  'Antwerp lies on another river, whose tides go',
  'up as far as the locks that keep the water in',
  'its docks, and there the pilots wait for ships',
  'that come from the sea with grain and with oil',
  'or leave for places which nobody in the town',
  'has ever seen with eyes of their own, although',
  'their names stand on the doors of the offices.',
]
export const RESULTS = [
  ['Analyte', 'Result', 'Unit', 'Range'],
  ['Leukocytes', '3.9', 'G/l', '4.0 to 10.0'],
  ['Erythrocytes', '2.33', 'T/l', '4.1 to 5.4'],
  ['Haemoglobin', '7.8', 'g/dl', '12.0 to 16.0'],
]
const FORM = [
  ['Name:', 'Ada de Wit'],
  ['Born on:', '7 May 1980'],
  ['Town:', 'Ghent'],
]
export const PAGES: Readonly<Record<string, readonly Drawn[]>> = {
  'a table': table(RESULTS, 700),
  'a form': table(FORM, 700),
  prose: lines(PROSE, 60, 700),
  'two columns of prose': [...lines(PROSE, 60, 700), ...lines(OTHERS, 320, 693)],
  'a table between paragraphs': [
    ...lines(PROSE.slice(0, 3), 60, 760),
    ...table(RESULTS, 690),
    ...lines(OTHERS.slice(0, 3), 60, 600),
  ],
}

export const ORDERS: Readonly<Record<string, (words: readonly Drawn[]) => Drawn[]>> = {
  'from right to left': words => words.toSorted((a, b) => b.y - a.y || b.x - a.x),
  'column by column': words => words.toSorted((a, b) => a.x - b.x || b.y - a.y),
  'with the values before their labels': words => words.toReversed(),
  'with one word last': words => [...words.slice(0, 2), ...words.slice(3), ...words.slice(2, 3)],
}
