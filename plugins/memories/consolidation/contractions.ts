import { writtenOut } from 'mneme/plugin'
import type { Token } from './tokens.ts'

/** Expands English contractions that have only one reading. */
export function expandContractions(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'word') return [token]
    const next = tokens[index + 1]
    const full = writtenOut(token.text, next?.kind === 'word' ? next.text : undefined)
    return full?.map((text, n) => word(text, n === 0 ? token.typed : undefined)) ?? [token]
  })
}

function word(text: string, typed = text): Token {
  return { kind: 'word', text, typed }
}
