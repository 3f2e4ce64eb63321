import type { Authenticator } from '../auth/authenticate.ts'
import type { Caller } from '../auth/caller.ts'
import type { ClientAddress } from '../auth/client-address.ts'
import { AppError, fail } from '../errors.ts'
import { limitRate } from './checks.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Requests without a valid key or session count against the address they come from. */
export interface AnonymousParts {
  readonly authenticator: Pick<Authenticator, 'authenticate'>
  readonly clientAddress: ClientAddress
  /** Undefined where they are not limited. */
  readonly anonymousLimiter: Pick<RateLimiter, 'consume'> | undefined
}

/** Recognises the caller. A request that has none is counted: UNAUTHORIZED, and RATE_LIMITED beyond what its address may send. */
export async function recognise(request: Request, parts: AnonymousParts): Promise<Caller> {
  try {
    return await parts.authenticator.authenticate(request)
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHORIZED') countAnonymous(request, parts)
    throw error
  }
}

/**
 * Lets a request pass for which nobody needs to be known. Whoever shows a valid key or session is not counted, so that nobody is refused
 * for a neighbour at the same address. Throws RATE_LIMITED.
 */
export async function admitAnyone(request: Request, parts: AnonymousParts): Promise<void> {
  if (!parts.anonymousLimiter) return
  if (hasCredentials(request) && (await isKnown(request, parts))) return
  countAnonymous(request, parts)
}

/**
 * Counts a request that no route serves: against its caller, telling in `headers` how many are left, or against its address.
 * Throws RATE_LIMITED.
 */
export async function admitUnserved(
  request: Request,
  headers: Record<string, string>,
  parts: AnonymousParts & { readonly rateLimiter: RateLimiter | undefined },
): Promise<void> {
  const caller = hasCredentials(request)
    ? await parts.authenticator.authenticate(request).catch(() => undefined)
    : undefined
  if (caller) limitRate(caller, headers, parts.rateLimiter)
  else await admitAnyone(request, parts)
}

function hasCredentials({ headers }: Request): boolean {
  return headers.has('x-api-key') || headers.has('cookie')
}

/** A database that is away makes nobody a stranger: what needs it fails by itself. */
async function isKnown(request: Request, { authenticator }: AnonymousParts): Promise<boolean> {
  try {
    await authenticator.authenticate(request)
    return true
  } catch (error) {
    return !(error instanceof AppError) || error.code !== 'UNAUTHORIZED'
  }
}

function countAnonymous(request: Request, { anonymousLimiter, clientAddress }: AnonymousParts): void {
  if (!anonymousLimiter) return
  const { limited, resetSeconds } = anonymousLimiter.consume(`address ${clientAddress(request)}`)
  if (!limited) return
  throw fail('RATE_LIMITED', {
    message: 'Too many requests without a valid key from this address; retry after the time in Retry-After.',
    retryAfterSeconds: resetSeconds,
  })
}
