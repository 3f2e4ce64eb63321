import type { Route } from '../http/route.ts'
import { isUpload } from '../http/upload.ts'

/**
 * Lists declarations about a route's bodies that cannot be kept, each the end of a sentence that begins with its
 * plugin.
 */
export function checkBodies(
  route: Pick<
    Route,
    'method' | 'path' | 'body' | 'bodyMaxBytes' | 'raw' | 'download' | 'contentType' | 'head' | 'reads' | 'relays'
  >,
) {
  const { method, path, body, bodyMaxBytes, raw, download, contentType, head, reads, relays } = route
  const faults: string[] = []
  if (isUpload(body) && (method === 'GET' || method === 'DELETE'))
    faults.push(`takes an upload; make it a POST or a PUT`)
  if (isUpload(body) && raw) faults.push('takes an upload and is raw; a raw route reads its body itself')
  if (isUpload(body) && relays) faults.push('takes an upload and relays; an upload holds a turn while it is read')
  if (reads && method !== 'POST') faults.push('sets reads; that is for a POST that changes nothing')
  if (isUpload(body) && bodyMaxBytes !== undefined) faults.push('sets bodyMaxBytes; an upload has limits of its own')
  if (download && method !== 'GET') faults.push('answers with a download; make it a GET')
  if (download && !contentType) faults.push('answers with a download; name its contentType for the reference')
  if (head && method !== 'GET') faults.push('has a head of its own; only a GET answers HEAD')
  return faults.map(fault => `the route ${method} ${path} ${fault}`)
}
