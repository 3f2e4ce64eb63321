import type { Authenticator } from '../auth/authenticate.ts'
import type { TenantGate } from '../auth/directory.ts'
import { requireAccess } from './checks.ts'
import type { Clock } from './clock.ts'
import type { MountedRoute } from './mount.ts'
import { relayedFor } from './relay.ts'

/**
 * A caller that was recognised longer ago is recognised again. What is kept of keys and workspaces is read again after four seconds, so that a
 * revocation holds within five.
 */
const RECOGNISED_MS = 500

/** A request, and when its caller was recognised, as a reading of the pipeline's clock. */
export interface Recognised {
  readonly request: Request
  readonly begunAt: number
}

export interface StandingParts {
  readonly authenticator: Pick<Authenticator, 'authenticate'>
  readonly directory: Pick<TenantGate, 'select'>
  readonly clock: Clock
}

/**
 * Makes the check that a request may still go on: an upload or a download takes minutes, in which its key may be revoked, lose the permission or
 * the workspace, or the workspace be deleted. It throws what the next request would get.
 */
export function standingOf(
  { route }: Pick<MountedRoute, 'route'>,
  { request, begunAt }: Recognised,
  workspaceId: string | undefined,
  { authenticator, directory, clock }: StandingParts,
): () => Promise<void> {
  const relayed = relayedFor(request)
  // The request that one was relayed for may have begun long before.
  let lookedAt = relayed ? Number.NEGATIVE_INFINITY : begunAt
  return async () => {
    if (clock.now() - lookedAt < RECOGNISED_MS) return
    const caller = await authenticator.authenticate(relayed?.credentials ?? request)
    requireAccess(route, caller)
    await directory.select(caller, workspaceId)
    lookedAt = clock.now()
  }
}
