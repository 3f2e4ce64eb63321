import { type TObject, Type } from 'mneme/plugin'

const string = () => Type.Optional(Type.String())
const list = () => Type.Optional(Type.Array(Type.String()))

/** Other fields may come with it, as more is told of a memory. */
const memory = Type.Object(
  {
    id: Type.String({ description: 'By which other tools find it.' }),
    memory: Type.String({ description: 'The text; a very long one is cut off.' }),
    score: Type.Optional(Type.Number({ description: 'How well it fits, near 1 for a sure match.' })),
    user_id: string(),
    categories: list(),
    priority: string(),
    status: string(),
    created_at: string(),
    expires_at: string(),
  },
  { additionalProperties: true },
)

const page = Type.Object(
  {
    memories: Type.Array(memory),
    total: Type.Optional(Type.Integer({ description: 'How many there are on all pages.' })),
    page: Type.Optional(Type.Integer()),
    page_size: Type.Optional(Type.Integer()),
    warning: string(),
  },
  { additionalProperties: true },
)

const profile = Type.Object(
  {
    userId: string(),
    summary: string(),
    topics: list(),
    extractedAt: string(),
  },
  { additionalProperties: true },
)

/** The results of tools of this plugin that give JSON; the others give Markdown for the model alone. */
export const outputs: Readonly<Record<string, TObject>> = {
  add_memory: memory,
  search_memories: page,
  get_memory: memory,
  update_memory: memory,
  list_memories: page,
  get_profile: Type.Object({ profile: Type.Union([profile, Type.Null()]) }),
  ask_graph: Type.Object(
    {
      answer: Type.String(),
      confidence: Type.Number({ description: '0.2 or less where it does not know.' }),
      entities_used: Type.Optional(Type.Array(Type.Object({}, { additionalProperties: true }))),
    },
    { additionalProperties: true },
  ),
  ingest_url: Type.Object(
    { id: Type.String({ description: 'Of the job.' }), status: Type.String(), format: string(), user_id: string() },
    { additionalProperties: true },
  ),
}
