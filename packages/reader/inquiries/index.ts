import type { EntityType, RelationType } from '../facts/kinds.ts'
import { LANGUAGES, type Language } from '../facts/parts.ts'
import {
  type Asked,
  deniesVerb,
  functionWords,
  type LanguageDetector,
  lexicons,
  monthOf,
  phrasePattern,
  questionWords,
  trimSigns,
  wordingPattern,
  wordSet,
  wordsOf,
} from '../index.ts'
import { ROLES, type Role, type Step, VERBS, type Verb, word } from './vocabulary.ts'

export * from './phrases.ts'
export { ROLES, type Role, type Side, type Step, TIMELESS, VERBS, type Verb } from './vocabulary.ts'

export type QuestionKind = 'who' | 'where' | 'what' | 'when' | 'yesno' | 'about' | 'connection' | 'other'

/** A parsed question. Parsing needs nothing but the words that are names. */
export interface Question {
  readonly language: Language
  readonly kind: QuestionKind
  /** Roles in the order in which they are followed, the one next to its owner first: of "Anna's boss's wife" the boss. */
  readonly roles: readonly AskedRole[]
  readonly verb: AskedVerb | undefined
  readonly time: QuestionTime
  /** Positions of the words by which the asker refers to themselves. */
  readonly self: readonly number[]
  /** Words left that say something and are neither names nor understood. */
  readonly unread: readonly string[]
  /** The type that the answer should have. */
  readonly answers: EntityType | undefined
}

export interface AskedRole {
  readonly role: Role
  readonly steps: readonly Step[]
  readonly at: number
  /** "ex-wife", "former boss" */
  readonly former: boolean
}

export interface AskedVerb {
  readonly verb: Verb
  readonly types: readonly RelationType[]
  readonly at: number
  /** "managed by" */
  readonly passive: boolean
}

export interface QuestionTime {
  /** `past` wants what holds no more; `earlier` insists on it; `any` takes both. */
  readonly tense: 'now' | 'past' | 'earlier' | 'any'
  /** A year, or a month of one, that is named. */
  readonly during: { readonly from: Date; readonly to: Date } | undefined
  /** "before Berlin", "after Acme": the word number after which the name stands. */
  readonly relative: { readonly order: 'before' | 'after'; readonly at: number } | undefined
}

const asking = (...kinds: readonly Asked[]) => questionWords(LANGUAGES, kinds)
const WHO = phrasePattern(LANGUAGES.flatMap(language => lexicons.QUESTION_WORDS[language]?.who ?? []))
const WHERE = phrasePattern([...asking('where'), 'in welcher/welchem'])
const WHEN = phrasePattern(asking('when', 'duration'))
const WHAT = phrasePattern([...asking('what'), 'how many'])
const OTHER = phrasePattern([...asking('why'), 'how old/tall/much'])
const YES_NO = phrasePattern(wordsOf(lexicons.YES_NO_BEGINNINGS), { atStart: true })
const ABOUT = new RegExp(`(?:^|\\s)(?:${wordingPattern(lexicons.ABOUT_WORDINGS).source})(?=\\s)`, 'iu')
const ABOUT_NAME = new RegExp(`(?:${lexicons.ABOUT_PREPOSITIONS.join('|')}) §`, 'iu')
const CONNECTION = word(lexicons.CONNECTION_WORDINGS)
const SELF = wholeOf(lexicons.ASKER_WORDINGS)
/** Spanish says "I" by the verb alone; but "el trabajo de Ana" is a noun. */
const SELF_VERBS = wordSet(lexicons.ASKER_VERBS)
const BEFORE_NOUN = wordSet(lexicons.BEFORE_SPANISH_NOUNS)
/** "Tell me": whoever is told is not who is asked about. */
const TELLING = wholeOf(lexicons.TELLING_WORDINGS)
const FILLERS = wordSet(lexicons.QUESTION_FILLERS)

const FORMER_ADJECTIVE = wordingPattern(lexicons.FORMER_ADJECTIVES).source
const FORMER = new RegExp(`(?<!\\p{L})(?:ex|${FORMER_ADJECTIVE})[- ]$`, 'iu')
const OF_FORMER = new RegExp(`(?<!\\p{L})(?:ex-|(?:${FORMER_ADJECTIVE}) )`, 'giu')
const EARLIER = word(lexicons.EARLIER_WORDINGS)
const PAST = word(lexicons.PAST_QUESTIONS)
const PAST_AUXILIARY = phrasePattern(lexicons.PAST_AUXILIARIES)
const PERFECT = word(lexicons.PERFECT_QUESTIONS)
const PERFECT_AUXILIARY = phrasePattern(lexicons.PERFECT_AUXILIARIES)
/** The result of such an act still holds unless something else is known. */
const BECOMING = word(lexicons.BECOMING_WORDINGS)
const WAS_MARRIED = /(?<!\p{L})(?:was|were)(?!\p{L}).*(?<!\p{L})married(?!\p{L})/iu
const NOW = word(lexicons.NOW_WORDINGS)
const BEFORE = phrasePattern(wordsOf(lexicons.ORDER_WORDINGS.before))
const AFTER = phrasePattern(wordsOf(lexicons.ORDER_WORDINGS.after))

