import { Type } from '@sinclair/typebox'
import { paced, plainArray, primaryTag, type Tenant, tasksOf } from 'mneme/plugin'
import { type MemoryRecord, memoryReader } from '../../memories/contract.ts'
import type { WordDigest } from '../engine/engine.ts'
import { digestSteps } from '../indexing/write-hook.ts'
import { REINDEX, reindexJob } from '../languages/workspace-languages.ts'
import type { SearchScope } from '../scope.ts'
import { textLanguage } from '../settings/settings.ts'

const task = tasksOf<SearchScope>()

/** A job re-indexes this many texts in one transaction; the next job continues after them. */
const ROUND = 50
const TEXTS_MAX = 1000

/** Re-indexes the texts of a workspace after its language setting changed, while searches match old and new stems alike. */
export const reindexTask = task({
  name: REINDEX,
  payload: Type.Object({
    workspace_id: Type.String(),
    language: Type.Union([Type.String(), Type.Null()]),
    after: Type.Union([Type.String(), Type.Null()]),
  }),
  async run({ payload, scope, signal }) {
    const { workspace_id: workspaceId, language } = payload
    const workspace = await scope.tenants.find(workspaceId)
    if (!workspace) return
    const tag = textLanguage.of(workspace)
    const setting = tag === null ? null : primaryTag(tag)
    // The setting changed again; the next search notices that and starts over.
    if (setting !== language) return
    const tenant = await scope.tenants.tenant(workspaceId)
    let { after } = payload
    for (let read = 0; read < TEXTS_MAX && !signal.aborted; read += ROUND) {
      const last = await reindexRound(scope, tenant, language, after)
      if (last === undefined) return finish(tenant, language)
      after = last
    }
    await tenant.transaction(tx => scope.jobs.enqueue(tx, [reindexJob(workspaceId, language, after)]))
  },
})

/** @returns the last memory that was re-indexed; undefined when none was left */
async function reindexRound(
  { services, wiring }: SearchScope,
  tenant: Tenant,
  language: string | null,
  after: string | null,
): Promise<string | undefined> {
  const { workspaceId } = tenant
  const reader = wiring.use(memoryReader)
  const { ids, records } = await tenant.transaction(async tx => {
    const rows = await tx<{ memory_id: string }[]>`
      select document.memory_id
      from search.document
      where document.workspace_id = ${workspaceId}
        ${after === null ? tx`` : tx`and document.memory_id > ${after}`}
        ${language === null ? tx`` : tx`and document.language is distinct from ${language}`}
      order by document.memory_id
      limit ${ROUND}`
    const found = rows.map(row => row.memory_id)
    return { ids: found, records: await reader.records(tx, found) }
  })
  const digests = new Map<string, WordDigest>()
  for (const { id, text } of records) {
    const language = await services.languages.ofText(tenant, text)
    const steps = digestSteps(services.engine, workspaceId, text, language)
    digests.set(id, await paced(steps))
  }
  await tenant.transaction(async tx => {
    // The documents are locked first, so that a concurrent update either is visible to the revision check or waits.
    await tx`
      select document.memory_id
      from search.document
      where document.workspace_id = ${workspaceId}
        and document.memory_id = any(${plainArray(ids)}::uuid[])
      order by document.memory_id
      for update`
    const current = new Map((await reader.records(tx, ids)).map(record => [record.id, record.revision]))
    await services.engine.replaceWords(tx, workspaceId, onlyCurrent(digests, records, current))
  })
  return ids.at(-1)
}

/** A memory that changed meanwhile was indexed in its new language by that change. */
function onlyCurrent(
  digests: ReadonlyMap<string, WordDigest>,
  records: readonly MemoryRecord[],
  current: ReadonlyMap<string, number>,
): Map<string, WordDigest> {
  const revisions = new Map(records.map(({ id, revision }) => [id, revision]))
  return new Map([...digests].filter(([id]) => revisions.get(id) === current.get(id)))
}

async function finish(tenant: Tenant, language: string | null): Promise<void> {
  const { workspaceId } = tenant
  await tenant.transaction(
    tx => tx`
      insert into search.workspace_language (workspace_id, language)
      values (${workspaceId}, ${language})
      on conflict on constraint workspace_language_pk do update set language = excluded.language`,
  )
}
