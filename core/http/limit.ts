import { keyOf } from '../auth/api-key.ts'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Caller } from '../auth/caller.ts'
import type { ClientAddress } from '../auth/client-address.ts'
import type { Clock } from '../clock.ts'
import { AppError, fail } from '../errors.ts'
import type { RateState } from '../fair/rate-window.ts'
import type { MountedRoute } from './mount.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Requests with a valid key or session count against it, all others against the address that they come from. */
export interface RateParts {
  readonly authenticator: Pick<Authenticator, 'authenticate'>
  readonly clientAddress: ClientAddress
  /** Undefined where keys are not limited. */
  readonly rateLimiter: Pick<RateLimiter, 'consume'> | undefined
  /** Undefined where addresses are not limited. */
  readonly anonymousLimiter: Pick<RateLimiter, 'consume'> | undefined
  readonly clock: Clock
}

interface Counted {
  readonly request: Request
  readonly incoming: { readonly isLong: boolean }
  /** Told how many are left. */
  readonly headers: Record<string, string>
  readonly parts: RateParts
}

/** All keys of a workspace together have as many times the limit of one, so that a further key is no further allowance for ever. */
const KEYS_TOGETHER = 10

/**
 * Recognises the caller. A request that has none is counted: UNAUTHORIZED, with what the route says of how to get in, and RATE_LIMITED beyond what its
 * address may send.
 */
export async function recognise(
  counted: Counted & { readonly mounted: Pick<MountedRoute, 'route' | 'scope'> },
): Promise<Caller> {
  const { request, headers, parts, mounted } = counted
  try {
    return await parts.authenticator.authenticate(request)
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHORIZED') {
      const challenge = mounted.route.challenge?.({ request, scope: mounted.scope as never })
      if (challenge) headers['www-authenticate'] = challenge
      await limitAddress(counted)
    }
    throw error
  }
}

/**
 * Counts a request for which nobody needs to be known. One with a valid key or session counts against its caller, so that nobody is refused
 * for a neighbour at the same address; any other against its address. Throws RATE_LIMITED.
 */
export async function identifyAnyone(counted: Counted): Promise<void> {
  const { request, parts } = counted
  if (keyOf(request) === null && !request.headers.has('cookie')) return limitAddress(counted)
  let caller: Caller
  try {
    caller = await parts.authenticator.authenticate(request)
  } catch (error) {
    const isStranger = error instanceof AppError && (error.status === 401 || error.status === 403)
    // A database that is away makes nobody a stranger: what needs it fails by itself.
    return isStranger ? limitAddress(counted) : undefined
  }
  await limitRate(caller, counted)
}

/** Counts a request, of its key and of all of that key's workspace. Throws RATE_LIMITED. */
export function limitRate(caller: Caller, { incoming, headers, parts }: Counted): Promise<never> | undefined {
  const { rateLimiter } = parts
  if (!rateLimiter) return undefined
  const own = rateLimiter.consume(caller.id)
  const together = own.limited ? undefined : rateLimiter.consume(`workspace ${caller.workspaceId}`, KEYS_TOGETHER)
  headers['ratelimit-limit'] = String(own.limit)
  headers['ratelimit-remaining'] = String(Math.min(own.remaining, together?.remaining ?? 0))
  headers['ratelimit-reset'] = String(own.resetSeconds)
  if (own.limited) return refusal(own, incoming, parts.clock)
  if (together?.limited)
    return refusal(
      together,
      incoming,
      parts.clock,
      'The keys of this workspace together have sent too many requests; retry after the time in Retry-After.',
    )
  return undefined
}

async function limitAddress({ request, incoming, parts }: Counted): Promise<void> {
  const state = parts.anonymousLimiter?.consume(`address ${parts.clientAddress(request)}`)
  if (state?.limited)
    await refusal(
      state,
      incoming,
      parts.clock,
      'Too many requests without a valid key from this address; retry after the time in Retry-After.',
    )
}

/** In each window so many requests of a caller are refused at once. */
const PROMPT_REFUSALS_MAX = 50
const REFUSAL_MS = 1000

/**
 * Throws, after a second for a caller that was refused many times in its window: a client that sends its next request on each
 * response would otherwise take a processor for nothing but refusals. Clients that heed `Retry-After` never wait. A long body is refused
 * at once, because the runtime would take in more of it meanwhile.
 */
async function refusal(
  { refused, resetSeconds }: RateState,
  { isLong }: Counted['incoming'],
  clock: Clock,
  message?: string,
): Promise<never> {
  if (!isLong && refused > PROMPT_REFUSALS_MAX) await new Promise<void>(resolve => clock.after(REFUSAL_MS, resolve))
  throw fail('RATE_LIMITED', { ...(message ? { message } : {}), retryAfterSeconds: resetSeconds })
}
