import { createHash, randomUUID } from 'node:crypto'
import type { Database } from '../../core/db/database.ts'
import type { IdempotentRequest } from '../../core/http/idempotency.ts'

/** Makes a request to the caller's own workspace, unless `homeWorkspaceId` names another as that. */
export function request(parts: Partial<IdempotentRequest> = {}): IdempotentRequest {
  const workspaceId = parts.workspaceId ?? randomUUID()
  return {
    workspaceId,
    homeWorkspaceId: workspaceId,
    callerId: randomUUID(),
    key: randomUUID(),
    fingerprint: hash('a'),
    ...parts,
  }
}

/** A fingerprint. */
export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Makes a handler that counts its runs and responds with their number. */
export function handler(status = 201, body: (run: number) => unknown = run => ({ run })) {
  const counted = {
    runs: 0,
    execute: async () => ({ status, body: JSON.stringify(body(++counted.runs)), headers: { location: '/x' } }),
  }
  return counted
}

interface Row {
  body: string | null
  omitted: string | null
  status: number | null
  leased_until: Date | null
}

/** Reads what is kept of a request's response. */
export async function rowOf(database: Database, { workspaceId, key }: IdempotentRequest): Promise<Row | undefined> {
  const rows = await database.system(
    tx => tx<Row[]>`
      select body, omitted, status, leased_until from core.idempotent_response where workspace_id = ${workspaceId} and key = ${key}`,
  )
  return rows[0]
}
