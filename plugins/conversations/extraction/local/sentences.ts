import { type Sentence, sentencesIn, unwrapped } from 'mneme/plugin'
import { clausesIn } from './clauses.ts'

/** A longer one is several: Thai, Lao, Khmer and Burmese end no sentence by a sign, and in chats others do not either. */
export const SENTENCE_MAX = 1000

/** Blocks that hold somebody else's words or a machine's: fenced code, what stands in triple quotes, and elements. */
const BLOCKS = [/(?:```|~~~)[\s\S]*?(?:```|~~~|$)/g, /"""[\s\S]*?(?:"""|$)/g]

/** Matches a tag that opens an element of others' words, up to where it closes or the text ends. */
const TAG = /<(script|style|pre|code|document|context|system|instructions?)\b[^>]*/gi

/** Lines that somebody quotes, and remarks. */
const LINES = [
  /^[ \t]*>.*$/gm,
  // Remarks such as "[a photo of a cat]", and no links.
  /\[[^\]\n]{0,300}\](?!\()/g,
]

/** "- ", "3. ", "• ": a mark, not a word. */
const MARK = /^(?:[-*•–—]|\(?\d{1,3}[.)])\s+/

/** The sentences of a message; a line break ends one, but where lines were broken by their width alone. */
export function sentencesOf(message: string): Sentence[] {
  const own = unwrapped(withoutForeign(message))
  return sentencesIn(own, { quotationsWithin: SENTENCE_MAX }).flatMap(({ text, start, end }) => {
    const mark = MARK.exec(text)?.[0].length ?? 0
    const words = text.slice(mark)
    const sentence = { text: words, start: start + mark, end }
    if (words.length > SENTENCE_MAX) return clausesIn(sentence)
    return words === '' ? [] : [sentence]
  })
}

/** The message with blocks of others as blanks, so that places stay the same. */
function withoutForeign(message: string): string {
  let own = message.replaceAll('\r', ' ')
  for (const block of BLOCKS) own = own.replace(block, blank)
  own = withoutElements(own)
  for (const line of LINES) own = own.replace(line, blank)
  return own
}

function blank(block: string): string {
  return block.replace(/[^\n]/g, ' ')
}

/** An element that nothing ends takes the rest of the text. */
function withoutElements(text: string): string {
  const kept: string[] = []
  let from = 0
  const tags = new RegExp(TAG)
  for (let tag = tags.exec(text); tag?.[1] !== undefined; tag = tags.exec(text)) {
    if (tags.lastIndex === text.length) break
    const ending = new RegExp(`</${tag[1]}>`, 'gi')
    ending.lastIndex = tags.lastIndex
    const end = ending.test(text) ? ending.lastIndex : text.length
    kept.push(text.slice(from, tag.index), blank(text.slice(tag.index, end)))
    from = end
    tags.lastIndex = end
  }
  return kept.join('') + text.slice(from)
}
