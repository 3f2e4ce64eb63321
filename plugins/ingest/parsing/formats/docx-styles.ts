import { childOf, childrenOf, parseXml, settingOf } from './docx-xml.ts'

/** Styles follow others so far. */
const CHAIN_MAX = 20

interface Style {
  readonly basedOn: string | undefined
  /** Undefined where it leaves that to the style that it follows. */
  readonly isHidden: boolean | undefined
  readonly list: string | undefined
  readonly level: string | undefined
  readonly font: string | undefined
}

/** Fonts whose letters have one width, where the table of fonts says nothing of them. */
const FIXED = /courier|consolas|menlo|monaco|\bmono/i

/** Tells what the styles of a Word document say of its words: which are hidden, and which are numbered. */
export class WordStyles {
  readonly #styles = new Map<string, Style>()
  /** The styles whose text is not shown. */
  readonly hidden: ReadonlySet<string>
  /** The styles whose letters have one width, as those of code. */
  readonly fixed: ReadonlySet<string>
  readonly isFixed: (font: string) => boolean

  /** @param fonts the table of the document's fonts */
  constructor(xml: string | undefined, fonts: string | undefined) {
    const pitches = new Map(
      (fonts ? childrenOf(parseXml(fonts), 'w:font') : []).map(font => [
        font.getAttribute('w:name') ?? '',
        settingOf(childOf(font, 'w:pitch')),
      ]),
    )
    this.isFixed = font => (pitches.get(font) ?? '') === 'fixed' || FIXED.test(font)

    for (const style of xml ? childrenOf(parseXml(xml), 'w:style') : []) {
      const vanish = childOf(style, 'w:rPr', 'w:vanish')
      this.#styles.set(style.getAttribute('w:styleId') ?? '', {
        basedOn: settingOf(childOf(style, 'w:basedOn')),
        isHidden: vanish && !['0', 'false', 'off'].includes(settingOf(vanish) ?? ''),
        list: settingOf(childOf(style, 'w:pPr', 'w:numPr', 'w:numId')),
        level: settingOf(childOf(style, 'w:pPr', 'w:numPr', 'w:ilvl')),
        font: childOf(style, 'w:rPr', 'w:rFonts')?.getAttribute('w:ascii') ?? undefined,
      })
    }
    this.hidden = new Set([...this.#styles.keys()].filter(id => this.#first(id, style => style.isHidden)))
    this.fixed = new Set(
      [...this.#styles.keys()].filter(id => this.isFixed(this.#first(id, style => style.font) ?? '')),
    )
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
