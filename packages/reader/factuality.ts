import {
  ASKED_TO_SUPPOSE,
  CLAUSE_OWNERS,
  CLAUSE_SUBJECTS,
  CONDITIONS,
  DENYING_WORDS,
  FICTIONS,
  FINITE_VERBS,
  HEARSAY,
  HEDGES,
  INTO_FICTION,
  INVERTED_VERBS,
  JOINING_CLAUSES,
  OWN_VIEWS,
  PEOPLE_OF_FICTION,
  SUPPOSING,
  THAT,
  VOUCHING,
} from './lexicons/grammar.ts'
import { wordSet, wordsOf } from './words.ts'

/** A word or a sign of a sentence, with its place in the text. */
export interface SentenceToken {
  readonly text: string
  /** Part of speech by Universal Dependencies, as English reads it. */
  readonly pos: string
  readonly lower: string
  readonly start: number
  readonly end: number
}

export interface TextSpan {
  readonly start: number
  readonly end: number
}

/**
 * Finds the parts of a sentence that tell no fact: what stands below a verb of thinking, saying, wishing or dreaming, in a condition, a quotation of
 * nobody, a game or a story, or is only hearsay or close to something. It knows nothing of what is told there, and where it is in doubt whether a clause is
 * vouched for, it is not.
 */
export function unrealSpans(tokens: readonly SentenceToken[], language: string): TextSpan[] {
  const words = WORDS.get(language)
  if (!words) return []
  const clauses = clausesOf(tokens)
  const samples = clauses.flatMap((clause, n) => {
    const before = clauses[n - 1]
    return before?.at(-1)?.lower === ':' && asksFor(before, words) ? [spanOf(clause)] : []
  })
  return [...quotations(tokens, words), ...samples, ...clauses.flatMap(clause => unrealIn(clause, words))]
}

/** Tells whether a place of a text lies in one of the spans. */
export function isWithin({ start, end }: TextSpan, spans: readonly TextSpan[]): boolean {
  return spans.some(span => start < span.end && end > span.start)
}

interface Words {
  readonly vouching: ReadonlySet<string>
  readonly supposing: ReadonlySet<string>
  readonly hearsay: readonly string[]
  readonly hedges: readonly string[]
  readonly conditions: ReadonlySet<string>
  readonly fictions: readonly string[]
  readonly intoFiction: ReadonlySet<string>
  readonly that: ReadonlySet<string>
  readonly isEnglish: boolean
}

/** Words of one wording stand in one string, with slashes between them. */
function listOf(lexicon: Readonly<Record<string, readonly string[]>>, language: string): string[] {
  return wordsOf(lexicon[language] ?? []).flatMap(words => words.split('/'))
}

const WORDS = new Map(
  Object.keys(THAT).map(language => {
    const set = (lexicon: Readonly<Record<string, readonly string[]>>) => new Set(listOf(lexicon, language))
    const words: Words = {
      vouching: set(VOUCHING),
      supposing: set(SUPPOSING),
      hearsay: listOf(HEARSAY, language),
      hedges: listOf(HEDGES, language),
      conditions: set(CONDITIONS),
      fictions: listOf(FICTIONS, language),
      intoFiction: set(INTO_FICTION),
      that: set(THAT),
      isEnglish: language === 'en',
    }
    return [language, words] as const
  }),
)

