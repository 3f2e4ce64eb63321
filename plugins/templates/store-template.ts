import type { Tenant } from 'mneme/plugin'
import { v7 } from 'uuid'
import { failTemplate } from './errors.ts'
import { countTemplates, insertTemplate } from './queries/templates.ts'
import type { Template, TemplateContent } from './template.ts'

/** Bounds what a workspace without a plan's limit can pile up; two requests at once may pass it by one. */
export const TEMPLATES_MAX = 1000

/** @throws TEMPLATE_LIMIT_EXCEEDED */
export function storeTemplate(tenant: Tenant, content: TemplateContent): Promise<Template> {
  const { workspaceId } = tenant
  return tenant.transaction(async tx => {
    if ((await countTemplates(tx, workspaceId)) >= TEMPLATES_MAX) throw failTemplate('TEMPLATE_LIMIT_EXCEEDED')
    return insertTemplate(tx, workspaceId, v7(), content)
  })
}
