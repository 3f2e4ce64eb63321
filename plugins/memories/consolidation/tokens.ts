import { trimEndSigns, unicodeForm } from 'mneme/plugin'

/**
 * One piece of a text for the comparison. `word` holds letters in lower case. `exact` holds a digit or a sign of code, as typed. `mark` is
 * a meaningful sign such as "?" or a quotation mark. `pause` is a comma, full stop, dash or line end.
 */
export interface Token {
  readonly kind: 'word' | 'exact' | 'mark' | 'pause'
  readonly text: string
  /** The original spelling, for words only. */
  readonly typed?: string
}

const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g
/** These forms differ in width alone. Other compatibility forms change the meaning: 10² is not 102. */
const WIDE = /[\u3000\uff01-\uff5e\uff61-\uff9f\uffe0-\uffe6]+/g
const SPACE_NEXT_TO_HIRAGANA =
  /(?<=\p{sc=Hiragana})[^\S\n]+(?=[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}])|(?<=[\p{sc=Katakana}\p{sc=Han}])[^\S\n]+(?=\p{sc=Hiragana})/gu
/** A dash that ends a word may be a minus, as in the blood type O- and the grade B-. */
const EXACT = /[\p{N}\p{Sc}\p{Sm}_/\\@#%^&*`{}[\]°§]|\p{L}\(|!\p{L}|\p{L}[-–](?=[^\p{L}\p{N}]*$)/u
/** A full stop or colon with which a word begins is part of it, as in .env, .NET and :D. */
const SIGNED = /^["'(]*[.:](?=\p{L})/u
/** A colon or semicolon beside a parenthesis, alone between spaces, is a face: :-) and ;( are two. */
const FACE = /^(?=.*[:;=])(?=.*[()])[^\p{L}\p{N}"]{2,4}$/u
const PIECE = /\p{L}[\p{L}\p{M}]*(?:[.'·-]\p{L}[\p{L}\p{M}]*)*|./gsu
const PAUSE = /^[.,;:!…()–—-]$/u
const QUOTE = /^["']$/u
/** Signs before an exact token that open something. */
const OPENING = /^["'(]*/
/** A sign after an exact token that closes something, or a pause. */
const CLOSING = /[.,;:!?…)"']/u

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (const line of uniform(text).split('\n')) {
    if (tokens.length > 0) tokens.push({ kind: 'pause', text: '\n' })
    for (const chunk of line.split(/\s+/u)) if (chunk !== '') tokens.push(...piecesOf(chunk))
  }
  return tokens
}

/** In programs, commands, mark-up and data every sign counts, and letter case too. */
const CODE =
  /[{}<>|\\`]|\$[\p{L}_(]|=[=>]|\w=\S|[([]\)|\(!|&&|^[^\S\n]*(?:\/\/|#|--|\/\*|\*)|(?:^|\s)--?[a-z]\w*|\w\(\w/mu

export function isCode(text: string): boolean {
  return CODE.test(text) || text.split('\n').some(isInstruction)
}

/** A statement of a program ends with a semicolon, as a sentence may, and has one of these signs. */
function isInstruction(line: string): boolean {
  return line.trimEnd().endsWith(';') && /[=()[\]]/.test(line)
}

/** Splits code into lines without trailing white space, which is invisible. */
export function linesOf(text: string): string[] {
  const lines = unicodeForm(text, 'NFC').split(/\r\n?|\n/)
  return lines.map(line => line.trimEnd()).filter(line => line !== '')
}

/** Replaces characters that have several spellings by one of them. */
function uniform(text: string): string {
  return unicodeForm(text, 'NFC')
    .replace(INVISIBLE, '')
    .replace(WIDE, wide => unicodeForm(wide, 'NFKC'))
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/[‘’‚‛ʼ]/g, "'")
    .replace(/[“”„‟«»‹›「」『』｢｣〝〞〟]/g, '"')
    .replace(/[‐‑]/g, '-')
    .replace(/[。．｡।۔]/g, '. ')
    .replace(/[、､،]/g, ', ')
    .replace(/؛/g, '; ')
    .replace(/؟/g, '? ')
    .replace(/[¿¡\u0640]/g, '')
    .replace(SPACE_NEXT_TO_HIRAGANA, '')
}

function piecesOf(chunk: string): Token[] {
  if (FACE.test(chunk)) return [{ kind: 'exact', text: chunk }]
  if (!EXACT.test(chunk) && !SIGNED.test(chunk)) return (chunk.match(PIECE) ?? []).map(pieceOf)
  const before = OPENING.exec(chunk)?.[0] ?? ''
  const exact = trimEndSigns(chunk.slice(before.length), CLOSING)
  const after = chunk.slice(before.length + exact.length)
  // After a digit a quotation mark may mean inches or minutes, so it belongs to the token.
  const measured = /\p{N}$/u.test(exact) ? (/^["']+/.exec(after)?.[0] ?? '') : ''
  return [
    ...[...before].map(pieceOf),
    { kind: 'exact', text: exact + measured },
    ...[...after.slice(measured.length)].map(pieceOf),
  ]
}

function pieceOf(piece: string): Token {
  if (PAUSE.test(piece)) return { kind: 'pause', text: piece }
  if (QUOTE.test(piece)) return { kind: 'mark', text: '"' }
  if (/^\p{L}/u.test(piece)) return { kind: 'word', text: piece.toLowerCase(), typed: piece }
  return { kind: 'mark', text: piece }
}
