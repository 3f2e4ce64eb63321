import { paced, type Steps, type Tenant } from 'mneme/plugin'
import { recentlyExpired } from '../queries/expiry.ts'

/** Texts are compared with the beginnings of so many memories. */
const COMPARED_MAX = 200
const CHARACTERS_MAX = 4000
/** So many words of a text have to stand there, the longest, which tell most. */
const WORDS_MAX = 24
const WORD = /[\p{L}\p{N}]+/gu

/**
 * Finds the texts whose words all stand in one of the memories that expired last. They are compared outside of the transaction that reads these,
 * a bit at a time: who writes the memories and the texts decides how long it takes, up to the bounds above.
 */
export async function expiredWith(tenant: Tenant, texts: readonly string[]): Promise<ReadonlySet<string>> {
  const wanted = texts.map(text => ({ text, words: wordsOf(text) })).filter(({ words }) => words.length > 0)
  if (wanted.length === 0) return new Set()
  const bounds = { texts: COMPARED_MAX, characters: CHARACTERS_MAX }
  const expired = await tenant.transaction(tx => recentlyExpired(tx, tenant.workspaceId, bounds))
  return paced(compareSteps(wanted, expired))
}

function wordsOf(text: string): string[] {
  const words = new Set(text.toLowerCase().match(WORD) ?? [])
  return [...words].toSorted((a, b) => b.length - a.length).slice(0, WORDS_MAX)
}

function* compareSteps(
  wanted: readonly { readonly text: string; readonly words: readonly string[] }[],
  expired: readonly string[],
): Steps<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const beginning of expired) {
    const memory = beginning.toLowerCase()
    for (const { text, words } of wanted) {
      if (!found.has(text) && words.every(word => memory.includes(word))) found.add(text)
      yield
    }
  }
  return found
}
