import {
  AppError,
  type Caller,
  type ErrorBody,
  type ErrorRegistry,
  fail,
  failWith,
  type Relay,
  type RelayedRequest,
  type RelayedResponse,
} from 'mneme/plugin'
import type { ListedMemory } from '../memories/contract.ts'

type Listed = 'id' | 'memory' | 'user_id' | 'agent_id' | 'session_id' | 'categories' | 'metadata' | 'status'

/** A memory, as far as bridges read it: in results with its score, by itself with its end. */
export type Memory = Pick<ListedMemory, Listed | 'created_at' | 'updated_at'> & {
  readonly score?: number
  readonly expires_at?: string | null
}

export interface Page<T> {
  readonly data: readonly T[]
  readonly total: number
}

export interface Conversation {
  readonly id: string
  readonly status: Memory['status']
  readonly memories: readonly string[] | null
  readonly error: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** One result of a batch, in the order of its items. */
export type BatchResult =
  | { readonly status: 201; readonly memory: Memory }
  | { readonly status: number; readonly error: { readonly error_code: string; readonly message: string } }

/** Stores memories in one request. @throws the first failure, for calls that have no place for the failures of single items */
export async function storeAll(service: Service, memories: readonly object[]): Promise<readonly Memory[]> {
  const { results } = await service.call<{ results: BatchResult[] }>('POST', '/v1/memories/batch', {
    body: { memories },
  })
  return results.map(result => {
    if ('error' in result) throw itemFailure(result)
    return result.memory
  })
}

type Values = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

interface Given {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Values
  readonly body?: unknown
  readonly confirmed?: boolean
}

/**
 * The operations of this service, carried out for the caller of a bridge. Each passes every check of its route, so a bridge grants nothing
 * that the key may not do anyway. A refusal is thrown as it is.
 */
export interface Service {
  /** @throws AppError with the code of the operation */
  call<T = unknown>(method: RelayedRequest['method'], path: string, given?: Given): Promise<T>
}

/** @param workspaceId selects a workspace other than the key's own */
export function serviceOf(relay: Relay, workspaceId: string | undefined): Service {
  return {
    async call<T>(
      method: RelayedRequest['method'],
      path: string,
      { params = {}, query = {}, body, confirmed }: Given = {},
    ) {
      const response = await relay({
        method,
        path,
        params,
        query: toQuery({ ...query, workspace_id: workspaceId }),
        ...(body === undefined ? {} : { body }),
        ...(confirmed ? { confirmed } : {}),
      })
      if (response.status >= 400) throw relayedFailure(response)
      // The routes' own tests hold that their bodies fit what they document.
      return response.body as T
    },
  }
}

function toQuery(values: Values): URLSearchParams {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
}

type Scope = Partial<Record<'user_id' | 'agent_id' | 'session_id', string | undefined>>

/** Deletes all memories of a scope, which other services do without the account's password, where the server and the key allow that. */
export async function deleteAll(
  { service, caller, deletesAll }: { readonly service: Service; readonly caller: Caller; readonly deletesAll: boolean },
  scope: Scope,
): Promise<void> {
  const mayDelete = caller.permissions === 'all' || caller.permissions.has('memory.delete')
  if (!mayDelete || !deletesAll)
    throw fail('PASSWORD_CONFIRMATION_REQUIRED', {
      message:
        'Without the password all memories of a scope are deleted only where the server sets `BRIDGES_DELETE_ALL=true` and the key has the permission `memory.delete`. `DELETE /v1/memories` takes the password.',
    })
  await service.call('DELETE', '/v1/memories', { query: scope, confirmed: true })
}

export const bridgeErrors = {
  BRIDGE_UNSUPPORTED: { status: 501, message: 'Mneme has no counterpart for this.' },
  BRIDGE_OFF: { status: 404, message: 'This bridge is switched off on this server.' },
} as const satisfies ErrorRegistry

export const failBridge = failWith(bridgeErrors)

/** A call, or a part of one, that has no counterpart here. @param sentence tells the caller what to do instead */
export function unsupported(sentence: string): AppError {
  return failBridge('BRIDGE_UNSUPPORTED', { message: sentence })
}

/** Passes on why an operation of the service refused what a bridge asked of it. */
export function relayedFailure({ body, retryAfterSeconds }: RelayedResponse): AppError {
  // The kernel makes the body of every failure in this shape.
  const { status_code: status, error_code: code, message, details } = body as ErrorBody
  return new AppError(
    code,
    { status, message },
    { ...(details ? { details } : {}), ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
  )
}

/** Passes on why one item of a batch was refused, for a call that has no place for the failures of single items. */
export function itemFailure({ status, error }: Extract<BatchResult, { readonly error: unknown }>): AppError {
  return new AppError(error.error_code, { status, message: error.message })
}
