/**
 * Measures what compiling a category of 500 memories takes, after a change of one of them and after none, against plain SQL that reads
 * the same rows; and what a deletion takes more because it withdraws its sentence at once.
 *
 *   bun bench/knowledge.ts                          on the embedded database
 *   BENCH_DATABASE_URL=postgres://… bun bench/knowledge.ts
 */

import { Precedence } from '../core/background/precedence.ts'
import type { Database } from '../core/db/database.ts'
import { plainArray } from '../core/db/literals.ts'
import { createJobQueue } from '../core/jobs/queue.ts'
import { createLog } from '../core/log.ts'
import { noLanguageModel } from '../core/models/language/language-model.ts'
import { bind, Switchboard } from '../core/ports.ts'
import { graphFacts } from '../plugins/graph/contract.ts'
import { storedFacts } from '../plugins/graph/writing/graph-facts.ts'
import { compileUser } from '../plugins/knowledge/compilation/compile-user.ts'
import { markChanged } from '../plugins/knowledge/queries/changes.ts'
import type { KnowledgeScope } from '../plugins/knowledge/scope.ts'
import { createWriteHook } from '../plugins/knowledge/withdrawal.ts'
import { type MemoryReader, memoryReader } from '../plugins/memories/contract.ts'
import { findRecords, findVisible } from '../plugins/memories/queries/read.ts'
import type { Json } from '../test/support/client.ts'
import { createNative } from '../test/support/database.ts'
import { quarantineOf } from '../test/support/quarantine.ts'
import { startService } from '../test/support/service.ts'
import { until } from '../test/support/wait.ts'
import { elapsed, percentile, report } from './support/measure.ts'
import { endBench, nativeServer } from './support/service.ts'
import { variedText } from './support/varied-texts.ts'

const MEMORIES = 500
const ROUNDS = 40
const USER = 'ada'
const CATEGORY = 'notes'

const native = nativeServer()
const where = native ? 'native' : 'embedded'
const url = native ? { url: await createNative(native) } : {}
// Compiled by this benchmark alone: nothing of its own is left to do meanwhile.
const service = await startService({ KNOWLEDGE_DEBOUNCE_MS: '600000' }, url)
const { client, workspaceId } = await service.account()
const { database } = service
const ids = await fill()
const scope = scopeOf(database)

const changed: number[] = []
const unchanged: number[] = []
const raw: number[] = []
await compile()
for (let round = 0; round < ROUNDS; round++) {
  raw.push(await elapsed(readPlainly))
  await sayAnew(ids[(round * 7) % MEMORIES] ?? '', round)
  changed.push(await timed())
  unchanged.push(await timed())
}
const entry: Json = (await client.get('/v1/knowledge', { query: { user_id: USER, category: CATEGORY } })).body.data[0]
if (entry?.version !== ROUNDS + 1) throw new Error(`the entry is at version ${entry?.version}, not ${ROUNDS + 1}`)
const lines = entry.content.match(/^- /gm)?.length
console.log(`${MEMORIES} memories, ${lines} lines, ${entry.content.length} characters`)
report(`${where}: compiled after a change, p50`, percentile(changed, 0.5), 'ms', 'at most 150')
report(`${where}: compiled after a change, p95`, percentile(changed, 0.95), 'ms')
report(`${where}: compiled without a change, p50`, percentile(unchanged, 0.5), 'ms')
report(`${where}: the same rows by plain SQL, p50`, percentile(raw, 0.5), 'ms')
report(`${where}: compilation / plain SQL`, percentile(changed, 0.5) / percentile(raw, 0.5), '')
const withdrawn: number[] = []
for (let n = 0; n < ROUNDS; n++) withdrawn.push(await elapsed(() => withdraw(ids[n] ?? '')))
report(`${where}: withdrawn from such a document in a deletion, p50`, percentile(withdrawn, 0.5), 'ms')
await endBench()

