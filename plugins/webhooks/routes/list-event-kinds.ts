import { envelope, ok, pageQuery, windowOf } from 'mneme/plugin'
import { listedKinds } from '../event-kinds.ts'
import { eventKindExample, pageExampleOf } from '../examples.ts'
import { READ, route } from '../route.ts'
import { eventKindsResponse } from '../schemas.ts'

export const listEventKindsRoute = route({
  method: 'GET',
  path: '/v1/webhooks/events',
  operationId: 'listEventKinds',
  access: READ,
  summary: 'List the kinds of events',
  description: 'Every kind that webhooks can have, of all plugins, with the body that receivers get.',
  query: pageQuery,
  responses: { 200: eventKindsResponse },
  examples: { response: pageExampleOf(eventKindExample) },
  handle({ query, scope }) {
    const kinds = listedKinds(scope.events.kinds)
    const { limit, offset } = windowOf(query)
    return ok(envelope(query, kinds.slice(offset, offset + limit), kinds.length))
  },
})
