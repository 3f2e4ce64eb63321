import { fail, ok, settingsCatalogue, validationError, type Workspace } from 'mneme/plugin'
import { workspaceExample } from '../examples.ts'
import { toWorkspace, workspaceResponse, workspaceResponseFor } from '../responses.ts'
import { asCaller, route, WRITE } from '../route.ts'
import { settingsField, updateWorkspaceBody, workspaceParams } from '../schemas.ts'
import { settingsIn } from '../settings.ts'
import { planIsTheAccounts } from './create-workspace.ts'

export const updateWorkspaceRoute = route({
  method: 'PATCH',
  path: '/v1/workspaces/:id',
  operationId: 'updateWorkspace',
  access: WRITE,
  workspace: { param: 'id' },
  beyondQuota: true,
  summary: 'Update a workspace',
  description:
    'Changes the given fields. Settings merge key by key, nested ones too; null restores the default. Some settings require more than the permission, as their descriptions say. Only a signed-in account changes the plan.',
  params: workspaceParams,
  body: updateWorkspaceBody,
  responses: { 200: workspaceResponse() },
  additions: wiring => ({ body: settingsField(wiring), responses: { 200: workspaceResponseFor(wiring) } }),
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
    if (body.plan && !(caller.kind === 'session' && tenant.workspace.accountId === caller.accountId))
      throw planIsTheAccounts()
    if (body.plan && tenant.workspace.twinOf) {
      throw validationError([{ path: 'plan', message: 'a test twin has the plan of its workspace' }])
    }
    const { plan } = body
    const name = body.name?.trim()
    const catalogue = scope.wiring.use(settingsCatalogue)
    const change = settingsIn(body)
    if (change) catalogue.authorize(caller, change)
    const settings = change && ((stored: Workspace['settings']) => catalogue.merge(stored, change))
    const record = await asCaller(scope, caller, tx =>
      scope.administration.workspaces.update(tx, tenant.workspaceId, { name, plan, settings }),
    )
    if (!record) throw fail('WORKSPACE_NOT_FOUND')
    scope.administration.remembered.forgetWorkspaces(record.accountId)
    return ok(toWorkspace(record, scope.wiring))
  },
})
