import { type Block, type DocumentFacts, ReadingError } from '../../document/document.ts'
import type { ParsingLimits } from '../limits.ts'
import type { FilledIn } from './filled-in.ts'
import { filledIn } from './filled-in.ts'
import { isWithoutText, withoutFurniture } from './furniture.ts'
import { blocksOfForm } from './layout-form.ts'
import type { Line } from './lines.ts'
import { linesOf, median } from './lines.ts'
import type { Page } from './open.ts'
import { openPdf, type Pdf } from './open.ts'
import { bodySizeOf, innerWords, Paragraphs } from './paragraphs.ts'
import type { TextRun } from './rows.ts'
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
  const repeated = new Set<string>()
  for (let from = 1; from <= pdf.numPages; from += WINDOW_PAGES) {
    const pages: Line[][] = []
    for (let page = from; page < from + WINDOW_PAGES && page <= pdf.numPages; page++) {
      const lines = await linesOfPage(pdf, page, written.get(page) ?? [])
      if (!lines) broken.add(page)
      pages.push(lines ?? [])
      characters += (lines ?? []).reduce((sum, line) => sum + line.text.length, 0)
      if (characters > charactersMax) throw tooLong(charactersMax)
    }
    const bare = withoutFurniture(pages, repeated)
    for (const lines of bare) innerWords(lines, words, WORDS_MAX)
    const bodySize = bodySizeOf(bare.flat())
    for (const lines of bare) yield* paragraphs.add(lines, bodySize)
    textless.push(...bare.flatMap((lines, n) => (isWithoutText(lines) && !broken.has(from + n) ? [from + n] : [])))
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

/** The lines of a page with what was written onto it, those of its main direction first. Undefined for a page that is damaged: the others are read all the same. */
async function linesOfPage(pdf: Pdf, number: number, written: readonly FilledIn[]): Promise<Line[] | undefined> {
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

/** Where nothing is printed beside a text, its letters are taken to be so large. */
const USUAL_SIZE = 10

/** The usual width of a letter, as a share of its size. */
const LETTER_WIDTH = 0.5

interface Box {
  readonly x: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

/** The runs of a page with what was filled in, each on the line of what is printed before it, or else of what follows there. */
function withFilledIn({ runs, level }: LevelRuns, texts: readonly FilledIn[]): TextRun[] {
  const printed = runs.filter(({ text }) => text.trim())
  return [...runs, ...texts.map(one => runIn(boxOf(one, level), one.text, printed))]
}

function boxOf({ corners: [x1, y1, x2, y2] }: FilledIn, level: LevelRuns['level']): Box {
  const [a, b] = [level({ x: x1, y: y1 }), level({ x: x2, y: y2 })]
  return {
    x: Math.min(a.x, b.x),
    right: Math.max(a.x, b.x),
    bottom: Math.min(a.y, b.y),
    top: Math.max(a.y, b.y),
  }
}

/** Its lines are one, so that they stay together. */
function runIn(box: Box, text: string, printed: readonly TextRun[]): TextRun {
  const label = labelOf(printed, box)
  const size = label?.size ?? USUAL_SIZE
  const words = text.replace(/\s+/g, ' ')
  const width = Math.min(box.right - box.x, words.length * size * LETTER_WIDTH)
  return { text: words, x: box.x, y: label?.y ?? box.top - size, width, size }
}

function labelOf(printed: readonly TextRun[], { x, bottom, top }: Box): TextRun | undefined {
  let found: TextRun | undefined
  const rank = (run: TextRun) => (run.x + run.width / 2 < x ? run.x : -1e6 - run.x)
  for (const run of printed) {
    if (run.y <= bottom - run.size / 2 || run.y >= top) continue
    if (!found || rank(run) > rank(found)) found = run
  }
  return found
}

interface Point {
  readonly x: number
  readonly y: number
}

/** A run of text where its page has it: its baseline begins at a point and has an angle, in radians against the clock from the page's right. */
interface PlacedRun extends Point {
  readonly text: string
  /** Along the baseline, in points. */
  readonly length: number
  readonly size: number
  readonly angle: number
}

/** Runs of one direction as they are seen with their baselines level, and where other points of the page are then. */
interface LevelRuns {
  readonly runs: readonly TextRun[]
  readonly level: (point: Point) => Point
}

/** A page without text, as it is. */
const NO_RUNS: LevelRuns = { runs: [], level: point => point }

/** Baselines that are less than half of this apart run in one direction: those of a scan lie askew by a degree or two. */
const STEP = Math.PI / 12

/**
 * Turns the runs of a page until their baselines are level. Tables across a page are set sideways, scans lie askew, and lines of vertical
 * writing run down: each is read as if the page were turned for it. The direction of the most letters comes first.
 */
function levelRuns(placed: readonly PlacedRun[]): LevelRuns[] {
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
