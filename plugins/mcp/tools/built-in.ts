import type { McpTool, Progress } from '../contract.ts'

/** An agent needs these of a memory; the rest would fill its context. */
const MEMORY_FIELDS = [
  'id',
  'memory',
  'score',
  'user_id',
  'categories',
  'priority',
  'metadata',
  'status',
  'created_at',
  'expires_at',
]

const id = (what: string) => ({ name: 'id', description: what })
const owner = (description: string) => ({ name: 'user_id', description, otherwise: '`default`' })
const whose = (description: string) => ({ name: 'user_id', description, otherwise: 'all users of the workspace' })

const categories = { name: 'categories', description: 'Labels by which to find it later.' }

/** The id in the service's own message would invite an agent to delete what another user said. */
const REPEATED =
  'The workspace remembers exactly this already, of this user or of another one. If it is about another user, name them in the text.'

/** Tools for the operations that agents use most. A tool whose operation is switched off, or not in the plan, is not offered. */
export const builtInTools: readonly McpTool[] = [
  {
    name: 'add_memory',
    title: 'Remember something',
    description:
      'Stores one fact, preference, decision or event for later conversations. Write a sentence that can be understood by itself, with names and dates instead of "he" and "yesterday". It can be found by its words at once and by meaning a moment later.',
    method: 'POST',
    path: '/v1/memories',
    fields: [
      { name: 'memory', required: true, description: 'The text to remember.' },
      owner('The user whom it is about.'),
      categories,
      { name: 'priority' },
      { name: 'metadata' },
    ],
    effect: 'adds',
    result: briefMemory,
    failures: { DUPLICATE_MEMORY: REPEATED },
  },
  {
    name: 'get_context',
    title: 'Recall what matters for a message',
    description:
      "Gives in one text what is known for a message: the user's profile, facts about whom and what it names, and the memories that fit it best, each with its day. Call it first, with what the user just said; use search_memories for more of one topic.",
    method: 'POST',
    path: '/v1/context',
    fields: [
      { name: 'query', required: true, description: 'What the user said or asks for, in any language.' },
      whose('The user who is spoken to.'),
      { name: 'min_score' },
      { name: 'timezone' },
      { name: 'max_characters', description: 'The longest that the text may be, 4000 by default.' },
    ],
    effect: 'reads',
    result: contextText,
  },
  {
    name: 'search_memories',
    title: 'Search memories',
    description:
      'Finds what is remembered about a question or topic, best first. Use it before you answer anything that may depend on earlier conversations. A score near 1 is a sure match, one near 0 hardly related.',
    method: 'POST',
    path: '/v1/memories/search',
    fields: [
      { name: 'query', required: true, description: 'A question or words, in any language.' },
      whose('The user whose memories are searched.'),
      { name: 'mode' },
      { name: 'min_score' },
      { name: 'timezone' },
      { name: 'limit', description: 'At most so many, 10 by default.' },
    ],
    effect: 'reads',
    result: briefPage,
  },
  {
    name: 'get_memory',
    title: 'Read a memory',
    description: 'Reads one memory by its id, with all that is stored beside its text.',
    method: 'GET',
    path: '/v1/memories/:id',
    fields: [id("The memory's id, as a search or a list gives it.")],
    effect: 'reads',
    result: stated,
  },
  {
    name: 'update_memory',
    title: 'Correct a memory',
    description:
      'Replaces the text of a memory that is wrong or out of date; its history keeps the former text. Fields that are left out stay.',
    method: 'PUT',
    path: '/v1/memories/:id',
    fields: [
      id('The memory to change.'),
      { name: 'memory', required: true, description: 'The whole new text; not one that a result cut off.' },
      categories,
      { name: 'priority' },
      { name: 'metadata' },
    ],
    effect: 'changes',
    result: briefMemory,
    failures: { DUPLICATE_MEMORY: REPEATED },
  },
  {
    name: 'delete_memory',
    title: 'Forget a memory',
    description:
      'Deletes a memory for good, with its history, near-duplicates that were merged into it, and what was concluded from it.',
    method: 'DELETE',
    path: '/v1/memories/:id',
    fields: [id('The memory to delete.')],
    effect: 'deletes',
    result: () => 'The memory is deleted.',
  },
  {
    name: 'list_memories',
    title: 'List memories',
    description: 'Lists memories, newest first, a page at a time. Use search_memories to find something.',
    method: 'GET',
    path: '/v1/memories',
    fields: [
      whose('The user whose memories are listed.'),
      { name: 'categories', description: 'At least one of these; one with a comma in it cannot be asked for.' },
      { name: 'created_after' },
      { name: 'created_before' },
      { name: 'page' },
      { name: 'page_size' },
    ],
    effect: 'reads',
    result: briefPage,
  },
  {
    name: 'get_profile',
    title: "Read a user's profile",
    description:
      'A short summary of what is known about a user, compiled from all their memories; null until there is one. A good first call of a conversation.',
    method: 'GET',
    path: '/v1/memories/profile/:workspaceId/:userId',
    fields: [{ name: 'user_id', of: 'userId', description: 'The user whom the profile describes.' }],
    effect: 'reads',
  },
  {
    name: 'ask_graph',
    title: 'Ask about people, places and things',
    description:
      'Answers a question about who is related to whom or what, where somebody works or lives, and since when, from the knowledge graph. It says so when it does not know, with a confidence of 0.2 or less.',
    method: 'POST',
    path: '/v1/graph/query',
    fields: [
      { name: 'query', required: true },
      whose('The user whose graph is asked.'),
      { name: 'as_of' },
      { name: 'timezone' },
    ],
    effect: 'reads',
  },
  {
    name: 'get_knowledge',
    title: 'Read compiled knowledge',
    description:
      'Everything that the memories of a user add up to, as one Markdown text, by category. The comment behind each statement names the memories that say it.',
    method: 'GET',
    path: '/v1/knowledge',
    fields: [whose('The user whom the knowledge is about.'), { name: 'category', description: 'Only this category.' }],
    fixed: { merged: true },
    effect: 'reads',
    result: knowledgeText,
  },
  {
    name: 'ingest_url',
    title: 'Remember a web page',
    description:
      'Reads a public web page, or a PDF, Word or text file at an address, and stores its parts as memories. The work goes on in the background; the memories can be found once it is done.',
    method: 'POST',
    path: '/v1/memories/ingest',
    fields: [
      { name: 'url', of: 'source_url', required: true, description: 'The address, http or https.' },
      owner('The user whose memories they are.'),
      categories,
    ],
    effect: 'adds',
    goesOnline: true,
    awaits: { path: '/v1/ingest-jobs/:id', progressOf: progressOfJob },
    result: briefJob,
  },
]

