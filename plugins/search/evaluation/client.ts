import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { messageOf } from 'mneme/plugin'
import type { SearchMode } from '../../memories/contract.ts'
import { DEPTH } from './measures.ts'
import type { Question } from './questions.ts'

/** The server did not answer a search; the message is for the person who runs the evaluation. */
export class SearchFailed extends Error {}

const responseSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      memory: Type.String(),
      metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    }),
  ),
  warning: Type.Optional(Type.String()),
})

export type EvaluationResponse = Static<typeof responseSchema> & { readonly tookMs: number }

export interface ServerAddress {
  /** The address without a path, e.g. `http://127.0.0.1:3000`. */
  readonly base: string
  /** An API key with `memory.read`. */
  readonly key: string
  readonly signal: AbortSignal
}

const TIMEOUT_MS = 60_000
/** A limit of requests per minute is over after a minute. */
const LIMITED_TRIES_MAX = 5
const LIMITED_WAIT_MAX_SECONDS = 60

/**
 * Runs one search over HTTP and measures its time. A rate limit of the server is respected, and that pause is not measured.
 * @throws SearchFailed when there is no such server, or it refuses
 */
export async function searchOverHttp(
  server: ServerAddress,
  { query, filters }: Question,
  mode: SearchMode,
  expand: boolean,
): Promise<EvaluationResponse> {
  const body = JSON.stringify({ query, mode, expand, limit: DEPTH, ...filters })
  for (let tries = 1; ; tries++) {
    const startedAt = performance.now()
    const { response, text } = await send(server, body)
    const tookMs = performance.now() - startedAt
    if (response.ok) return { ...parseResponse(server, text), tookMs }
    if (response.status !== 429 || tries === LIMITED_TRIES_MAX) throw refused(response.status, text, query)
    await waited(Number(response.headers.get('retry-after')) || 1, server.signal)
  }
}

async function send({ base, key, signal }: ServerAddress, body: string): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(`${base}/v1/memories/search`, {
      method: 'POST',
      headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    // A server may go away while it responds.
    return { response, text: await response.text() }
  } catch (error) {
    if (signal.aborted) throw new SearchFailed('Interrupted.', { cause: error })
    const message = messageOf(error)
    throw new SearchFailed(`${base} does not respond: ${message}`, { cause: error })
  }
}

function parseResponse({ base }: ServerAddress, text: string): Static<typeof responseSchema> {
  const parsed = parseJson(text)
  if (!Value.Check(responseSchema, parsed)) {
    throw new SearchFailed(`${base} responds, but not like Mneme. Is the address right?`)
  }
  return parsed
}

const refusalSchema = Type.Object({
  message: Type.String(),
  details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
})

function refused(status: number, text: string, query: string): SearchFailed {
  const parsed = parseJson(text)
  if (!Value.Check(refusalSchema, parsed)) return new SearchFailed(`The server answered ${status} to "${query}".`)
  const details = (parsed.details ?? []).map(({ path, message }) => `\n  ${path}: ${message}`).join('')
  return new SearchFailed(`The server answered ${status} to "${query}": ${parsed.message}${details}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function waited(seconds: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(seconds, LIMITED_WAIT_MAX_SECONDS) * 1000
  await new Promise<void>(resolve => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
  if (signal.aborted) throw new SearchFailed('Interrupted.')
}