/** Matches a word as a whole. */
function wholeOf(wordings: lexicons.Wordings): RegExp {
  return new RegExp(`^(?:${wordingPattern(wordings).source})$`, 'iu')
}

/** @param named numbers of the words that are names, which say nothing else */
export function readQuestion(text: string, named: ReadonlySet<number>, detector: LanguageDetector): Question {
  const words = text.split(/\s+/u).filter(Boolean)
  const plain = words.map((one, at) => (named.has(at) ? '§' : one)).join(' ')
  const verb = verbIn(plain)
  const roles = rolesIn(plain, named)
  const self = words.flatMap((_, at) => (!named.has(at) && speaksOfSelf(words, at) ? [at] : []))
  const { language, asked } = askedIn(plain, detector)
  const unread = unreadIn(plain)
  const kind = kindOf(asked, { names: named.size + Number(self.length > 0), verb, roles, unread })
  return {
    language,
    kind,
    roles,
    verb,
    // "Ex-wife" says nothing about when she lives where.
    time: timeOf(verb && roles.some(({ former }) => former) ? asked.replace(OF_FORMER, ' ') : asked, verb),
    self,
    unread,
    answers: kind === 'who' ? 'PERSON' : kind === 'where' ? 'PLACE' : verb?.verb.answers,
  }
}

/** Reads which time a question is about. */
export function questionTime(text: string, detector: LanguageDetector): QuestionTime {
  const { asked } = askedIn(text, detector)
  return timeOf(asked, verbIn(asked))
}

function askedIn(plain: string, detector: LanguageDetector): { readonly language: Language; readonly asked: string } {
  const language = detector.likeliest(plain.replaceAll('§', ' '), LANGUAGES)
  // In German it asks, and says nothing of the past.
  return { language, asked: language === 'de' ? plain.replace(/(?<!\p{L})was(?!\p{L})/giu, 'what') : plain }
}

function speaksOfSelf(words: readonly string[], at: number): boolean {
  const [one, before] = [bare(words[at] ?? ''), bare(words[at - 1] ?? '')]
  return SELF_VERBS.has(one.toLowerCase())
    ? !BEFORE_NOUN.has(before.toLowerCase())
    : SELF.test(one) && !TELLING.test(before)
}

/** The parts of a question that tell its kind; `names` counts them. */
type Parts = Pick<Question, 'verb' | 'roles' | 'unread'> & { readonly names: number }

function kindOf(plain: string, { names, verb, roles, unread }: Parts): QuestionKind {
  const understood = verb !== undefined || roles.length > 0
  // Some are called by a part of their names.
  if (names + unread.filter(one => /^\p{Lu}/u.test(one)).length >= 2 && CONNECTION.test(plain)) return 'connection'
  if (YES_NO.test(plain.replace(/^[¿\s]+/, ''))) return understood ? 'yesno' : names >= 2 ? 'connection' : 'other'
  if (WHEN.test(plain)) return 'when'
  if (OTHER.test(plain)) return 'other'
  if (ABOUT.test(plain) && !verb && roles.length === 0) return 'about'
  if (ABOUT_NAME.test(plain)) return 'about'
  if (WHERE.test(plain)) return 'where'
  if (WHO.test(plain) && !/^(?:what|which)/iu.test(plain)) return 'who'
  if (WHAT.test(plain) || understood) return 'what'
  return unread.length === 0 && names > 0 ? 'about' : 'other'
}

/** Words before a place in the text. */
function wordsBefore(plain: string, index: number): number {
  return plain.slice(0, index).split(/\s+/u).filter(Boolean).length
}

function verbIn(plain: string): AskedVerb | undefined {
  // "used to" says when, not what.
  const text = plain.replace(/(?<!\p{L})used? to(?!\p{L})/giu, '____ __')
  for (const verb of VERBS) {
    const match = verb.words.exec(text)
    if (!match) continue
    const passive = /^\S* +(?:by|von|por|par)(?!\p{L})/iu.test(text.slice(match.index))
    return { verb, types: verb.types, at: wordsBefore(text, match.index), passive }
  }
  return undefined
}

function rolesIn(plain: string, named: ReadonlySet<number>): AskedRole[] {
  const found = ROLES.flatMap(role => {
    const match = role.words.exec(plain)
    if (!match) return []
    const former = FORMER.test(plain.slice(0, match.index))
    return [{ role, steps: role.steps, at: wordsBefore(plain, match.index), former }]
  })
  // "Anna's boss's wife": from the owner on. "The wife of the boss of Anna": back from the owner.
  const owner = Math.max(-1, ...named)
  const isAfter = found.every(({ at }) => at > owner)
  return found.toSorted((a, b) => (isAfter ? a.at - b.at : b.at - a.at)).slice(0, 2)
}

