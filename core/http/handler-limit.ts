import type { Clock } from './clock.ts'
import type { MountedRoute } from './mount.ts'
import { isUpload } from './upload.ts'

/** Nobody waits longer for a response, and a stop must not wait for a handler that never settles. */
export const HANDLER_MAX_MS = 600_000

/**
 * Limits a handler's time. Handlers that read their bodies themselves take as long as those take to arrive; any other
 * is abandoned when it takes too long, whether its client is still there or not.
 */
export async function settled<T>(
  handling: Promise<T>,
  { owner, route }: Pick<MountedRoute, 'owner' | 'route'>,
  clock: Clock,
): Promise<T> {
  if (route.raw || isUpload(route.body)) return handling
  const { promise: late, reject } = Promise.withResolvers<never>()
  const cancel = clock.after(HANDLER_MAX_MS, () => {
    const named = `plugin ${owner}: the handler of ${route.method} ${route.path}`
    reject(new Error(`${named} did not settle within ${HANDLER_MAX_MS / 1000} s; its request is answered without it`))
  })
  try {
    return await Promise.race([handling, late])
  } finally {
    cancel()
  }
}
