import { firstPersonIn, lexicons, phrasePattern, type Sentence, unwrapped, wordingPattern, wordsOf } from '../index.ts'
import { CONDITIONS } from '../lexicons/grammar.ts'
import { isOfMachine, pastedFrom, sentencesOf } from './sentences.ts'
import {
  askedToKeep,
  type Fact,
  type Language,
  languageOfMessage,
  type Substance,
  speechActs,
  substanceOf,
  type Turn,
  withoutLeadIn,
} from './words.ts'

export { localReplies } from './replies.ts'
export { CLAUSE_MARK, isOfMachine } from './sentences.ts'
export { type Fact, speechActs, type Turn } from './words.ts'

/** Tells which sentences hold a typed fact, such as who works where; in the order given. */
export type FindFacts = (sentences: readonly string[]) => Promise<readonly boolean[]>

/** So much of each turn tells the language of one that is too short to tell. */
const SAMPLE_LENGTH = 200
/** Thin sentences of a window that are looked at more closely. */
const THIN_MAX = 100

/**
 * Extracts the statements of the user's turns word for word. Questions, requests, courtesies, and the words of machines and of others are
 * passed over; so is a short answer that means nothing without its question.
 */
export async function localFacts(turns: readonly Turn[], findFacts: FindFacts | undefined): Promise<Fact[]> {
  const own = turns.filter(({ role }) => role === 'user')
  const said = own.map(({ text }) => text.slice(0, SAMPLE_LENGTH)).join('\n')
  const judged = (await Promise.all(own.map(turn => judgeTurn(turn, said)))).flat()
  const thin = judged.filter(({ verdict }) => verdict === 'thin').slice(0, THIN_MAX)
  const found = thin.length > 0 && findFacts ? await findFacts(thin.map(({ sentence }) => sentence.text)) : []
  const telling = new Set(thin.filter((_, n) => found[n]))
  return distinctFacts(together(judged, one => one.verdict === 'statement' || telling.has(one)))
}

async function judgeTurn({ turn, text }: Turn, said: string): Promise<Judged[]> {
  const language = await languageOfMessage(text, said)
  const sentences = sentencesOf(text)
  const material = sentences.findIndex(sentence => asksAboutMaterial(sentence.text))
  const own = material === -1 ? sentences : sentences.slice(0, material)
  const message = unwrapped(text)
  const pasted = pastedFrom(message, own)
  // Beside "You are a … assistant" the rest may be a prompt's as well, but not what the user says of himself.
  const isOfUser = speechActs.givesRole(text)
    ? (sentence: string) => firstPersonIn(sentence, language.code) !== undefined
    : () => true
  const judged = own.map(sentence => {
    const verdict = isOfUser(sentence.text) && !pasted.has(sentence) ? judge(sentence.text, language) : 'nothing'
    return { turn, message, sentence, verdict }
  })
  return withLists(judged, sentence => firstPersonIn(sentence, language.code) !== undefined)
}

/** "Correct this text: …": what follows is no statement of the user's. */
function asksAboutMaterial(sentence: string): boolean {
  const said = withoutLeadIn(sentence)
  const asks = speechActs.isRequest(said) || speechActs.isQuestion(said) || /[:：]\s*$/.test(said)
  return asks && speechActs.isAboutMaterial(said)
}

/** Joins sentences with those right before that they refer to, so that each fact says whom it is about. */
function together(judged: readonly Judged[], isKept: (one: Judged) => boolean): Fact[] {
  const facts: Fact[] = []
  let open: { start: number; last: Judged } | undefined
  const close = () => {
    if (open) facts.push({ turn: open.last.turn, text: open.last.message.slice(open.start, open.last.sentence.end) })
    open = undefined
  }
  for (const [n, one] of judged.entries()) {
    const joins: boolean =
      open !== undefined &&
      open.last === judged[n - 1] &&
      open.last.turn === one.turn &&
      one.verdict !== 'nothing' &&
      refersBack(one.sentence.text) &&
      one.sentence.end - open.start <= TOGETHER_MAX &&
      !one.message.slice(open.last.sentence.end, one.sentence.start).includes('\n')
    if (open && joins) {
      open = { start: open.start, last: one }
      continue
    }
    close()
    if (isKept(one)) open = { start: one.sentence.start, last: one }
  }
  close()
  return facts
}

/** `thin`: says a little, and may be a fact to one who knows what facts look like. */
type Verdict = 'statement' | 'thin' | 'nothing'

