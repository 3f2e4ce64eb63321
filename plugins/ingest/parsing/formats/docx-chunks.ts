import { type Block, ReadingError } from '../../document/document.ts'
import type { Reading } from '../reading.ts'
import { childrenOf, parseXml } from './docx-xml.ts'

/** Stands where a part is to be read; no text of a document has these characters of private use by chance. */
const MARK = /^\u{f0000}(\d{1,9})\u{f0001}$/u

const DEPTH_MAX = 3

/** Reads the documents that a Word document holds (`w:altChunk`), as HTML, text or another Word document, where it holds them. */
export class WordChunks {
  readonly #targets: string[] = []
  readonly #files: ReadonlyMap<string, { readonly name: string; readonly bytes: Uint8Array; readonly type: string }>

  /**
   * @param parts of the archive; those that are held leave it
   * @param main the name of the part with the document's text
   */
  constructor(
    parts: Record<string, Uint8Array>,
    main: string,
    private readonly reading: Pick<Reading, 'warnings' | 'depth' | 'readPart'>,
  ) {
    const [folder, file] = [main.slice(0, main.lastIndexOf('/') + 1), main.slice(main.lastIndexOf('/') + 1)]
    const relations = xmlOf(parts[`${folder}_rels/${file}.rels`])
    const types = xmlOf(parts['[Content_Types].xml'])
    const typeOf = (name: string) =>
      types.find(type => type.getAttribute('PartName')?.toLowerCase() === `/${name}`.toLowerCase()) ??
      types.find(type => name.toLowerCase().endsWith(`.${type.getAttribute('Extension')?.toLowerCase()}`))
    this.#files = new Map(
      relations
        .filter(relation => relation.getAttribute('Type')?.endsWith('/aFChunk'))
        .flatMap(relation => {
          const target = relation.getAttribute('Target') ?? ''
          const name = target.startsWith('/') ? target.slice(1) : folder + target
          const bytes = parts[name]
          const type = typeOf(name)?.getAttribute('ContentType') ?? ''
          return bytes ? [[relation.getAttribute('Id') ?? '', { name, bytes, type }] as const] : []
        }),
    )
    for (const name of Object.keys(parts)) if (!/\.(xml|rels)$/i.test(name)) delete parts[name]
    for (const { name } of this.#files.values()) delete parts[name]
  }

  /** @returns what stands in the text for the part of this relation */
  mark(relation: string): string {
    this.#targets.push(relation)
    return `\u{f0000}${this.#targets.length - 1}\u{f0001}`
  }

  /** The blocks of the document with those of the parts that it holds. */
  async *within(blocks: Iterable<Block>): AsyncGenerator<Block> {
    let isEmpty = true
    for (const block of blocks) {
      const mark = block.kind === 'paragraph' ? MARK.exec(block.text) : null
      if (!mark) {
        isEmpty = false
        yield block
      } else
        for await (const part of this.#blocksOf(this.#targets[Number(mark[1])] ?? '')) {
          isEmpty = false
          yield part
        }
    }
    if (isEmpty && this.#targets.length > 0)
      throw new ReadingError(
        'NO_TEXT',
        `The Word document holds no text that could be read. ${this.reading.warnings.join(' ')}`,
      )
  }

  async *#blocksOf(relation: string): AsyncGenerator<Block> {
    const file = this.#files.get(relation)
    if (!file) {
      this.reading.warnings.push('A part of it is missing in the file, or stands elsewhere, and was left out.')
      return
    }
    if (this.reading.depth >= DEPTH_MAX) {
      this.reading.warnings.push('Documents that stand in more than three others were left out.')
      return
    }
    const name = file.name.slice(file.name.lastIndexOf('/') + 1)
    try {
      const { blocks, warnings = [] } = await this.reading.readPart({ name, bytes: file.bytes }, file.type)
      yield* blocks
      this.reading.warnings.push(...warnings)
    } catch (error) {
      if (!(error instanceof ReadingError) || error.code === 'LIMIT_EXCEEDED') throw error
      this.reading.warnings.push(`Its part ${name} was left out: ${error.message}`)
    }
  }
}

function xmlOf(part: Uint8Array | undefined): Element[] {
  const xml = part && new TextDecoder().decode(part)
  return xml?.trim() ? ['Relationship', 'Default', 'Override'].flatMap(name => childrenOf(parseXml(xml), name)) : []
}
