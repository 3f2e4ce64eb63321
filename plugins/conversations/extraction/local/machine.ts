/** Signs of code, logs, data and shells: words of machines that somebody pasted. */
const SIGNS = [
  /(?:=>|::|<\/|\/>|==|&&|\|\||\+=|!=|[{}]|\]\(|\);?$)/,
  /[;{,\\]$/,
  /\w\(\w*[,)]/,
  /^\s*(?:\$|#|>>>|PS>|C:\\|sudo |npm |git |docker |pip |curl |cd |apt |brew |kubectl )\s*\S/,
  /^\s*(?:import|from|const|let|var|def|class|function|return|public|private|package|using|#include|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER)\s+[\w"'*{(]+(?:\s*[=({;.,]|\s+(?:from|import|into|table|where)\b|$)/i,
  /\b(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b[\s\]:]/,
  /\b\w*(?:Error|Exception|Traceback)\b\s*[:(]|\bat [\w.$<>]+\s?\(|^\s*File "/,
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
  /^"?[\w.-]+"?\s*[:=]\s*(?:["'[\d]|true|false|null)/,
  /^(?:https?:\/\/|www\.)\S+$/,
  /\b[0-9a-f]{32,}\b/i,
]

/** Letters, digits and blanks of what a person writes, as a share of all characters. */
const READABLE_MIN = 0.8

export function isOfMachine(sentence: string): boolean {
  const words = sentence.replace(/(?:https?:\/\/|www\.)\S+/g, match => (match === sentence ? match : ''))
  if (SIGNS.some(sign => sign.test(words))) return true
  const readable = words.match(/[\p{L}\p{M}\p{N}\s.,!?'’"“”:()-]/gu)?.length ?? 0
  return readable < READABLE_MIN * words.length
}
