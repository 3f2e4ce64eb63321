import { toldOfUser } from 'mneme/plugin'
import type { EntityType, KnownEntity, KnownStatement, RelationType } from '../../graph/contract.ts'
import { contradicted } from '../document/contradictions.ts'
import { normalForm, onOneLine, saysName, spacedWords } from '../document/wording.ts'

/** A relationship of the user's that holds now. */
export interface PortraitFact {
  readonly type: RelationType
  /** Name of the other end. */
  readonly target: string
  /** Memories that say so, never none. */
  readonly memories: readonly string[]
  /** Memories that say the name, never none: "my wife" may be named by another one. */
  readonly namedBy: readonly string[]
}

export interface PortraitSentence {
  readonly text: string
  /** The memories' own words, where the text has others. */
  readonly said?: string
  readonly memories: readonly string[]
}

export interface PortraitTopic {
  readonly name: string
  readonly memories: readonly string[]
  /** A category, which no text has to name. */
  readonly isCategory: boolean
}

/** The material of a profile. Each part names its memories, so that it is withdrawn together with them. */
export interface Portrait {
  /** The user's name; null: no memory that is left states it. */
  readonly name: PortraitSentence | null
  readonly facts: readonly PortraitFact[]
  /** Statements of their memories: personal ones that no relationship tells, or any for users without a known relationship. */
  readonly sentences: readonly PortraitSentence[]
  readonly topics: readonly PortraitTopic[]
}

const TOPICS_MAX = 10
const SENTENCES_MAX = 3
const SENTENCE_CHARS_MAX = 200
/** Memories that are kept for each thing: when all of them are gone, it goes until it is extracted anew. */
const MEMORIES_MAX = 10
/** Relationship types are ordered by how much they tell about a person. */
const TELLING = ['personal', 'work_context', 'relationships', 'preferences', 'goals', 'tech_stack']

export interface PortraitInput {
  readonly userId: string
  /** Statements of all categories, oldest first. */
  readonly statements: readonly KnownStatement[]
  /** The most named first. */
  readonly entities: readonly KnownEntity[]
  readonly facts: readonly Omit<PortraitFact, 'namedBy'>[]
}

/** Draws what is known; undefined when nothing is. */
export function portraitOf({ userId, statements, entities, facts }: PortraitInput): Portrait | undefined {
  const over = contradicted(statements)
  const current = statements.filter(statement => !statement.ended && !over.has(statement)).toReversed()
  if (current.length === 0) return undefined
  const naming = namesIn(current)
  const told = facts
    .map(fact => ({ ...fact, namedBy: naming(fact.target) }))
    .filter(({ namedBy }) => namedBy.length > 0)
  const user = entities.find(({ isUser }) => isUser)
  // The rest of the sentence may be outdated, but a name stays valid. A greeting states it, too, and is no statement.
  const name =
    user && user.name !== userId
      ? {
          text: onOneLine(user.name),
          memories: [...new Set([...user.namedBy, ...namesIn(statements.toReversed())(user.name)])],
        }
      : null
  return {
    name: name && name.memories.length > 0 ? name : null,
    facts: told.map(fact => ({ ...fact, memories: fact.memories.slice(0, MEMORIES_MAX) })),
    sentences: telling(told.length > 0 ? untold(current, told, name) : current),
    topics: topicsOf(current, entities, naming),
  }
}

/**
 * A portrait without what no memory says any more.
 * @param says whether a memory still says a sentence or names something; with undefined: whether it is there at all
 */
export function withoutUnsaid(
  portrait: Portrait,
  says: (memory: string, words: string | undefined) => boolean,
): Portrait {
  const left = <T extends { readonly memories: readonly string[] }>(
    items: readonly T[],
    words: (item: T) => string | undefined,
  ) =>
    items
      .map(item => ({ ...item, memories: item.memories.filter(id => says(id, words(item))) }))
      .filter(({ memories }) => memories.length > 0)
  return {
    ...portrait,
    name: left(portrait.name ? [portrait.name] : [], ({ text }) => text)[0] ?? null,
    facts: left(portrait.facts, () => undefined)
      .map(fact => ({ ...fact, namedBy: fact.namedBy.filter(id => says(id, fact.target)) }))
      .filter(({ namedBy }) => namedBy.length > 0),
    sentences: left(portrait.sentences, ({ text, said }) => said ?? text),
    topics: left(portrait.topics, ({ name, isCategory }) => (isCategory ? undefined : name)),
  }
}

