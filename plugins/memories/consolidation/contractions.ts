import type { Token } from './tokens.ts'
import { AFTER_IS, AUXILIARIES, CONTRACTING, CONTRACTING_S } from './words.ts'

const WHOLE: Readonly<Record<string, string>> = {
  "can't": 'can not',
  cannot: 'can not',
  "won't": 'will not',
  "shan't": 'shall not',
  "let's": 'let us',
}
const ENDINGS: Readonly<Record<string, string>> = { m: 'am', re: 'are', ve: 'have', ll: 'will' }

/** Expands English contractions that have only one reading. */
export function expandContractions(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'word') return [token]
    const full = toFullMemory(token.text, tokens[index + 1])
    return full === undefined
      ? [token]
      : full.split(' ').map((text, n) => word(text, n === 0 ? token.typed : undefined))
  })
}

function toFullMemory(text: string, next: Token | undefined): string | undefined {
  if (Object.hasOwn(WHOLE, text)) return WHOLE[text]
  const [, base = '', ending = ''] = /^(\p{L}+)'(\p{L}+)$/u.exec(text) ?? []
  if (ending === 't' && base.endsWith('n') && AUXILIARIES.has(base.slice(0, -1))) return `${base.slice(0, -1)} not`
  if (ending === 'm') return base === 'i' ? 'i am' : undefined
  if (Object.hasOwn(ENDINGS, ending) && CONTRACTING.has(base)) return `${base} ${ENDINGS[ending]}`
  // "He's retired" may mean "is" or "has", and "Ada's" may be a possessive, so both stay as they are.
  return ending === 's' && CONTRACTING_S.has(base) && next && onlyAfterIs(next) ? `${base} is` : undefined
}

function onlyAfterIs({ kind, text }: Token): boolean {
  return kind === 'word' && (AFTER_IS.has(text) || (text.length > 4 && text.endsWith('ing')))
}

function word(text: string, typed = text): Token {
  return { kind: 'word', text, typed }
}
