import { hasFeature, type Tx, toldOfUser, type Wiring } from 'mneme/plugin'
import type { RelationType } from '../../graph/contract.ts'
import { type MemoryProfile, memoryReader, type ProfileSource, statedAt } from '../../memories/contract.ts'
import { onOneLine } from '../document/wording.ts'
import { isBlank, memoriesOf, type Portrait, type PortraitFact, type PortraitSentence } from './portrait.ts'
import { findProfile } from './store.ts'

/**
 * Reads profiles as compilations left them, with what has been said since about the same things. Null without the plan's feature, as every other
 * knowledge.
 */
export function createProfileSource(feature: string, wiring: Pick<Wiring, 'use'>): ProfileSource {
  return {
    async profile(tenant, userId): Promise<MemoryProfile | null> {
      const { workspaceId, workspace } = tenant
      if (!hasFeature(workspace, feature)) return null
      const found = await tenant.transaction(async tx => {
        const stored = await findProfile(tx, workspaceId, userId)
        return stored && { stored, said: await readSaid(tx, wiring, memoriesOf(stored.portrait)) }
      })
      if (!found || isBlank(found.stored.portrait)) return null
      const { stored, said } = found
      return {
        userId,
        workspaceId,
        summary: summaryOf(stored.portrait, said),
        topics: stored.portrait.topics.map(({ name }) => name),
        entityCount: stored.entityCount,
        extractedAt: stored.extractedAt.toISOString(),
      }
    },
  }
}

/** Things that one part of a sentence lists. */
const LISTED_MAX = 4

/** Places each type in one of three sentences, and words it; within a sentence they are told in this order. */
const WORDS: Readonly<Record<RelationType, readonly [sentence: 0 | 1 | 2, verb: string]>> = {
  WORKS_AT: [0, 'works at'],
  LIVES_IN: [0, 'lives in'],
  LOCATED_IN: [0, 'is in'],
  BORN_IN: [0, 'was born in'],
  STUDIED_AT: [0, 'has studied at'],
  LIKES: [1, 'likes'],
  INTERESTED_IN: [1, 'is interested in'],
  USES_TECHNOLOGY: [1, 'uses'],
  DISLIKES: [1, 'dislikes'],
  VISITED: [1, 'has visited'],
  MARRIED_TO: [2, 'is married to'],
  PARENT_OF: [2, 'is a parent of'],
  RELATED_TO: [2, 'is related to'],
  MANAGES: [2, 'manages'],
  REPORTS_TO: [2, 'reports to'],
  COLLABORATES_WITH: [2, 'works with'],
  KNOWS: [2, 'knows'],
  MEMBER_OF: [2, 'is a member of'],
  PART_OF: [2, 'is part of'],
  CREATED: [2, 'created'],
  OWNS: [2, 'owns'],
}

const SENTENCES = Map.groupBy(Object.entries(WORDS), ([, [sentence]]) => sentence)

/** When a memory was said, and the newest statement after it about the same thing, if there is one. */
export interface Said {
  readonly at: Date
  readonly later?: { readonly id: string; readonly at: Date; readonly text: string }
}

/** A profile names more memories only where it tells hundreds of things. */
const MEMORIES_READ_MAX = 300

async function readSaid(tx: Tx, wiring: Pick<Wiring, 'use'>, ids: readonly string[]): Promise<Map<string, Said>> {
  const reader = wiring.use(memoryReader)
  const records = await reader.records(tx, ids.slice(0, MEMORIES_READ_MAX))
  const holdings = await reader.holdings(tx, records)
  const latestOf = (id: string) => {
    const { supersededBy = [], newer = [] } = holdings.get(id) ?? {}
    return supersededBy[0] ?? newer[0]
  }
  const latest = await reader.records(tx, [...new Set(records.flatMap(({ id }) => latestOf(id) ?? []))])
  const byId = new Map(latest.map(record => [record.id, record]))
  return new Map(
    records.map(record => {
      const later = byId.get(latestOf(record.id) ?? '')
      const at = statedAt(record)
      return [record.id, later ? { at, later: { id: later.id, at: statedAt(later), text: later.text } } : { at }]
    }),
  )
}

/** Relationships of which a later statement may tell the end are quoted with it, and no more of them than these. */
const OPEN_MAX = 3
const QUOTE_MAX = 200

/**
 * Plain sentences: who it is, works where, lives where, likes what, knows whom, each with the day on which it was last said. Where something was said
 * later about the same thing, which the graph has not understood, that is quoted beside it, and nothing is told as holding now.
 */
export function summaryOf({ name, facts, sentences }: Portrait, said: ReadonlyMap<string, Said>): string {
  const subject = name?.text ?? 'The user'
  const dated = facts.flatMap(fact => withDate(fact, said))
  const settled = dated.filter(({ later }) => !later)
  // A thing that is both liked and used is mentioned once.
  const named = new Set<string>()
  const told = [...SENTENCES.values()].flatMap(parts => {
    const clauses = parts.flatMap(([type, [, verb]]) => {
      const targets = settled.filter(({ fact }) => fact.type === type && !named.has(fact.target)).slice(0, LISTED_MAX)
      for (const { fact } of targets) named.add(fact.target)
      const words = targets.map(({ fact, at }) => `${fact.target} (${dayOf(at)})`)
      return words.length > 0 ? [`${verb} ${listed([...new Set(words)])}`] : []
    })
    return clauses.length > 0 ? [`${subject} ${listed(clauses)}.`] : []
  })
  const open = dated.flatMap(({ fact, at, later }) =>
    later
      ? [{ later, text: `On ${dayOf(at)}: ${WORDS[fact.type][1]} ${fact.target}. Later, on ${quoted(later)}` }]
      : [],
  )
  const quotes = [...new Map(sentences.flatMap(sentence => quoteOf(sentence, said)).map(one => [one.id, one.text]))]
  const isTold = new Set(open.map(({ later }) => later.id))
  return [
    ...told,
    ...open.slice(0, OPEN_MAX).map(({ text }) => text),
    ...quotes.flatMap(([id, text]) => (isTold.has(id) ? [] : [text])),
  ].join(' ')
}

interface DatedFact extends Said {
  readonly fact: PortraitFact
}

/** A fact was last said when the newest of its memories was; what a later one of them says is no later statement. */
function withDate(fact: PortraitFact, said: ReadonlyMap<string, Said>): DatedFact[] {
  const own = fact.memories.flatMap(id => said.get(id) ?? []).toSorted((a, b) => b.at.getTime() - a.at.getTime())
  const [newest] = own
  if (!newest) return []
  const later = own
    .flatMap(one => one.later ?? [])
    .filter(one => one.at > newest.at && !fact.memories.includes(one.id))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())[0]
  return [later ? { fact, at: newest.at, later } : { fact, at: newest.at }]
}

/** A statement, or the latest one about the same thing in its place. */
function quoteOf({ text, memories }: PortraitSentence, said: ReadonlyMap<string, Said>) {
  return memories.flatMap(id => {
    const { at, later } = said.get(id) ?? {}
    if (later) return [{ id: later.id, text: quoted(later) }]
    return at ? [{ id, text: `${dayOf(at)}: ${text}` }] : []
  })
}

function quoted({ at, text }: { readonly at: Date; readonly text: string }): string {
  const told = toldOfUser(onOneLine(text))
  return `${dayOf(at)}: ${told.length > QUOTE_MAX ? `${told.slice(0, QUOTE_MAX).toWellFormed()}…` : told}`
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}
