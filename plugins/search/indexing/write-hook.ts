import { paced, type Standing, type Steps, standingOf } from 'mneme/plugin'
import { instantOf } from 'text-reader/dates'
import { type MemoryRecord, type MemoryWriteHook, statedAt } from '../../memories/contract.ts'
import { analysisSteps } from '../analysis/analyze.ts'
import { readTraits, type TextTraits } from '../analysis/traits.ts'
import type { DocumentAmendment, SearchDocument, SearchEngine, WordDigest } from '../engine/engine.ts'
import { standingOfMemory } from '../engine/postgres/standing.ts'
import type { WorkspaceLanguages } from '../languages/workspace-languages.ts'
import type { QueryLog } from '../log/query-log.ts'
import { forgetRelations } from './likeness.ts'

/** The analysis of a text, made before the transaction that writes it. */
interface ReadText {
  readonly digest: WordDigest
  readonly traits: TextTraits
  readonly standing: Standing | undefined
}

export type SearchWriteHook = MemoryWriteHook<ReadText> & Required<Pick<MemoryWriteHook<ReadText>, 'prepare'>>

/** Updates the index within every write's transaction, so that keyword search finds a memory once it is accepted. */
export function createWriteHook(engine: SearchEngine, languages: WorkspaceLanguages, log: QueryLog): SearchWriteHook {
  return {
    id: 'search',
    async prepare(tenant, memories) {
      const texts = new Map<string, ReadText>()
      for (const { id, workspaceId, text } of memories) {
        const language = await languages.ofText(tenant, text)
        const digest = await paced(digestSteps(engine, workspaceId, text, language))
        texts.set(id, { digest, traits: readTraits(text), standing: standingOf(text) })
      }
      return texts
    },
    created: (tx, memories, texts) => engine.index(tx, toDocuments(memories, texts)),
    async updated(tx, memories, texts, sameText) {
      await engine.index(tx, toDocuments(memories, texts), sameText)
      for (const [workspaceId, own] of Map.groupBy(memories, memory => memory.workspaceId)) {
        const changed = own.filter(({ id }) => !sameText?.has(id))
        await forgetRelations(
          tx,
          workspaceId,
          changed.map(({ id }) => id),
        )
      }
    },
    async amended(tx, memories) {
      for (const [workspaceId, own] of Map.groupBy(memories, memory => memory.workspaceId)) {
        await engine.amend(tx, workspaceId, own.map(toAmendment))
      }
    },
    erased: (tx, workspaceId, texts) => log.forgetTexts(tx, workspaceId, texts),
    async removed(tx, workspaceId, ids, why) {
      // Nobody deleted the text of an expired or absorbed memory: `erased` hears of it once somebody does.
      // The log is purged by the words of the documents, so it must run before they are removed.
      await Promise.all([
        why === 'deleted' ? log.forget(tx, workspaceId, ids) : undefined,
        engine.remove(tx, workspaceId, ids),
        forgetRelations(tx, workspaceId, ids),
      ])
    },
  }
}

function toAmendment(memory: MemoryRecord): DocumentAmendment {
  const { id, sessionId, metadata } = memory
  return { memoryId: id, sessionId, metadata, ...timesOf(memory) }
}

function timesOf(memory: MemoryRecord): Pick<DocumentAmendment, 'saidAt' | 'happenedAt'> {
  const at = statedAt(memory)
  return { saidAt: at.getTime() === memory.createdAt.getTime() ? null : at, happenedAt: happenedAt(memory.metadata) }
}

function toDocuments(memories: readonly MemoryRecord[], texts: ReadonlyMap<string, ReadText>): SearchDocument[] {
  return memories.map(memory => {
    const text = texts.get(memory.id)
    if (!text) throw new Error('a memory is written whose text was not prepared')
    return {
      workspaceId: memory.workspaceId,
      memoryId: memory.id,
      userId: memory.userId,
      agentId: memory.agentId,
      sessionId: memory.sessionId,
      priority: memory.priority,
      categories: memory.categories,
      metadata: memory.metadata,
      createdAt: memory.createdAt,
      expiresAt: memory.expiresAt,
      ...timesOf(memory),
      ...text,
      standing: standingOfMemory(memory, text.standing),
    }
  })
}

/** Metadata commonly stores the time of an event under these names, the most specific first. */
const NAMES = [
  'happened_at',
  'occurred_at',
  'event_time',
  'event_date',
  'sent_at',
  'spoken_at',
  'date',
  'datetime',
  'date_time',
  'timestamp',
  'time',
  'created_at',
  'when',
]

/** Reads from metadata when the reported event happened; null if it does not say. */
export function happenedAt(metadata: Readonly<Record<string, unknown>> | null): Date | null {
  if (!metadata) return null
  const named = new Map(Object.entries(metadata).map(([name, value]) => [snakeCase(name), value]))
  for (const name of NAMES) {
    const instant = named.has(name) ? instantOf(named.get(name)) : null
    if (instant) return instant
  }
  return null
}

function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
}

/** Analyses texts in a language and yields after each one. Only the digests are kept, which bounds the memory of a large batch. */
export function* digestSteps(
  engine: SearchEngine,
  workspaceId: string,
  text: string,
  language: string | undefined,
): Steps<WordDigest> {
  return yield* engine.digest(workspaceId, yield* analysisSteps(text, { language }))
}
