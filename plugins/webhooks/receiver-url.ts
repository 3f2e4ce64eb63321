import { createHash } from 'node:crypto'
import { type BodyCheck, type OutgoingHttp, urlRefusal, validationError } from 'mneme/plugin'

/** A URL that is none for HTTP is refused as it is written; its address is looked up for the workspace. */
export const urlChecks: readonly BodyCheck<{ readonly url?: string }>[] = [
  {
    fields: ['url'],
    faults({ body: { url } }) {
      const refusal = url === undefined ? undefined : urlRefusal(url)
      return refusal ? [{ path: 'url', message: refusal.message }] : []
    },
  },
]

/**
 * A name that does not resolve now may do so later, and each connection checks anew.
 * @throws VALIDATION_ERROR for a URL whose host is, or resolves to, an address that is not public
 */
export async function checkReceiverUrl(outgoing: OutgoingHttp, url: string, workspaceId: string): Promise<void> {
  const refusal = await outgoing.refusalOf(url, { holder: workspaceId })
  if (refusal?.code === 'ADDRESS_REFUSED') throw validationError([{ path: 'url', message: refusal.message }])
}

/** Others may know the origin of a receiver, while its path and query can be a secret, as those of a chat's incoming webhook. */
export function originOf(url: string): string {
  return new URL(url).origin
}

/** The host of a receiver; a name is the same with and without the dot of the root at its end. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '')
}

/** Equal for all spellings of a URL that lead to the same request. */
export function urlHash(url: string): Uint8Array {
  const asked = new URL(url)
  asked.hostname = hostOf(url)
  const { origin, pathname, search } = asked
  return createHash('sha256').update(`${origin}${pathname}${search}`).digest()
}
