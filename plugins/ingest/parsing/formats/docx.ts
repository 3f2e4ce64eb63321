import { type Block, ReadingError } from '../../document/document.ts'
import { OfficeParts, type Relation } from '../office-parts.ts'
import type { Parsed, Reading } from '../reading.ts'
import { WordHtml } from './docx-html.ts'
import { WordNumbering } from './docx-numbering.ts'
import { WordStyles } from './docx-styles.ts'
import { childrenOf, type ReadsProperty, type WordNode, WordTrees } from './docx-tree.ts'
import { parseHtmlPart } from './html.ts'

/** Pictures, fonts and embedded objects say nothing that could be read; documents that stand in its text do. */
const READ = /\.(xml|rels|html?|xhtml|mht|mhtml|eml|rtf|txt|md|docx)$/i
const DOCUMENT = /(?:^|\/)document\d*\.xml$/i
/** Stands where a part is to be read; no text of a document has these characters of private use by chance. */
const MARK = /^\u{f0000}(\d{1,9})\u{f0001}$/u
const DEPTH_MAX = 3
const HTML_CHARS = 64_000
/** These stand between the text and its notes. */
const NO_NOTES = ['separator', 'continuationSeparator']

/** A Word document, by its structure: headings, lists, tables, notes and the documents that it holds. */
export async function parseDocx(bytes: Uint8Array, reading: Reading): Promise<Parsed> {
  const parts = await OfficeParts.open(bytes, 'a Word document', reading.limits, READ)
  const main = [parts.main ?? '', ...parts.names].find(name => DOCUMENT.test(name))
  if (main === undefined) {
    throw new ReadingError('FORMAT_MISMATCH', 'The file is not a Word document, but another kind of archive.')
  }
  const { title } = parts
  return { ...(title ? { title } : {}), blocks: new WordDocument(parts, main, reading).blocks() }
}

class WordDocument {
  readonly #trees: WordTrees
  readonly #relations: ReadonlyMap<string, Relation>
  readonly #styles: WordStyles
  readonly #html: WordHtml
  /** The relations of the documents that stand in its text. */
  readonly #held: string[] = []

  constructor(
    private readonly parts: OfficeParts,
    private readonly main: string,
    private readonly reading: Pick<Reading, 'limits' | 'warnings' | 'depth' | 'readPart'>,
  ) {
    this.#trees = new WordTrees(reading.limits)
    this.#relations = parts.relations(main)
    this.#styles = new WordStyles(this.#part('styles'), this.#part('fontTable'))
    const numbering = new WordNumbering(this.#part('numbering'), this.#styles)
    const notes = new Map(
      ['footnote', 'endnote'].flatMap(kind =>
        childrenOf(this.#part(`${kind}s`, this.#styles.reads), kind)
          .filter(note => !NO_NOTES.includes(note.attributes['r:type'] ?? ''))
          .map(note => [`${kind} ${note.attributes['r:id']}`, note] as const),
      ),
    )
    const mark = (relation: string) => `\u{f0000}${this.#held.push(relation) - 1}\u{f0001}`
    this.#html = new WordHtml(numbering, this.#styles, notes, mark)
  }

  async *blocks(): AsyncGenerator<Block> {
    const { warnings } = this.reading
    let isEmpty = true
    const tree = this.#trees.read(this.parts.text(this.main), this.#styles.reads)
    for await (const block of this.#within(blocksOf(this.#html.pieces(tree)))) {
      isEmpty = false
      yield block
    }
    const { leftOut } = this.#html
    const were = leftOut === 1 ? 'was' : 'were'
    if (leftOut > 0) warnings.push(`${leftOut} of its charts, diagrams and parts of other files ${were} left out.`)
    if (isEmpty) yield* this.#onEachPage()
  }

  /** Headers and footers stand on each page, and are read only where there is no other text. */
  *#onEachPage(): Generator<Block> {
    const { warnings } = this.reading
    const targets = [...this.#relations.values()].filter(({ kind }) => kind === 'header' || kind === 'footer')
    const texts = targets.map(({ target }) => this.#trees.read(this.parts.text(target), this.#styles.reads))
    // The first page and the even ones have their own, which mostly say the same.
    const html = new Set(texts.map(tree => [...this.#html.pieces(tree)].join('')))
    const blocks = [...blocksOf(html)]
    yield* blocks
    if (blocks.length === 0 && warnings.length > 0)
      throw new ReadingError('NO_TEXT', `The Word document holds no text that could be read. ${warnings.join(' ')}`)
    if (blocks.length > 0) warnings.push('It has no text but that of its headers and footers.')
  }

  /** The root of a part by the kind of its relation, or by its usual name. */
  #part(kind: string, reads?: ReadsProperty): WordNode | undefined {
    const related = [...this.#relations.values()].find(relation => relation.kind === kind)?.target
    const usual = `${this.main.slice(0, this.main.lastIndexOf('/') + 1)}${kind}.xml`
    const xml = this.parts.text(related) || this.parts.text(usual)
    return xml ? this.#trees.read(xml, reads) : undefined
  }

  /** The blocks of the document with those of the parts that it holds. */
  async *#within(blocks: Iterable<Block>): AsyncGenerator<Block> {
    for (const block of blocks) {
      const mark = block.kind === 'paragraph' ? MARK.exec(block.text) : null
      if (mark) yield* this.#heldBlocks(this.#held[Number(mark[1])] ?? '')
      else yield block
    }
  }

  async *#heldBlocks(id: string): AsyncGenerator<Block> {
    const { warnings, depth, readPart } = this.reading
    const { kind, target = '' } = this.#relations.get(id) ?? {}
    const bytes = kind === 'aFChunk' ? this.parts.bytes(target) : undefined
    if (!bytes) {
      warnings.push('A part of it is missing in the file, or stands elsewhere, and was left out.')
      return
    }
    if (depth >= DEPTH_MAX) {
      warnings.push('Documents that stand in more than three others were left out.')
      return
    }
    const name = target.slice(target.lastIndexOf('/') + 1)
    try {
      const held = await readPart({ name, bytes }, this.parts.typeOf(target))
      yield* held.blocks
      warnings.push(...(held.warnings ?? []))
    } catch (error) {
      if (!(error instanceof ReadingError) || error.code === 'LIMIT_EXCEEDED') throw error
      warnings.push(`Its part ${name} was left out: ${error.message}`)
    }
  }
}

/** A tree of HTML is large, so there is one of a few pages at a time. */
function* blocksOf(pieces: Iterable<string>): Generator<Block> {
  const html: string[] = []
  let length = 0
  const read = () => parseHtmlPart(html.splice(0).join(''), { showsBoxes: true, hasInnerTables: true })
  for (const piece of pieces) {
    html.push(piece)
    length += piece.length
    if (length < HTML_CHARS) continue
    length = 0
    yield* read()
  }
  yield* read()
}
