import type { Buffer } from 'node:buffer'
import { attributeOf, isOn, type Tag, tagAt } from './docx-tags.ts'

/** A field's parts may stand in hidden letters, as those of an index do; without them its end would be that of another one. */
const OF_FIELDS = new Set(['w:fldChar', 'w:instrText'])

const NESTING_MAX = 256

/** Follows the tags of a part, and tells which of them are within letters that Word does not show. */
export class HiddenText {
  /** The number of elements around what a run holds, while it is hidden. */
  #within: number | undefined
  #isParagraphHidden = false

  constructor(
    private readonly bytes: Buffer,
    private readonly styles: ReadonlySet<string>,
  ) {}

  /** @param open the elements around the tag, which is not a closing one */
  holds(tag: Tag, open: readonly string[]): boolean {
    const { name } = tag
    if (name === 'w:p') this.#isParagraphHidden = false
    else if (name === 'w:pStyle') this.#isParagraphHidden = this.#isStyle(tag)
    else if (name === 'w:r' && tag.kind === 'opening') {
      this.#within = this.#isParagraphHidden ? open.length + 1 : undefined
    } else if (open.at(-1) === 'w:rPr' && open.at(-2) === 'w:r') this.#property(tag, open.length - 1)
    if (name === 'w:rPr' || this.#within !== open.length) return false
    return open.at(-1) === 'w:r' && !OF_FIELDS.has(name)
  }

  #property(tag: Tag, within: number): void {
    if (tag.name === 'w:rStyle' && this.#isStyle(tag)) this.#within = within
    else if (tag.name === 'w:vanish') this.#within = isOn(this.bytes, tag) ? within : undefined
  }

  #isStyle(tag: Tag): boolean {
    return this.styles.size > 0 && this.styles.has(attributeOf(this.bytes, tag, 'w:val') ?? '')
  }
}

/**
 * A part may say one thing in two ways, for newer and for older programs. The newer one is read where it is a text box, since not every
 * program gives the older one its text; of signs, as emoji, and of pictures only the older one can be read.
 * @returns where the ways begin that are not read
 */
export function branchesNotChosen(bytes: Buffer): ReadonlySet<number> {
  const left = new Set<number>()
  if (!bytes.includes('<mc:AlternateContent')) return left
  const groups: { choices: number[]; chosen: number | undefined; fallbacks: number[] }[] = []
  for (let at = bytes.indexOf('<'); at !== -1; ) {
    const tag = tagAt(bytes, at)
    const group = groups.at(-1)
    // The count of elements refuses a deeper nesting.
    if (groups.length > NESTING_MAX) return left
    if (tag.name === 'mc:AlternateContent' && tag.kind === 'opening') {
      groups.push({ choices: [], chosen: undefined, fallbacks: [] })
    } else if (tag.name === 'mc:AlternateContent' && tag.kind === 'closing') {
      groups.pop()
      for (const start of group?.choices ?? []) if (start !== group?.chosen) left.add(start)
      if (group?.chosen !== undefined) for (const start of group.fallbacks) left.add(start)
    } else if (tag.name === 'mc:Choice' && tag.kind !== 'closing') group?.choices.push(tag.start)
    else if (tag.name === 'mc:Fallback' && tag.kind !== 'closing') group?.fallbacks.push(tag.start)
    else if (tag.name === 'w:txbxContent' && tag.kind === 'opening') {
      for (const around of groups) if (around.fallbacks.length === 0) around.chosen ??= around.choices.at(-1)
    }
    at = bytes.indexOf('<', tag.end)
  }
  return left
}
