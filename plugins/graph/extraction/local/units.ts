import { sentencesIn, unwrapped } from 'mneme/plugin'
import { isInDictionary, its, readEnglish } from './english-model.ts'

/** A word or a sign of punctuation. */
export interface Unit {
  readonly text: string
  readonly lower: string
  readonly start: number
  readonly end: number
  /** Part of speech as English reads it. */
  readonly pos: string
}

/**
 * Tells whether the English dictionary has the word, or the one that it is the plural or the past of; names are not in
 * it.
 */
export function isEnglishWord(lower: string): boolean {
  return (
    isInDictionary(lower) ||
    (/[^s]s$/.test(lower) && isInDictionary(lower.slice(0, -1))) ||
    (/.{3}ed$/.test(lower) && (isInDictionary(lower.slice(0, -1)) || isInDictionary(lower.slice(0, -2))))
  )
}

/** A clitic stays a word of its own ("I" + "'m", "l'" + "été"); a name keeps what is inside it ("O'Connor", "Node.js"). */
const UNIT =
  /\b(?:[jldnsmtc]|qu|aujourd)['’](?=\p{L})|['’](?:s|m|re|ve|ll|d)\b|(?:Dr|Mrs?|Ms|Prof|St|Sra?|Mme|Mt)\.(?=\s)|(?<=\p{Lu}\p{Ll}{1,20}\s)\p{Lu}\.(?=\s\p{Lu}\p{Ll})|\.NET\b|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_]|['’](?!(?:s|m|re|ve|ll|d)\b)(?=\p{L})|[.\-&+/](?=[\p{L}\p{N}]))*(?:\+\+|#(?!\p{L}))?|[^\s]/giu

/** Longest piece that is read at once; longer lines are cut, so that no text costs more than its length. */
const LINE_MAX = 1_000

/** Sentences of a text, each as its units, read as they are asked for; a line break ends one, but where only the width broke it. */
export function* sentencesOf(text: string): Generator<Unit[]> {
  const whole = unwrapped(text)
  for (const line of linesOf(whole)) yield* unitsOf(whole.slice(line.start, line.end), line.start)
}

function* linesOf(text: string): Generator<{ start: number; end: number }> {
  let start = 0
  while (start < text.length) {
    const newline = text.indexOf('\n', start)
    let end = newline === -1 ? text.length : newline
    if (end - start > LINE_MAX) {
      const space = text.lastIndexOf(' ', start + LINE_MAX)
      end = space > start ? space : start + LINE_MAX
    }
    yield { start, end }
    start = Math.max(end, start + 1)
    if (end === newline) start = end + 1
  }
}

function unitsOf(line: string, offset: number): Unit[][] {
  const read = partsOfSpeech(line)
  const starts = new Set(sentencesIn(line).map(one => one.start))
  const sentences: Unit[][] = []
  let sentence: Unit[] = []
  let token = 0
  for (const match of line.matchAll(UNIT)) {
    const start = match.index
    const end = start + match[0].length
    while (token + 1 < read.length && (read[token + 1]?.start ?? 0) <= start) token++
    if (starts.has(start) && sentence.length > 0) {
      sentences.push(sentence)
      sentence = []
    }
    const text = match[0]
    const lower = text.toLowerCase().replaceAll('’', "'")
    sentence.push({ text, lower, start: offset + start, end: offset + end, pos: read[token]?.pos ?? 'X' })
  }
  if (sentence.length > 0) sentences.push(sentence)
  return sentences
}

/** Locates the library's tokens in the line, with their part of speech. */
function partsOfSpeech(line: string): { start: number; pos: string }[] {
  const doc = readEnglish(line)
  const tokens = doc.tokens().out()
  const parts = doc.tokens().out(its.pos)
  let at = 0
  return tokens.flatMap((token, i) => {
    const start = line.indexOf(token, at)
    if (start === -1) return []
    at = start + token.length
    return [{ start, pos: parts[i] ?? 'X' }]
  })
}