function timeOf(plain: string, verb: AskedVerb | undefined): QuestionTime {
  const during = duringOf(plain)
  const relative = relativeOf(plain)
  if (relative) return { tense: relative.order === 'before' ? 'earlier' : 'any', during, relative }
  if (during) return { tense: 'any', during, relative }
  if (EARLIER.test(plain)) return { tense: 'earlier', during, relative }
  if (NOW.test(plain)) return { tense: 'now', during, relative }
  if (
    PAST.test(plain.replace(/(?<!\p{L})used(?!\p{L} to)/giu, '')) &&
    (WAS_MARRIED.test(plain) || !BECOMING.test(plain))
  ) {
    return { tense: PERFECT.test(plain) && !PAST_AUXILIARY.test(plain) ? 'any' : 'past', during, relative }
  }
  return {
    tense: verb && PERFECT_AUXILIARY.test(plain) && /ed$/iu.test(verbText(plain, verb)) ? 'any' : 'now',
    during,
    relative,
  }
}

function verbText(plain: string, verb: AskedVerb): string {
  return verb.verb.words.exec(plain)?.[0] ?? ''
}

function relativeOf(plain: string): QuestionTime['relative'] {
  for (const [order, pattern] of [
    ['before', BEFORE],
    ['after', AFTER],
  ] as const) {
    const match = pattern.exec(plain)
    // "before" with nothing after it only means earlier.
    if (match && plain.slice(match.index + match[0].length).includes('§')) {
      return { order, at: wordsBefore(plain, match.index) }
    }
  }
  return undefined
}

function duringOf(plain: string): QuestionTime['during'] {
  const match = /(?:(\p{L}+)\.? +)?(?<!\d)(19\d\d|20\d\d)(?!\d)/u.exec(plain)
  if (!match) return undefined
  const year = Number(match[2])
  const month = monthOf((match[1] ?? '').toLowerCase(), LANGUAGES)
  return month === undefined
    ? { from: new Date(Date.UTC(year, 0, 1)), to: new Date(Date.UTC(year + 1, 0, 1)) }
    : { from: new Date(Date.UTC(year, month, 1)), to: new Date(Date.UTC(year, month + 1, 1)) }
}

/** All that a question can say, apart from names. They are compiled once: a search reads its query, too. */
const UNDERSTOOD = [
  ...[WHO, WHERE, WHEN, WHAT, ABOUT, CONNECTION, EARLIER, PAST, PERFECT, NOW, BECOMING, BEFORE, AFTER],
  ...VERBS.map(verb => verb.words),
  ...ROLES.map(role => role.words),
].map(pattern => new RegExp(pattern, `${pattern.flags}g`))

/** Returns the words that were not understood: a name that the graph does not know, or another subject. */
function unreadIn(plain: string): string[] {
  const rest = UNDERSTOOD.reduce((text, pattern) => text.replace(pattern, ' '), plain)
  return rest
    .replace(/§\S*/gu, ' ')
    .split(/\s+/u)
    .map(one => bare(one).replace(/['’]s$/u, ''))
    .map(one => (bare(plain).startsWith(one) ? one.toLowerCase() : one))
    .filter(
      one =>
        one.length > 1 && !SELF.test(one) && !FILLERS.has(one.toLowerCase()) && (!isNoName(one) || deniesVerb(one)),
    )
}

function bare(one: string): string {
  return trimSigns(one, /\p{P}/u)
}

// In small letters these are no names; "Will" and "May" may be some.
const FUNCTION_WORDS = wordSet([
  ...LANGUAGES.flatMap(language => [...functionWords(language), ...(lexicons.FIRST_PERSON[language] ?? [])]),
  ...questionWords(LANGUAGES),
])

/** A word that names nothing; one with a capital letter may. */
export function isNoName(word: string): boolean {
  const bare = trimSigns(word, /\p{P}/u)
  return (
    FUNCTION_WORDS.has(bare) ||
    (bare.length > 1 && FUNCTION_WORDS.has(bare.toLowerCase()) && !/^\p{Lu}\p{Ll}/u.test(bare))
  )
}

/** "The user" is one person; in "the user interface" and "the user's guide" there is none. */
const USER = new RegExp(
  `(?<![\\p{L}\\p{N}'’-])(?:the user|(?<=^\\s*)user)(?<owner>['’]s)?(?![\\p{L}\\p{N}'’-])(?!\\s+(?:${lexicons.USER_COMPOUNDS.join('|')})(?!\\p{L}))`,
  'giu',
)

/** An agent asks about "the user" what the user asks about "me". */
export function askedByUser(query: string): string {
  return query.replace(USER, (_, owner?: string) => (owner ? 'my' : 'I'))
}
