import { fail, ok, validationError } from 'mneme/plugin'
import { workspaceAnswer, workspaceForm } from '../answers.ts'
import { workspaceExample } from '../examples.ts'
import { route, WRITE } from '../route.ts'
import { updateWorkspaceBody, workspaceParams } from '../schemas.ts'
import { planIsTheAccounts } from './create-workspace.ts'

export const updateWorkspaceRoute = route({
  method: 'PATCH',
  path: '/v1/workspaces/:id',
  access: WRITE,
  workspace: { param: 'id' },
  summary: 'Update a workspace',
  description:
    'Changes what is given. Settings merge key by key, `targets` too; null goes back to the default. Only a signed-in account changes the plan.',
  params: workspaceParams,
  body: updateWorkspaceBody,
  responses: { 200: workspaceAnswer },
  examples: {
    body: { settings: { targets: { memories: 500 }, retention_days: 365 } },
    response: {
      ...workspaceExample,
      settings: {
        ...workspaceExample.settings,
        targets: { ...workspaceExample.settings.targets, memories: 500 },
        retention_days: 365,
      },
    },
  },
  async handle({ body, caller, tenant, scope }) {
    if (body.plan && caller.kind !== 'session') throw planIsTheAccounts()
    if (body.plan && tenant.workspace.twinOf) {
      throw validationError([{ path: 'plan', message: 'a test twin has the plan of its workspace' }])
    }
    const record = await scope.database.system(tx =>
      scope.administration.workspaces.update(tx, tenant.workspaceId, { ...body, name: body.name?.trim() }),
    )
    if (!record) throw fail('WORKSPACE_NOT_FOUND')
    scope.administration.remembered.forgetWorkspace(record.id)
    return ok(workspaceForm(record))
  },
})
