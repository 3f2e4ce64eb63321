import { lexicons, wordingPattern } from 'mneme/plugin'
import { isOfMachine } from './machine.ts'
import { askedToKeep, speechActs, withoutLeadIn } from './speech-acts.ts'
import { type Language, type Substance, substanceOf } from './words.ts'

/** `thin`: says a little, and may be a fact to one who knows what facts look like. */
export type Verdict = 'statement' | 'thin' | 'nothing'

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
  if (speechActs.isSupposition(said) || speechActs.isCourtesy(said)) return 'nothing'
  if (speechActs.isRequest(said)) return besideRequest(said, language)
  return verdictOf(said, substanceOf(said, language), speechActs.isStandingWish(said), language)
}

/** "Thanks, my sister Ana will love it": only what comes after the thanks can tell something. */
function afterThanks(sentence: string, language: Language): Verdict {
  const rest = /[,;!–-]\s*(.+)$/u.exec(sentence)?.[1]
  return rest === undefined ? 'nothing' : judge(rest, language)
}

/** "I am allergic to nuts, so please leave them out": a clause beside the request tells something when it is about a person. */
function besideRequest(sentence: string, language: Language): Verdict {
  const clauses = sentence.split(CLAUSE_BREAK).filter(clause => clause.trim() !== '')
  if (clauses.length < 2) return 'nothing'
  const verdicts = clauses.filter(clause => isAboutPerson(clause, language)).map(clause => judge(clause, language))
  return verdicts.find(verdict => verdict === 'statement') ?? verdicts.find(verdict => verdict === 'thin') ?? 'nothing'
}

function isAboutPerson(clause: string, language: Language): boolean {
  return substanceOf(clause, language).isFirstPerson || ABOUT_A_PERSON.test(withoutLeadIn(clause))
}

function verdictOf(
  said: string,
  { words, isFirstPerson, hasName }: Substance,
  isStandingWish: boolean,
  { namesSpeaker }: Language,
): Verdict {
  if (words === 0) return 'nothing'
  if (isStandingWish) return 'statement'
  if (POINTS.test(said)) return words >= 2 && hasName ? 'statement' : isFirstPerson && words >= 2 ? 'thin' : 'nothing'
  if (isFirstPerson) return 'statement'
  if (ABOUT_A_PERSON.test(said)) return words >= 2 ? 'statement' : 'thin'
  if (!hasName && GENERAL.test(said)) return 'nothing'
  if (words >= 3 || (words >= 2 && hasName)) return 'statement'
  if (words < 2) return 'nothing'
  // Where the speaker is left to the verb, or out, two words may be all that a fact has.
  return namesSpeaker || EXCLAIMED.test(said) ? 'thin' : 'statement'
}

export function refersBack(sentence: string): boolean {
  return REFERS_BACK.test(sentence)
}

const CLAUSE_BREAK = /[,;:،؛，、；：]|\s[–—-]\s|—/u
const EXCLAIMED = /[!！]\s*$/u
const REFERS_BACK = wordingPattern(lexicons.REFERRING_BACK)
const ABOUT_A_PERSON = wordingPattern(lexicons.PERSON_BEGINNINGS)
const POINTS = wordingPattern(lexicons.POINTING_BEGINNINGS)
const GENERAL = wordingPattern(lexicons.GENERALITIES)
