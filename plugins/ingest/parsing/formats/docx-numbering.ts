import type { WordStyles } from './docx-styles.ts'
import { childOf, childrenOf, settingOf, type WordNode, wholeOf } from './docx-tree.ts'

const LEVELS = 9
/** A longer label is no number. */
const LABEL_CHARS_MAX = 60

interface Level {
  readonly start: number
  readonly format: string
  /** As `%1.%2`, with the number of each level. */
  readonly pattern: string
  /** It begins again below this level: below every one before it where that is its own number. */
  readonly restartsBelow: number
  readonly isDecimal: boolean
  /** Paragraphs of this style are on the level. */
  readonly style: string | undefined
}

interface List {
  readonly abstractId: string
  readonly levels: ReadonlyMap<number, Level>
  /** The numbers with which this list begins again, though others go on with those of the same kind. */
  readonly starts: ReadonlyMap<number, number>
}

/** A paragraph as far as it says where it stands in a list. */
export interface ListParagraph {
  readonly style: string | undefined
  readonly list: string | undefined
  readonly level: string | undefined
}

/** Where a paragraph stands: in which list, how deep, and with which number before it, if any. */
export interface ListPlace {
  readonly list: string
  readonly level: number
  readonly label: string
}

/** Numbers the paragraphs of a Word document as Word shows them; only its lists say how, nothing of that stands in the text. */
export class WordNumbering {
  readonly #lists: ReadonlyMap<string, List>
  /** The numbers that each kind of list has come to. */
  readonly #counts = new Map<string, (number | undefined)[]>()
  readonly #begun = new Set<string>()

  constructor(
    root: WordNode | undefined,
    private readonly styles: WordStyles,
  ) {
    this.#lists = readLists(root, styles)
  }

  /** Counts the paragraphs, so each is asked for once, in their order. */
  next(paragraph: ListParagraph): ListPlace | undefined {
    const styled = this.styles.listOf(paragraph.style)
    const id = paragraph.list ?? styled.list
    const list = this.#lists.get(id ?? '')
    if (id === undefined || !list) return undefined
    const ofStyle = [...list.levels].find(([, { style }]) => style !== undefined && style === paragraph.style)?.[0]
    const level = wholeOf(paragraph.level) ?? ofStyle ?? wholeOf(styled.level) ?? 0
    const at = list.levels.get(level)
    if (!at) return undefined
    const counts = this.#count(id, list, level)
    return { list: id, level, label: at.format === 'bullet' ? '' : labelOf(at, list, counts) }
  }

  #count(id: string, list: List, level: number): readonly (number | undefined)[] {
    const counts = this.#counts.get(list.abstractId) ?? []
    this.#counts.set(list.abstractId, counts)
    const start = list.starts.get(level)
    const begins = start !== undefined && !this.#begun.has(`${id} ${level}`)
    this.#begun.add(`${id} ${level}`)
    const before = begins ? undefined : counts[level]
    counts[level] = before === undefined ? (start ?? list.levels.get(level)?.start ?? 1) : before + 1
    for (const [deeper, { restartsBelow }] of list.levels) {
      if (deeper > level && level < restartsBelow) counts[deeper] = undefined
    }
    return counts
  }
}

function labelOf(at: Level, list: List, counts: readonly (number | undefined)[]): string {
  if (at.format === 'none') return ''
  const label = at.pattern.replace(/%([1-9])/g, (_, digit: string) => {
    const level = list.levels.get(Number(digit) - 1)
    const count = counts[Number(digit) - 1] ?? level?.start ?? 1
    return numeral(count, at.isDecimal ? 'decimal' : (level?.format ?? 'decimal'))
  })
  return label.slice(0, LABEL_CHARS_MAX).trim()
}

function readLists(root: WordNode | undefined, styles: WordStyles): Map<string, List> {
  const kinds = new Map(childrenOf(root, 'abstractNum').map(kind => [kind.attributes['r:abstractNumId'] ?? '', kind]))
  const nums = new Map(childrenOf(root, 'num').map(num => [num.attributes['r:numId'] ?? '', num]))
  const abstractIdOf = (num: WordNode | undefined) => settingOf(childOf(num, 'abstractNumId')) ?? ''
  const levels = new Map([...kinds].map(([id, kind]) => [id, levelsOf(childrenOf(kind, 'lvl'))]))
  const lists = new Map<string, List>()
  for (const [id, num] of nums) {
    // A kind of list may stand for that of a style.
    const linked = settingOf(childOf(kinds.get(abstractIdOf(num)), 'numStyleLink'))
    const abstractId = abstractIdOf(linked ? nums.get(styles.listOf(linked).list ?? '') : num)
    const overrides = childrenOf(num, 'lvlOverride')
    const own = levelsOf(overrides.flatMap(override => childrenOf(override, 'lvl')))
    const starts = overrides.flatMap(override => {
      const start = settingOf(childOf(override, 'startOverride'))
      return start === undefined ? [] : [[levelOf(override), wholeOf(start) ?? 1] as const]
    })
    const shared = levels.get(abstractId) ?? new Map()
    lists.set(id, {
      abstractId,
      levels: own.size > 0 ? new Map([...shared, ...own]) : shared,
      starts: new Map(starts),
    })
  }
  return lists
}

function levelsOf(elements: readonly WordNode[]): Map<number, Level> {
  return new Map(elements.map(element => [levelOf(element), readLevel(element)]))
}

function levelOf(element: WordNode): number {
  return Math.min(wholeOf(element.attributes['r:ilvl']) ?? 0, LEVELS - 1)
}

function readLevel(level: WordNode): Level {
  return {
    start: wholeOf(settingOf(childOf(level, 'start'))) ?? 0,
    format: settingOf(childOf(level, 'numFmt')) ?? 'decimal',
    pattern: (settingOf(childOf(level, 'lvlText')) ?? '').slice(0, LABEL_CHARS_MAX),
    restartsBelow: wholeOf(settingOf(childOf(level, 'lvlRestart'))) ?? levelOf(level),
    isDecimal: childOf(level, 'isLgl') !== undefined,
    style: settingOf(childOf(level, 'pStyle')),
  }
}

const ROMAN = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
] as const
const LETTERS = 26

/** Writes a number in a format of Word's lists (ECMA-376, ST_NumberFormat). Formats of single languages are written in digits. */
function numeral(count: number, format: string): string {
  if (format === 'lowerLetter') return letters(count)
  if (format === 'upperLetter') return letters(count).toUpperCase()
  if (format === 'lowerRoman') return roman(count)
  if (format === 'upperRoman') return roman(count).toUpperCase()
  return format === 'decimalZero' ? String(count).padStart(2, '0') : String(count)
}

/** After z come aa, bb and so on. */
function letters(count: number): string {
  if (count < 1 || count > LETTERS * 10) return String(count)
  return String.fromCharCode(97 + ((count - 1) % LETTERS)).repeat(Math.ceil(count / LETTERS))
}

function roman(count: number): string {
  if (count < 1 || count > 3999) return String(count)
  let [text, left] = ['', count]
  for (const [sign, value] of ROMAN) {
    text += sign.repeat(Math.floor(left / value))
    left %= value
  }
  return text
}
