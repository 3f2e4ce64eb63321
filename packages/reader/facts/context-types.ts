import { lexicons, wordSet } from '../index.ts'
import type { EntityType } from './kinds.ts'
import { isCoined, type Piece } from './mentions.ts'
import type { Mention } from './parts.ts'

/** No list knows it, or it is a town that may be somebody, or a first name that is many other things too. */
export function isUnsure({ type, name, confidence }: Mention): boolean {
  if (type === 'PERSON') return confidence < (/ /.test(name) ? 0.7 : 0.9)
  return type === undefined || (type === 'PLACE' && confidence < 0.7)
}

/** No list knows it, and only two capitals speak for a person. */
function isGuessed({ type, confidence }: Mention): boolean {
  return type === 'PERSON' && confidence < 0.7
}

/** Nouns that type the name beside them: "the publisher Hachette", "Pip , our app". */
const NOUNS: readonly (readonly [EntityType, ReadonlySet<string>])[] = [
  ['ORGANIZATION', wordSet(lexicons.NOUNS_OF_NAMES.organization)],
  ['PLACE', wordSet(lexicons.NOUNS_OF_NAMES.place)],
  ['THING', wordSet(lexicons.NOUNS_OF_NAMES.thing)],
  ['PERSON', wordSet(lexicons.NOUNS_OF_NAMES.person)],
]
const NAMING = wordSet(lexicons.NAMING_LINKS)
const NOUN_ENDS = wordSet(lexicons.NOUN_PHRASE_ENDS)
const NOUN_FOLLOWERS = wordSet(lexicons.NOUN_FOLLOWERS)
const DETERMINERS = wordSet(lexicons.DETERMINERS)
const DEFINITE = wordSet(lexicons.DEFINITE_DETERMINERS)
const ADDRESSED = wordSet(lexicons.ADDRESSING_VERBS)
const TALKING = wordSet(lexicons.TALKING_VERBS)
const PEOPLE_ONLY = wordSet(lexicons.BELONGINGS_OF_PEOPLE)
const MADE_WITH = wordSet(lexicons.MAKING_VERBS)
const PARTS = wordSet(lexicons.PARTS_OF_COMPANIES)
const OWNER_LINKS = wordSet(lexicons.OWNER_LINKS)
const COMPANY_ACTS = wordSet(lexicons.COMPANY_ACTS)
const CLAUSE_BEGINNINGS = wordSet(lexicons.CLAUSE_BEGINNINGS)
const LINKS = wordSet(lexicons.NAME_LINKS)
const ACTS = /^(?:VERB|AUX)$/
const DEPTH_MAX = 3

/** The pieces with each unsure name typed by the noun beside it, so that patterns know "the startup Ecoglow" for a company. */
export function typedByNouns(pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece, i) => {
    const { mention } = piece
    const type = mention && isUnsure(mention) ? byNoun(pieces, i) : undefined
    return mention && type ? { ...piece, mention: { ...mention, type, confidence: 0.7 } } : piece
  })
}

/**
 * A name that no list knows, by the words around it: who acts is a person, what one is in a place, and what stands in one list with
 * a company is a company.
 */
export function typeByPlace(pieces: readonly Piece[], index: number): EntityType | undefined {
  const { mention } = pieces[index] ?? {}
  if (!mention || mention.confidence < 0.3) return undefined
  const placed = byWords(pieces, index, mention) ?? (mention.type ? undefined : byList(pieces, index))
  // "asked Sofia": what the lists take for a town is that or somebody.
  if (mention.type === 'PLACE' && placed !== 'PERSON') return undefined
  return isCoined(mention.name) && (placed ?? 'PERSON') === 'PERSON' ? 'THING' : placed
}

