import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { SearchMode } from '../../memories/contract.ts'
import { DEPTH } from './measures.ts'
import type { Question } from './questions.ts'

/** Anything but an answer to a search; the message is for whoever runs the evaluation. */
export class SearchFailed extends Error {}

const answerSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      memory: Type.String(),
      metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    }),
  ),
  warning: Type.Optional(Type.String()),
})

export type EvaluationAnswer = Static<typeof answerSchema> & { readonly tookMs: number }

export interface ServerToAsk {
  /** Address without a path, e.g. `http://127.0.0.1:3000`. */
  readonly base: string
  /** An API key with `memory.read`. */
  readonly key: string
  readonly signal: AbortSignal
}

const TIMEOUT_MS = 60_000
/** A limit of requests a minute is over after a minute. */
const LIMITED_TRIES_MAX = 5
const LIMITED_WAIT_MAX_SECONDS = 60

/**
 * One search over HTTP, with the time it took. A server that limits the rate is obeyed, and the waiting is not counted.
 * @throws SearchFailed when there is no such server, or it refuses
 */
export async function askServer(
  server: ServerToAsk,
  { query, filters }: Question,
  mode: SearchMode,
  expand: boolean,
): Promise<EvaluationAnswer> {
  const body = JSON.stringify({ query, mode, expand, limit: DEPTH, ...filters })
  for (let tries = 1; ; tries++) {
    const startedAt = performance.now()
    const { response, text } = await send(server, body)
    const tookMs = performance.now() - startedAt
    if (response.ok) return { ...parseAnswer(server, text), tookMs }
    if (response.status !== 429 || tries === LIMITED_TRIES_MAX) throw refused(response.status, text, query)
    await waited(Number(response.headers.get('retry-after')) || 1, server.signal)
  }
}

async function send({ base, key, signal }: ServerToAsk, body: string): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(`${base}/v1/memories/search`, {
      method: 'POST',
      headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    // A server may go while it answers.
    return { response, text: await response.text() }
  } catch (error) {
    if (signal.aborted) throw new SearchFailed('Interrupted.', { cause: error })
    const message = error instanceof Error ? error.message : String(error)
    throw new SearchFailed(`${base} does not answer: ${message}`, { cause: error })
  }
}

function parseAnswer({ base }: ServerToAsk, text: string): Static<typeof answerSchema> {
  const parsed = parseJson(text)
  if (!Value.Check(answerSchema, parsed)) {
    throw new SearchFailed(`${base} answers, but not as Mneme does. Is the address right?`)
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
