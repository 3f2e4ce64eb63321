import type { SearchMode } from '../../memories/contract.ts'
import { askServer, type ServerToAsk } from './client.ts'
import { ranksOfExpected } from './expected.ts'
import { type Measures, mean, measure, percentile } from './measures.ts'
import type { Question } from './questions.ts'

/** The figures of one mode over all questions. */
export interface ModeFigures extends Measures {
  readonly mode: SearchMode
  /** Share of questions with no result at all. */
  readonly zeroResults: number
  readonly p50Ms: number
  readonly p95Ms: number
  /** Answers that said they had to do without something, by what they said. */
  readonly warnings: Readonly<Record<string, number>>
  /** Queries of which not all that is expected was among the first 20, worst first. */
  readonly misses: readonly Miss[]
}

export interface Miss {
  readonly query: string
  /** Share of what is expected that was found. */
  readonly found: number
  readonly bestRank: number | null
}

interface Asked {
  readonly question: Question
  readonly ranks: readonly (number | null)[]
  readonly results: number
  readonly tookMs: number
  readonly warning: string | undefined
}

/**
 * Asks every question in every mode, one after the other. The mode that goes first changes from question to question,
 * because the server keeps a query's vector and the next mode that needs it is spared the model.
 */
export async function evaluate(
  server: ServerToAsk,
  questions: readonly Question[],
  modes: readonly SearchMode[],
  expand: boolean,
): Promise<ModeFigures[]> {
  const asked = new Map<SearchMode, Asked[]>(modes.map(mode => [mode, []]))
  const [first] = questions
  // The first search opens connections and loads what later ones find loaded; it says nothing about them.
  if (first) await askServer(server, first, modes[0] ?? 'hybrid', expand)
  for (const [index, question] of questions.entries()) {
    for (const mode of rotated(modes, index)) {
      const { data, warning, tookMs } = await askServer(server, question, mode, expand)
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

function figuresOf(mode: SearchMode, asked: readonly Asked[]): ModeFigures {
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

function missesOf(asked: readonly Asked[]): Miss[] {
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
