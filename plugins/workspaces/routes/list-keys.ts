import { envelope, ok, pageOf, pageQuery, windowOf } from 'mneme/plugin'
import { keyExample, pageExampleOf } from '../examples.ts'
import { knownPermissions } from '../key-rules.ts'
import { keyResponse, toKey } from '../responses.ts'
import { asCaller, route } from '../route.ts'

export const listKeysRoute = route({
  method: 'GET',
  path: '/v1/api-keys',
  operationId: 'listApiKeys',
  access: 'account',
  workspace: 'none',
  beyondQuota: true,
  summary: 'List API keys',
  description:
    'API keys of all workspaces of the account, newest first, without the keys themselves. Revoked keys are not listed.',
  query: pageQuery,
  responses: { 200: pageOf(keyResponse) },
  examples: { response: pageExampleOf(keyExample) },
  async handle({ query, caller, scope }) {
    const { keys, total } = await asCaller(scope, caller, tx =>
      scope.administration.keys.list(tx, caller.accountId, windowOf(query)),
    )
    const all = knownPermissions(scope.wiring)
    return ok(
      envelope(
        query,
        keys.map(key => toKey(key, all)),
        total,
      ),
    )
  },
})
