import type { Workspace } from 'mneme/plugin'
import { createLog } from '../../core/log.ts'
import type { Client, Json } from '../../test/support/client.ts'
import { quarantineOf } from '../../test/support/quarantine.ts'
import { idleService } from '../../test/support/service.ts'
import { tenantByHand } from '../../test/support/tenant.ts'
import { until } from '../../test/support/wait.ts'
import { type ExportsScope, FEATURE } from './scope.ts'

/** A workspace whose jobs the test runs itself: what the plugin publishes and enqueues is dropped. */
export async function handWorld(quotas: Workspace['quotas'] = {}) {
  const service = await idleService()
  const { database, kernel } = service
  const { client, workspaceId, workspace, tenant } = await tenantByHand(service, { features: [FEATURE], quotas })
  const scope: ExportsScope = {
    database,
    wiring: kernel.wiring,
    tenants: { find: async () => workspace, tenant: async () => tenant },
    events: { publish: async () => undefined },
    jobs: { enqueue: async () => undefined },
    quarantine: quarantineOf('exports', database),
    log: createLog('silent'),
  }
  return { client, database, workspaceId, tenant, scope }
}

/** Waits until an export or import is done with, and returns it. */
export function settled(client: Client, path: string): Promise<Json> {
  return until(`${path} is done with`, async () => {
    const { body } = await client.get(path)
    return body.status === 'COMPLETED' || body.status === 'FAILED' ? body : undefined
  })
}

/** Makes an export, waits for it, and returns its file. */
export async function exported(client: Client, body: object): Promise<{ job: Json; file: string }> {
  const made = await client.post('/v1/exports', body)
  if (made.status !== 202) throw new Error(`the export was answered with ${made.status}: ${JSON.stringify(made.body)}`)
  const job = await settled(client, `/v1/exports/${made.body.id}`)
  return { job, file: await fileOf(client, job.id) }
}

/** The text of an export's file, whatever its type is. */
export async function fileOf(client: Client, id: string): Promise<string> {
  const response = await client.fetch(
    new Request(`http://localhost/v1/exports/${id}/download`, { headers: { ...client.headers } }),
  )
  if (response.status !== 200) throw new Error(`the download was answered with ${response.status}`)
  return response.text()
}

export function upload(client: Client, content: string | Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([content]), 'import.jsonl')
  return client.request('POST', '/v1/imports', { raw: form })
}

/** Imports a file and waits until that is done with. */
export async function imported(
  client: Client,
  content: string | Uint8Array<ArrayBuffer>,
  fields?: Record<string, string>,
): Promise<Json> {
  const { status, body } = await upload(client, content, fields)
  if (status !== 202) throw new Error(`the import was answered with ${status}: ${JSON.stringify(body)}`)
  return settled(client, `/v1/imports/${body.id}`)
}

/** A file's lines, parsed. */
export function linesOf(file: string): Json[] {
  return file
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}
