import { unwrapped } from 'mneme/plugin'

/** A sentence of a message, word for word. */
export interface Sentence {
  readonly text: string
  /** Characters of the message, in UTF-16 units, `end` exclusive. */
  readonly start: number
  readonly end: number
}

/** A longer one is no sentence that somebody says. */
export const SENTENCE_MAX = 1000

/** Blocks that hold somebody else's words or a machine's: fenced code, markup, quoted lines, and what stands in triple quotes. */
const FOREIGN = [
  /(?:```|~~~)[\s\S]*?(?:```|~~~|$)/g,
  /"""[\s\S]*?(?:"""|$)/g,
  /<(script|style|pre|code|document|context|system|instructions?)\b[^>]*>[\s\S]*?(?:<\/\1>|$)/gi,
  /^[ \t]*>.*$/gm,
  // Remarks such as "[a photo of a cat]", and no links.
  /\[[^\]\n]{0,300}\](?!\()/g,
]

/** "- ", "3. ", "• ": a mark, not a word. */
const MARK = /^(?:[-*•–—]|\(?\d{1,3}[.)])\s+/

/** A point that ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:(?!I\.)\p{Lu}|[Dd]r|Mrs?|Ms|[Pp]rof|St|Sr|Jr|Sra|Dra|Mme|Mlle|Mt|vs|approx|ca|bzw|z\.\s?B|d\.\s?h|u\.\s?a|p\.\s?ej|e\.\s?g|i\.\s?e)\.\s*$/u

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The sentences of a message; a line break ends one, but where lines were broken by their width alone. */
export function sentencesOf(message: string): Sentence[] {
  const own = unwrapped(withoutForeign(message))
  const sentences: Sentence[] = []
  let start = 0
  for (const line of own.split('\n')) {
    sentences.push(...sentencesOfLine(line, start))
    start += line.length + 1
  }
  return sentences
}

/** The message with blocks of others as blanks, so that places stay the same. */
function withoutForeign(message: string): string {
  let own = message.replaceAll('\r', ' ')
  for (const block of FOREIGN) own = own.replace(block, found => found.replace(/[^\n]/g, ' '))
  return own
}

/** A quotation stays in the sentence that quotes it, provided that it is closed. */
function quoteGoesOn(line: string, { from, to }: { readonly from: number; readonly to: number }): boolean {
  if (to - from > SENTENCE_MAX) return false
  const part = line.slice(from, to)
  const rest = line.slice(to, from + SENTENCE_MAX)
  if ((part.match(/"/g)?.length ?? 0) % 2 === 1) return rest.includes('"')
  return QUOTES.some(([open, close]) => part.lastIndexOf(open) > part.lastIndexOf(close) && rest.includes(close))
}

const QUOTES = [
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['「', '」'],
] as const

function sentencesOfLine(line: string, lineStart: number): Sentence[] {
  const parts: { from: number; to: number }[] = []
  for (const { segment, index } of segmenter.segment(line)) {
    const last = parts.at(-1)
    const isOpen = last && (ABBREVIATION.test(line.slice(last.from, last.to)) || quoteGoesOn(line, last))
    if (last && isOpen) last.to = index + segment.length
    else parts.push({ from: index, to: index + segment.length })
  }
  return parts.flatMap(({ from, to }) => {
    const part = line.slice(from, to)
    const blank = part.length - part.trimStart().length
    const trimmed = part.trim()
    const mark = MARK.exec(trimmed)?.[0].length ?? 0
    const text = trimmed.slice(mark)
    if (text === '' || text.length > SENTENCE_MAX) return []
    const start = lineStart + from + blank + mark
    return [{ text, start, end: start + text.length }]
  })
}
