import { isOfMachine } from './machine.ts'
import { askedToKeep, speechActs, withoutLeadIn } from './speech-acts.ts'
import { type Language, type Substance, substanceOf } from './words.ts'

/** `thin`: says a little, and may be a fact to one who knows what facts look like. */
export type Verdict = 'statement' | 'thin' | 'nothing'

/** Begins with a word that stands for somebody or something named before. */
const REFERS_BACK =
  /^(?:(?:and|but|und|aber|y|pero|et|mais) )?(?:he|she|they|his|her|their|it|its|er|seine?|ihre?|él|ella|ellos|ellas|il|elle|ils|elles|彼女?)(?:['’](?:s|re|ve|d|ll))?(?![\p{L}])/iu
const ABOUT_A_PERSON =
  /^(?:(?:and|but) )?(?:he|she|they|his|her|their|er|él|ella|il|elle|彼女?)(?:['’](?:s|re|ve|d|ll))?(?![\p{L}])/iu
/** Matches references to something outside the sentence: code, a reply, a screen. */
const POINTS =
  /^(?:it|its|it['’]s|this|that|that['’]s|these|those|the (?:first|second|last|above)|das|dies(?:e[rs]?)?|es|eso|esto|esta?e?|ça|cela|ceci|c['’]est|それ|これ|あれ)(?![\p{L}])/iu

/** "Kindness can make a difference": about everybody and nobody. */
const GENERAL = /\b(?:can|could|may|might|it(?:['’]s| is) (?:important|essential|crucial|vital) to)\b/i

/** All of it is somebody else's. */
const QUOTED = /^(?:"[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»|「[^」]*」)[.!,…]?$/

/** Tells whether a sentence of the user's says something about a person, place, thing, plan or preference. */
export function judge(sentence: string, language: Language): Verdict {
  if (isOfMachine(sentence) || QUOTED.test(sentence)) return 'nothing'
  if (speechActs.isThanks(sentence)) return afterThanks(sentence, language)
  const said = withoutLeadIn(sentence)
  const kept = askedToKeep(said)
  if (speechActs.isQuestion(said)) return 'nothing'
  if (kept !== undefined) return substanceOf(kept, language).words > 0 ? 'statement' : 'nothing'
  if (speechActs.isRequest(said) || speechActs.isCourtesy(said)) return 'nothing'
  return verdictOf(said, substanceOf(said, language), speechActs.isStandingWish(said))
}

/** "Thanks, my sister Ana will love it": only what comes after the thanks can tell something. */
function afterThanks(sentence: string, language: Language): Verdict {
  const rest = /[,;!–-]\s*(.+)$/u.exec(sentence)?.[1]
  return rest === undefined ? 'nothing' : judge(rest, language)
}

function verdictOf(said: string, { words, isFirstPerson, hasName }: Substance, isStandingWish: boolean): Verdict {
  if (words === 0) return 'nothing'
  if (isStandingWish) return 'statement'
  if (POINTS.test(said)) return words >= 2 && hasName ? 'statement' : isFirstPerson && words >= 2 ? 'thin' : 'nothing'
  if (isFirstPerson) return 'statement'
  if (ABOUT_A_PERSON.test(said)) return words >= 2 ? 'statement' : 'thin'
  if (!hasName && GENERAL.test(said)) return 'nothing'
  if (words >= 3 || (words >= 2 && hasName)) return 'statement'
  return words >= 2 ? 'thin' : 'nothing'
}

export function refersBack(sentence: string): boolean {
  return REFERS_BACK.test(sentence)
}
