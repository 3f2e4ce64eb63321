import { envelope, ok, pageOf, pageQuery, windowOf } from 'mneme/plugin'
import { keyExample, pageExampleOf } from '../examples.ts'
import { keyHolderOf, knownPermissions } from '../key-rules.ts'
import { keyResponse, toKey } from '../responses.ts'
import { asCaller, route } from '../route.ts'

export const listKeysRoute = route({
  method: 'GET',
  path: '/v1/api-keys',
  operationId: 'listApiKeys',
  access: 'account',
  beyondQuota: true,
  summary: 'List API keys',
  description:
    'API keys of all workspaces of the account, newest first, without the keys themselves; an admin of the workspace of another account sees those that are good for it alone. Revoked keys are not listed.',
  query: pageQuery,
  responses: { 200: pageOf(keyResponse) },
  examples: { response: pageExampleOf(keyExample) },
  async handle({ query, caller, tenant, scope }) {
    const { accountId, only } = keyHolderOf(caller, tenant)
    const { keys, total } = await asCaller(scope, caller, tx =>
      scope.administration.keys.list(tx, accountId, windowOf(query), only),
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
