import type { Extension, NewEvent, NewJob, Tenant, Workspace } from 'mneme/plugin'
import { createPlans } from '../../core/auth/plans.ts'
import { createLog } from '../../core/log.ts'
import { Switchboard } from '../../core/ports.ts'
import { createQuotas } from '../../core/quotas.ts'
import type { Client, Json } from '../../test/support/client.ts'
import { idleService, service } from '../../test/support/service.ts'
import { AccessCounter } from './access-counter.ts'
import type { CreateResult, MemoryRecord, NewMemory } from './contract.ts'
import { createMemories, createMemory, prepareMemories } from './create.ts'
import { AddedFields } from './fields.ts'
import { ProcessingBatches } from './processing/batches.ts'
import { processMemories } from './processing/pass.ts'
import { memoryQuota } from './quota.ts'
import type { MemoriesScope } from './scope.ts'

/** The plugin's insides on a real workspace, with contributions of the test's own; events and jobs are only noted. */
export interface MemoryWorld {
  readonly tenant: Tenant
  readonly scope: MemoriesScope
  readonly published: NewEvent[]
  readonly enqueued: NewJob[]
  /** Sees the same workspace over HTTP. */
  readonly client: Client
  create(memory: Partial<NewMemory> & { text: string }): Promise<MemoryRecord>
  /** In one transaction, as a batch. */
  createAll(texts: readonly string[]): Promise<CreateResult[]>
  /** The memory as get-one answers it. */
  shown(id: string): Promise<Json>
  /** The kinds of what was published, in order. */
  kinds(): string[]
}

/** @param options.idle on the service without jobs, for tests of jobs that look at every workspace */
export async function memoryWorld(
  options: { extensions?: readonly Extension[]; memoryQuota?: number; idle?: boolean } = {},
): Promise<MemoryWorld> {
  const { account, database } = await (options.idle ? idleService() : service())
  const { client, workspaceId, accountId } = await account()
  const workspace: Workspace = {
    id: workspaceId,
    name: 'Test',
    accountId,
    plan: 'test',
    features: new Set(),
    quotas: { memories: options.memoryQuota ?? null },
    settings: {},
    twinOf: null,
  }
  const tenant: Tenant = { workspaceId, workspace, transaction: work => database.workspace(workspaceId, work) }
  const published: NewEvent[] = []
  const enqueued: NewJob[] = []
  const wiring = new Switchboard()
  for (const extension of options.extensions ?? []) wiring.extend(extension)
  const services = {
    database,
    tenants: {
      find: async (id: string) => (id === workspaceId ? workspace : undefined),
      tenant: async () => tenant,
      select: async () => tenant,
      forget: () => undefined,
    },
    events: { publish: async (_: unknown, events: readonly NewEvent[]) => void published.push(...events) },
    jobs: { enqueue: async (_: unknown, jobs: readonly NewJob[]) => void enqueued.push(...jobs) },
    wiring,
    log: createLog('silent'),
    quotas: createQuotas({
      definitions: [memoryQuota],
      plans: createPlans({ features: [], quotas: [] }),
      database,
      meter: { request: () => undefined, monthUsage: async () => ({}) },
    }),
    taskTtlMs: 60_000,
  }
  const batches = new ProcessingBatches((id, jobs) => processMemories(services, id, jobs))
  const scope: MemoriesScope = {
    ...services,
    accesses: new AccessCounter(database),
    fields: new AddedFields(services),
    process: job => batches.add(job),
  }
  return {
    tenant,
    scope,
    published,
    enqueued,
    client,
    async createAll(texts) {
      const memories = texts.map(text => ({ text, source: 'API' as const }))
      const prepared = await prepareMemories(services, tenant, memories)
      return tenant.transaction(tx => createMemories(tx, services, tenant, prepared))
    },
    create: memory => createMemory(services, tenant, { source: 'API', ...memory }),
    shown: async id => (await client.get(`/v1/memories/${id}`)).body,
    kinds: () => published.map(event => event.kind),
  }
}

/** The job of a memory as it was when it was read. */
export function jobOf({ workspaceId, id, revision }: MemoryRecord) {
  return { workspace_id: workspaceId, memory_id: id, revision }
}
