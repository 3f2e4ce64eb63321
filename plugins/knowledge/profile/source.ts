import { hasFeature } from 'mneme/plugin'
import type { RelationType } from '../../graph/contract.ts'
import type { MemoryProfile, ProfileSource } from '../../memories/contract.ts'
import { onOneLine } from '../document/wording.ts'
import type { Portrait } from './portrait.ts'
import { isBlank } from './portrait.ts'
import { findProfile } from './store.ts'

/** Reads profiles as compilations left them. Null without the plan's feature, as every other knowledge. */
export function createProfileSource(feature: string): ProfileSource {
  return {
    async profile(tenant, userId): Promise<MemoryProfile | null> {
      const { workspaceId, workspace } = tenant
      if (!hasFeature(workspace, feature)) return null
      const stored = await tenant.transaction(tx => findProfile(tx, workspaceId, userId))
      if (!stored || isBlank(stored.portrait)) return null
      return {
        userId,
        workspaceId,
        summary: summaryOf(stored.portrait, userId),
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

/** Two or three plain sentences: who it is, works where, lives where, likes what, knows whom. */
export function summaryOf({ name, facts, sentences }: Portrait, userId: string): string {
  const subject = name?.text ?? onOneLine(userId)
  // A thing that is both liked and used is mentioned once.
  const named = new Set<string>()
  const told = [...SENTENCES.values()].flatMap(parts => {
    const said = parts.flatMap(([type, [, verb]]) => {
      const all = facts.filter(fact => fact.type === type).map(({ target }) => target)
      const targets = [...new Set(all)].filter(target => !named.has(target)).slice(0, LISTED_MAX)
      for (const target of targets) named.add(target)
      return targets.length > 0 ? [`${verb} ${listed(targets)}`] : []
    })
    return said.length > 0 ? [`${subject} ${listed(said)}.`] : []
  })
  return [...told, ...sentences.map(({ text }) => text)].join(' ')
}

function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}
