import type { Sentence } from 'mneme/plugin'

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
