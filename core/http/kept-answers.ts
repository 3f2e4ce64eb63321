import type { Tx } from '../db/database.ts'

/** An answer as text, so that it can be kept and sent again byte for byte. */
export interface TextAnswer {
  readonly status: number
  /** JSON, or empty. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Whose request an answer belongs to, and under which key. */
export interface AnswerKey {
  /** The workspace that the request works on, with which its answer is kept and erased. */
  readonly workspaceId: string
  /** The caller's own workspace, in which its keys are told apart. */
  readonly homeWorkspaceId: string
  readonly callerId: string
  readonly key: string
}

/** Why a finished request has no body to send again. */
export type Omission = 'TOO_LARGE' | 'SECRET' | 'ERASED'

/** `claimed`: the caller has to carry the request out. `running`: somebody else does. */
export type Claim =
  | { readonly state: 'claimed' | 'running' | 'mismatch' }
  | { readonly state: 'answered'; readonly answer: TextAnswer; readonly digest: string | undefined }
  | { readonly state: 'omitted'; readonly omission: Omission; readonly digest: string | undefined }

/** How long an answer is sent again instead of running the request. */
export const KEPT_HOURS = 24

/** Stands in the list of an answer that mentions too many ids to list, for every id there is. */
const ANY_ID = '00000000-0000-0000-0000-000000000000'
const KEPT_IDS_MAX = 10_000

/** More ids than this are not kept with a running request; it is then treated as if it mentioned all that was deleted. */
const NOTED_IDS_MAX = 1000

/** Takes the key for a run, or says who has it. A run whose lease lapsed is a dead process's and is taken over. */
export async function claimAnswer(
  tx: Tx,
  { workspaceId, callerId, key }: AnswerKey,
  run: { fingerprint: string; owner: string; leaseMs: number },
): Promise<Claim> {
  const claiming = tx`
    insert into core.idempotent_answer as kept (workspace_id, caller_id, key, fingerprint, owner, leased_until)
    values (
      ${workspaceId}, ${callerId}, ${key}, ${run.fingerprint}, ${run.owner},
      clock_timestamp() + ${run.leaseMs}::int * interval '1 millisecond'
    )
    on conflict (workspace_id, caller_id, key) do update
    set
      fingerprint = excluded.fingerprint, owner = excluded.owner, leased_until = excluded.leased_until,
      answer_workspace_id = null, status = null, headers = null, body = null, omitted = null, resource_ids = '{}',
      created_at = now()
    where kept.created_at < now() - ${KEPT_HOURS}::int * interval '1 hour'
      or (kept.leased_until < clock_timestamp() and kept.fingerprint = excluded.fingerprint)
    returning key`
  const reading = tx<KeptRow[]>`
    select fingerprint, status, headers, body, omitted
    from core.idempotent_answer
    where workspace_id = ${workspaceId} and caller_id = ${callerId} and key = ${key}`
  const [claimed, [row]] = await Promise.all([claiming, reading])
  if (claimed.length > 0 || !row) return { state: claimed.length > 0 ? 'claimed' : 'running' }
  const [fingerprint, digest] = row.fingerprint.split(':')
  if (fingerprint !== run.fingerprint) return { state: 'mismatch' }
  if (row.status === null) return { state: 'running' }
  if (row.omitted) return { state: 'omitted', omission: row.omitted, digest }
  return { state: 'answered', digest, answer: { status: row.status, body: row.body ?? '', headers: row.headers ?? {} } }
}

/**
 * Notes in the caller's own workspace that its key is used for a request to another one.
 * @returns false when the key is used for another request
 */
export async function pointToAnswer(
  tx: Tx,
  { workspaceId, homeWorkspaceId, callerId, key }: AnswerKey,
  fingerprint: string,
): Promise<boolean> {
  const pointing = tx`
    insert into core.idempotent_answer as kept (workspace_id, caller_id, key, fingerprint, answer_workspace_id)
    values (${homeWorkspaceId}, ${callerId}, ${key}, ${fingerprint}, ${workspaceId})
    on conflict (workspace_id, caller_id, key) do update
    set
      fingerprint = excluded.fingerprint, answer_workspace_id = excluded.answer_workspace_id, owner = null,
      leased_until = null, status = null, headers = null, body = null, omitted = null, resource_ids = '{}',
      created_at = now()
    where kept.created_at < now() - ${KEPT_HOURS}::int * interval '1 hour'`
  const reading = tx<{ fingerprint: string }[]>`
    select fingerprint
    from core.idempotent_answer
    where workspace_id = ${homeWorkspaceId} and caller_id = ${callerId} and key = ${key}`
  const [, [row]] = await Promise.all([pointing, reading])
  return row?.fingerprint === fingerprint
}

/** Forgets what `pointToAnswer` noted. */
export async function dropPointer(
  tx: Tx,
  { workspaceId, homeWorkspaceId, callerId, key }: AnswerKey,
  fingerprint: string,
): Promise<void> {
  await tx`
    delete from core.idempotent_answer
    where workspace_id = ${homeWorkspaceId} and caller_id = ${callerId} and key = ${key}
      and answer_workspace_id = ${workspaceId} and fingerprint = ${fingerprint}`
}

/** Keeps a run from being taken over while it works. */
export async function renewClaim(tx: Tx, { workspaceId, callerId, key }: AnswerKey, owner: string, leaseMs: number) {
  await tx`
    update core.idempotent_answer
    set leased_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
    where workspace_id = ${workspaceId} and caller_id = ${callerId} and key = ${key} and owner = ${owner}`
}

/** Stores a run's answer; does nothing when the run was taken over meanwhile. */
export async function keepAnswer(
  tx: Tx,
  { workspaceId, callerId, key }: AnswerKey,
  owner: string,
  kept: { answer: TextAnswer; omission: Omission | undefined; ids: readonly string[]; digest: string | undefined },
): Promise<void> {
  const { answer, omission, digest } = kept
  const listed = kept.ids.length > KEPT_IDS_MAX ? [ANY_ID] : kept.ids
  const ids = tx`string_to_array(${omission ? '' : listed.join(',')}, ',')::uuid[]`
  // What was deleted while the request ran has been noted in the row, and must not come back with its answer.
  const erased = tx`(omitted is not null or resource_ids && ${ids})`
  await tx`
    update core.idempotent_answer
    set
      fingerprint = fingerprint || ${digest === undefined ? '' : `:${digest}`}::text,
      owner = null, leased_until = null, status = ${answer.status}, headers = ${JSON.stringify(answer.headers)}::text::jsonb,
      body = case when ${erased} then null else ${omission ? null : answer.body}::text end,
      omitted = case when ${erased} then 'ERASED' else ${omission ?? null}::text end,
      resource_ids = case when ${erased} then '{}' else ${ids} end
    where workspace_id = ${workspaceId} and caller_id = ${callerId} and key = ${key} and owner = ${owner}`
}

/** Forgets a run, so that the next request with its key is carried out. */
export async function dropClaim(tx: Tx, { workspaceId, callerId, key }: AnswerKey, owner: string): Promise<void> {
  await tx`
    delete from core.idempotent_answer
    where workspace_id = ${workspaceId} and caller_id = ${callerId} and key = ${key} and owner = ${owner}`
}

/**
 * Erases the bodies of kept answers that mention any of `ids` (UUIDs), for whoever deletes what they name, in the same
 * transaction. Their keys stay used. Requests still running note the ids, and keep no body that mentions one.
 */
export async function forgetAnswers(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const gone = tx`string_to_array(${[ANY_ID, ...ids].join(',')}, ',')::uuid[]`
  const noted = ids.length <= NOTED_IDS_MAX
  await Promise.all([
    tx`
      update core.idempotent_answer
      set body = null, headers = null, omitted = 'ERASED', resource_ids = '{}'
      where workspace_id = ${workspaceId} and owner is null and resource_ids && ${gone}`,
    tx`
      update core.idempotent_answer
      set
        resource_ids = case when ${noted}::bool then resource_ids || ${gone} else resource_ids end,
        omitted = case when ${noted}::bool then omitted else 'ERASED' end
      where workspace_id = ${workspaceId} and owner is not null`,
  ])
}

interface KeptRow {
  fingerprint: string
  status: number | null
  headers: Record<string, string> | null
  body: string | null
  omitted: Omission | null
}
