import { type Compiled, type Document, EARLIER, type Hand, type Line, NOTES, type Remark } from './document.ts'
import { headingOf, lineOf, moreOf, titleOf } from './markdown.ts'

/** One line of what is compiled, with what an editor's text near it can refer to. */
export type Element =
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string; readonly heading: string }
  | { readonly kind: 'line'; readonly text: string; readonly heading: string | null; readonly line: Line }
  | { readonly kind: 'more'; readonly text: string }

/** Lists the compiled lines in the order in which they are shown. */
export function elementsOf({ category, compiled, hand }: Document): Element[] {
  const line = (heading: string | null) => (own: Line) => ({
    kind: 'line' as const,
    // Statements that used to hold are never written as prose.
    text: lineOf(own, heading === EARLIER ? 'list' : compiled.style),
    heading,
    line: own,
  })
  return [
    { kind: 'title', text: hand.title ?? titleOf(category) },
    ...compiled.sections.flatMap(({ heading, lines }) => [
      ...(heading === null ? [] : [{ kind: 'heading' as const, text: headingOf(heading), heading }]),
      ...lines.map(line(heading)),
    ]),
    ...(compiled.more > 0 || compiled.andOthers
      ? [{ kind: 'more' as const, text: moreOf(compiled.more, compiled.andOthers) }]
      : []),
    ...(compiled.earlier.length > 0
      ? [
          { kind: 'heading' as const, text: headingOf(EARLIER), heading: EARLIER },
          ...compiled.earlier.map(line(EARLIER)),
        ]
      : []),
  ]
}

/** The Markdown of a document whose remarks have their places, see {@link settled}. */
export function render(document: Document): string {
  const page = new Page()
  const remarks = Map.groupBy(document.hand.remarks, placeOf)
  let last: Element['kind'] | 'remark' | undefined
  for (const element of elementsOf(document)) {
    // Lines stand together, also with remarks between them; everything else stands apart.
    if (!(element.kind === 'line' && (last === 'line' || last === 'remark'))) page.gap()
    page.add(element.text)
    last = element.kind
    for (const { text, spaced } of remarks.get(placeOfElement(element)) ?? []) {
      if (spaced.before || last === 'title' || last === 'heading') page.gap()
      page.add(text)
      if (spaced.after) page.gap()
      last = 'remark'
    }
  }
  if (document.hand.sections !== '') {
    page.gap()
    page.add(document.hand.sections)
  }
  return page.end()
}

/** Remarks whose line and heading are both gone move to the notes, at the end; those whose line is gone, under the heading. */
export function settled(hand: Hand, compiled: Compiled): Hand {
  const elements = elementsOf({ category: '', compiled, hand })
  const lines = new Set(elements.flatMap(element => (element.kind === 'line' ? [element.line.hash] : [])))
  const headings = new Set(elements.flatMap(element => (element.kind === 'heading' ? [element.heading] : [])))
  const stray = ({ after, under }: Remark) =>
    (after === null || !lines.has(after)) && under !== null && !headings.has(under)
  const placed = hand.remarks
    .filter(remark => !stray(remark))
    .map(remark =>
      remark.after !== null && !lines.has(remark.after)
        ? { ...remark, after: null, spaced: { before: true, after: true } }
        : remark,
    )
  const notes = hand.remarks.filter(stray).map(({ text }) => text)
  if (notes.length === 0) return { ...hand, remarks: placed }
  return { ...hand, remarks: placed, sections: withNotes(hand.sections, notes.join('\n\n')) }
}

function withNotes(sections: string, notes: string): string {
  const headings = sections.split('\n').filter(line => /^#{1,6}\s/.test(line))
  if (headings.at(-1) === `## ${NOTES}`) return `${sections}\n\n${notes}`
  return `${sections === '' ? '' : `${sections}\n\n`}## ${NOTES}\n\n${notes}`
}

const placeOf = ({ after, under }: Remark) => (after === null ? `# ${under ?? ''}` : after)

function placeOfElement(element: Element): string {
  if (element.kind === 'line') return element.line.hash
  if (element.kind === 'heading') return `# ${element.heading}`
  return element.kind === 'title' ? '# ' : ''
}

class Page {
  readonly #lines: string[] = []

  add(text: string): void {
    this.#lines.push(text)
  }

  /** One empty line, however often it is asked for. */
  gap(): void {
    if (this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('')
  }

  end(): string {
    return `${this.#lines.join('\n').trimEnd()}\n`
  }
}
