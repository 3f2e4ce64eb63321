import { type Sentence, sentencesIn, unwrapped } from 'mneme/plugin'

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

/** The sentences of a message; a line break ends one, but where lines were broken by their width alone. */
export function sentencesOf(message: string): Sentence[] {
  const own = unwrapped(withoutForeign(message))
  return sentencesIn(own, { quotationsWithin: SENTENCE_MAX }).flatMap(({ text, start, end }) => {
    const mark = MARK.exec(text)?.[0].length ?? 0
    const words = text.slice(mark)
    return words === '' || words.length > SENTENCE_MAX ? [] : [{ text: words, start: start + mark, end }]
  })
}

/** The message with blocks of others as blanks, so that places stay the same. */
function withoutForeign(message: string): string {
  let own = message.replaceAll('\r', ' ')
  for (const block of FOREIGN) own = own.replace(block, found => found.replace(/[^\n]/g, ' '))
  return own
}