export function isBlank({ facts, sentences, topics }: Portrait): boolean {
  return facts.length === 0 && sentences.length === 0 && topics.length === 0
}

export function memoriesOf({ name, facts, sentences, topics }: Portrait): string[] {
  const all = [...(name ? [name] : []), ...facts, ...sentences, ...topics]
  return [...new Set([...all.flatMap(({ memories }) => memories), ...facts.flatMap(({ namedBy }) => namedBy)])]
}

/** Personal statements beside the relationships, such as an allergy, which no type of relationship has. */
function untold(
  current: readonly KnownStatement[],
  facts: readonly PortraitFact[],
  name: PortraitSentence | null,
): readonly KnownStatement[] {
  const telling = facts.flatMap(({ memories, namedBy }) => [...memories, ...namedBy])
  const told = new Set([...(name?.memories ?? []), ...telling])
  return current.filter(({ memoryId, categories }) => categories.includes('personal') && !told.has(memoryId))
}

/** A few short sentences, of different categories where there are. */
function telling(current: readonly KnownStatement[]): PortraitSentence[] {
  const short = current.filter(({ text }) => onOneLine(text).length <= SENTENCE_CHARS_MAX)
  const rank = ({ categories }: KnownStatement) => {
    const ranks = categories.map(category => TELLING.indexOf(category)).filter(place => place >= 0)
    return ranks.length > 0 ? Math.min(...ranks) : TELLING.length
  }
  const byCategory = Map.groupBy(short, rank)
  const first = [...byCategory].toSorted(([a], [b]) => a - b).flatMap(([, [newest]]) => newest ?? [])
  const chosen = [...new Set([...first, ...short])].slice(0, SENTENCES_MAX)
  return chosen.map(({ text, memoryId }) => toSentence(onOneLine(text), memoryId))
}

function toSentence(said: string, memoryId: string): PortraitSentence {
  const told = toldOfUser(said)
  return { text: asSentence(told), ...(told === said ? {} : { said }), memories: [memoryId] }
}

function asSentence(text: string): string {
  return /[.!?…。！？]["')\]]?$/u.test(text) ? text : `${text}.`
}

/** Entities first, the most named ones; then the categories that say the most. */
function topicsOf(
  current: readonly KnownStatement[],
  entities: readonly KnownEntity[],
  naming: (name: string, type: EntityType) => string[],
): PortraitTopic[] {
  const named = entities
    .filter(({ isUser }) => !isUser)
    .slice(0, TOPICS_MAX * 3)
    .map(({ name, type }) => ({ name: onOneLine(name), memories: naming(name, type), isCategory: false }))
    .filter(({ memories }) => memories.length > 0)
  const byCategory = Map.groupBy(
    current.flatMap(({ categories, memoryId }) => categories.map(category => ({ category, memoryId }))),
    ({ category }) => category,
  )
  const filed = [...byCategory]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([category, items]) => ({
      name: category,
      memories: [...new Set(items.map(({ memoryId }) => memoryId))].slice(0, MEMORIES_MAX),
      isCategory: true,
    }))
  const byName = new Map<string, PortraitTopic>()
  for (const topic of [...named, ...filed]) {
    const key = normalForm(topic.name)
    if (!byName.has(key)) byName.set(key, topic)
  }
  return [...byName.values()].slice(0, TOPICS_MAX)
}

/** Looks up the newest memories whose statements say a name. */
function namesIn(current: readonly KnownStatement[]): (name: string, type?: EntityType) => string[] {
  const spaced = current.map(({ text, memoryId }) => ({ memoryId, words: spacedWords(normalForm(text)) }))
  return (name, type) => {
    const says = saysName(name, type)
    const holding = says ? spaced.filter(({ words }) => says(words)) : []
    return [...new Set(holding.map(({ memoryId }) => memoryId))].slice(0, MEMORIES_MAX)
  }
}
