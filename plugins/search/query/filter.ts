import { parseInstant } from 'mneme/plugin'
import { type MemoryFilter, type MetadataFilter, metadataConditions, type Priority } from '../../memories/contract.ts'

/** The filters as search routes receive them. */
export interface FilterInput {
  readonly user_id?: string
  readonly agent_id?: string
  readonly session_id?: string
  readonly priority?: Priority
  readonly priorities?: readonly Priority[]
  readonly categories?: readonly string[]
  readonly created_after?: string
  readonly created_before?: string
  readonly filter?: MetadataFilter
}

/** Converts validated input. */
export function readFilter(input: FilterInput): MemoryFilter {
  const metadata = metadataConditions(input.filter)
  const createdAfter = readInstant(input.created_after)
  const createdBefore = readInstant(input.created_before)
  const priorities = input.priorities ?? (input.priority && [input.priority])
  return {
    ...(input.user_id === undefined ? {} : { userId: input.user_id }),
    ...(input.agent_id === undefined ? {} : { agentId: input.agent_id }),
    ...(input.session_id === undefined ? {} : { sessionId: input.session_id }),
    ...(priorities ? { priorities } : {}),
    ...(input.categories ? { categories: input.categories.map(category => category.trim()) } : {}),
    ...(createdAfter ? { createdAfter } : {}),
    ...(createdBefore ? { createdBefore } : {}),
    ...(metadata.length > 0 ? { metadata } : {}),
  }
}

function readInstant(input: string | undefined): Date | undefined {
  return input === undefined ? undefined : parseInstant(input)
}
