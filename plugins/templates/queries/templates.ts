import type { PageWindow, Tx } from 'mneme/plugin'
import type { Template, TemplateContent, TemplateMemory, Variable } from '../template.ts'

interface TemplateRow {
  id: string
  name: string
  description: string | null
  variables: Variable[]
  memories: TemplateMemory[]
  created_at: Date
  updated_at: Date
}

export async function insertTemplate(
  tx: Tx,
  workspaceId: string,
  id: string,
  content: TemplateContent,
): Promise<Template> {
  const [row] = await tx<TemplateRow[]>`
    insert into templates.template (workspace_id, id, name, description, variables, memories)
    values (${workspaceId}, ${id}, ${content.name}, ${content.description}, ${JSON.stringify(content.variables)}::text::jsonb,
            ${JSON.stringify(content.memories)}::text::jsonb)
    returning ${columns(tx)}`
  if (!row) throw new Error('the insert of a template returned no row')
  return toTemplate(row)
}

/** Stores a template as it was elsewhere. @returns false where there is one of its id, which stays as it is */
export async function restoreTemplate(tx: Tx, workspaceId: string, template: Template): Promise<boolean> {
  const rows = await tx`
    insert into templates.template (workspace_id, id, name, description, variables, memories, created_at, updated_at)
    values (${workspaceId}, ${template.id}, ${template.name}, ${template.description},
            ${JSON.stringify(template.variables)}::text::jsonb, ${JSON.stringify(template.memories)}::text::jsonb,
            least(${template.createdAt}::timestamptz, now()), least(${template.updatedAt}::timestamptz, now()))
    on conflict on constraint template_pk do nothing
    returning template.id`
  return rows.length > 0
}

/** @param mode `held`: nobody else changes it until the transaction ends */
export async function findTemplate(
  tx: Tx,
  workspaceId: string,
  id: string,
  mode?: 'held',
): Promise<Template | undefined> {
  const [row] = await tx<TemplateRow[]>`
    select ${columns(tx)}
    from templates.template
    where template.workspace_id = ${workspaceId} and template.id = ${id}
    ${mode === 'held' ? tx`for update` : tx``}`
  return row && toTemplate(row)
}

/** One page, newest first, with the number of all. */
export async function listTemplates(
  tx: Tx,
  workspaceId: string,
  window: PageWindow,
): Promise<{ templates: Template[]; total: number }> {
  const [rows, total] = await Promise.all([
    tx<TemplateRow[]>`
      select ${columns(tx)}
      from templates.template
      where template.workspace_id = ${workspaceId}
      order by template.created_at desc, template.id desc
      limit ${window.limit}
      offset ${window.offset}`,
    countTemplates(tx, workspaceId),
  ])
  return { templates: rows.map(toTemplate), total }
}

/** Reads the next templates in ascending order of id. */
export async function findTemplatesAfter(
  tx: Tx,
  workspaceId: string,
  after: string | undefined,
  limit: number,
): Promise<Template[]> {
  const rows = await tx<TemplateRow[]>`
    select ${columns(tx)}
    from templates.template
    where template.workspace_id = ${workspaceId}
      ${after === undefined ? tx`` : tx`and template.id > ${after}`}
    order by template.id
    limit ${limit}`
  return rows.map(toTemplate)
}

export async function countTemplates(tx: Tx, workspaceId: string): Promise<number> {
  const [row] = await tx<{ total: number }[]>`
    select count(*)::int as total
    from templates.template
    where template.workspace_id = ${workspaceId}`
  return row?.total ?? 0
}

export async function updateTemplate(
  tx: Tx,
  workspaceId: string,
  id: string,
  content: TemplateContent,
): Promise<Template | undefined> {
  const [row] = await tx<TemplateRow[]>`
    update templates.template
    set name = ${content.name},
        description = ${content.description},
        variables = ${JSON.stringify(content.variables)}::text::jsonb,
        memories = ${JSON.stringify(content.memories)}::text::jsonb,
        updated_at = now()
    where template.workspace_id = ${workspaceId} and template.id = ${id}
    returning ${columns(tx)}`
  return row && toTemplate(row)
}

export async function deleteTemplate(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const rows = await tx`
    delete from templates.template
    where template.workspace_id = ${workspaceId} and template.id = ${id}
    returning template.id`
  return rows.length > 0
}

function columns(tx: Tx) {
  return tx`template.id, template.name, template.description, template.variables, template.memories,
    template.created_at, template.updated_at`
}

function toTemplate({ created_at, updated_at, ...row }: TemplateRow): Template {
  return { ...row, createdAt: created_at, updatedAt: updated_at }
}
