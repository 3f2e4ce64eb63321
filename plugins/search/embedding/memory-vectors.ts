import { type Database, plainArray } from 'mneme/plugin'
import type { MemoryVector, MemoryVectors } from '../contract.ts'
import type { EmbeddingModels } from './models.ts'

/** Reads stored vectors of the active model. */
export function createMemoryVectors(database: Database, models: EmbeddingModels): MemoryVectors {
  return {
    async vectorsOf(workspaceId, ids) {
      if (ids.length === 0) return new Map()
      const { active } = await models.use()
      const rows = await database.workspace(
        workspaceId,
        tx => tx<{ memory_id: string; values: string }[]>`
          select embedding.memory_id, embedding.embedding::text as values
          from search.embedding
          where embedding.workspace_id = ${workspaceId}
            and embedding.memory_id = any(${plainArray(ids)}::uuid[])
            and embedding.model = ${active.id}`,
      )
      return new Map<string, MemoryVector>(
        rows.map(row => [row.memory_id, { modelId: active.modelId, vector: readVector(row.values) }]),
      )
    },
  }
}

/** Parses Postgres's text format of a vector: numbers between brackets. */
function readVector(text: string): Float32Array {
  return Float32Array.from(text.slice(1, -1).split(','), Number)
}
