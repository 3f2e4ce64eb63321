import { isDeepStrictEqual } from 'node:util'
import { unicodeForm } from 'mneme/plugin'
import type { SearchMode } from '../../memories/contract.ts'
import { type ServerAddress, searchOverHttp } from './client.ts'
import { type Measures, mean, measure, percentile } from './measures.ts'
import type { Expectation, Question } from './questions.ts'

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

export interface Miss {
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

/** The fields of a search result that an expectation checks. */
interface Result {
  readonly id: string
  readonly memory: string
  readonly metadata: Readonly<Record<string, unknown>> | null
}

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
