import { keyOf } from '../auth/api-key.ts'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Caller } from '../auth/caller.ts'
import type { ClientAddress } from '../auth/client-address.ts'
import { AppError, fail } from '../errors.ts'
import { delayRefusal, limitRate, type RateParts } from './checks.ts'
import type { IncomingBody } from './incoming-body.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Requests without a valid key or session count against the address they come from. */
export interface AnonymousParts extends RateParts {
  readonly authenticator: Pick<Authenticator, 'authenticate' | 'isKnown'>
  readonly clientAddress: ClientAddress
  /** Undefined where they are not limited. */
  readonly anonymousLimiter: Pick<RateLimiter, 'consume'> | undefined
}

/**
 * Recognises the caller. A request that has none is counted: UNAUTHORIZED, and RATE_LIMITED beyond what its address may send. Throws
 * SERVICE_UNAVAILABLE where too many long bodies of its address wait for that.
 */
export async function recognise(request: Request, incoming: IncomingBody, parts: AnonymousParts): Promise<Caller> {
  try {
    return await whileUnknown(request, incoming, parts, () => parts.authenticator.authenticate(request))
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHORIZED') await countAnonymous(request, incoming, parts)
    throw error
  }
}

/**
 * Lets a request pass for which nobody needs to be known. One with a valid key or session counts against its caller, telling in `headers`
 * how many are left, so that nobody is refused for a neighbour at the same address; any other against its address. Throws RATE_LIMITED, and
 * SERVICE_UNAVAILABLE as {@link recognise} does.
 */
export async function admitAnyone(
  request: Request,
  incoming: IncomingBody,
  headers: Record<string, string>,
  parts: AnonymousParts,
): Promise<void> {
  const caller = hasCredentials(request)
    ? await whileUnknown(request, incoming, parts, () => callerOf(request, parts))
    : 'nobody'
  if (caller === 'nobody') await countAnonymous(request, incoming, parts)
  else if (caller !== 'unknown') await limitRate(caller, incoming, headers, parts)
}

/**
 * The runtime takes in what is sent while a key is looked up, whoever sends it, so long bodies have the share of their address meanwhile. The
 * keys in use are known, and wait for nothing.
 */
async function whileUnknown<T>(
  request: Request,
  incoming: IncomingBody,
  { authenticator }: AnonymousParts,
  lookUp: () => Promise<T>,
): Promise<T> {
  if (!incoming.isLong || authenticator.isKnown(request)) return lookUp()
  const release = incoming.holdUnread()
  try {
    return await lookUp()
  } finally {
    release()
  }
}

function hasCredentials(request: Request): boolean {
  return keyOf(request) !== null || request.headers.has('cookie')
}

/** Tells who sent a request; unknown while the database is away, which makes nobody a stranger: what needs it fails by itself. */
async function callerOf(request: Request, { authenticator }: AnonymousParts): Promise<Caller | 'nobody' | 'unknown'> {
  try {
    return await authenticator.authenticate(request)
  } catch (error) {
    return error instanceof AppError && (error.status === 401 || error.status === 403) ? 'nobody' : 'unknown'
  }
}

async function countAnonymous(
  request: Request,
  incoming: IncomingBody,
  { anonymousLimiter, clientAddress, clock }: AnonymousParts,
): Promise<void> {
  if (!anonymousLimiter) return
  const state = anonymousLimiter.consume(`address ${clientAddress(request)}`)
  if (!state.limited) return
  await delayRefusal(state, incoming, clock)
  throw fail('RATE_LIMITED', {
    message: 'Too many requests without a valid key from this address; retry after the time in Retry-After.',
    retryAfterSeconds: state.resetSeconds,
  })
}
