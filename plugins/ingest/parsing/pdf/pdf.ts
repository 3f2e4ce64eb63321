import { type Block, type DocumentFacts, ReadingError } from '../../document/document.ts'
import type { ParsingLimits } from '../limits.ts'
import { filledIn } from './filled-in.ts'
import { withoutFurniture } from './furniture.ts'
import { blocksOfForm } from './layout-form.ts'
import type { Line } from './lines.ts'
import { openPdf, type Pdf } from './open.ts'
import { linesOfPage } from './page-lines.ts'
import { bodySizeOf, innerWords, Paragraphs } from './paragraphs.ts'
import { lookAtTextless, type TextlessPages } from './textless-pages.ts'

/** Pages that are looked at together: enough to know running headers by, few enough to hold. */
const WINDOW_PAGES = 60
const WORDS_MAX = 200_000

/** A PDF by its text: pages without their furniture, in paragraphs and headings. */
export async function parsePdf(
  bytes: Uint8Array,
  limits: Pick<ParsingLimits, 'pages' | 'characters'>,
): Promise<{ facts: DocumentFacts; blocks: AsyncGenerator<Block> }> {
  const pdf = await openPdf(bytes)
  const pages = pdf.numPages
  if (pages > limits.pages) {
    throw new ReadingError(
      'LIMIT_EXCEEDED',
      `The PDF has ${pages} pages, more than the ${limits.pages} that one file may have.`,
    )
  }
  const title = await titleOf(pdf)
  const warnings: string[] = []
  return {
    facts: { pages, warnings, ...(title ? { title } : {}) },
    blocks: pdf.isPureXfa ? readForm(pdf, limits.characters) : blocksOf(pdf, limits.characters, warnings),
  }
}

async function* readForm(pdf: Pdf, charactersMax: number): AsyncGenerator<Block> {
  let characters = 0
  for await (const block of blocksOfForm(pdf)) {
    characters += block.text.length
    if (characters > charactersMax) throw tooLong(charactersMax)
    yield block
  }
  if (characters === 0) throw new ReadingError('NO_TEXT', 'The PDF is a form without text.')
}

async function* blocksOf(pdf: Pdf, charactersMax: number, warnings: string[]): AsyncGenerator<Block> {
  const words = new Set<string>()
  const paragraphs = new Paragraphs(words)
  const written = await filledIn(pdf)
  let characters = 0
  const broken = new Set<number>()
  const textless: number[] = []
  for (let from = 1; from <= pdf.numPages; from += WINDOW_PAGES) {
    const pages: Line[][] = []
    for (let page = from; page < from + WINDOW_PAGES && page <= pdf.numPages; page++) {
      const lines = await linesOfPage(pdf, page, written.get(page) ?? [])
      if (!lines) broken.add(page)
      pages.push(lines ?? [])
      characters += (lines ?? []).reduce((sum, line) => sum + line.text.length, 0)
      if (characters > charactersMax) throw tooLong(charactersMax)
    }
    const bare = withoutFurniture(pages)
    for (const lines of bare) innerWords(lines, words, WORDS_MAX)
    const bodySize = bodySizeOf(bare.flat())
    for (const lines of bare) yield* paragraphs.add(lines, bodySize)
    textless.push(...bare.flatMap((lines, n) => (lines.length > 0 || broken.has(from + n) ? [] : [from + n])))
  }
  yield* paragraphs.finish()
  const others = await lookAtTextless(pdf, textless)
  requireText(characters, broken.size, pdf.numPages, others)
  warnings.push(...lossesOf(broken.size, pdf.numPages, others))
}

function lossesOf(broken: number, pages: number, { pictures, unreadable, isComplete }: TextlessPages): string[] {
  const least = isComplete ? '' : 'At least '
  const losses: readonly (readonly [string, number, string, string])[] = [
    ['', broken, 'is damaged and was left out.', 'are damaged and were left out.'],
    [
      least,
      pictures,
      `holds only pictures, as a scan does, and was ${NO_OCR}`,
      `hold only pictures, as scans do, and were ${NO_OCR}`,
    ],
    [least, unreadable, `was ${NO_LETTERS}`, `were ${NO_LETTERS}`],
  ]
  return losses.flatMap(([some, count, one, several]) =>
    count > 0 ? [`${some}${count} of its ${pages} pages ${count === 1 ? one : several}`] : [],
  )
}

const NO_OCR = 'left out. Run text recognition (OCR) first.'
const NO_LETTERS = 'left out: the fonts do not tell which letters they stand for.'

function requireText(characters: number, broken: number, pages: number, { unreadable }: TextlessPages): void {
  if (characters > 0) return
  if (broken > 0) throw new ReadingError('CORRUPT_FILE', 'The PDF is damaged: none of its pages could be read.')
  if (unreadable > 0) {
    throw new ReadingError(
      'NO_TEXT',
      'The PDF has no readable text: its fonts do not tell which letters they stand for.',
    )
  }
  const what = pages === 1 ? 'page holds' : 'pages hold'
  throw new ReadingError(
    'NO_TEXT',
    `The PDF has no text: its ${what} only pictures, as scans do. Run text recognition (OCR) first.`,
  )
}

function tooLong(charactersMax: number): ReadingError {
  return new ReadingError('LIMIT_EXCEEDED', `The PDF holds more than ${charactersMax} characters of text.`)
}

async function titleOf(pdf: Pdf): Promise<string | undefined> {
  try {
    const { info } = await pdf.getMetadata()
    const title: unknown = Reflect.get(info, 'Title')
    return typeof title === 'string' && /\p{L}{2}/u.test(title)
      ? title.replace(/\s+/g, ' ').trim().slice(0, 300)
      : undefined
  } catch {
    return undefined
  }
}
