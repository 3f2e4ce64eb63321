import * as verbs from './lexicons/grammar.ts'
import { JOINING_WORDS, SEVERAL_PEOPLE, UNCLEAR_PRONOUNS } from './lexicons/grammar.ts'
import { sentencesIn } from './sentences.ts'
import { wordSet } from './words.ts'

/**
 * Turns simple English statements in the first person into the third person: "I live in Rome" would be taken for a sentence of whoever reads
 * the document. Only what is certain is told so; everything else stays word for word. All words stay but the pronouns and the
 * endings of verbs.
 */
export function toldOfUser(statement: string): string {
  const sentence = statement.replaceAll('’', "'")
  if (!/^(?:I|My)(?!\p{L})/u.test(sentence) || UNCLEAR.test(sentence) || !isOneSentence(sentence)) return statement
  const [first = '', ...clauses] = sentence.split(/(?<=[\s,(])(?=I(?!\p{L}))/u)
  const parts = [
    first.startsWith('My') ? toldOfOwn(first) : toldOfClause(first, 'The user'),
    ...clauses.map((clause, n) => (followsOn(clauses[n - 1] ?? first) ? toldOfClause(clause, 'the user') : undefined)),
  ]
  const told = parts.flatMap(part => part ?? [])
  return told.length < parts.length ? statement : told.map((part, n) => part.begin + withoutPronouns(part, n)).join('')
}

/** Other people's words, talk with the reader, and pronouns that could be taken for the user's, or for several people. */
const UNCLEAR = new RegExp(
  `["“”„«»?|\`]|(?<![\\p{L}'])(?:${UNCLEAR_PRONOUNS.join('|')})(?![\\p{L}])|(?<=\\s)My(?!\\p{L})`,
  'u',
)

function isOneSentence(sentence: string): boolean {
  return sentencesIn(sentence).length === 1 && !/[!;:](?=\s)/.test(sentence)
}

/** In "World War I started" the "I" is nobody. */
function followsOn(before: string): boolean {
  const last = /(\S+)\s+$/u.exec(before)?.[1]
  return last !== undefined && !/^\p{Lu}/u.test(last.replace(/^\(/, ''))
}

interface Part {
  /** A possessive subject and its verb. */
  readonly begin: string
  readonly rest: string
}

/** "My sister Ana lives in Oslo": whose it is, up to the first verb, is nobody else's. A name ("My Fair Lady") has a capital. */
function toldOfOwn(sentence: string): Part | undefined {
  const words = sentence
    .slice('My '.length)
    .replace(/[.!]+$/, '')
    .split(' ')
  const verb = words.findIndex((word, n) => n > 0 && isOwnVerb(word))
  if (verb < 1 || verb > OWN_WORDS_MAX || /^\p{Lu}/u.test(words[0] ?? '')) return undefined
  if (words.slice(0, verb).some(word => /^(?:and|or)$/.test(word))) return undefined
  const rest = sentence.slice('My '.length + (words[0]?.length ?? 0))
  return { begin: `The user's ${words[0]}`, rest }
}

const OWN_WORDS_MAX = 5

function isOwnVerb(word: string): boolean {
  return OWN_VERBS.has(word) || isPast(word)
}

const BASE_VERBS = wordSet(verbs.BASE_VERBS)
const PAST_VERBS = wordSet(verbs.PAST_VERBS)
const UNCHANGED = wordSet(verbs.UNCHANGED_VERBS)
const IN_ED = wordSet(verbs.BASE_VERBS_IN_ED)
const AFTER_WOULD = wordSet(verbs.VERBS_AFTER_WOULD)
const OWN_VERBS = wordSet([...verbs.VERBS_OF_OTHERS, ...UNCHANGED, ...verbs.BASE_VERBS.map(thirdPersonOf)])

function isPast(verb: string): boolean {
  return PAST_VERBS.has(verb) || (/\p{Ll}{2}ed$/u.test(verb) && !IN_ED.has(verb))
}

const HEAD = new RegExp(
  `^I(?:'(m|ve|d|ll))?\\s+((?:(?:${verbs.ADVERBS.join('|')})\\s+){0,2})(\\p{L}+(?:'t)?|\\d+)(?![\\p{L}'])`,
  'u',
)

/** A clause whose subject is "I", with this subject; undefined where its verb is not one that is known. */
function toldOfClause(clause: string, subject: string): Part | undefined {
  const [all, contracted, adverbs = '', verb = ''] = HEAD.exec(clause) ?? []
  if (all === undefined) return undefined
  const rest = clause.slice(all.length)
  const form = contracted ? contractedForm(contracted, adverbs, verb) : formOf(verb, rest)
  if (form === undefined || sharesSubject(rest.replace(/^ not(?!\p{L})/u, ''), form.isBare)) return undefined
  return { begin: `${subject} ${form.before}${adverbs}${form.verb}`, rest }
}

interface Form {
  /** Stands before the adverbs, with a space. */
  readonly before: string
  readonly verb: string
  /** Verbs that follow have no ending of their own, as after "can". */
  readonly isBare: boolean
}

function contractedForm(contracted: string, adverbs: string, verb: string): Form | undefined {
  if (contracted === 'm') return { before: 'is ', verb, isBare: false }
  if (contracted === 've') return { before: 'has ', verb, isBare: false }
  if (contracted === 'll') return { before: 'will ', verb, isBare: true }
  // "I'd" is "I would" or "I had".
  const isWould = AFTER_WOULD.has(verb) && adverbs === ''
  return isWould ? { before: 'would ', verb, isBare: true } : undefined
}

function formOf(verb: string, rest: string): Form | undefined {
  const changed = CHANGED.get(verb)
  if (changed) return { before: '', verb: changed, isBare: changed === "doesn't" || /^ not\b/.test(rest) }
  if (UNCHANGED.has(verb)) return { before: '', verb, isBare: !/^(?:was|had)/.test(verb) }
  if (BASE_VERBS.has(verb)) return { before: '', verb: thirdPersonOf(verb), isBare: false }
  return isPast(verb) ? { before: '', verb, isBare: false } : undefined
}

const CHANGED: ReadonlyMap<string, string> = new Map([
  ['am', 'is'],
  ['have', 'has'],
  ["haven't", "hasn't"],
  ['do', 'does'],
  ["don't", "doesn't"],
])

const JOINED = new RegExp(
  `(,|(?<!\\p{L})(?:${JOINING_WORDS.join('|')}))\\s+(?:(?:${verbs.ADVERBS.join('|')}|not|then)\\s+)*(\\p{L}+(?:'\\p{L}+)?)`,
  'gu',
)

/** "I live in Rome and work in Milan": another verb whose subject is "I" as well. "I don't smoke or drink" stays as it is. */
function sharesSubject(rest: string, isBare: boolean): boolean {
  return [...rest.matchAll(JOINED)].some(
    ([, joint, word = '']) => !(isBare && joint === 'or') && (BASE_VERBS.has(word) || CHANGED.has(word)),
  )
}

const PRONOUN = /(?<![\p{L}'.@/_-])(?:my|me|myself)(?![\p{L}'@/_-]|\.\p{L})/gu
const SHORT: ReadonlyMap<string, string> = new Map([
  ['my', 'their'],
  ['me', 'them'],
  ['myself', 'themselves'],
])
const LONG: ReadonlyMap<string, string> = new Map([
  ['my', "the user's"],
  ['me', 'the user'],
  ['myself', 'the user'],
])
/** Whoever "their" could be as well: names, and several of a kind. */
const OTHERS = new RegExp(`\\p{Lu}|\\p{L}s(?!\\p{L})|(?<!\\p{L})(?:${SEVERAL_PEOPLE.join('|')})(?!\\p{L})`, 'u')

function withoutPronouns({ begin, rest }: Part, place: number): string {
  return rest.replace(PRONOUN, (pronoun, at: number) => {
    const isClear = place === 0 && begin.startsWith('The user ') && !OTHERS.test(rest.slice(0, at))
    const isFirst = rest.slice(0, at).match(PRONOUN) === null
    return (isClear && isFirst ? SHORT : LONG).get(pronoun) ?? pronoun
  })
}

/** Returns the third person of an English verb in its first form: "carry" gives "carries". */
export function thirdPersonOf(verb: string): string {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`
}
