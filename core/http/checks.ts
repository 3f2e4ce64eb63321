import type { Caller, Tenant } from '../auth/caller.ts'
import type { TenantGate } from '../auth/directory.ts'
import { requireFeature } from '../auth/features.ts'
import type { Clock } from '../clock.ts'
import { fail } from '../errors.ts'
import type { RateState } from '../fair/rate-window.ts'
import type { RequestQuotas } from '../usage/quotas.ts'
import type { IncomingBody } from './incoming-body.ts'
import { type RequestInput, requestedWorkspace } from './input.ts'
import type { MountedRoute } from './mount.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { Route } from './route.ts'

/** All keys of a workspace together have as many times the limit of one, so that a further key is no further allowance for ever. */
const KEYS_TOGETHER = 10

/** Counts a request, of its key and of all of that key's workspace, and tells in `headers` how many are left. Throws RATE_LIMITED. */
export async function limitRate(
  caller: Caller,
  incoming: IncomingBody,
  headers: Record<string, string>,
  { rateLimiter: limiter, clock }: RateParts,
): Promise<void> {
  if (!limiter) return
  const own = limiter.consume(caller.id)
  const { limit, remaining, resetSeconds, limited } = own
  const together = limited ? undefined : limiter.consume(`workspace ${caller.workspaceId}`, KEYS_TOGETHER)
  headers['ratelimit-limit'] = String(limit)
  headers['ratelimit-remaining'] = String(Math.min(remaining, together?.remaining ?? 0))
  headers['ratelimit-reset'] = String(resetSeconds)
  await delayRefusal(together ?? own, incoming, clock)
  if (limited) throw fail('RATE_LIMITED', { retryAfterSeconds: resetSeconds })
  if (together?.limited)
    throw fail('RATE_LIMITED', {
      message: 'The keys of this workspace together have sent too many requests; retry after the time in Retry-After.',
      retryAfterSeconds: resetSeconds,
    })
}

export interface RateParts {
  /** Undefined where keys are not limited. */
  readonly rateLimiter: RateLimiter | undefined
  readonly clock: Clock
}

/** In each window so many requests of a caller are refused at once. */
const PROMPT_REFUSALS_MAX = 50
const REFUSAL_MS = 1000

/**
 * Waits a second before a refusal for a caller that was refused many times in its window: a client that sends its next request on each
 * response would otherwise take a processor for nothing but refusals. Clients that heed `Retry-After` never wait. A long body is refused
 * at once, because the runtime would take in more of it meanwhile.
 */
export function delayRefusal(
  { limited, refused }: RateState,
  { isLong }: Pick<IncomingBody, 'isLong'>,
  clock: Clock,
): Promise<void> | undefined {
  if (!limited || isLong || refused <= PROMPT_REFUSALS_MAX) return undefined
  return new Promise(resolve => clock.after(REFUSAL_MS, resolve))
}

/** Tells whether the route admits a caller. */
export function mayCall({ access }: Pick<Route, 'access'>, { kind, permissions }: Caller): boolean {
  if (access === 'public' || access === 'anyKey') return true
  if (access === 'account') return kind === 'session'
  return permissions === 'all' || permissions.has(access.permission)
}

/** Throws FORBIDDEN for a caller that the route does not admit. */
export function requireAccess(route: Route, caller: Caller): void {
  if (mayCall(route, caller)) return
  const { access } = route
  throw fail('FORBIDDEN', {
    message:
      typeof access === 'object'
        ? `This key lacks the permission ${access.permission}.`
        : 'Only a signed-in account may do this, never a key.',
  })
}

/** Throws FEATURE_NOT_ENABLED for a plugin that is switched off. */
export function requireEnabled({ enabled, owner }: MountedRoute): void {
  if (!enabled) throw fail('FEATURE_NOT_ENABLED', { message: `The plugin ${owner} is switched off on this server.` })
}

/**
 * Checks the caller's own workspace here, before the body is looked at; a named one is checked after it is selected.
 */
export async function requireOwnFeature(mounted: MountedRoute, caller: Caller, directory: TenantGate): Promise<void> {
  requireEnabled(mounted)
  if (!mounted.feature) return
  // A caller of several workspaces may name one in the body that has the feature; that is checked once it is selected.
  const mayNameAnother = caller.kind === 'session' || (caller.grantedWorkspaceIds?.size ?? 0) > 1
  const own = mayNameAnother ? undefined : await directory.find(caller.workspaceId)
  if (own) requireFeature(own, mounted.feature)
}

/**
 * Input that is at fault may still be of a caller whose plan lacks the feature, which is told first: by the workspace that was
 * read of it, else by the caller's own. One that the caller may not use tells nothing of its plan.
 */
export async function requireFeatureOf(
  mounted: MountedRoute,
  caller: Caller,
  given: Pick<RequestInput, 'params' | 'query' | 'fields'>,
  directory: TenantGate,
): Promise<void> {
  if (!mounted.feature || mounted.route.access === 'public') return
  const tenant = await directory.select(caller, requestedWorkspace(mounted.route, given)).catch(() => undefined)
  if (tenant) requireFeature(tenant.workspace, mounted.feature)
}

/** Selects workspaces and counts against their plans. */
export interface SelectParts {
  readonly directory: TenantGate
  readonly quotas: RequestQuotas
}

/** Returns the workspace that the request works on. Throws WORKSPACE_*, FEATURE_NOT_ENABLED or QUOTA_EXCEEDED. */
export async function selectTenant(
  mounted: MountedRoute,
  caller: Caller,
  given: Pick<RequestInput, 'params' | 'query' | 'fields'>,
  parts: SelectParts,
): Promise<Tenant> {
  const tenant = await parts.directory.select(caller, requestedWorkspace(mounted.route, given))
  requireFeature(tenant.workspace, mounted.feature)
  if (!mounted.route.beyondQuota) await parts.quotas.admit(tenant.workspace)
  return tenant
}
