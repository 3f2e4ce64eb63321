import { type TProperties, Type } from 'mneme/plugin'
import { PRIORITIES, SOURCES, STATUSES } from '../schemas.ts'
import type { Priority, Relevance, Source, Status } from './words.ts'

/** A memory as an item of lists and search results. */
export interface ListedMemory {
  id: string
  memory: string
  user_id: string
  agent_id: string | null
  session_id: string | null
  priority: Priority
  status: Status
  categories: readonly string[]
  metadata: Readonly<Record<string, unknown>> | null
  workspace_id: string
  source: Source
  relevance: Relevance
  /** When all that it states had ended; null while it holds, as far as that is known. */
  ended_at: string | null
  /** Memories that certainly replaced it, the newest first. */
  superseded_by: readonly string[]
  /** Later memories of the same user about the same thing, the newest first, of which it is not known whether they replace it. */
  newer: readonly string[]
  created_at: string
  updated_at: string
}

/** A search result: the list item with its score from 0 to 1, which is comparable within one response. */
export interface FoundMemory extends ListedMemory {
  score: number
  /** The parts of the score, present when `explain` asked for them; the search plugin documents the shape. */
  explanation?: object
}

const id = (description: string) => Type.String({ format: 'uuid', description })
const time = (description: string) => Type.String({ format: 'date-time', description })
const nullableString = (description: string) => Type.Union([Type.String({ description }), Type.Null()], { description })
const word = (values: readonly string[], description: string) =>
  Type.Union(
    values.map(value => Type.Literal(value)),
    { description },
  )

/** Every representation of a memory begins with these fields. */
export const memoryCore = {
  id: id("The memory's id."),
  memory: Type.String({ description: 'The text.' }),
  user_id: Type.String({ description: 'The user the memory belongs to.' }),
  agent_id: nullableString('The agent that stored it.'),
  session_id: nullableString('The conversation it comes from.'),
  priority: word(PRIORITIES, 'A higher priority ranks higher in searches.'),
  status: word(STATUSES, 'The state of its processing.'),
  categories: Type.Array(Type.String(), { description: 'Its categories.' }),
  metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
    description: 'The JSON object that was stored with it.',
  }),
  workspace_id: id('The workspace it belongs to.'),
  source: word(SOURCES, 'The route by which it was created.'),
}

const ids = (description: string) => Type.Array(id('A memory.'), { description })

/** Lists, search results and get-one tell whether a memory holds now. */
export const memoryHolding = {
  ended_at: Type.Union([time('When all that it states had ended, by the graph.'), Type.Null()], {
    description: 'When all that it states had ended, by the graph; null while it holds, as far as that is known.',
  }),
  superseded_by: ids('Memories that certainly replaced it, by the graph, the newest first; at most 3.'),
  newer: ids(
    'Later memories of the same user about the same thing, the newest first, of which it is not known whether they replace it; at most 3, the likest ones.',
  ),
}

/** Every representation of a memory ends with these fields. */
export const memoryTimes = { created_at: time('When it was stored.'), updated_at: time('When it was last changed.') }

/**
 * The schema of a memory in lists.
 * @param added fields of other plugins
 */
export const listedMemory = (added: TProperties = {}) =>
  Type.Object(
    {
      ...memoryCore,
      relevance: word(['HIGH', 'MEDIUM', 'LOW', 'NONE'], 'How well it fits the search; NONE in a plain list.'),
      score: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'In search results.' })),
      explanation: Type.Optional(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'With `explain`: the parts of the score, as the search endpoints describe them.',
          },
        ),
      ),
      ...memoryHolding,
      ...added,
      ...memoryTimes,
    },
    { title: 'ListedMemory' },
  )
