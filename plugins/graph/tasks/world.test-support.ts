import { type NewJob, type PluginContext, textArray } from 'mneme/plugin'
import { createLog } from '../../../core/log.ts'
import type { AnyPlugin } from '../../../core/plugin.ts'
import { builtInPlugins } from '../../../server/plugins.ts'
import { oncePerRun } from '../../../test/support/closing.ts'
import { ownDatabaseUrl } from '../../../test/support/database.ts'
import { startService, type TestAccount, type TestService } from '../../../test/support/service.ts'
import { memoryReader } from '../../memories/contract.ts'
import type { Extraction, Extractor, MemoryToExtract } from '../contract.ts'
import { type GraphScope, graphScope } from '../scope.ts'
import { Lanes } from './lanes.ts'
import { enqueueReadings } from './reading-queue.ts'
import { noteRestatements } from './restatements.ts'

interface Lent {
  readonly running: TestService
  readonly context: PluginContext<unknown>
}

/** A service whose jobs nobody runs but the test: on a database of its own, where no other service's workers are. */
function idleService(): Promise<Lent> {
  return oncePerRun('graph-service-without-workers', async () => {
    let context: PluginContext<unknown> | undefined
    // The graph's own, since only it may publish its events.
    const spied = (plugin: AnyPlugin): AnyPlugin => ({
      ...plugin,
      setup(lent) {
        context = lent
        return plugin.setup(lent)
      },
    })
    const running = await startService(
      { WORKERS: 'none' },
      {
        builtIn: builtInPlugins.map(plugin => (plugin.id === 'graph' ? spied(plugin) : plugin)),
        url: await ownDatabaseUrl(),
      },
    )
    if (!context) throw new Error('the graph was not set up')
    return { running, context }
  })
}

export interface ReadingWorld {
  readonly running: TestService
  readonly account: TestAccount
  readonly workspaceId: string
  readonly scope: GraphScope
  readonly enqueued: NewJob[]
  /** Stores a memory and notes it as to be read. @returns its id */
  remember(text: string, userId?: string): Promise<string>
  /** Notes memories as processing does. */
  note(ids: readonly string[]): Promise<void>
  readings(): Promise<Reading[]>
  /** Lets everything be due that waits for its time. */
  hurry(): Promise<void>
}

export interface Reading {
  readonly memory_id: string
  readonly waiting: boolean
  readonly extracted_by: string | null
  readonly attempts: number
  readonly isDue: boolean
  readonly isRead: boolean
}

export async function readingWorld(extractor: Extractor, plan = 'unlimited'): Promise<ReadingWorld> {
  const { running, context } = await idleService()
  const account = await running.account({ plan })
  const { workspaceId, client } = account
  const { database, wiring } = context
  const enqueued: NewJob[] = []
  const jobs = { enqueue: async (_: unknown, added: readonly NewJob[]) => void enqueued.push(...added) }
  const scope: GraphScope = {
    ...graphScope(context, { extractor, lanes: new Lanes(2, 4) }),
    jobs,
    log: createLog('silent'),
  }
  const note = (ids: readonly string[]) =>
    database.workspace(workspaceId, async tx => enqueueReadings(tx, await wiring.use(memoryReader).records(tx, ids)))
  return {
    running,
    account,
    workspaceId,
    scope,
    enqueued,
    note,
    async remember(text, userId = 'u7') {
      const { body } = await client.post('/v1/memories', { memory: text, user_id: userId })
      await note([body.id])
      return body.id
    },
    readings: () =>
      database.workspace(
        workspaceId,
        tx => tx<Reading[]>`
          select
            reading.memory_id, reading.due_at is not null as waiting, reading.extracted_by, reading.attempts,
            coalesce(reading.due_at <= now(), false) as "isDue", reading.read_at is not null as "isRead"
          from graph.reading
          where reading.workspace_id = ${workspaceId}
          order by reading.memory_id`,
      ),
    hurry: () =>
      database.workspace(workspaceId, async tx => {
        await tx`
          update graph.reading set due_at = now() - interval '1 second' where reading.workspace_id = ${workspaceId} and reading.due_at is not null`
      }),
  }
}

/** Knows one kind of sentence, "Ada likes tea", and notes what it is asked. */
export function likesExtractor(
  id = 'local',
  meddle: (memory: MemoryToExtract) => Partial<Extraction> | Promise<Partial<Extraction>> = () => ({}),
): Extractor & { readonly asked: string[][] } {
  const asked: string[][] = []
  return {
    id,
    asked,
    async extract(_, memories) {
      asked.push(memories.map(({ text }) => text))
      const extractions: Extraction[] = []
      for (const memory of memories) extractions.push({ ...readLikes(memory, id), ...(await meddle(memory)) })
      return extractions
    },
  }
}

/** A likes extractor during whose next reading something else happens, once. */
export function interruptedExtractor(id = 'local') {
  let change: (() => Promise<unknown>) | undefined
  const extractor = likesExtractor(id, async () => {
    const due = change
    change = undefined
    await due?.()
    return {}
  })
  return Object.assign(extractor, {
    meanwhile(given: () => Promise<unknown>) {
      change = given
    },
  })
}

/** A memory gets other categories, without an event, as a merge gives them. */
export function refile({ scope: { database }, workspaceId }: ReadingWorld, memoryId: string, categories: string[]) {
  return database.workspace(
    workspaceId,
    tx => tx`
      update memories.memory set categories = ${textArray(categories)}
      where workspace_id = ${workspaceId} and id = ${memoryId}`,
  )
}

function readLikes({ id: memoryId, text }: MemoryToExtract, extractedBy: string): Extraction {
  const [, who, what] = /^(\w+) likes (\w+)/.exec(text) ?? []
  if (!who || !what) return { memoryId, extractedBy, entities: [], relations: [], statements: [] }
  const span = { start: 0, end: text.length }
  const entity = { aliases: [], span, confidence: 0.9, isUser: false }
  return {
    memoryId,
    extractedBy,
    entities: [
      { ...entity, name: who, type: 'PERSON' },
      { ...entity, name: what, type: 'THING' },
    ],
    relations: [
      { type: 'LIKES', source: 0, target: 1, confidence: 0.9, span, validFrom: null, validTo: null, closes: false },
    ],
    statements: [{ text, category: 'preferences', span, confidence: 0.9 }],
  }
}

/** A memory's text is told again, at these instants. */
export function tell({ scope: { database, jobs }, workspaceId }: ReadingWorld, memoryId: string, ...instants: Date[]) {
  const restatements = instants.map(statedAt => ({ memoryId, statedAt }))
  return database.workspace(workspaceId, tx => noteRestatements(tx, jobs, workspaceId, restatements))
}
