import { Type } from '@sinclair/typebox'
import { paced, plainArray, type Tenant, tasksOf } from 'mneme/plugin'
import { type MemoryRecord, memoryReader } from '../../memories/contract.ts'
import { primaryTag } from '../analysis/stemming.ts'
import type { WordDigest } from '../engine/engine.ts'
import { digestSteps } from '../indexing/digest.ts'
import { READ_ANEW, readingJob } from '../languages/reading-job.ts'
import type { SearchScope } from '../scope.ts'
import { textLanguage } from '../workspace-settings.ts'

const task = tasksOf<SearchScope>()

/** Texts of one transaction, and of one job: the rest is the next job's, which goes on where this one ended. */
const ROUND = 50
const TEXTS_MAX = 1000

/** Reads the texts of a workspace in the language its setting names, while searches go on over old and new words alike. */
export const readAnewTask = task({
  name: READ_ANEW,
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
    // The setting changed once more: the next search sees that and begins anew.
    if (setting !== language) return
    const tenant = await scope.tenants.tenant(workspaceId)
    let { after } = payload
    for (let read = 0; read < TEXTS_MAX && !signal.aborted; read += ROUND) {
      const last = await readRound(scope, tenant, language, after)
      if (last === undefined) return finish(tenant, language)
      after = last
    }
    await tenant.transaction(tx => scope.jobs.enqueue(tx, [readingJob(workspaceId, language, after)]))
  },
})

/** @returns the last memory that was read; undefined when none was left */
async function readRound(
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
    // Locked first, so that an update that is under way is seen by the look at its revision, or comes after this.
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

/** What was changed meanwhile was read in its new language by the change itself. */
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
