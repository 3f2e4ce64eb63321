import { ok, paced, routesOf } from 'mneme/plugin'
import { compose } from '../assembly/compose.ts'
import { gather } from '../assembly/gather.ts'
import { contextExample } from '../examples.ts'
import { CHARACTERS_DEFAULT, contextBody, contextResponse } from '../schemas.ts'
import type { ContextScope } from '../scope.ts'

export const assembleContextRoute = routesOf<ContextScope>()({
  method: 'POST',
  path: '/v1/context',
  operationId: 'assembleContext',
  access: { permission: 'memory.read' },
  share: 'heavy',
  reads: true,
  tag: 'Context',
  summary: 'Assemble what is known for a prompt',
  description:
    'The profile of the user, facts about whom and what the query names, and the memories that fit it best, as Markdown within a length. No language model is called. It counts as a search.',
  body: contextBody,
  responses: { 200: contextResponse },
  examples: {
    body: { query: 'What should I cook for Grace on Friday?', user_id: 'ada', max_characters: 2000 },
    response: contextExample,
  },
  async handle({ body, scope, tenant }) {
    const known = await gather(scope.wiring, tenant, body)
    const { query_hash, warning } = known.search
    const assembled = await paced(compose(known, body.max_characters ?? CHARACTERS_DEFAULT))
    return ok({ ...assembled, query_hash, ...(warning === undefined ? {} : { warning }) })
  },
})
