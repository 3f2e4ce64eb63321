import { Histogram, type Registry } from 'mneme/plugin'
import type { MemorySearch } from '../../memories/contract.ts'
import { type SearchServices, search } from './search.ts'

/** Runs searches and measures them by the engine that serves them, their mode and whether they found something. */
export function measuredSearch(
  services: SearchServices,
  engine: 'postgres' | 'typesense',
  registry: Registry,
): MemorySearch {
  const duration = new Histogram({
    name: 'mneme_search_duration_seconds',
    help: 'Time that searches took, by engine, mode and outcome.',
    labelNames: ['engine', 'mode', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  return {
    async search(tenant, request) {
      const startedAt = performance.now()
      let outcome = 'failed'
      try {
        const response = await search(services, tenant, request)
        outcome = response.total > 0 ? 'found' : 'empty'
        return response
      } finally {
        duration.labels(engine, request.mode, outcome).observe((performance.now() - startedAt) / 1000)
      }
    },
  }
}
