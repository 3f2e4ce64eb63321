import { envelope, ok, validationError, windowOf } from 'mneme/plugin'
import { pageExample } from '../examples.ts'
import type { Entry } from '../queries/entries.ts'
import { allEntries, listEntries, sizeOf } from '../queries/list.ts'
import { markRead } from '../queries/readers.ts'
import { READ, route } from '../route.ts'
import { listAnswer, listQuery } from '../schemas.ts'
import { toEntry } from '../serializers.ts'

/** More than this is no profile that anyone could read, and no answer that a server should hold in memory. */
const MERGED_ENTRIES_MAX = 1_000
const MERGED_CHARS_MAX = 5_000_000

export const listKnowledgeRoute = route({
  method: 'GET',
  path: '/v1/knowledge',
  operationId: 'listKnowledge',
  access: READ,
  subject: { user: 'user_id' },
  summary: 'List or merge knowledge',
  description:
    'Entries newest first, or with `merged` one profile: the contents of all matching entries, by user and by category. A profile of more than 1,000 entries or 5 million characters is refused; name a `user_id` then.',
  query: listQuery,
  responses: { 200: listAnswer },
  examples: { response: pageExample },
  async handle({ query, tenant, caller }) {
    const { user_id: userId, category, search, merged } = query
    const { workspaceId } = tenant
    const filter = { userId, category, search }
    if (!merged) {
      const { entries, total } = await tenant.transaction(async tx => {
        const page = await listEntries(tx, workspaceId, filter, windowOf(query))
        await markRead(tx, workspaceId, page.entries, caller)
        return page
      })
      return ok(envelope(query, entries.map(toEntry), total))
    }
    const entries = await tenant.transaction(async tx => {
      const size = await sizeOf(tx, workspaceId, filter)
      if (size.entries > MERGED_ENTRIES_MAX || size.chars > MERGED_CHARS_MAX) {
        const message = 'must be given: without it the merged profile would be too long'
        throw validationError([{ path: userId === undefined ? 'user_id' : 'category', message }])
      }
      const all = await allEntries(tx, workspaceId, filter, MERGED_ENTRIES_MAX)
      await markRead(tx, workspaceId, all, caller)
      return all
    })
    return ok(mergedForm(entries))
  },
})

function mergedForm(entries: readonly Entry[]) {
  return {
    content: entries.map(({ content }) => content).join('\n'),
    version: entries.reduce((sum, { version }) => sum + version, 0),
    categories: [...new Set(entries.map(({ category }) => category))].toSorted(),
  }
}
