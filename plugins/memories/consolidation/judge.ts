import { writtenOut } from './contractions.ts'
import { BEFORE_VERB, CLOSINGS, OPENINGS } from './courtesies.ts'
import { isCode, linesOf, type Token, tokensOf } from './tokens.ts'
import { ALSO_NAMES, CLAIMING, CLAUSE_SUBJECTS, CONJUNCTIONS, KEEP_THE, POLAR, SECRETS, SIZED_UNITS } from './words.ts'

/** Near-duplicates of longer texts are rare and costly to look for. In UTF-16 units. */
export const COMPARED_LENGTH_MAX = 10_000

/**
 * Whether two texts say the same in nearly the same words. They may differ in letter case, spaces, punctuation that says
 * nothing, English contractions, "the", and courtesies around the statement; every other word, number and sign, and their
 * order, must be equal. So texts that differ in a number, a date, a name or a negation are never the same.
 */
export function saysTheSame(a: string, b: string): boolean {
  const content = contentOf(a)
  return content !== undefined && content === contentOf(b)
}

/**
 * What a text says, in one form for all texts that say the same: {@link saysTheSame} is equality of this, so it is
 * transitive, and near-duplicates can be looked up instead of searched for. Undefined when there is nothing to compare.
 */
export function contentOf(text: string): string | undefined {
  if (text.length > COMPARED_LENGTH_MAX) return undefined
  if (isCode(text)) return `code ${linesOf(text).join('\n')}`
  const typed = tokensOf(text)
  const tokens = statementOf(writtenOut(joined(typed)))
  if (!tokens.some(({ kind }) => kind === 'word' || kind === 'exact')) return undefined
  const casing = casingOf(typed)
  return tokens.flatMap((_, index) => partsOf(tokens, index, casing)).join(' ')
}

/** `exact`: every letter counts as typed. `telling`: large letters are set on purpose. `careless`: they say nothing. */
type Casing = 'exact' | 'telling' | 'careless'

function casingOf(tokens: readonly Token[]): Casing {
  const typed = tokens.flatMap(token => (token.kind === 'word' && token.typed ? [token.typed] : []))
  if (typed.some(word => SECRETS.has(word.toLowerCase()))) return 'exact'
  const all = typed.join('')
  if (all === all.toLowerCase() || all === all.toUpperCase()) return 'careless'
  const longer = typed.filter(word => word.length > 3)
  return longer.length > 2 && longer.every(isLarge) ? 'careless' : 'telling'
}

/** What one token adds to the content: nothing, or itself in the form that is compared. */
function partsOf(tokens: readonly Token[], index: number, casing: Casing): string[] {
  const token = tokens[index]
  const [before, next] = [tokens[index - 1], tokens[index + 1]]
  if (!token) return []
  switch (token.kind) {
    case 'exact':
      return [`=${token.text}`]
    case 'mark':
      return token.text === before?.text ? [] : [`~${token.text}`]
    case 'pause':
      return pauseOf(token, before, next)
    case 'word':
      return isSilent(token, before, next, casing) ? [] : [wordOf(token, before, casing)]
  }
}

/** A pause counts inside of a text, as in "Mary, Ann and Bob", but before a conjunction. Between numbers it counts as typed. */
function pauseOf({ text }: Token, before: Token | undefined, next: Token | undefined): string[] {
  if (!before || !next || next.text === '?') return []
  if (before.kind === 'exact' && next.kind === 'exact') return [`|${text}`]
  const idle = next.kind === 'word' && CONJUNCTIONS.has(next.text) && !POLAR.has(before.text)
  return idle ? [] : ['|']
}

/** "the", and "that" between a verb and what is said, where nothing hangs on them. */
function isSilent({ text }: Token, before: Token | undefined, next: Token | undefined, casing: Casing): boolean {
  if (next?.kind !== 'word') return false
  if (text === 'the') return !KEEP_THE.has(next.text) && !(casing === 'telling' && isLarge(next.typed ?? ''))
  return text === 'that' && CLAUSE_SUBJECTS.has(next.text) && before?.kind === 'word' && CLAIMING.has(before.text)
}

function wordOf({ text, typed = text }: Token, before: Token | undefined, casing: Casing): string {
  if (casing === 'exact') return typed
  if (before?.kind === 'exact' && SIZED_UNITS.has(text)) return typed
  const isInside = before?.kind === 'word' || before?.kind === 'exact'
  return casing === 'telling' && isInside && isLarge(typed) && ALSO_NAMES.has(text) ? `^${text}` : text
}

function isLarge(word: string): boolean {
  const [first = ''] = word
  return first !== first.toLowerCase()
}

/** Pauses at both ends dropped, several in a row made one. */
function joined(tokens: readonly Token[]): Token[] {
  const kept: Token[] = []
  for (const token of tokens) {
    const last = kept.at(-1)
    if (token.kind !== 'pause') kept.push(token)
    else if (last?.kind === 'pause') kept[kept.length - 1] = { kind: 'pause', text: last.text + token.text }
    else if (last) kept.push(token)
  }
  if (kept.at(-1)?.kind === 'pause') kept.pop()
  return kept
}

/** Quotation marks around the whole text belong to whoever stored it. */
function withoutOuterQuotes(tokens: readonly Token[]): readonly Token[] {
  const quotes = tokens.filter(({ kind, text }) => kind === 'mark' && text === '"').length
  const around = tokens.length > 2 && tokens[0]?.text === '"' && tokens.at(-1)?.text === '"'
  return around && quotes === 2 ? tokens.slice(1, -1) : tokens
}

/** Layers of courtesies and quotation marks around a statement. */
const LAYERS_MAX = 4

/** The statement itself. A text of courtesies alone says just them. */
function statementOf(tokens: readonly Token[]): readonly Token[] {
  let rest = tokens
  for (let layer = 0; layer < LAYERS_MAX; layer++) {
    const inner = joined(withoutClosing(withoutOpening(withoutOuterQuotes(rest))))
    if (inner.length === rest.length) break
    rest = inner
  }
  return rest.some(({ kind }) => kind === 'word' || kind === 'exact') ? rest : tokens
}

function withoutOpening(tokens: readonly Token[]): readonly Token[] {
  const opening = OPENINGS.find(phrase => matches(tokens, 0, phrase))
  return opening ? tokens.slice(opening.length) : tokens
}

function withoutClosing(tokens: readonly Token[]): readonly Token[] {
  const closing = CLOSINGS.find(phrase => closes(tokens, phrase))
  return closing ? tokens.slice(0, -closing.length) : tokens
}

function closes(tokens: readonly Token[], phrase: readonly string[]): boolean {
  const from = tokens.length - phrase.length
  if (!matches(tokens, from, phrase)) return false
  return phrase[0] === '|' || !BEFORE_VERB.has(tokens[from - 1]?.text ?? '')
}

function matches(tokens: readonly Token[], from: number, phrase: readonly string[]): boolean {
  // A courtesy is said to somebody, so something must be left that is said.
  if (from < 0 || tokens.length <= phrase.length) return false
  return phrase.every((part, index) => {
    const token = tokens[from + index]
    return part === '|' ? token?.kind === 'pause' : token?.kind === 'word' && token.text === part
  })
}
