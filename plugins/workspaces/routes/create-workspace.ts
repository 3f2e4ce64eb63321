import { type Caller, created, fail, settingsCatalogue, type Tx, type Workspace } from 'mneme/plugin'
import { workspaceExample } from '../examples.ts'
import { toWorkspace, workspaceResponse, workspaceResponseFor } from '../responses.ts'
import { asCaller, route, WRITE } from '../route.ts'
import { createWorkspaceBody, settingsField } from '../schemas.ts'
import type { WorkspacesScope } from '../scope.ts'
import { settingsIn } from '../settings.ts'

export const createWorkspaceRoute = route({
  method: 'POST',
  path: '/v1/workspaces',
  operationId: 'createWorkspace',
  access: WRITE,
  workspace: 'none',
  beyondQuota: true,
  summary: 'Create a workspace',
  description:
    "Creates a workspace with its test twin. It gets the plan of the caller's workspace; a signed-in account may choose another. A key that creates a workspace may use it from then on. The plan of the account's first workspace says how many there may be, and that of a key's own workspace how many the key may have.",
  body: createWorkspaceBody,
  responses: { 201: workspaceResponse() },
  additions: wiring => ({ body: settingsField(wiring), responses: { 201: workspaceResponseFor(wiring) } }),
  errors: ['QUOTA_EXCEEDED'],
  examples: { body: { name: 'Support agents', settings: { language: 'en' } }, response: workspaceExample },
  async handle({ body, caller, tenant, scope }) {
    if (caller.mode === 'test') throw fail('FORBIDDEN', { message: 'A test key cannot create workspaces.' })
    if (tenant.workspace.accountId !== caller.accountId) {
      throw fail('FORBIDDEN', { message: 'Only an account with a workspace of its own creates further ones.' })
    }
    if (body.plan && caller.kind !== 'session') throw planIsTheAccounts()
    const { accountId } = caller
    const plan = body.plan ?? tenant.workspace.plan
    const catalogue = scope.wiring.use(settingsCatalogue)
    const settings = settingsIn(body) ?? {}
    catalogue.authorize(caller, settings)
    const record = await asCaller(scope, caller, async tx => {
      await scope.quotas.take(tx, tenant.workspace, 'workspaces')
      if (caller.kind === 'key') await requireRoomOfKey(tx, scope, tenant.workspace, caller)
      const workspace = await scope.administration.workspaces.insert(tx, {
        accountId,
        plan,
        name: body.name.trim(),
        settings: catalogue.merge({}, settings),
      })
      if (caller.kind === 'key') await scope.administration.keys.grantWorkspace(tx, caller.id, workspace.id)
      const event = { kind: 'workspace.created', workspaceId: workspace.id, subjectId: workspace.id, userId: null }
      await scope.events.publish(tx, [{ ...event, data: { name: workspace.name, plan } }])
      return workspace
    })
    if (caller.kind === 'key') scope.administration.remembered.forgetKey(caller.id)
    return created(toWorkspace(record, scope.wiring))
  },
})

/** Each workspace has quotas and a share of the service of its own, so a key has no more of them than the plan of its workspace has. */
async function requireRoomOfKey(
  tx: Tx,
  { administration, quotas }: WorkspacesScope,
  own: Workspace,
  { id, accountId }: Pick<Caller, 'id' | 'accountId'>,
): Promise<void> {
  const limit = own.quotas.workspaces ?? null
  if (limit === null) return
  const key = await administration.keys.lock(tx, accountId, id)
  if (!key) throw fail('UNAUTHORIZED')
  if (1 + key.workspaceIds.length >= limit) throw quotas.exceeded(own, 'workspaces')
}

/** A key could leave its quota behind otherwise. */
export function planIsTheAccounts() {
  return fail('FORBIDDEN', { message: 'Only a signed-in account chooses plans, never a key.' })
}
