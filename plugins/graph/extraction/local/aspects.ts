import { deniesVerb, tellsFormerly, tellsNoLonger, tellsUnreal } from 'mneme/plugin'

/** Says whether words state a fact, deny it, end it, or only wish for it. */
export type Aspect = 'holds' | 'ended' | 'denied' | 'unreal'

/** German says so a few words after the verb: "mag Salsa nicht mehr". */
const NEXT_WORDS = /^(?: [^ .,;!?]+){0,6}/

/**
 * @param words from the subject to the object, in lower case
 * @param after what follows the object
 */
export function aspectOf(words: string, after: string): Aspect {
  const next = NEXT_WORDS.exec(after)?.[0] ?? ''
  if (tellsNoLonger(words) || tellsFormerly(words) || tellsNoLonger(next, 'de')) return 'ended'
  if (deniesVerb(words)) return tellsNoLonger(after.split(/[.;!?]/, 1)[0] ?? '', 'en') ? 'ended' : 'denied'
  return tellsUnreal(words) ? 'unreal' : 'holds'
}
