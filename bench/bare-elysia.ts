/**
 * The baseline of `bench/kernel.ts`, run by it as a process of its own: a bare Elysia application that runs the statements
 * of get-one and create, in a transaction bound to the workspace like the product's, and nothing else: no key, no
 * limits, no validation, no workspace selection, no log, no metrics. Rows and statements are made by the product's own
 * functions, so they are the same by construction.
 */
import { Elysia } from 'elysia'
import postgres from 'postgres'
import { v7 } from 'uuid'
import { startKernel } from '../core/kernel.ts'
import type { PluginContext } from '../core/plugin.ts'
import { insertMemory } from '../plugins/memories/queries/insert.ts'
import { toFullMemory, toStoredMemory } from '../plugins/memories/reading/serializers.ts'
import { readMemory } from '../plugins/memories/routes/get-memory.ts'
import { announceCreated } from '../plugins/memories/storing/announce.ts'
import { prepareWrites } from '../plugins/memories/storing/preparation.ts'
import { builtInPlugins } from '../server/plugins.ts'
import { memoryRecord } from '../test/support/memory-record.ts'

const workspaceId = process.env.BENCH_WORKSPACE_ID ?? ''
const context = await contextOfService()
const tenant = await context.tenants.tenant(workspaceId)
const { workspace } = tenant
const sql = postgres(process.env.DATABASE_URL ?? '', { max: 16, fetch_types: false, onnotice: () => undefined })

/** The transaction of the product, written out. */
function transaction<T>(work: (tx: postgres.TransactionSql) => Promise<T>) {
  return sql.begin(async tx => {
    const bound = tx.unsafe(`set local role mneme_app; set local mneme.workspace_id = '${workspaceId}'`).execute()
    const result = await work(tx)
    await bound
    return result
  })
}

const app = new Elysia()
  .get('/v1/memories/:id', async ({ params }) => {
    const { details, holding } = await transaction(tx => readMemory(tx, context.wiring, workspaceId, params.id))
    return details ? toFullMemory(details, workspace, holding) : new Response(null, { status: 404 })
  })
  .post('/v1/memories', async ({ body, set }) => {
    const record = memoryRecord({ id: v7(), workspaceId, text: (body as { memory: string }).memory })
    const writes = await prepareWrites(context, tenant, [record])
    await transaction(tx =>
      Promise.all([insertMemory(tx, tenant, record), announceCreated(tx, context, [record], writes)]),
    )
    set.status = 201
    return toStoredMemory(record)
  })
  .listen({ hostname: '127.0.0.1', port: 0 })

console.log(`Baseline listens on http://127.0.0.1:${app.server?.port}`)
process.on('SIGTERM', () => process.exit(0))

/** The context of the memories plugin, as a create of the product has it, from a kernel that never listens. */
async function contextOfService(): Promise<PluginContext<unknown>> {
  let captured: PluginContext<unknown> | undefined
  const watched = builtInPlugins.map(plugin => {
    if (plugin.id !== 'memories') return plugin
    return {
      ...plugin,
      setup(context: Parameters<typeof plugin.setup>[0]) {
        captured = context
        return plugin.setup(context)
      },
    }
  })
  await startKernel({
    environment: process.env,
    builtIn: watched,
    loadThirdParty: async () => [],
    role: 'server',
    onFatal(error) {
      throw error
    },
  })
  if (!captured) throw new Error('the memories plugin was not set up')
  return captured
}
