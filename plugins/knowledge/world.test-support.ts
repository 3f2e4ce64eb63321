import { randomUUID } from 'node:crypto'
import { bind, type LanguageModel, type NewEvent, type NewJob, type Tenant } from 'mneme/plugin'
import { Precedence } from '../../core/background/precedence.ts'
import { createLog } from '../../core/log.ts'
import { noLanguageModel } from '../../core/models/language/language-model.ts'
import { Switchboard } from '../../core/ports.ts'
import type { Client, Json } from '../../test/support/client.ts'
import { memoryRecord } from '../../test/support/memory-record.ts'
import { quarantineOf } from '../../test/support/quarantine.ts'
import { idleService, type TestAccount } from '../../test/support/service.ts'
import { tenantByHand } from '../../test/support/tenant.ts'
import {
  type GraphFacts,
  graphFacts,
  type KnownEntity,
  type KnownRelation,
  type KnownStatement,
} from '../graph/contract.ts'
import { type MemoryReader, type MemoryRecord, type MemoryStanding, memoryReader } from '../memories/contract.ts'
import { compileSoon } from './compilation/schedule.ts'
import { FEATURE, type KnowledgeScope } from './scope.ts'
import { compileTask } from './tasks/compile.ts'

/** The plugin's insides on a real workspace, with a graph and memories of the test's own; events and jobs are only noted. */
export interface KnowledgeWorld {
  readonly account: TestAccount
  readonly workspaceId: string
  readonly tenant: Tenant
  readonly scope: KnowledgeScope
  /** Sees the same workspace over HTTP. */
  readonly client: Client
  readonly published: NewEvent[]
  readonly enqueued: NewJob[]
  /** The graph's facts, returned for every user. */
  readonly statements: KnownStatement[]
  readonly entities: KnownEntity[]
  readonly relations: KnownRelation[]
  /** Memories that the reader does not find. */
  readonly hidden: Set<string>
  /** The standings of memories that are there and not visible. */
  readonly standings: Map<string, MemoryStanding>
  /** A statement of a memory of its own, newer than those before. */
  say(text: string, other?: Partial<KnownStatement>): KnownStatement
  /** Marks categories and compiles them as the job does. */
  compile(userId: string, ...categories: string[]): Promise<void>
  /** The entries of a user over HTTP, by category. */
  entries(userId: string): Promise<Map<string, Json>>
  /** The content of one category, or undefined. */
  content(userId: string, category: string): Promise<string | undefined>
}

export async function knowledgeWorld(
  options: { readonly language?: LanguageModel; readonly debounceMs?: number } = {},
): Promise<KnowledgeWorld> {
  const service = await idleService()
  const { database } = service
  const { account, client, workspaceId, workspace, tenant } = await tenantByHand(service, { features: [FEATURE] })
  const published: NewEvent[] = []
  const enqueued: NewJob[] = []
  const statements: KnownStatement[] = []
  const entities: KnownEntity[] = []
  const relations: KnownRelation[] = []
  const hidden = new Set<string>()
  const standings = new Map<string, MemoryStanding>()
  const wiring = new Switchboard()
  wiring.bind('graph', bind(graphFacts, fakeGraph(statements, entities, relations)))
  wiring.bind('memories', bind(memoryReader, fakeReader(workspaceId, hidden, standings)))
  const scope: KnowledgeScope = {
    database,
    wiring,
    tenants: {
      find: async id => (id === workspaceId ? workspace : undefined),
      tenant: async () => tenant,
    },
    events: { publish: async (_, events) => void published.push(...events) },
    jobs: { enqueue: async (_, jobs) => void enqueued.push(...jobs) },
    background: new Precedence(),
    quarantine: quarantineOf('knowledge', database),
    language: options.language ?? noLanguageModel,
    log: createLog('silent'),
    debounceMs: options.debounceMs ?? 5_000,
  }
  const entries = async (userId: string) => {
    const { body } = await client.get('/v1/knowledge', { query: { user_id: userId, page_size: 100 } })
    return new Map<string, Json>(body.data.map((entry: Json) => [entry.category, entry]))
  }
  return {
    account,
    workspaceId,
    tenant,
    scope,
    client,
    published,
    enqueued,
    statements,
    entities,
    relations,
    hidden,
    standings,
    say(text, other = {}) {
      const statedAt = new Date(Date.UTC(2026, 0, 1) + statements.length * 60_000)
      const defaults = {
        memoryId: randomUUID(),
        ordinal: 0,
        categories: ['preferences'],
        confidence: 0.8,
        ended: false,
      }
      const statement = { ...defaults, text, statedAt, ...other }
      statements.push(statement)
      return statement
    },
    async compile(userId, ...categories) {
      await database.workspace(workspaceId, tx => compileSoon(tx, scope, workspaceId, userId, categories))
      await runCompile(scope, workspaceId, userId)
    },
    entries,
    content: async (userId, category) => (await entries(userId)).get(category)?.content,
  }
}

/** Runs the job as the runner would. */
export async function runCompile(scope: KnowledgeScope, workspaceId: string, userId: string): Promise<void> {
  const payload = { workspace_id: workspaceId, user_id: userId }
  const signal = AbortSignal.timeout(30_000)
  await compileTask.run({ payload: payload as never, scope, attempt: 1, maxAttempts: 5, signal })
}

function fakeGraph(
  statements: readonly KnownStatement[],
  entities: readonly KnownEntity[],
  relations: readonly KnownRelation[],
): GraphFacts {
  return {
    statements: async (_, { category, limit }) =>
      statements
        .filter(({ categories }) => category === undefined || categories.includes(category))
        .toSorted((a, b) => a.statedAt.getTime() - b.statedAt.getTime())
        .slice(-limit),
    entities: async (_, { limit }) => entities.slice(0, limit),
    countEntities: async () => entities.length,
    relations: async () => [...relations],
    categories: async () => [...new Set(statements.flatMap(({ categories }) => categories))].sort(),
    pendingUsers: async () => [],
    acknowledge: async () => undefined,
    noteChanged: async () => undefined,
  }
}

function fakeReader(
  workspaceId: string,
  hidden: ReadonlySet<string>,
  known: ReadonlyMap<string, MemoryStanding>,
): MemoryReader {
  const isVisible = (id: string) => !hidden.has(id) && !known.has(id)
  return {
    records: async (_, ids) => ids.filter(isVisible).map(id => recordOf(workspaceId, id)),
    visible: async (_, ids) => ids.filter(isVisible),
    countVisible: async () => 0,
    listed: async () => new Map(),
    statuses: async () => new Map(),
    standing: async () => VISIBLE,
    standings: async (_, ids) =>
      new Map(ids.filter(id => !hidden.has(id)).map(id => [id, known.get(id) ?? VISIBLE] as const)),
    textAt: async () => undefined,
    holdings: async () => new Map(),
    withFields: async (_, memories) => [...memories],
    countAccess: () => undefined,
  }
}

const VISIBLE: MemoryStanding = { state: 'VISIBLE', status: 'COMPLETED' }

/** A memory as far as this plugin looks at one. */
export function recordOf(workspaceId: string, id: string, text = ''): MemoryRecord {
  return memoryRecord({ id, workspaceId, text, userId: 'ada', status: 'COMPLETED' })
}
