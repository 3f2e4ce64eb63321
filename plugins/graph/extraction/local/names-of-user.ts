import { type Frame, mentionsIn, pattern } from './frame.ts'
import type { Mention } from './mention.ts'

const STATED = [
  "(?:my (?:full |real |first )?name is|my name 's|call me|people call me|mein name ist|ich heiße|me llamo|mi nombre es|m' appelle|mon nom est|the user 's name is|user 's name is) (?<o><M>)",
  "(?:i 'm|i am|ich bin|soy|je suis|this is) (?<o><M>)(?= (?:,|\\.|!|and|und|y|et|from|$))",
]

/** The name by which the user of a memory goes, where a sentence states it. */
export function statedNameIn(frame: Frame): Mention | undefined {
  for (const [i, source] of STATED.entries()) {
    for (const match of frame.text.matchAll(pattern(source))) {
      const [mention] = mentionsIn(frame, match.groups?.o ?? '')
      const isName =
        mention?.type === 'PERSON' || (mention?.type === undefined && i === 0) || (i === 0 && mention?.type === 'PLACE')
      if (mention && isName) return mention
    }
  }
  return undefined
}
