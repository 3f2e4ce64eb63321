import type { RelayedResponse } from 'mneme/plugin'
import type { McpTool } from '../contract.ts'
import type { ToolboxParts } from './toolbox.ts'

/** Each look counts as a request of the key, so they come less and less often. */
const LOOK_MS = 500
const LOOK_MS_MAX = 8000

/** Awaits the work that a tool has begun, where the client wants to be told how far it is. Work that nobody can look at is not awaited. */
export async function awaited(
  { awaits }: McpTool,
  begun: RelayedResponse,
  { tenant, relay, onProgress, signal }: ToolboxParts,
): Promise<RelayedResponse> {
  if (!awaits || !onProgress || begun.status >= 400) return begun
  const { id } = Object(begun.body)
  const query = new URLSearchParams({ workspace_id: tenant.workspaceId })
  let latest = begun
  for (let waitMs = LOOK_MS; !signal?.aborted; waitMs = Math.min(waitMs * 1.5, LOOK_MS_MAX)) {
    const seen = await relay({ method: 'GET', path: awaits.path, params: { id: String(id) }, query })
    if (seen.status >= 400) break
    latest = seen
    const progress = awaits.progressOf(seen.body)
    onProgress(progress)
    if (progress.isOver) break
    await pause(waitMs, signal)
  }
  return { ...begun, body: latest.body }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
