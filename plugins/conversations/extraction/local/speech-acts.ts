import { asks, lexicons, wordingPattern } from 'mneme/plugin'

/** Speech acts that are no statement of the user about the world. */
export const speechActs = {
  isQuestion: asks,
  isRequest: (sentence: string) => REQUEST.test(sentence) && !STANDING.test(sentence),
  isSupposition: (sentence: string) => SUPPOSITION.test(sentence) && !STANDING.test(sentence),
  isStandingWish: (sentence: string) => STANDING.test(sentence) && REQUEST.test(sentence),
  isCourtesy: (sentence: string) => COURTESY.test(sentence),
  isThanks: (sentence: string) => THANKS.test(sentence),
  givesRole: (message: string) => ROLE.test(message),
  isAboutMaterial: (sentence: string) => MATERIAL.test(sentence),
}

const REQUEST = wordingPattern(lexicons.REQUESTS, lexicons.SUPPOSITIONS)
const SUPPOSITION = wordingPattern(lexicons.SUPPOSITIONS)
const STANDING = wordingPattern(lexicons.STANDING_WISHES)
const COURTESY = wordingPattern(lexicons.PLEASANTRIES, lexicons.ANNOUNCEMENTS)
const THANKS = wordingPattern(lexicons.THANKS)
const ROLE = wordingPattern(lexicons.ROLES)
const MATERIAL = wordingPattern(lexicons.MATERIAL_REQUESTS)
const LEAD_IN = wordingPattern(lexicons.LEAD_INS)
const KEEP = wordingPattern(lexicons.KEEP_REQUESTS)

/** Removes a sentence's introductory words; at most a few of them follow one another. */
export function withoutLeadIn(sentence: string): string {
  let rest = sentence.trim()
  for (let n = 0; n < LEAD_INS_MAX; n++) {
    const shorter = rest.replace(LEAD_IN, '').trim()
    if (shorter === rest) break
    rest = shorter
  }
  return rest
}

const LEAD_INS_MAX = 4

/** Returns the statement that the user asks to remember, without the request itself; undefined when there is none. */
export function askedToKeep(sentence: string): string | undefined {
  const found = KEEP.exec(sentence)
  const rest = found ? sentence.slice(found[0].length).trim() : ''
  return rest === '' ? undefined : rest
}
