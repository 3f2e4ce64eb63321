import { type Extension, type NewEvent, type NewJob, Portion, type Tenant } from 'mneme/plugin'
import { createPlans } from '../../core/auth/plans.ts'
import { createLog } from '../../core/log.ts'
import { Switchboard } from '../../core/ports.ts'
import { createQuotas } from '../../core/usage/quotas.ts'
import type { Client, Json } from '../../test/support/client.ts'
import { quarantineOf } from '../../test/support/quarantine.ts'
import { idleService, service } from '../../test/support/service.ts'
import { tenantByHand } from '../../test/support/tenant.ts'
import type { CreateResult, MemoryRecord, NewMemory } from './contract.ts'
import { ProcessingBatches } from './processing/batches.ts'
import { processMemories } from './processing/pass.ts'
import { AccessCounter } from './reading/access-counter.ts'
import { AddedFields } from './reading/added-fields.ts'
import type { MemoriesScope } from './scope.ts'
import { createMemories, createMemory, prepareMemories } from './storing/create.ts'
import { memoryQuota } from './storing/quota.ts'

/** The plugin's internals on a real workspace, with contributions of the test; events and jobs are only recorded. */
export interface MemoryWorld {
  readonly tenant: Tenant
  readonly scope: MemoriesScope
  readonly published: NewEvent[]
  readonly enqueued: NewJob[]
  /** A client of the same workspace over HTTP. */
  readonly client: Client
  create(memory: Partial<NewMemory> & { text: string }): Promise<MemoryRecord>
  /** Creates memories as one batch in one transaction. */
  createAll(texts: readonly string[]): Promise<CreateResult[]>
  /** Fetches the response to get-one. */
  shown(id: string): Promise<Json>
  /** Lists the kinds of published events in order. */
  kinds(): string[]
}

/** @param options.idle uses the service without workers, for tests of jobs that sweep every workspace */
export async function memoryWorld(
  options: { extensions?: readonly Extension[]; memoryQuota?: number; idle?: boolean } = {},
): Promise<MemoryWorld> {
  const running = await (options.idle ? idleService() : service())
  const { database } = running
  const quotas = { memories: options.memoryQuota ?? null }
  const { client, workspaceId, workspace, tenant } = await tenantByHand(running, { quotas })
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
    quarantine: quarantineOf('memories', database),
    quotas: createQuotas({
      definitions: [memoryQuota],
      plans: createPlans({ features: [], quotas: [] }),
      database,
      meter: { request: () => undefined, monthUsage: async () => ({}) },
    }),
    taskTtlMs: 60_000,
    storing: new Portion({ least: 2600, most: 65_536, targetMs: Number.POSITIVE_INFINITY }),
    completing: new Portion({ least: 1000, most: 16_000, targetMs: Number.POSITIVE_INFINITY }),
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

/** Builds the processing job of a memory at the revision that was read. */
export function jobOf({ workspaceId, id, revision }: MemoryRecord) {
  return { workspace_id: workspaceId, memory_id: id, revision }
}
