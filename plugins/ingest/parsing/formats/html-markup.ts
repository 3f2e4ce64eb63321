import { ReadingError } from '../../document/document.ts'

const [OPENING, CLOSING, SLASH, EQUALS, SPACE] = [0x3c, 0x3e, 0x2f, 0x3d, 0x20] as const
const [DOUBLE_QUOTE, SINGLE_QUOTE] = [0x22, 0x27] as const

/** Counted before a tree is built, in which each element and attribute is an object of its own. */
export function requireMarkup(html: string, marksMax: number): void {
  let marks = 0
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    at++
    if (!/[a-z]/i.test(html.charAt(at))) continue
    const tag = tagAt(html, at)
    marks += 1 + tag.attributes
    at = tag.end
    if (marks <= marksMax) continue
    throw new ReadingError(
      'LIMIT_EXCEEDED',
      `The document has more than ${marksMax} elements and attributes. Divide it and send its parts.`,
    )
  }
}

/** Counts what begins a word outside of the quoted values of a tag, which is never less than its attributes. */
function tagAt(html: string, start: number): { attributes: number; end: number } {
  let [attributes, quote, before, at]: [number, number | undefined, number, number] = [0, undefined, OPENING, start]
  for (; at < html.length; at++) {
    const code = html.charCodeAt(at)
    if (quote !== undefined) {
      if (code === quote) quote = undefined
      continue
    }
    if (code === CLOSING) break
    if (before === EQUALS && (code === DOUBLE_QUOTE || code === SINGLE_QUOTE)) quote = code
    if (code > SPACE && code !== EQUALS && code !== SLASH && endsName(before)) attributes++
    if (code > SPACE || before !== EQUALS) before = code
  }
  return { attributes, end: at }
}

function endsName(code: number): boolean {
  return code <= SPACE || code === SLASH || code === DOUBLE_QUOTE || code === SINGLE_QUOTE
}
