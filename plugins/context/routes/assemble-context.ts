import { ok, paced, routesOf } from 'mneme/plugin'
import { compose } from '../assembly/compose.ts'
import { gather } from '../assembly/gather.ts'
import { CHARACTERS_DEFAULT, contextBody, contextResponse } from '../schemas.ts'
import type { ContextScope } from '../scope.ts'

const contextExample = {
  context: `## Standing instructions and identity

- 2026-05-20: Always answer in Portuguese.
- 2026-02-11: I am allergic to walnuts.

## About the user

Ada prefers TypeScript and lives in Porto. She keeps bees.

## Facts

- Grace Hopper works at Initech, since May 2026
- Grace Hopper worked at Acme, until May 2026

## Memories

- 2026-06-01: Ada and Grace meet for lunch on Fridays.
- 2026-05-12: Grace does not eat fish.
- 2024-02-03 (holds no more): Ada has lunch with Grace at Acme.`,
  memories: [
    { id: '0198c1de-7d5e-7b8c-9a51-1c8f8f0f7f11', score: 0.81, excerpt: false, ended: false },
    { id: '0198c1de-7d5e-7b8c-9a51-1c8f8f0f7f12', score: 0.74, excerpt: false, ended: false },
    { id: '0198c1de-7d5e-7b8c-9a51-1c8f8f0f7f13', score: 0.52, excerpt: false, ended: true },
  ],
  query_hash: '6f2c1b0a9d8e7f66',
}

export const assembleContextRoute = routesOf<ContextScope>()({
  method: 'POST',
  path: '/v1/context',
  operationId: 'assembleContext',
  access: { permission: 'memory.read' },
  subject: { user: 'user_id' },
  share: 'heavy',
  reads: true,
  tag: 'Context',
  summary: 'Assemble what is known for a prompt',
  description:
    'What the user said that always holds, the profile of the user, facts about whom and what the query names, and the memories that fit it best, as Markdown within a length. No language model is called. It counts as a search.',
  body: contextBody,
  responses: { 200: contextResponse },
  examples: {
    body: {
      query: 'What should I cook for Grace on Friday?',
      user_id: 'ada',
      timezone: 'Europe/Lisbon',
      max_characters: 2000,
    },
    response: contextExample,
  },
  async handle({ body, scope, tenant }) {
    const known = await gather(scope.wiring, tenant, body)
    const { query_hash, warning } = known.search
    const assembled = await paced(compose(known, body.max_characters ?? CHARACTERS_DEFAULT))
    return ok({ ...assembled, query_hash, ...(warning === undefined ? {} : { warning }) })
  },
})
