import { fail, ok } from 'mneme/plugin'
import { workspaceExample } from '../examples.ts'
import { toWorkspace, workspaceResponse, workspaceResponseFor } from '../responses.ts'
import { asCaller, READ, route } from '../route.ts'
import { workspaceParams } from '../schemas.ts'

export const getWorkspaceRoute = route({
  method: 'GET',
  path: '/v1/workspaces/:id',
  operationId: 'getWorkspace',
  access: READ,
  workspace: { param: 'id' },
  beyondQuota: true,
  summary: 'Get a workspace',
  params: workspaceParams,
  responses: { 200: workspaceResponse() },
  additions: wiring => ({ responses: { 200: workspaceResponseFor(wiring) } }),
  examples: { response: workspaceExample },
  async handle({ caller, tenant, scope }) {
    const record = await asCaller(scope, caller, tx => scope.administration.workspaces.get(tx, tenant.workspaceId))
    if (!record) throw fail('WORKSPACE_NOT_FOUND')
    return ok(toWorkspace(record, scope.wiring))
  },
})
