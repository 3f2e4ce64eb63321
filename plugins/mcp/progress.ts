import type { Relay, RelayedResponse, Tenant } from 'mneme/plugin'
import type { McpTool, Progress } from './contract.ts'
import type { ResolvedTool } from './tools/resolve.ts'

/** A tool returns after this time, whatever of its work is left: proxies and clients give a request up that takes longer. */
const AWAITED_MS_MAX = 300_000

interface Message {
  readonly id?: string | number
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
}

type Token = string | number

/** Returns the token by which a client wants to be told of progress, where it reads streams and the tool awaits work. */
export function progressTokenOf(
  { method, params = {} }: Message,
  headers: Headers,
  tools: readonly ResolvedTool[],
): Token | undefined {
  if (method !== 'tools/call' || !headers.get('accept')?.includes('text/event-stream')) return undefined
  if (!tools.some(({ tool }) => tool.name === params.name && tool.awaits)) return undefined
  const { progressToken: token } = Object(params._meta)
  return typeof token === 'string' || typeof token === 'number' ? token : undefined
}

/**
 * Answers a request with a stream of events: its progress first, and its reply at the end. It has no id to be resumed by: a client that loses it asks
 * for the job.
 */
export function streamed(
  id: Message['id'],
  token: Token,
  answered: (told: { onProgress: (progress: Progress) => void; signal: AbortSignal }) => Promise<unknown>,
  onFault: (error: unknown) => void,
): Response {
  const gone = new AbortController()
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(AWAITED_MS_MAX)])
  const events = new ReadableStream<string>({
    async start(stream) {
      const send = (message: unknown) => {
        if (!gone.signal.aborted) stream.enqueue(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
      }
      let told = -1
      const onProgress = ({ done, total, message }: Progress) => {
        // The protocol has it grow with each notification.
        if (done <= told) return
        told = done
        const params = { progressToken: token, progress: done, ...(total === undefined ? {} : { total }), message }
        send({ jsonrpc: '2.0', method: 'notifications/progress', params })
      }
      const reply = await answered({ onProgress, signal }).catch(error => {
        onFault(error)
        return { jsonrpc: '2.0', id: id ?? null, error: { code: -32603, message: 'Internal error' } }
      })
      send(reply)
      if (!gone.signal.aborted) stream.close()
    },
    cancel: () => gone.abort(),
  })
  return new Response(events.pipeThrough(new TextEncoderStream()), {
    headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
  })
}

/** Whoever asked to be told of progress. */
export interface Listener {
  /** Told how far work is that a tool awaits; left out, the tool returns while the work goes on. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** The client has gone, or the time is over. */
  readonly signal?: AbortSignal
}

interface AwaitingParts extends Listener {
  readonly tenant: Pick<Tenant, 'workspaceId'>
  readonly relay: Relay
}

/** Each look counts as a request of the key, so they come less and less often. */
const LOOK_MS = 500
const LOOK_MS_MAX = 8000

/** Awaits the work that a tool has begun, where the client wants to be told how far it is. Work that nobody can look at is not awaited. */
export async function awaited(
  { awaits }: McpTool,
  begun: RelayedResponse,
  { tenant, relay, onProgress, signal }: AwaitingParts,
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
