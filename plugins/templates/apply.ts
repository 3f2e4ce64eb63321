import type { Tenant } from 'mneme/plugin'
import { fail } from 'mneme/plugin'
import {
  type CreateResult,
  type ListedMemory,
  memoryAttribution,
  memoryReader,
  memoryWriter,
  type NewMemory,
} from '../memories/contract.ts'
import { appliedEvent } from './events.ts'
import { render } from './rendering.ts'
import type { ApplyBody } from './schemas.ts'
import type { TemplatesScope } from './scope.ts'
import type { Template, TemplateMemory } from './template.ts'

export interface Applied {
  /** The memories that were stored, in the order of the template. */
  readonly memories: readonly ListedMemory[]
  /** Counts those left out because the workspace has their text already. */
  readonly skipped: number
}

/**
 * Stores the memories of a template, all together or none.
 * @throws VALIDATION_ERROR, QUOTA_EXCEEDED, and what another plugin's hook refuses a memory with
 */
export async function applyTemplate(
  scope: TemplatesScope,
  tenant: Tenant,
  template: Template,
  body: ApplyBody,
): Promise<Applied> {
  const memories = await attributed(scope, tenant, template, body)
  const writer = scope.wiring.use(memoryWriter)
  const prepared = await writer.prepare(tenant, memories)
  return tenant.transaction(async tx => {
    const ids = createdIds(await writer.create(tx, tenant, prepared))
    const listed = await scope.wiring.use(memoryReader).listed(tx, ids)
    await scope.events.publish(tx, [appliedEvent(tenant.workspaceId, template, userOf(body), ids.length)])
    return { memories: ids.flatMap(id => listed.get(id) ?? []), skipped: memories.length - ids.length }
  })
}

/** One template makes the same memories of one user after another, and the workspace holds each text once. */
async function attributed({ wiring }: TemplatesScope, tenant: Tenant, template: Template, body: ApplyBody) {
  const userId = userOf(body)
  const rendered = render(template, body.variables)
  const statements = rendered.map(({ memory }) => ({ text: memory, userId }))
  const texts = await wiring.use(memoryAttribution).attribute(tenant, statements)
  return rendered.map((item, n) => newMemory({ ...item, memory: texts[n] ?? item.memory }, body))
}

function userOf({ user_id: userId }: ApplyBody): string {
  return userId ?? 'default'
}

function newMemory({ memory, ...rest }: TemplateMemory, { user_id, agent_id, session_id }: ApplyBody): NewMemory {
  return {
    text: memory,
    ...rest,
    ...(typeof user_id === 'string' ? { userId: user_id } : {}),
    agentId: agent_id ?? null,
    sessionId: session_id ?? null,
    source: 'TEMPLATE',
  }
}

function createdIds(results: readonly CreateResult[]): string[] {
  return results.flatMap(result => {
    if ('quotaExceeded' in result) throw fail('QUOTA_EXCEEDED')
    if ('refused' in result) throw result.refused
    return 'created' in result ? [result.created.id] : []
  })
}
