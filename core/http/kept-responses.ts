import { createHash } from 'node:crypto'
import type { Steps } from '../background/steps.ts'
import type { Tx } from '../db/database.ts'
import { RESPONSE_KEPT_HOURS } from '../durations.ts'
import { validationError } from '../errors.ts'
import { subjectMark } from '../subjects/subjects.ts'

/** A response as text, so that it can be kept and sent again byte for byte. */
export interface TextResponse {
  readonly status: number
  /** JSON, or empty. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const SANE_KEY = /^[\x20-\x7e]{1,255}$/

/** A key is kept as its SHA-256: callers put anything into it, also whom a request is about. Throws where it is not fit to be one. */
export function keptKey(given: string): string {
  if (SANE_KEY.test(given)) return createHash('sha256').update(given).digest('hex')
  throw validationError([{ path: 'headers.idempotency-key', message: 'must be 1 to 255 printable ASCII characters' }])
}

/** Identifies the caller's key that a response is kept under. */
export interface ResponseKey {
  /** The response is kept with the workspace that the request works on, and erased with it. */
  readonly workspaceId: string
  /** The caller's own workspace, within which its keys are unique. */
  readonly homeWorkspaceId: string
  readonly callerId: string
  readonly key: string
}

/** Says why a finished request has no body to send again. */
export type Omission = 'TOO_LARGE' | 'SECRET' | 'ERASED' | 'EVICTED'

/** `claimed`: the caller has to carry the request out. `running`: another run does. */
export type Claim =
  | { readonly state: 'claimed' | 'running' | 'mismatch' }
  | { readonly state: 'kept'; readonly response: TextResponse; readonly digest: string | undefined }
  | { readonly state: 'omitted'; readonly omission: Omission; readonly digest: string | undefined }

/** Stands for every id in the list of a response that mentions too many to list. */
const ANY_ID = '00000000-0000-0000-0000-000000000000'
const KEPT_IDS_MAX = 10_000

/**
 * A running request keeps at most so many ids, of all deletions; beyond, it is treated as if it mentioned everything that was deleted.
 */
const NOTED_IDS_MAX = 2000

/**
 * Claims the key for a run, or says who has it. A run whose lease lapsed belongs to a dead process and is taken over.
 */
export async function claimResponse(
  tx: Tx,
  { workspaceId, callerId, key }: ResponseKey,
  run: { fingerprint: string; owner: string; leaseMs: number },
): Promise<Claim> {
  const claiming = tx`
    insert into core.idempotent_response as kept (workspace_id, caller_id, key, fingerprint, owner, leased_until)
    values (
      ${workspaceId}, ${callerId}, ${key}, ${run.fingerprint}, ${run.owner},
      clock_timestamp() + ${run.leaseMs}::int * interval '1 millisecond'
    )
    on conflict (workspace_id, caller_id, key) do update
    set
      fingerprint = excluded.fingerprint, owner = excluded.owner, leased_until = excluded.leased_until,
      response_workspace_id = null, status = null, headers = null, body = null, omitted = null, resource_ids = '{}',
      created_at = excluded.created_at
    where excluded.created_at - kept.created_at > ${RESPONSE_KEPT_HOURS}::int * interval '1 hour'
      or (
        -- It has lapsed, or no lease is that long: it was taken while the clock was ahead, by a process that has not renewed it since.
        excluded.leased_until - kept.leased_until not between ${-run.leaseMs}::int * interval '1 millisecond' and ${run.leaseMs}::int * interval '1 millisecond'
        and kept.fingerprint = excluded.fingerprint
      )
      -- A refused request was not carried out, so one whose refusal cannot be sent again may run.
      or (kept.status >= 400 and kept.omitted is not null and split_part(kept.fingerprint, ':', 1) = excluded.fingerprint)
    returning key`
  const reading = tx<KeptRow[]>`
    select fingerprint, response_workspace_id, status, headers, body, omitted
    from core.idempotent_response
    where workspace_id = ${workspaceId} and caller_id = ${callerId} and key = ${key}`
  const [claimed, [row]] = await Promise.all([claiming, reading])
  if (claimed.length > 0 || !row) return { state: claimed.length > 0 ? 'claimed' : 'running' }
  const [fingerprint, digest] = row.fingerprint.split(':')
  if (fingerprint !== run.fingerprint || row.response_workspace_id) return { state: 'mismatch' }
  if (row.status === null) return { state: 'running' }
  if (row.omitted) return { state: 'omitted', omission: row.omitted, digest }
  return { state: 'kept', digest, response: { status: row.status, body: row.body ?? '', headers: row.headers ?? {} } }
}

/**
 * Notes in the caller's own workspace that its key is used for a request to another one.
 * @returns false when the key is used for another request
 */
export async function pointToResponse(
  tx: Tx,
  { workspaceId, homeWorkspaceId, callerId, key }: ResponseKey,
  fingerprint: string,
): Promise<boolean> {
  const pointing = tx`
    insert into core.idempotent_response as kept (workspace_id, caller_id, key, fingerprint, response_workspace_id)
    values (${homeWorkspaceId}, ${callerId}, ${key}, ${fingerprint}, ${workspaceId})
    on conflict (workspace_id, caller_id, key) do update
    set
      fingerprint = excluded.fingerprint, response_workspace_id = excluded.response_workspace_id, owner = null,
      leased_until = null, status = null, headers = null, body = null, omitted = null, resource_ids = '{}',
      created_at = excluded.created_at
    where excluded.created_at - kept.created_at > ${RESPONSE_KEPT_HOURS}::int * interval '1 hour'`
  const reading = tx<{ is_same: boolean }[]>`
    select fingerprint = ${fingerprint} and response_workspace_id is not distinct from ${workspaceId} as is_same
    from core.idempotent_response
    where workspace_id = ${homeWorkspaceId} and caller_id = ${callerId} and key = ${key}`
  const [, [row]] = await Promise.all([pointing, reading])
  return row?.is_same ?? false
}

/** Forgets what `pointToResponse` noted. */
export async function dropPointer(
  tx: Tx,
  { workspaceId, homeWorkspaceId, callerId, key }: ResponseKey,
  fingerprint: string,
): Promise<void> {
  await tx`
    delete from core.idempotent_response
    where workspace_id = ${homeWorkspaceId} and caller_id = ${callerId} and key = ${key}
      and response_workspace_id = ${workspaceId} and fingerprint = ${fingerprint}`
}

/** Keeps a run from being taken over while it works. */
export async function renewClaim(tx: Tx, { workspaceId, callerId, key }: ResponseKey, owner: string, leaseMs: number) {
  await tx`
    update core.idempotent_response
    set leased_until = now() + ${leaseMs}::int * interval '1 millisecond'
    where workspace_id = ${workspaceId} and caller_id = ${callerId} and key = ${key} and owner = ${owner}`
}

/** Stores a run's response; does nothing when the run was taken over meanwhile. */
export async function keepResponse(
  tx: Tx,
  { workspaceId, callerId, key }: ResponseKey,
  owner: string,
  kept: { response: TextResponse; omission: Omission | undefined; ids: readonly string[]; digest: string | undefined },
): Promise<void> {
  const { response, omission, digest } = kept
  const listed = kept.ids.length > KEPT_IDS_MAX ? [ANY_ID] : kept.ids
  const ids = tx`string_to_array(${omission ? '' : listed.join(',')}, ',')::uuid[]`
  // The row lists what was deleted while the request ran, and none of it may come back with the response.
  const erased = tx`(omitted is not null or resource_ids && ${ids})`
  await tx`
    update core.idempotent_response
    set
      fingerprint = fingerprint || ${digest === undefined ? '' : `:${digest}`}::text,
      owner = null, leased_until = null, status = ${response.status}, headers = ${JSON.stringify(response.headers)}::text::jsonb,
      body = case when ${erased} then null else ${omission ? null : response.body}::text end,
      omitted = case when ${erased} then 'ERASED' else ${omission ?? null}::text end,
      resource_ids = case when ${erased} then '{}' else ${ids} end
    where workspace_id = ${workspaceId} and caller_id = ${callerId} and key = ${key} and owner = ${owner}`
}

/** Forgets a run, so that the next request with its key is carried out. */
export async function dropClaim(tx: Tx, { workspaceId, callerId, key }: ResponseKey, owner: string): Promise<void> {
  await tx`
    delete from core.idempotent_response
    where workspace_id = ${workspaceId} and caller_id = ${callerId} and key = ${key} and owner = ${owner}`
}

/**
 * Erases the bodies of kept responses that mention any of `ids` (UUIDs), in the transaction that deletes what they
 * name. The key of a success stays used, and that of a refusal runs again. Requests still running note the ids, and keep no body that mentions
 * one. Returns how many finished ones were erased.
 */
export async function forgetResponses(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const gone = tx`string_to_array(${[ANY_ID, ...ids].join(',')}, ',')::uuid[]`
  const isNoted = tx`cardinality(noting.resource_ids) + ${ids.length + 1} <= ${NOTED_IDS_MAX}`
  const [, erased] = await Promise.all([
    // Running requests come before finished ones, so that a run which ends meanwhile is among the one or the other.
    tx`
      with running as (
        select caller_id, key
        from core.idempotent_response
        where workspace_id = ${workspaceId} and owner is not null and omitted is null
        order by caller_id, key
        for update
      )
      update core.idempotent_response as noting
      set
        resource_ids = case when ${isNoted} then noting.resource_ids || ${gone} else '{}' end,
        omitted = case when ${isNoted} then null else 'ERASED' end
      from running
      where noting.workspace_id = ${workspaceId} and noting.caller_id = running.caller_id and noting.key = running.key`,
    // It is materialized because the planner uses no index where it sees the table's own policy beside the view.
    tx`
      with mentioned as materialized (
        select own.caller_id, own.key
        from core.own_response as own
        where own.workspace_id = ${workspaceId} and own.resource_ids && ${gone}
      ),
      mentioning as (
        select caller_id, key
        from core.idempotent_response
        where workspace_id = ${workspaceId} and owner is null
          and (caller_id, key) in (select mentioned.caller_id, mentioned.key from mentioned)
        order by caller_id, key
        for update
      )
      update core.idempotent_response as erased
      set body = null, headers = null, omitted = 'ERASED', resource_ids = '{}'
      from mentioning
      where erased.workspace_id = ${workspaceId} and erased.caller_id = mentioning.caller_id and erased.key = mentioning.key`,
  ])
  return erased.count
}

/** Counts the finished responses that mention this id, or any. */
export async function countResponses(tx: Tx, workspaceId: string, id: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    with mentioned as materialized (
      select own.caller_id, own.key
      from core.own_response as own
      where own.workspace_id = ${workspaceId} and own.resource_ids && ${`{${ANY_ID},${id}}`}::uuid[]
    )
    select count(*)::int as count
    from core.idempotent_response
    where workspace_id = ${workspaceId} and owner is null
      and (caller_id, key) in (select mentioned.caller_id, mentioned.key from mentioned)`
  return row?.count ?? 0
}

/** So much of a response is searched in some tenths of a millisecond. */
const PIECE_LENGTH = 64 * 1024
const UUID_LENGTH = 36
/** A user's id has at most 255 characters, of which each may be written as six. */
const PERSON_LENGTH = 2000
/** Responses name users so, also in the JSON text that is itself a string of a response. */
const PERSON = /"user_id":"((?:[^"\\]|\\.)*)"|\\"user_id\\": ?\\"([^"\\]*)\\"/g
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

/** Lists all UUIDs that a response mentions, except its workspace's, which all of them mention, and the marks of the persons. */
export function* idSteps(body: string, workspaceId: string): Steps<string[]> {
  const ids = new Set<string>()
  const persons = new Set<string>()
  for (let at = 0; at < body.length; at += PIECE_LENGTH) {
    // An id that begins in this piece may end in the next.
    for (const [id] of body.slice(at, at + PIECE_LENGTH + UUID_LENGTH - 1).matchAll(UUID)) ids.add(id.toLowerCase())
    for (const [, plain, inText] of body.slice(at, at + PIECE_LENGTH + PERSON_LENGTH).matchAll(PERSON)) {
      persons.add(inText ?? String(JSON.parse(`"${plain}"`)))
    }
    yield
  }
  ids.delete(workspaceId.toLowerCase())
  return [...ids, ...[...persons].map(person => subjectMark(workspaceId, person))]
}

interface KeptRow {
  fingerprint: string
  /** The key is used for a request to this workspace. */
  response_workspace_id: string | null
  status: number | null
  headers: Record<string, string> | null
  body: string | null
  omitted: Omission | null
}
