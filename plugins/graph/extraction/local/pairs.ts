import { type Frame, mentionsIn, pattern } from './frame.ts'
import type { BondFact } from './kin-words.ts'
import { TOGETHER } from './rules/pairs.ts'

/** Finds relationships between two people who are named together. */
export function together(frame: Frame): BondFact[] {
  return TOGETHER.flatMap(([source, type]) =>
    [...frame.text.matchAll(pattern(source))].flatMap(match => {
      const [first, second, ...more] = mentionsIn(frame, match.groups?.s ?? '')
      const denied = /\bnot\b/.test(match[0])
      if (!first || !second || more.length > 0 || denied) return []
      return [
        {
          type,
          sources: [first],
          targets: [second],
          closes: false,
          from: match.index,
          to: match.index + match[0].length,
        },
      ]
    }),
  )
}
