import { type Sentence, sentencesIn, unwrapped } from '../index.ts'

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

/** Cut at the last mark within this length, or else at the last space: that is where scripts without stops end a clause. */
const CLAUSES_MAX = 300

/** Marks between clauses; a comma within a number is none. */
export const CLAUSE_MARK = /[,;:](?=\s)|[，、；：،؛။၊។]/gu

/** Cuts a sentence that is too long for one into pieces of whole clauses. What goes on without a space is nobody's words, and left out. */
export function clausesIn({ text, start: offset }: Sentence): Sentence[] {
  const pieces: Sentence[] = []
  for (let from = 0; from < text.length; ) {
    const { end, next, isWhole } = cutOf(text, from)
    const piece = text.slice(from, end)
    const words = piece.trim()
    const start = offset + from + piece.length - piece.trimStart().length
    if (isWhole && words !== '') pieces.push({ text: words, start, end: start + words.length })
    from = next
  }
  return pieces
}

/** Where the piece that begins at `from` ends, and the next one begins. */
function cutOf(text: string, from: number): { end: number; next: number; isWhole: boolean } {
  if (text.length - from <= CLAUSES_MAX) return { end: text.length, next: text.length, isWhole: true }
  const reach = text.slice(from, from + CLAUSES_MAX)
  const mark = [...reach.matchAll(CLAUSE_MARK)].at(-1)?.index
  if (mark !== undefined) return { end: from + mark, next: from + mark + 1, isWhole: true }
  const space = /^.*\S(?=\s)/su.exec(reach)?.[0].length
  if (space !== undefined) return { end: from + space, next: from + space + 1, isWhole: true }
  const gap = text.slice(from + CLAUSES_MAX).search(/\s/)
  const next = gap === -1 ? text.length : from + CLAUSES_MAX + gap
  return { end: next, next, isWhole: false }
}

/**
 * Signs of code, logs, data and shells: words of machines that somebody pasted. Each is one that people do not write by
 * chance: a smiley or a remark in brackets ends many a sentence, and "from Porto, using Rust" is no code.
 */
const SIGNS = [
  /=>|::|<\/|\/>|==|&&|\|\||\+=|!=|[{}]|\]\(/,
  // Calls: a member's, without arguments, or with a quoted one.
  /[._]\w+\(|\w\(\)|\w\(["'[]/,
  /[\])}"'];$|\\$/,
  /^\s*(?:\$\s+[a-z./]|#(?:!|include\b|\s)|>>>|PS>|C:\\|sudo |npm |git |docker |pip |curl |cd |apt |brew |kubectl )\s*\S/,
  // Keywords are written small, and something other than words follows.
  /^\s*(?:import|from|const|let|var|def|class|function|return|public|private|package|using)\s(?:\s*[\w.*]+(?:\s*=|\()|[^;]*;$)/,
  /^\s*(?:from\s+[\w.]+\s+import\s|import\s[^;"']*\sfrom\s+["']|(?:def|class)\s[^:]*:$)/,
  /^\s*(?:select\b[^;]*\sfrom\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|(?:create|alter|drop)\s+(?:table|index|view)\s)/i,
  /\b(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b[\s\]:]/,
  /\b\w*(?:Error|Exception|Traceback)\b\s*[:(]|^\s*File "/,
  /^\s*at .*(?::\d+:\d+\)?|\.\w+:\d+\))$/,
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  // Data: an assignment, or a quoted key; a key alone is one where its value is a machine's and all there is.
  /^(?:"[\w.-]+"\s*:|[\w.-]+\s*=)\s*(?:["'[\d]|true\b|false\b|null\b)/,
  /^[a-z][\w-]*\s*:\s*(?:"[^"]*"|'[^']*'|true|false|null)[,;]?$/,
  /^(?:https?:\/\/|www\.)\S+$/,
  /\b[0-9a-f]{32,}\b/i,
]

/** Signs that are neither letters nor of prose, nor pictures, as a share of all. */
const SIGNS_MAX = 0.2
const OTHER_SIGNS =
  /[^\p{L}\p{M}\p{N}\s.,!?'’"“”:()\-\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d]/gu

export function isOfMachine(sentence: string): boolean {
  const words = sentence.replace(/(?:https?:\/\/|www\.)\S+/g, match => (match === sentence ? match : ''))
  if (SIGNS.some(sign => sign.test(words))) return true
  const others = words.match(OTHER_SIGNS)?.length ?? 0
  return others > SIGNS_MAX * Array.from(words).length
}

const BLANK_LINE = /\n\s*\n/

/** Finds the sentences of a message's paragraphs that machines wrote mostly: a line of code alone often looks like a person's. */
export function pastedFrom(message: string, sentences: readonly Sentence[]): ReadonlySet<Sentence> {
  const pasted = new Set<Sentence>()
  let paragraph: Sentence[] = []
  const close = () => {
    const count = paragraph.filter(({ text }) => isOfMachine(text)).length
    if (count > 1 && 2 * count >= paragraph.length) for (const sentence of paragraph) pasted.add(sentence)
    paragraph = []
  }
  for (const sentence of sentences) {
    const last = paragraph.at(-1)
    if (last && BLANK_LINE.test(message.slice(last.end, sentence.start))) close()
    paragraph.push(sentence)
  }
  close()
  return pasted
}
