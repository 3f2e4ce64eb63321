import { created, fail } from 'mneme/plugin'
import { workspaceAnswer, workspaceForm } from '../answers.ts'
import { workspaceExample } from '../examples.ts'
import { route, WRITE } from '../route.ts'
import { createWorkspaceBody } from '../schemas.ts'

export const createWorkspaceRoute = route({
  method: 'POST',
  path: '/v1/workspaces',
  access: WRITE,
  workspace: 'none',
  summary: 'Create a workspace',
  description:
    "With a test twin of its own. It gets the plan of the caller's workspace; a signed-in account may choose another. A key that creates a workspace may use it from then on.",
  body: createWorkspaceBody,
  responses: { 201: workspaceAnswer },
  examples: { body: { name: 'Support agents', settings: { language: 'en' } }, response: workspaceExample },
  async handle({ body, caller, tenant, scope }) {
    if (caller.mode === 'test') throw fail('FORBIDDEN', { message: 'A test key cannot create workspaces.' })
    if (body.plan && caller.kind !== 'session') throw planIsTheAccounts()
    const { accountId } = caller
    const plan = body.plan ?? tenant.workspace.plan
    const record = await scope.database.system(async tx => {
      const workspace = await scope.administration.workspaces.insert(tx, {
        ...body,
        accountId,
        plan,
        name: body.name.trim(),
      })
      if (caller.kind === 'key') await scope.administration.keys.grantWorkspace(tx, caller.id, workspace.id)
      const event = { kind: 'workspace.created', workspaceId: workspace.id, subjectId: workspace.id, userId: null }
      await scope.events.publish(tx, [{ ...event, data: { name: workspace.name, plan } }])
      return workspace
    })
    if (caller.kind === 'key') scope.administration.remembered.forgetKey(caller.id)
    return created(workspaceForm(record))
  },
})

/** A key could leave its quota behind otherwise. */
export function planIsTheAccounts() {
  return fail('FORBIDDEN', { message: 'Only a signed-in account chooses plans, never a key.' })
}
