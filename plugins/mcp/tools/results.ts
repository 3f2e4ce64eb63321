/** A success body of the API, whose schema its route holds. */
type Body = Readonly<Record<string, unknown>>

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

export function briefMemory(body: unknown): Body {
  return picked(body, MEMORY_FIELDS)
}

/** Shortens the memories of a list or of a search, and keeps the page's own fields. */
export function briefPage(body: unknown): Body {
  const { data, ...page } = body as Body & { readonly data: readonly unknown[] }
  return { memories: data.map(briefMemory), ...picked(page, ['total', 'page', 'page_size', 'warning']) }
}

export function briefJob(body: unknown): Body {
  return picked(body, ['id', 'status', 'format', 'source_url', 'user_id'])
}

export function contextText(body: unknown): string {
  const { context } = body as { readonly context: string }
  return context === '' ? 'Nothing is known about this yet.' : context
}

export function knowledgeText(body: unknown): string {
  const { content } = body as { readonly content: string }
  return content === '' ? 'Nothing has been compiled yet.' : content
}

/** Null and empty lists say nothing that an absent field does not. */
export function stated(body: unknown): Body {
  const isStated = (value: unknown) =>
    value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(body as Body).filter(([, value]) => isStated(value)))
}

function picked(body: unknown, names: readonly string[]): Body {
  return stated(Object.fromEntries(names.map(name => [name, Reflect.get(body as Body, name)])))
}
