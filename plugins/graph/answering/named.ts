import type { Tx } from 'mneme/plugin'
import type { Question } from 'text-reader/inquiries'
import { ROLES, VERBS } from 'text-reader/inquiries'
import type { TextVector } from '../reading/query-vector.ts'
import { type FoundEntity, searchEntities } from '../reading/search-entities.ts'
import { longestNames, type PossibleName } from '../reading/spotting.ts'
import { entitiesNamed, type Place, userEntity } from './facts.ts'
import { isName, type Named } from './verdict.ts'

/** The asker by default, the same as for memories without a user. */
const USER_WITHOUT_NAME = 'default'
/** From here on a search for entities means the one it finds. */
const MEANT = 0.55
/** The least score of a part of a name. */
const PARTLY_NAMED = 0.75
/** Words of a text that are looked for as parts of names. */
export const PARTS_MAX = 3

/** A question with the one who asks it. */
export interface Asker {
  readonly query: string
  readonly userId: string | undefined
  /** The IANA time zone in which times that it names are read. */
  readonly timezone?: string | undefined
  /** Entities considered. */
  readonly limit: number
}

/** Names that the text holds, the longest wins; each with every entity that goes by it. */
export async function namedIn(tx: Tx, place: Place, names: readonly PossibleName[], limit: number): Promise<Named[]> {
  const anchors = await entitiesNamed(
    tx,
    place,
    names.map(name => name.normal),
  )
  const byName = Map.groupBy(anchors, anchor => anchor.normalName)
  const known = names.filter(name => byName.has(name.normal) && !isPlainWord(name.typed))
  return longestNames(known)
    .map(({ first, last, normal }) => ({ first, last, entities: byName.get(normal) ?? [] }))
    .toSorted((a, b) => a.first - b.first)
    .slice(0, limit)
}

/** "university" asks for something, even if a memory speaks of "the university". */
function isPlainWord(typed: string): boolean {
  if (typed !== typed.toLowerCase()) return false
  const whole = (words: RegExp) => new RegExp(`^(?:${words.source})$`, 'iu').test(typed.replace(/[?!.,]+$/u, ''))
  return VERBS.some(verb => whole(verb.words)) || ROLES.some(role => whole(role.words))
}

/** The positions of the words that are names. */
export function wordsOf(named: readonly Named[]): Set<number> {
  return new Set(named.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, n) => first + n)))
}

/** Adds the one who asks, parts of names, and, where nothing is named, what the words describe. */
export async function withOthers(
  tx: Tx,
  place: Place,
  { query, userId, limit }: Asker,
  question: Question,
  found: readonly Named[],
  vector: TextVector | undefined,
): Promise<Named[]> {
  const named = [...found]
  if (question.self.length > 0) {
    const user = await userEntity(tx, place, userId ?? USER_WITHOUT_NAME)
    if (user) named.push(...question.self.slice(0, 1).map(at => ({ first: at, last: at, entities: [user] })))
  }
  const words = query.split(/\s+/u).filter(Boolean)
  const at = (word: string) => words.findIndex(one => one.includes(word))
  const parts: Named[] = []
  for (const word of question.unread.slice(0, PARTS_MAX)) {
    const entities = await namedInPart(tx, place, word, limit)
    if (entities.length > 0) parts.push({ first: at(word), last: at(word), entities })
  }
  named.push(...wholeNames(parts, words))
  if (named.length === 0 && isDescription(question)) {
    const meant = await searchEntities(tx, place.workspaceId, {
      ...place,
      query: question.unread.join(' '),
      vector,
      limit,
    })
    const [best] = meant.filter(one => one.score >= MEANT)
    const first = at(question.unread[0] ?? '')
    if (best) named.push({ first, last: first, entities: [best] })
  }
  return named.toSorted((a, b) => a.first - b.first)
}

/** Entities of whose name the word is a part, as "Moreau" is of "Ada Moreau". */
export async function namedInPart(tx: Tx, place: Place, word: string, limit: number): Promise<FoundEntity[]> {
  const found = await searchEntities(tx, place.workspaceId, { ...place, query: word, vector: undefined, limit })
  return found.filter(one => one.score >= PARTLY_NAMED && (one.score === 0.9 || one.score === PARTLY_NAMED))
}

/** Parts of names side by side are one name, and mean who has all of them: "Ada Hopper" is neither Ada Wang nor Grace Hopper. */
function wholeNames(parts: readonly Named[], words: readonly string[]): Named[] {
  const whole: Named[] = []
  for (const part of parts) {
    const before = whole.at(-1)
    if (
      before?.last === part.first - 1 &&
      isName(words[part.first] ?? '') &&
      BARE_NAME.test(words[before.last] ?? '')
    ) {
      const entities = before.entities.filter(({ id }) => part.entities.some(one => one.id === id))
      whole.splice(-1, 1, { first: before.first, last: part.last, entities })
    } else whole.push(part)
  }
  return whole.filter(({ entities }) => entities.length > 0)
}

const BARE_NAME = /^\p{Lu}[\p{L}\p{M}-]*$/u

/** Words in small letters describe; a name that nobody has is no description of somebody else. */
function isDescription({ unread }: Question): boolean {
  return unread.length >= 2 && unread.every(word => word === word.toLowerCase())
}

/** Words of the question that are no part of a name either. */
export function stillUnread({ unread }: Question, named: readonly Named[]): string[] {
  const read = new Set(
    named.flatMap(({ entities }) => entities.flatMap(({ name }) => name.toLowerCase().split(/\s+/u))),
  )
  return unread.filter(word => !read.has(word.toLowerCase()))
}
