import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { messageOf, unicodeForm } from 'mneme/plugin'
import type { SearchMode } from '../../memories/contract.ts'
import type { Expectation, Question } from './questions.ts'

/** The quality of one ranking, measured against the known answers to its question. */
export interface Measures {
  /** The share of expected results among the first 5, 10 and 20. */
  readonly recall5: number
  readonly recall10: number
  readonly recall20: number
  /** 1 when any expected result is among the first 10, else 0. */
  readonly hit10: number
  /** 1 / rank of the first expected result; 0 when there is none. */
  readonly reciprocalRank: number
}

/** This many results are evaluated. */
export const DEPTH = 20

/** @param ranks the place of every expected result, from 1; null for a missing one */
export function measure(ranks: readonly (number | null)[]): Measures {
  const found = ranks.filter(rank => rank !== null)
  const recall = (depth: number) => found.filter(rank => rank <= depth).length / Math.max(1, ranks.length)
  const first = Math.min(...found)
  return {
    recall5: recall(5),
    recall10: recall(10),
    recall20: recall(DEPTH),
    hit10: first <= 10 ? 1 : 0,
    reciprocalRank: 1 / first,
  }
}

/** Returns the ranks of expected ids in a list of found ones, for {@link measure}. */
export function ranksOf(found: readonly unknown[], expected: readonly string[]): (number | null)[] {
  return [...new Set(expected)].map(id => {
    const place = found.indexOf(id)
    return place < 0 ? null : place + 1
  })
}

/** Averages over questions with equal weights. */
export function mean(all: readonly Measures[]): Measures {
  const average = (of: (one: Measures) => number) =>
    all.reduce((sum, one) => sum + of(one), 0) / Math.max(1, all.length)
  return {
    recall5: average(one => one.recall5),
    recall10: average(one => one.recall10),
    recall20: average(one => one.recall20),
    hit10: average(one => one.hit10),
    reciprocalRank: average(one => one.reciprocalRank),
  }
}

/** Returns the value below which a share of all values lies; 0 for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

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

type EvaluationResponse = Static<typeof responseSchema> & { readonly tookMs: number }

interface ServerAddress {
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
async function searchOverHttp(
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
  await pause(Math.min(seconds, LIMITED_WAIT_MAX_SECONDS) * 1000, undefined, { signal }).catch(cause => {
    throw new SearchFailed('Interrupted.', { cause })
  })
}

/** The figures of one mode over all questions. */
export interface ModeFigures extends Measures {
  readonly mode: SearchMode
  /** The share of questions without any result. */
  readonly zeroResults: number
  readonly p50Ms: number
  readonly p95Ms: number
  /** The number of responses with a warning, by its text. */
  readonly warnings: Readonly<Record<string, number>>
  /** Queries whose expected results are not all among the first 20, the worst first. */
  readonly misses: readonly Miss[]
}

interface Miss {
  readonly query: string
  /** The share of expected results that were found. */
  readonly found: number
  readonly bestRank: number | null
}

interface PreparedQuery {
  readonly question: Question
  readonly ranks: readonly (number | null)[]
  readonly results: number
  readonly tookMs: number
  readonly warning: string | undefined
}

/**
 * Asks every question in every mode, one after the other. The mode that goes first changes with each question, because the server caches a
 * query's vector and the next mode that needs it skips the model.
 */
export async function evaluate(
  server: ServerAddress,
  questions: readonly Question[],
  modes: readonly SearchMode[],
  expand: boolean,
): Promise<ModeFigures[]> {
  const asked = new Map<SearchMode, PreparedQuery[]>(modes.map(mode => [mode, []]))
  const [first] = questions
  // The first search opens connections and loads data that later ones find loaded, so it is not measured.
  if (first) await searchOverHttp(server, first, modes[0] ?? 'hybrid', expand)
  for (const [index, question] of questions.entries()) {
    for (const mode of rotated(modes, index)) {
      const { data, warning, tookMs } = await searchOverHttp(server, question, mode, expand)
      const ranks = ranksOfExpected(data, question.expected)
      asked.get(mode)?.push({ question, ranks, results: data.length, tookMs, warning })
    }
  }
  return modes.map(mode => figuresOf(mode, asked.get(mode) ?? []))
}

function rotated<T>(items: readonly T[], by: number): T[] {
  const from = by % Math.max(1, items.length)
  return [...items.slice(from), ...items.slice(0, from)]
}

function figuresOf(mode: SearchMode, asked: readonly PreparedQuery[]): ModeFigures {
  const latencies = asked.map(({ tookMs }) => tookMs)
  const warnings: Record<string, number> = {}
  for (const { warning } of asked) if (warning !== undefined) warnings[warning] = (warnings[warning] ?? 0) + 1
  return {
    mode,
    ...mean(asked.map(({ ranks }) => measure(ranks))),
    zeroResults: asked.filter(({ results }) => results === 0).length / Math.max(1, asked.length),
    p50Ms: percentile(latencies, 0.5),
    p95Ms: percentile(latencies, 0.95),
    warnings,
    misses: missesOf(asked),
  }
}

function missesOf(asked: readonly PreparedQuery[]): Miss[] {
  return asked
    .filter(({ ranks }) => ranks.includes(null))
    .map(({ question, ranks }) => {
      const found = ranks.filter(rank => rank !== null)
      return {
        query: question.query,
        found: found.length / ranks.length,
        bestRank: found.length > 0 ? Math.min(...found) : null,
      }
    })
    .sort((a, b) => a.found - b.found)
}

type Result = EvaluationResponse['data'][number]

/** Returns the place of every expected result, from 1; null for a missing one. */
export function ranksOfExpected(
  results: readonly Result[],
  expected: readonly Expectation[],
): readonly (number | null)[] {
  return expected.map(one => {
    const place = results.findIndex(result => meets(result, one))
    return place < 0 ? null : place + 1
  })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function meets(result: Result, expected: Expectation): boolean {
  if (typeof expected === 'string') return meets(result, UUID.test(expected) ? { id: expected } : { text: expected })
  const { id, text, metadata } = expected
  if (id !== undefined && result.id !== id.toLowerCase()) return false
  if (text !== undefined && !normal(result.memory).includes(normal(text))) return false
  const held: Readonly<Record<string, unknown>> = result.metadata ?? {}
  return Object.entries(metadata ?? {}).every(([key, value]) => isDeepStrictEqual(held[key], value))
}

/** Case, spacing and Unicode form do not distinguish texts. */
function normal(text: string): string {
  return unicodeForm(text, 'NFKC').toLowerCase().trim().replace(/\s+/g, ' ')
}
