import type { Relay, RelayedRequest } from 'mneme/plugin'
import { relayedFailure } from './errors.ts'

/** A memory in a list or in the results of a search, as far as bridges read it. */
export interface Memory {
  readonly id: string
  readonly memory: string
  readonly user_id: string
  readonly agent_id: string | null
  readonly session_id: string | null
  readonly categories: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  readonly created_at: string
  readonly updated_at: string
  /** Only of results. */
  readonly score?: number
  /** Only of a memory that is read by its id. */
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
