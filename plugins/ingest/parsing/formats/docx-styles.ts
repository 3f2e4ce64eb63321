import { childOf, childrenOf, parseXml, settingOf } from './docx-xml.ts'

/** Styles follow others so far. */
const CHAIN_MAX = 20

interface Style {
  readonly basedOn: string | undefined
  /** Undefined where it leaves that to the style that it follows. */
  readonly isHidden: boolean | undefined
  readonly list: string | undefined
  readonly level: string | undefined
}

/** Tells what the styles of a Word document say of its words: which are hidden, and which are numbered. */
export class WordStyles {
  readonly #styles = new Map<string, Style>()
  /** The styles whose text is not shown. */
  readonly hidden: ReadonlySet<string>

  constructor(xml: string | undefined) {
    for (const style of xml ? childrenOf(parseXml(xml), 'w:style') : []) {
      const vanish = childOf(style, 'w:rPr', 'w:vanish')
      this.#styles.set(style.getAttribute('w:styleId') ?? '', {
        basedOn: settingOf(childOf(style, 'w:basedOn')),
        isHidden: vanish && !['0', 'false', 'off'].includes(settingOf(vanish) ?? ''),
        list: settingOf(childOf(style, 'w:pPr', 'w:numPr', 'w:numId')),
        level: settingOf(childOf(style, 'w:pPr', 'w:numPr', 'w:ilvl')),
      })
    }
    this.hidden = new Set([...this.#styles.keys()].filter(id => this.#first(id, style => style.isHidden)))
  }

  /** The list that a style puts its paragraphs into, and their level in it. */
  listOf(id: string | undefined): { readonly list: string | undefined; readonly level: string | undefined } {
    return { list: this.#first(id, style => style.list), level: this.#first(id, style => style.level) }
  }

  #first<T>(id: string | undefined, read: (style: Style) => T | undefined): T | undefined {
    let style = this.#styles.get(id ?? '')
    for (let n = 0; style && n < CHAIN_MAX; n++) {
      const found = read(style)
      if (found !== undefined) return found
      style = this.#styles.get(style.basedOn ?? '')
    }
    return undefined
  }
}
