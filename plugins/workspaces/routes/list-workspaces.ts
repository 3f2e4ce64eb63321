import { envelope, ok, pageOf, pageQuery, windowOf } from 'mneme/plugin'
import { pageExampleOf, workspaceExample } from '../examples.ts'
import { toWorkspace, workspaceResponse, workspaceResponseFor } from '../responses.ts'
import { asCaller, READ, route } from '../route.ts'

export const listWorkspacesRoute = route({
  method: 'GET',
  path: '/v1/workspaces',
  operationId: 'listWorkspaces',
  access: READ,
  workspace: 'none',
  beyondQuota: true,
  summary: 'List workspaces',
  description:
    'Workspaces that the key may use, or all that the signed-in account owns or is a member of, oldest first. A test key sees their test twins.',
  query: pageQuery,
  responses: { 200: pageOf(workspaceResponse()) },
  additions: wiring => ({ responses: { 200: pageOf(workspaceResponseFor(wiring)) } }),
  examples: { response: pageExampleOf(workspaceExample) },
  async handle({ query, caller, scope }) {
    const only = caller.kind === 'key' ? [...(caller.grantedWorkspaceIds ?? [caller.workspaceId])] : undefined
    const also = [...(caller.roles?.keys() ?? [])]
    const { workspaces, total } = await asCaller(scope, caller, tx =>
      scope.administration.workspaces.list(tx, caller.accountId, { mode: caller.mode, only, also, ...windowOf(query) }),
    )
    const shown = workspaces.map(workspace => toWorkspace(workspace, scope.wiring))
    return ok(envelope(query, shown, total))
  },
})
