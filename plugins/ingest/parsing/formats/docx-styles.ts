import { childOf, childrenOf, isOn, settingOf, type WordNode } from './docx-tree.ts'

/** Styles follow others so far. */
const CHAIN_MAX = 20
/** Fonts whose letters have one width, where the table of fonts says nothing of them. */
const FIXED = /courier|consolas|menlo|monaco|\bmono/i

/** Tells what the styles of a Word document say of its words: which are hidden, numbered, code or headings. */
export class WordStyles {
  readonly #styles: ReadonlyMap<string, WordNode>
  readonly #pitches: ReadonlyMap<string, string>
  /** The styles whose text is not shown. */
  readonly hidden: ReadonlySet<string>
  /** The styles whose letters have one width, as those of code. */
  readonly #fixed: ReadonlySet<string>

  /** @param fonts the table of the document's fonts */
  constructor(styles: WordNode | undefined, fonts: WordNode | undefined) {
    this.#styles = new Map(childrenOf(styles, 'style').map(style => [style.attributes['r:styleId'] ?? '', style]))
    this.#pitches = new Map(
      childrenOf(fonts, 'font').map(font => [font.attributes['r:name'] ?? '', settingOf(childOf(font, 'pitch')) ?? '']),
    )
    const ids = [...this.#styles.keys()]
    this.hidden = new Set(ids.filter(id => isOn(this.#first(id, 'rPr', 'vanish'))))
    this.#fixed = new Set(ids.filter(id => this.#isFont(this.#first(id, 'rPr', 'rFonts'))))
  }

  /** The list that a style puts its paragraphs into, and their level in it. */
  listOf(id: string | undefined): { readonly list: string | undefined; readonly level: string | undefined } {
    return {
      list: settingOf(this.#first(id, 'pPr', 'numPr', 'numId')),
      level: settingOf(this.#first(id, 'pPr', 'numPr', 'ilvl')),
    }
  }

  /** The level of the heading that paragraphs of a style are. Programs write the same name in other letters. */
  headingOf(id: string | undefined): number | undefined {
    const name = settingOf(childOf(this.#styles.get(id ?? ''), 'name'))?.toLowerCase()
    if (name === 'title' || name === 'heading' || id === 'Heading') return 1
    if (name === 'subtitle') return 2
    const level = /^heading ([1-6])$/.exec(name ?? '')?.[1] ?? /^Heading([1-6])$/.exec(id ?? '')?.[1]
    return level === undefined ? undefined : Number(level)
  }

  /** Tells whether letters have one width, by their properties or the style of their paragraph. */
  isFixed(style: string | undefined, run: WordNode | undefined): boolean {
    return (
      [style, settingOf(childOf(run, 'rStyle'))].some(id => this.#fixed.has(id ?? '')) ||
      this.#isFont(childOf(run, 'rFonts'))
    )
  }

  /** Tells whether a property of letters makes a difference to what is read. */
  readonly reads = (property: WordNode): boolean => {
    const { name } = property
    const value = settingOf(property) ?? ''
    if (name === 'rFonts') return this.#isFont(property)
    if (name === 'rStyle') return this.hidden.has(value) || this.#fixed.has(value)
    return name === 'vertAlign' ? value !== 'baseline' : true
  }

  #isFont(fonts: WordNode | undefined): boolean {
    const font = fonts?.attributes['r:ascii'] ?? ''
    return this.#pitches.get(font) === 'fixed' || FIXED.test(font)
  }

  #first(id: string | undefined, ...path: readonly string[]): WordNode | undefined {
    let style = this.#styles.get(id ?? '')
    for (let n = 0; style && n < CHAIN_MAX; n++) {
      const found = childOf(style, ...path)
      if (found) return found
      style = this.#styles.get(settingOf(childOf(style, 'basedOn')) ?? '')
    }
    return undefined
  }
}