/** A success body of the API, whose schema its route holds. */
type Body = Readonly<Record<string, unknown>>

function briefMemory(body: unknown): Body {
  return picked(body, MEMORY_FIELDS)
}

/** Shortens the memories of a list or of a search, and keeps the page's own fields. */
function briefPage(body: unknown): Body {
  const { data, ...page } = body as Body & { readonly data: readonly unknown[] }
  return { memories: data.map(briefMemory), ...picked(page, ['total', 'page', 'page_size', 'warning']) }
}

function briefJob(body: unknown): Body {
  return picked(body, ['id', 'status', 'format', 'source_url', 'user_id', 'memories_created', 'error'])
}

function progressOfJob(body: unknown): Progress {
  const { status, progress } = body as { readonly status: string; readonly progress: Body }
  const { chunks_done: done, chunks_total: total } = progress
  const message = total === null ? 'The page is being read.' : `${done} of ${total} parts are stored.`
  const isOver = status === 'COMPLETED' || status === 'FAILED'
  return { isOver, done: Number(done), ...(total === null ? {} : { total: Number(total) }), message }
}

function contextText(body: unknown): string {
  const { context } = body as { readonly context: string }
  return context === '' ? 'Nothing is known about this yet.' : context
}

function knowledgeText(body: unknown): string {
  const { content } = body as { readonly content: string }
  return content === '' ? 'Nothing has been compiled yet.' : content
}

/** Null and empty lists say nothing that an absent field does not. */
function stated(body: unknown): Body {
  const isStated = (value: unknown) =>
    value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(body as Body).filter(([, value]) => isStated(value)))
}

function picked(body: unknown, names: readonly string[]): Body {
  return stated(Object.fromEntries(names.map(name => [name, Reflect.get(body as Body, name)])))
}