/** All of it is somebody else's. */
const QUOTED = /^(?:"[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»|「[^」]*」)[.!,…]?$/

/** Tells whether a sentence of the user's says something about a person, place, thing, plan or preference. */
function judge(sentence: string, language: Language): Verdict {
  if (isOfMachine(sentence) || QUOTED.test(sentence)) return 'nothing'
  if (speechActs.isThanks(sentence)) return afterThanks(sentence, language)
  const said = withoutLeadIn(sentence)
  const kept = askedToKeep(said)
  if (speechActs.isQuestion(said)) return besideQuestion(said, language)
  if (kept !== undefined) return substanceOf(kept, language).words > 0 ? 'statement' : 'nothing'
  if (speechActs.isSupposition(said) || speechActs.isCourtesy(said)) return 'nothing'
  if (speechActs.isRequest(said, language.isOrder)) return besideRequest(said, language)
  const isStandingWish = speechActs.isStandingWish(said, language.isOrder)
  return verdictOf(said, substanceOf(said, language), isStandingWish, language)
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

/** "My son Emil turns seven, can you think of a game?": what is told before a question holds, unless it only leads to it. */
function besideQuestion(sentence: string, language: Language): Verdict {
  const clauses = sentence.split(CLAUSE_BREAK).map(clause => clause.trim())
  // "Right?" asks nothing, and what ends with a sign alone may be asked from its beginning on.
  const asking = clauses.findIndex(
    clause => ASKING.test(clause) && speechActs.isQuestion(clause.replace(QUESTION_END, '')),
  )
  const before = clauses.slice(0, Math.max(0, asking))
  if (before.some(clause => LEADS_TO_QUESTION.test(clause))) return 'nothing'
  const verdicts = before.filter(clause => isAboutPerson(clause, language)).map(clause => judge(clause, language))
  return verdicts.includes('statement') ? 'statement' : 'nothing'
}

/** Two words are a tag: "am I?" */
const ASKING = /\S\s+\S+\s+\S/u
const QUESTION_END = /[?？]+$/u
const LEADS_TO_QUESTION = phrasePattern([...wordsOf(CONDITIONS), ...wordsOf(lexicons.SUBORDINATING_CONJUNCTIONS)], {
  atStart: true,
})

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

function refersBack(sentence: string): boolean {
  return REFERS_BACK.test(sentence)
}

const CLAUSE_BREAK = /[,;:،؛，、；：]|\s[–—-]\s|—/u
const EXCLAIMED = /[!！]\s*$/u
const REFERS_BACK = wordingPattern(lexicons.REFERRING_BACK)
const ABOUT_A_PERSON = wordingPattern(lexicons.PERSON_BEGINNINGS)
const POINTS = wordingPattern(lexicons.POINTING_BEGINNINGS)
const GENERAL = wordingPattern(lexicons.GENERALITIES)

/** Sentences that belong together are kept together up to this length. */
const TOGETHER_MAX = 500

interface Judged {
  readonly turn: number
  readonly message: string
  readonly sentence: Sentence
  readonly verdict: Verdict
}

const LEADS_IN = /[:：]\s*$/u
/** Matches the text between two items, or between the words before a list and its first item. */
const ITEM_BREAK = /\n[ \t]*(?:[-*•–—]|\(?\d{1,3}[.)])\s+$/u

/**
 * Joins the items of a list with the words that lead it in, since "Supabase" tells nothing without "Our stack:". Items in the first person
 * tell by themselves.
 */
function withLists(judged: readonly Judged[], isFirstPerson: (sentence: string) => boolean): Judged[] {
  const joined: Judged[] = []
  for (let n = 0; n < judged.length; ) {
    const lead = judged[n]
    if (!lead) break
    const items = leadsIn(lead) ? itemsAfter(judged, n, isFirstPerson) : []
    const list = listOf(lead, items)
    joined.push(list ?? lead)
    n += list ? 1 + items.length : 1
  }
  return joined
}

function leadsIn({ sentence: { text } }: Judged): boolean {
  return (
    LEADS_IN.test(text) && !speechActs.isRequest(text) && !speechActs.isQuestion(text) && !speechActs.isCourtesy(text)
  )
}

/** Collects the items of the list right after the words at `from`, and none where one is in the first person. */
function itemsAfter(judged: readonly Judged[], from: number, isFirstPerson: (sentence: string) => boolean): Judged[] {
  const items: Judged[] = []
  for (const one of judged.slice(from + 1)) {
    const before = judged[from + items.length]
    if (!before || !ITEM_BREAK.test(one.message.slice(before.sentence.end, one.sentence.start))) break
    if (isFirstPerson(one.sentence.text)) return []
    items.push(one)
  }
  return items
}

function listOf(lead: Judged, items: readonly Judged[]): Judged | undefined {
  const end = items.at(-1)?.sentence.end
  if (end === undefined || end - lead.sentence.start > TOGETHER_MAX) return undefined
  const { start } = lead.sentence
  const verdict = [lead, ...items].some(one => one.verdict === 'statement') ? 'statement' : lead.verdict
  return { ...lead, sentence: { text: lead.message.slice(start, end), start, end }, verdict }
}

/** Keeps the first of facts with the same words in one turn. In another turn they are a fact again: "I live in Berlin" holds once more. */
export function distinctFacts<T extends Fact>(facts: readonly T[]): T[] {
  const seen = new Set<string>()
  return facts.filter(({ turn, text }) => {
    const telling = `${turn} ${text}`
    return !seen.has(telling) && seen.add(telling)
  })
}