function byWords(pieces: readonly Piece[], index: number, mention: Mention): EntityType | undefined {
  const before = pieces[index - 1]?.unit.lower ?? ''
  const earlier = pieces[index - 2]?.unit.lower ?? ''
  const after = pieces[index + 1]?.unit
  const next = after?.lower ?? ''
  if (/^(?:in|near|à)$/.test(before) || (/^(?:le|la|les|l')$/.test(before) && earlier === 'dans')) return 'PLACE'
  const named = byNoun(pieces, index)
  if (named) return named
  if (mention.type === 'PERSON' && !isGuessed(mention)) return undefined
  if (ADDRESSED.has(before) || /^(?:who|whose|whom)$/.test(next)) return 'PERSON'
  if (COMPANY_ACTS.has(next) && mention.type === undefined) return 'ORGANIZATION'
  if (hasPart(pieces, index, mention)) return 'ORGANIZATION'
  if (before === 'at' && /^arriv/.test(earlier)) return 'PLACE'
  if (before === 'at') return 'ORGANIZATION'
  if (next === "'s" && PEOPLE_ONLY.has(pieces[index + 2]?.unit.lower ?? '')) return 'PERSON'
  if (next === 'and' && /^(?:i|me)$/.test(pieces[index + 2]?.unit.lower ?? '')) return 'PERSON'
  if (before === 'to' && addressee(pieces, index)) return 'PERSON'
  if (before === 'with' && !withTool(pieces, index)) return 'PERSON'
  if (mention.type === 'PERSON') return undefined
  const opens = index === 0 || CLAUSE_BEGINNINGS.has(before)
  return opens && after && ACTS.test(after.pos) && before !== 'with' ? 'PERSON' : undefined
}

/** "the Berlin office of Contoso", "Contoso's Berlin office": people have offices too, but do not name them after places. */
function hasPart(pieces: readonly Piece[], index: number, { type }: Mention): boolean {
  const isPlace = (at: number) => pieces[at]?.mention?.type === 'PLACE'
  const isPart = (at: number) => PARTS.has(pieces[at]?.unit.text.toLowerCase().split(' ').at(-1) ?? '')
  if (OWNER_LINKS.has(pieces[index - 1]?.unit.lower ?? ''))
    return isPart(index - 2) && (type === undefined || isPlace(index - 3))
  return pieces[index + 1]?.unit.lower === "'s" && isPlace(index + 2) && isPart(index + 3)
}

/** "the startup Ecoglow", "publishers such as Hachette", "Pip , our app" */
function byNoun(pieces: readonly Piece[], index: number): EntityType | undefined {
  let i = index - 1
  const link = pieces[i]?.unit.lower ?? ''
  if (NAMING.has(link)) i--
  else if (link === 'as' && pieces[i - 1]?.unit.lower === 'such') i -= 2
  const determiner = pieces[i - 1]?.unit.lower ?? ''
  const isApposed = link !== ',' || determiner === 'biggest' || DETERMINERS.has(determiner) || isOwned(pieces, i)
  const noun = pieces[i]
  const before = noun && !noun.mention && isApposed ? nounType(noun.unit.lower) : undefined
  if (before) return before
  const article = /^(?:,|\()$/.test(pieces[index + 1]?.unit.lower ?? '') ? (pieces[index + 2]?.unit.lower ?? '') : ''
  if (!DETERMINERS.has(article)) return undefined
  for (let at = index + 3; at < index + 8; at++) {
    const piece = pieces[at]
    if (!piece || NOUN_ENDS.has(piece.unit.lower)) return undefined
    const following = pieces[at + 1]?.unit.lower ?? '.'
    if (!piece.mention && NOUN_FOLLOWERS.has(following)) return nounType(piece.unit.lower)
  }
  return undefined
}

/** "our biggest customer , Carrefour" */
function isOwned(pieces: readonly Piece[], index: number): boolean {
  return DEFINITE.has(pieces[index - 2]?.unit.lower ?? '')
}

function nounType(word: string): EntityType | undefined {
  return NOUNS.find(([, nouns]) => nouns.has(word))?.[0]
}

/** "introduced Femke to Aditi", "talked to Shanthi" */
function addressee(pieces: readonly Piece[], index: number): boolean {
  const words = pieces.slice(Math.max(0, index - 4), index - 1).map(({ unit }) => unit.lower)
  return words.some(word => TALKING.has(word))
}

/** "built with Kamal": what one makes something with is no person. */
function withTool(pieces: readonly Piece[], index: number): boolean {
  return pieces.slice(Math.max(0, index - 6), index).some(({ unit }) => MADE_WITH.has(unit.lower))
}

/** "from Vikram to Soledad" */
function isSpan(pieces: readonly Piece[], index: number): boolean {
  return pieces[index]?.unit.lower === 'to' && pieces[index - 2]?.unit.lower === 'from'
}

/** Names in one list are of one type. */
function byList(pieces: readonly Piece[], index: number): EntityType | undefined {
  for (const step of [1, -1]) {
    let at = index
    for (let n = 0; n < DEPTH_MAX; n++) {
      let link = at + step
      if (!LINKS.has(pieces[link]?.unit.lower ?? '') && !isSpan(pieces, link)) break
      if (LINKS.has(pieces[link + step]?.unit.lower ?? '')) link += step
      at = link + step
      const other = pieces[at]?.mention
      if (!other) break
      if (other.type && other.confidence >= 0.65 && !isUnsure(other)) return other.type
      const placed = byWords(pieces, at, other)
      if (placed && !(placed === 'PERSON' && other.type === undefined && step === 1)) return placed
    }
  }
  return undefined
}
