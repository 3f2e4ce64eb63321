import { type Block, ReadingError } from '../../document/document.ts'
import { namedRows } from '../columns.ts'
import { OfficeParts, walkXml } from '../office-parts.ts'
import type { Parsed, Reading } from '../reading.ts'

/** A presentation of PowerPoint: each slide in its turn, under its title, with its tables and the notes of the speaker. */
export async function parsePptx(bytes: Uint8Array, { limits, warnings }: Reading): Promise<Parsed> {
  const parts = await OfficeParts.open(bytes, 'a presentation of PowerPoint (PPTX)', limits)
  const { main = '', title } = parts
  if (!/(?:^|\/)presentation\w*\.xml$/i.test(main)) {
    const message = 'The file is not a presentation of PowerPoint (PPTX), but another kind of archive.'
    throw new ReadingError('FORMAT_MISMATCH', message)
  }
  return { ...(title ? { title } : {}), blocks: blocksOf(parts, slidesOf(parts, main), warnings) }
}

function slidesOf(parts: OfficeParts, main: string): string[] {
  const relations = parts.relations(main)
  const slides: string[] = []
  walkXml(parts.text(main), {
    open(tag, { 'r:id': id = '' }) {
      const relation = relations.get(id)
      if (tag === 'sldId' && relation?.kind === 'slide') slides.push(relation.target)
    },
  })
  return slides
}

function* blocksOf(parts: OfficeParts, slides: readonly string[], warnings: string[]): Generator<Block> {
  let [hidden, charts] = [0, 0]
  for (const [n, part] of slides.entries()) {
    const slide = readSlide(parts.text(part))
    if (slide.isHidden) {
      hidden++
      continue
    }
    const relations = [...parts.relations(part).values()]
    charts += relations.filter(({ kind }) => kind === 'chart').length
    const page = n + 1
    const partsOf = (kind: string) => relations.filter(relation => relation.kind === kind).map(({ target }) => target)
    const shown = [...slide.blocks, ...partsOf('diagramData').flatMap(target => readSlide(parts.text(target)).blocks)]
    const notes = readSlide(parts.text(partsOf('notesSlide')[0])).blocks
    // A slide of pictures alone says nothing, and its number would be a memory.
    if (!slide.title && shown.length + notes.length === 0) continue
    yield { kind: 'heading', level: 1, text: slide.title || `Slide ${page}`, page }
    for (const block of shown) yield { ...block, page }
    if (notes.length > 0) yield { kind: 'heading', level: 2, text: 'Notes', page }
    for (const block of notes) yield { ...block, page }
  }
  if (hidden > 0) warnings.push(`${hidden} hidden ${hidden === 1 ? 'slide was' : 'slides were'} left out.`)
  if (charts > 0) warnings.push(`${charts} of its charts ${charts === 1 ? 'was' : 'were'} left out.`)
}

interface Slide {
  title: string
  isHidden: boolean
  readonly blocks: Block[]
}

const TITLES = new Set(['title', 'ctrTitle'])
/** These stand on every slide. */
const FURNITURE = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg'])

/** Reads what the shapes of a slide, or of a drawing, say. */
export function readSlide(xml: string): Slide {
  const reader = new SlideReader()
  walkXml(xml, reader)
  return reader.slide
}

class SlideReader {
  readonly slide: Slide = { title: '', isHidden: false, blocks: [] }
  #place = ''
  #text = ''
  #level = 0
  #isText = false
  /** Elements that are passed over with all that they hold. */
  #passed = 0
  #table: string[][] | undefined
  #cell: string[] | undefined

  readonly open = (tag: string, { type = 'body', lvl = '0', show }: Readonly<Record<string, string>>) => {
    // A drawing that older programs show stands beside the one that is meant.
    if (this.#passed > 0 || tag === 'Fallback') this.#passed++
    else if (tag === 'sld') this.slide.isHidden = show === '0' || show === 'false'
    else if (tag === 'sp') this.#place = ''
    else if (tag === 'ph') this.#place = type
    else if (tag === 'tbl') this.#table = []
    else if (tag === 'tr') this.#table?.push([])
    else if (tag === 'tc') this.#cell = []
    else if (tag === 'p') [this.#text, this.#level] = ['', 0]
    else if (tag === 'pPr') this.#level = Number(lvl) || 0
    else if (tag === 'br') this.#text += '\n'
    else if (tag === 't') this.#isText = true
  }

  readonly text = (part: string) => {
    if (this.#isText && this.#passed === 0) this.#text += part
  }

  readonly close = (tag: string) => {
    if (this.#passed > 0) this.#passed--
    else if (tag === 't') this.#isText = false
    else if (tag === 'p') this.#paragraph(this.#text.replaceAll('\u000b', '\n').trim())
    else if (tag === 'tc') {
      this.#table?.at(-1)?.push((this.#cell ?? []).join(' '))
      this.#cell = undefined
    } else if (tag === 'tbl') {
      this.slide.blocks.push(...namedRows(this.#table ?? []))
      this.#table = undefined
    }
  }

  #paragraph(text: string): void {
    this.#text = ''
    if (!text) return
    if (this.#cell) this.#cell.push(text.replaceAll('\n', ' '))
    else if (TITLES.has(this.#place)) this.slide.title = [this.slide.title, text.replaceAll('\n', ' ')].join(' ').trim()
    else if (this.#level > 0) this.slide.blocks.push({ kind: 'item', depth: this.#level, text })
    else if (!FURNITURE.has(this.#place)) this.slide.blocks.push({ kind: 'paragraph', text })
  }
}
