/** A memory that says what a line says. */
export interface Source {
  readonly memory: string
  /** Hash of the statement's normal form, see `wording.ts`. */
  readonly hash: string
  /** Its statement, where it is another than the line's text. */
  readonly said?: string
}

/** A statement of a document, on one line of its Markdown. */
export interface Line {
  /** Plain text; escaped when it is rendered. */
  readonly text: string
  readonly hash: string
  /** At least one, the newest first. */
  readonly sources: readonly Source[]
}

export interface Section {
  /** Plain text; null of the lines that come first, below the title. */
  readonly heading: string | null
  readonly lines: readonly Line[]
}

/** A compiled part of a document. */
export interface Compiled {
  /** `prose`: a model's sentences, each of which rests on all of its sources; `list`: statements, each by itself. */
  readonly style: 'list' | 'prose'
  readonly sections: readonly Section[]
  /** Statements that used to hold. */
  readonly earlier: readonly Line[]
  /** Statements beyond the bound, which are not shown. */
  readonly more: number
  /** There are even more, which were not read. */
  readonly andOthers: boolean
}

/** Text of an editor's that belongs to a compiled line or heading. */
export interface Remark {
  /** Hash of the line it stands behind; null: it stands right under its heading. */
  readonly after: string | null
  /** The heading it stands under; null: the title. */
  readonly under: string | null
  /** Markdown, as written. */
  readonly text: string
  /** Empty lines around it. */
  readonly spaced: { readonly before: boolean; readonly after: boolean }
}

/** A statement that an editor took out: it stays out while its memory says the same. */
export interface Removed {
  readonly memory: string
  readonly hash: string
}

/** Changes that an editor made: text added, changed and removed. */
export interface Hand {
  /** The title's line, where it is another. */
  readonly title: string | null
  readonly remarks: readonly Remark[]
  /** Headings of the editor's own with all that stands under them; Markdown that comes last. */
  readonly sections: string
  readonly removed: readonly Removed[]
}

export interface Document {
  readonly category: string
  readonly compiled: Compiled
  readonly hand: Hand
}

export const NOTHING_COMPILED: Compiled = { style: 'list', sections: [], earlier: [], more: 0, andOthers: false }
export const NO_HAND: Hand = { title: null, remarks: [], sections: '', removed: [] }

/** Headings that mean something, and so are never an entity's. */
export const EARLIER = 'Earlier'
export const NOTES = 'Notes'

export function hasHand({ title, remarks, sections, removed }: Hand): boolean {
  return title !== null || remarks.length > 0 || sections !== '' || removed.length > 0
}

export function linesOf({ sections, earlier }: Compiled): Line[] {
  return [...sections.flatMap(section => section.lines), ...earlier]
}

/** Nothing that a reader would miss. */
export function isEmpty({ compiled, hand }: Document): boolean {
  return linesOf(compiled).length === 0 && !hasHand(hand)
}
