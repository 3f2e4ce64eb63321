import type { Caller } from '../../core/auth/caller.ts'
import { permissionCatalogue } from '../../core/auth/permissions.ts'
import { type Clock, systemClock } from '../../core/clock.ts'
import { fail } from '../../core/errors.ts'
import { keptKey } from '../../core/http/kept-responses.ts'
import type { PipelineParts } from '../../core/http/pipeline.ts'
import { createShares, type Shares, sharesOf } from '../../core/http/shares.ts'
import { Transfers } from '../../core/http/transfers.ts'
import { createLog } from '../../core/log.ts'
import { bind, Switchboard } from '../../core/ports.ts'

export interface FakeWorldOptions {
  /** Records the checks in the order in which the pipeline made them. */
  readonly steps: string[]
  /** Records the measurements. */
  readonly observed?: unknown[]
  readonly verifyResponses?: boolean
  readonly clock?: Clock
  readonly transfers?: Transfers
  readonly shares?: Shares
}

export const WORKSPACE = '00000000-0000-4000-8000-000000000001'
/** Makes a world in which every key is known; its name says what it may do. */
export function fakeWorld({
  steps,
  observed,
  verifyResponses = false,
  clock,
  transfers,
  shares,
}: FakeWorldOptions): PipelineParts {
  const workspace = { id: WORKSPACE, accountId: 'a', features: new Set(['graph']) }
  return {
    log: createLog('silent'),
    clock: clock ?? systemClock,
    transfers: transfers ?? new Transfers(),
    clientAddress: () => '203.0.113.7',
    anonymousLimiter: undefined,
    shares: createShares(shares ?? sharesOf('server'), clock ?? systemClock),
    memory: { admit: () => undefined },
    wiring: wiringOfPermissions(),
    verifyResponses,
    metrics: { observe: (...values: unknown[]) => void observed?.push(values) },
    authenticator: {
      async authenticate(request: Request): Promise<Caller> {
        steps.push('key')
        const key = request.headers.get('x-api-key')
        if (!key) throw fail('UNAUTHORIZED')
        return {
          kind: key === 'session' ? 'session' : 'key',
          id: key,
          accountId: 'a',
          mode: 'live',
          permissions: key === 'reader' ? new Set(['thing.read']) : 'all',
          workspaceId: key === 'poor' || key === 'neighbour' ? key : WORKSPACE,
        }
      },
    },
    rateLimiter: {
      consume(id: string) {
        // Each request counts for its key, and then for the workspace of that key.
        if (!id.startsWith('workspace ')) steps.push('rate')
        return { limit: 10, remaining: 3, resetSeconds: 7, refused: 0, limited: id === 'eager' }
      },
    },
    directory: {
      async find(id: string) {
        return id === 'poor' ? { ...workspace, id, features: new Set() } : workspace
      },
      async select(_: Caller, requested?: string) {
        steps.push(`workspace ${requested ?? 'own'}`)
        if (requested && requested !== WORKSPACE) throw fail('WORKSPACE_NOT_FOUND')
        return { workspaceId: WORKSPACE, workspace, transaction: () => Promise.reject(new Error('no database here')) }
      },
    },
    quotas: { admit: async () => void steps.push('quota'), countRequest: () => undefined },
    idempotency: {
      async run(request: { key: string }, work: () => Promise<unknown>) {
        steps.push(`idempotent ${request.key}`)
        return { ...((await work()) as object), replayed: request.key === keptKey('again') }
      },
    },
  } as unknown as PipelineParts
}

/** There are no groups of permissions, so a role has all that an account's session has. */
function wiringOfPermissions(): Switchboard {
  const wiring = new Switchboard()
  wiring.bind('core', bind(permissionCatalogue, { groups: () => [], ofSubjects: () => new Set() }))
  return wiring
}