/** Memories that are read, with one statement each in one category. */
async function fill(): Promise<string[]> {
  const texts = Array.from({ length: MEMORIES }, (_, n) => `${variedText(n)} (${n})`)
  const memories = texts.map(memory => ({ memory, user_id: USER, categories: [CATEGORY] }))
  const { body } = await client.post('/v1/memories/batch', { memories })
  const made: string[] = body.results.map(({ memory }: Json) => memory.id)
  await until(
    'all memories to be read',
    () =>
      database.workspace(workspaceId, async tx => {
        const [row] = await tx`
          select count(*)::integer as left
          from graph.reading
          where reading.workspace_id = ${workspaceId} and reading.read_at is null`
        const [all] = await tx`select count(*)::integer as read from graph.reading`
        return row?.left === 0 && all?.read === MEMORIES
      }),
    300_000,
  )
  await database.workspace(workspaceId, async tx => {
    await tx`delete from graph.statement`
    const rows = texts.map((text, n) => ({ memory_id: made[n], text, seconds: n }))
    await tx`
      insert into graph.statement
        (workspace_id, memory_id, ordinal, user_id, text, categories, confidence, span_start, span_end, stated_at)
      select
        ${workspaceId}, new.memory_id, 0, ${USER}, new.text, array[${CATEGORY}]::text[], 0.8, 0, length(new.text),
        now() - make_interval(secs => new.seconds)
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as new (memory_id uuid, text text, seconds integer)`
    await tx`analyze graph.statement`
  })
  return made
}

function scopeOf(own: Database): KnowledgeScope {
  const wiring = new Switchboard()
  const reader: MemoryReader = {
    records: findRecords,
    visible: findVisible,
    countVisible: async () => 0,
    listed: async () => new Map(),
    statuses: async () => new Map(),
    standing: async () => ({ state: 'VISIBLE', status: 'COMPLETED' }),
    standings: async () => new Map(),
    textAt: async () => undefined,
    holdings: async () => new Map(),
    withFields: async (_, memories) => [...memories],
    countAccess: () => undefined,
  }
  wiring.bind('graph', bind(graphFacts, storedFacts))
  wiring.bind('memories', bind(memoryReader, reader))
  const nobody = async () => {
    throw new Error('the benchmark looks up no workspace')
  }
  return {
    database: own,
    wiring,
    tenants: { find: async () => undefined, tenant: nobody },
    events: { publish: async () => undefined },
    jobs: createJobQueue(),
    quarantine: quarantineOf('knowledge', database),
    background: new Precedence(),
    language: noLanguageModel,
    log: createLog('silent'),
    debounceMs: 0,
  }
}

/** The job's own work, once its category is marked. */
async function timed(): Promise<number> {
  await database.workspace(workspaceId, tx => markChanged(tx, workspaceId, USER, [CATEGORY]))
  return elapsed(() => compileUser(scope, workspaceId, USER, AbortSignal.timeout(30_000)))
}

async function compile(): Promise<void> {
  await timed()
}

async function sayAnew(memoryId: string, round: number): Promise<void> {
  await database.workspace(
    workspaceId,
    tx => tx`
      update graph.statement
      set text = text || ${` Changed ${round}.`}
      where statement.workspace_id = ${workspaceId} and statement.memory_id = ${memoryId}`,
  )
}

/** The rows that a compilation cannot do without: statements with whether they still hold, memories, entities, the entry. */
async function readPlainly(): Promise<void> {
  await database.workspace(workspaceId, async tx => {
    const statements = await storedFacts.statements(tx, { userId: USER, category: CATEGORY, limit: 2_001 })
    await Promise.all([
      tx`select entity.* from graph.entity where entity.workspace_id = ${workspaceId} and entity.user_id = ${USER} limit 200`,
      tx`
        select memory.id
        from memories.memory
        where memory.workspace_id = ${workspaceId}
          and memory.id = any(${plainArray(statements.map(({ memoryId }) => memoryId))}::uuid[])`,
      tx`select entry.* from knowledge.entry where entry.workspace_id = ${workspaceId} and entry.user_id = ${USER}`,
    ])
  })
}

async function withdraw(id: string): Promise<void> {
  const hook = createWriteHook(scope.events)
  await database.workspace(workspaceId, tx => hook.removed(tx, workspaceId, [id], 'deleted'))
}