const DENYING = wordSet(DENYING_WORDS)
const INVERTED = wordSet(INVERTED_VERBS)
const BREAK = /^[;:—–!?…]$/
const QUOTE = /^["“”„«»]$/
/** Shorter quotations are names and emphasis. */
const QUOTED_WORDS_MIN = 3
/** So far behind a word of fiction its "in the" may stand, and so far before a quotation its verb of saying. */
const REACH = 4

/** Main clauses, each with the sign that ends it, as far as signs tell them: what follows a colon or a semicolon stands for itself. */
function clausesOf(tokens: readonly SentenceToken[]): (readonly SentenceToken[])[] {
  const clauses: SentenceToken[][] = [[]]
  for (const token of tokens) {
    clauses.at(-1)?.push(token)
    if (BREAK.test(token.lower)) clauses.push([])
  }
  return clauses.filter(clause => clause.length > 0)
}

/** A quotation of somebody is theirs; one that nobody says is an example. */
function quotations(tokens: readonly SentenceToken[], { supposing }: Words): TextSpan[] {
  const marks = tokens.flatMap(({ lower }, at) => (QUOTE.test(lower) ? [at] : []))
  const spans: TextSpan[] = []
  for (let n = 0; n + 1 < marks.length; n += 2) {
    const [from = 0, to = 0] = [marks[n], marks[n + 1]]
    const before = tokens.slice(Math.max(0, from - REACH), from)
    const after = tokens.slice(to + 1, to + 1 + REACH)
    const isSpeech = [...before, ...after].some(({ lower }) => supposing.has(lower))
    if (to - from > QUOTED_WORDS_MIN && !isSpeech) spans.push(spanOf(tokens.slice(from, to + 1)))
  }
  return spans
}

/** "Proofread this letter", and then a colon: what follows is a sample. */
function asksFor(clause: readonly SentenceToken[], { vouching, isEnglish }: Words): boolean {
  const first = clause.find(({ lower }) => lower !== 'please')
  if (!isEnglish || first?.pos !== 'VERB' || first.lower === 'let') return false
  return !/(?:ing|ed)$/.test(first.lower) && !clause.some(({ lower }) => vouching.has(lower))
}

function unrealIn(clause: readonly SentenceToken[], words: Words): TextSpan[] {
  if (isHearsay(clause, words) || isFiction(clause, words) || (words.isEnglish && isInverted(clause)))
    return [spanOf(clause)]
  const parts = [...hedgesIn(clause, words), ...conditionsIn(clause, words), ...clausesBelow(clause, words)]
  return parts.map(({ from, to }) => spanOf(clause.slice(from, to)))
}

/** Places of tokens in a clause, exclusive of the last. */
interface Part {
  readonly from: number
  readonly to: number
}

function isHearsay(clause: readonly SentenceToken[], { hearsay }: Words): boolean {
  return hearsay.some(wording => placeOf(clause, wording) >= 0)
}

/** From the word that takes something back to the end of its part of the clause. */
function hedgesIn(clause: readonly SentenceToken[], words: Words): Part[] {
  return words.hedges.flatMap(hedge => {
    const from = placeOf(clause, hedge)
    if (from < 0) return []
    const to = clause.findIndex(
      ({ lower }, at) => at > from && (lower === ',' || words.that.has(lower) || lower === 'when'),
    )
    return [{ from, to: to === -1 ? clause.length : to }]
  })
}

/** "In the novel that I write", "my heroine", and not "a game studio". */
function isFiction(clause: readonly SentenceToken[], { fictions, intoFiction, isEnglish }: Words): boolean {
  return fictions.some(fiction => {
    const at = placeOf(clause, fiction)
    if (at < 0) return false
    const next = clause[at + fiction.split(' ').length]?.pos ?? ''
    const isHead = !isEnglish || (next !== 'NOUN' && (next !== 'PROPN' || fiction.includes(' ') || PEOPLE.has(fiction)))
    return isHead && clause.slice(Math.max(0, at - REACH), at).some(({ lower }) => intoFiction.has(lower))
  })
}

/** A name may follow these: "my heroine Clara". */
const PEOPLE = wordSet(PEOPLE_OF_FICTION)

/** "Were I employed by …", "Had she married …" */
function isInverted([first, second]: readonly SentenceToken[]): boolean {
  return INVERTED.has(first?.lower ?? '') && SUBJECTS_AND_OWNERS.has(second?.lower ?? '')
}

/** From the word that opens a condition to the comma that ends it. */
function conditionsIn(clause: readonly SentenceToken[], { conditions, that }: Words): Part[] {
  return clause.flatMap(({ lower }, from) => {
    const next = clause[from + 1]?.lower ?? ''
    const isCondition =
      conditions.has(lower) || (from === 0 && ASKED_TO.has(lower) && (SUBJECTS.has(next) || that.has(next)))
    if (!isCondition) return []
    const comma = clause.findIndex((token, n) => n > from && token.lower === ',')
    return [{ from, to: comma === -1 ? clause.length : comma }]
  })
}

/** A reader is asked to take what follows for true. */
const ASKED_TO = wordSet(ASKED_TO_SUPPOSE)

const SUBJECTS = wordSet(CLAUSE_SUBJECTS)
const SUBJECTS_AND_OWNERS = wordSet(CLAUSE_SUBJECTS, CLAUSE_OWNERS)

/** Finds what stands below verbs that do not vouch for it, up to what another verb vouches for, or to the next main clause. */
function clausesBelow(clause: readonly SentenceToken[], words: Words): Part[] {
  const parts: Part[] = []
  for (const at of clause.keys()) {
    const from = belowThat(clause, at, words) ?? belowVerb(clause, at, words)
    if (from === undefined || from < (parts.at(-1)?.to ?? 0)) continue
    const end = clause.findIndex((_, n) => n > from && endsBelow(clause, n, words))
    parts.push({ from, to: end === -1 ? clause.length : end })
  }
  return parts
}

function belowThat(clause: readonly SentenceToken[], at: number, words: Words): number | undefined {
  if (!words.that.has(clause[at]?.lower ?? '') || !opensClause(clause, at, words)) return undefined
  return isVouched(clause.slice(0, at), words) ? undefined : at + 1
}

/** Where a clause begins without "that": "they say I live in Rome". */
function belowVerb(clause: readonly SentenceToken[], at: number, words: Words): number | undefined {
  if (!words.supposing.has(clause[at]?.lower ?? '') || isOwnView(clause, at, words)) return undefined
  const rest = clause.slice(at + 1)
  const next = rest.slice(0, 1 + REACH)
  if (next.some(({ lower }) => QUOTE.test(lower))) return undefined
  if (!words.isEnglish) return rest.some(({ lower }) => lower === ',' || words.that.has(lower)) ? at + 1 : undefined
  const subject = next.findIndex(({ lower }, n) => (n === 0 ? SUBJECTS_AND_OWNERS : SUBJECTS).has(lower))
  if (subject >= 0 && !next.slice(0, subject).some(({ lower }) => lower === ',')) return at + 1 + subject
  const isSubject = /^\p{L}/u.test(next[0]?.lower ?? '') && next.some(({ lower }, n) => n > 0 && FINITE.has(lower))
  return isSubject ? at + 1 : undefined
}

/** Another main clause begins, or one that is vouched for. */
function endsBelow(clause: readonly SentenceToken[], at: number, words: Words): boolean {
  const { lower = '' } = clause[at] ?? {}
  if (words.that.has(lower)) return opensClause(clause, at, words) && isVouched(clause.slice(0, at), words)
  return lower === ',' && JOINING.has(clause[at + 1]?.lower ?? '')
}

const JOINING = wordSet(JOINING_CLAUSES)

/** Verbs that show that the words before them are a subject. */
const FINITE = wordSet(FINITE_VERBS)

/** In English "that" after a noun mostly leads to what is said of the noun, and before one points at it. */
function opensClause(clause: readonly SentenceToken[], at: number, { isEnglish }: Words): boolean {
  if (!isEnglish) return clause[at - 1] !== undefined
  const next = clause[at + 1]?.lower ?? ''
  return (
    at > 0 && (SUBJECTS_AND_OWNERS.has(next) || clause.slice(at + 1, at + 5).some(token => FINITE.has(token.lower)))
  )
}

/** The nearest verbs decide: "I know what they say, that …" is not vouched for. */
function isVouched(main: readonly SentenceToken[], { vouching, supposing }: Words): boolean {
  for (const { lower } of main.toReversed()) {
    if (supposing.has(lower)) return false
    if (vouching.has(lower)) return !main.some(token => DENYING.has(token.lower))
  }
  return false
}

/** The speaker's own views are the speaker's statements: "I think Ana lives in Lima". */
function isOwnView(clause: readonly SentenceToken[], at: number, { isEnglish }: Words): boolean {
  if (!isEnglish) return false
  const before = clause.slice(Math.max(0, at - 2), at).map(({ lower }) => lower)
  return (
    OWN_VIEW.has(clause[at]?.lower ?? '') &&
    before.some(word => word === 'i' || word === 'we') &&
    !before.includes('never')
  )
}

const OWN_VIEW = wordSet(OWN_VIEWS)

function placeOf(clause: readonly SentenceToken[], wording: string): number {
  const parts = wording.split(' ')
  return clause.findIndex((_, at) => parts.every((part, n) => clause[at + n]?.lower === part))
}

function spanOf(tokens: readonly SentenceToken[]): TextSpan {
  return { start: tokens[0]?.start ?? 0, end: tokens.at(-1)?.end ?? 0 }
}
