import { type Frame, mentionsIn, pattern } from './frame.ts'
import type { Mention } from './mention.ts'
import { STATED_NAMES } from './rules/names-of-user.ts'

/** The name by which the user of a memory goes, where a sentence states it. */
export function statedNameIn(frame: Frame): Mention | undefined {
  for (const [i, source] of STATED_NAMES.entries()) {
    for (const match of frame.text.matchAll(pattern(source))) {
      const [mention] = mentionsIn(frame, match.groups?.o ?? '')
      const isName =
        mention?.type === 'PERSON' || (mention?.type === undefined && i === 0) || (i === 0 && mention?.type === 'PLACE')
      if (mention && isName) return mention
    }
  }
  return undefined
}
