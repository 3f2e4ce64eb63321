import { Parser } from 'htmlparser2'
import { ReadingError } from '../document/document.ts'
import { requireArchive, unpackArchive } from './archive.ts'
import { PARSING_LIMITS, type ParsingLimits } from './limits.ts'

export interface Relation {
  /** The last part of its type's address: `slide`, `notesSlide`. */
  readonly kind: string
  /** The name of the part that it leads to. */
  readonly target: string
}

/** The parts of a document of Office, which is an archive of XML (ECMA-376, part 2). */
export class OfficeParts {
  private constructor(private readonly parts: Readonly<Record<string, Uint8Array>>) {}

  /** @throws ReadingError for what is no such archive */
  static async open(
    bytes: Uint8Array,
    kind: string,
    limits: Pick<ParsingLimits, 'decompressedBytes'>,
    reads = /\.(?:xml|rels|bin)$/i,
  ): Promise<OfficeParts> {
    requireArchive(bytes, kind)
    return new OfficeParts(await unpackArchive(bytes, { kind, reads, bytesMax: limits.decompressedBytes }))
  }

  /** The name of the part with which a document of this kind begins. */
  get main(): string | undefined {
    return [...this.relations('').values()].find(({ kind }) => kind === 'officeDocument')?.target
  }

  get names(): readonly string[] {
    return Object.keys(this.parts)
  }

  bytes(name: string): Uint8Array | undefined {
    return this.parts[name]
  }

  /** @returns '' for a part that is not there */
  text(name: string | undefined): string {
    const part = this.parts[name ?? '']
    if (!part) return ''
    const isLittle = part[0] === 0xff && part[1] === 0xfe
    const isBig = part[0] === 0xfe && part[1] === 0xff
    return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(part)
  }

  /** The relations of a part by their ids; those of the whole document for ''. */
  relations(name: string): ReadonlyMap<string, Relation> {
    const at = name.lastIndexOf('/') + 1
    const folder = name.slice(0, at)
    const found = new Map<string, Relation>()
    walkXml(this.text(`${folder}_rels/${name.slice(at)}.rels`), {
      open(tag, { Id: id, Type: type = '', Target: target, TargetMode: mode }) {
        if (tag !== 'Relationship' || !id || !target || mode === 'External') return
        found.set(id, { kind: type.slice(type.lastIndexOf('/') + 1), target: resolved(folder, target) })
      },
    })
    return found
  }

  /** The media type of a part, by its own name or the ending of it. */
  typeOf(name: string): string {
    const types = new Map<string, string>()
    walkXml(this.text('[Content_Types].xml'), {
      open(_, { PartName: part, Extension: ending, ContentType: type = '' }) {
        types.set((part ?? `.${ending}`).toLowerCase(), type)
      },
    })
    const ending = name.slice(name.lastIndexOf('.'))
    return types.get(`/${name}`.toLowerCase()) ?? types.get(ending.toLowerCase()) ?? ''
  }

  get title(): string | undefined {
    const core = [...this.relations('').values()].find(({ kind }) => kind === 'core-properties')
    let [title, isTitle] = ['', false]
    walkXml(this.text(core?.target), {
      open(tag) {
        isTitle = tag === 'title'
      },
      text(text) {
        if (isTitle) title += text
      },
      close() {
        isTitle = false
      },
    })
    return title.trim() || undefined
  }
}

function resolved(folder: string, target: string): string {
  const { pathname } = new URL(target.replaceAll('\\', '/'), `part:///${folder}`)
  return decodeURIComponent(pathname).replace(/^\/+/, '')
}

/** Elements and attributes have the names that they have without a prefix: which one a program writes is its own affair. */
export interface XmlEvents {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

/** No element of Office has so many. */
const ATTRIBUTES_MAX = 1000

/**
 * Tells the elements and texts of XML one after another, without a tree of them in memory.
 * @returns false where the XML ends within an element, or has none
 * @throws ReadingError LIMIT_EXCEEDED for elements that are nested deeper, or have more attributes, than a document's
 */
export function walkXml(xml: string, events: XmlEvents): boolean {
  let [depth, attributesLeft, isBegun] = [0, ATTRIBUTES_MAX, false]
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > PARSING_LIMITS.nesting) throw new ReadingError('LIMIT_EXCEEDED', TOO_DEEP)
        attributesLeft = ATTRIBUTES_MAX
        isBegun = true
        events.open?.(bare(name), withoutPrefixes(attributes))
      },
      onclosetag: name => {
        depth--
        events.close?.(bare(name))
      },
      onattribute: () => {
        if (--attributesLeft < 0) throw new ReadingError('LIMIT_EXCEEDED', TOO_MANY)
      },
      ontext: text => events.text?.(text),
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(xml)
  const isWhole = isBegun && depth === 0
  parser.end()
  return isWhole
}

const TOO_DEEP = `The file nests its elements more than ${PARSING_LIMITS.nesting} levels deep.`
const TOO_MANY = `The file has an element with more than ${ATTRIBUTES_MAX} attributes.`

function bare(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Whatever prefix a program gives to relations, theirs is `r:`. */
function withoutPrefixes(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(attributes).map(([name, value]) => [
    name.includes(':') ? `r:${bare(name)}` : name,
    value,
  ])
  return Object.fromEntries(named)
}
