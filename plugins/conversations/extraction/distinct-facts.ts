import type { Fact } from '../conversation.ts'

/** Keeps the first of facts with the same words in one turn. In another turn they are a fact again: "I live in Berlin" holds once more. */
export function distinctFacts(facts: readonly Fact[]): Fact[] {
  const seen = new Set<string>()
  return facts.filter(({ turn, text }) => {
    const telling = `${turn} ${text}`
    return !seen.has(telling) && seen.add(telling)
  })
}
