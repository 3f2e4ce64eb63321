import type { Template, TemplateContent } from './template.ts'

/** A template as its endpoints respond with it. */
export function toTemplate(template: Template) {
  return {
    id: template.id,
    ...toContent(template),
    created_at: template.createdAt.toISOString(),
    updated_at: template.updatedAt.toISOString(),
  }
}

export function toContent({ name, description, variables, memories }: TemplateContent) {
  return { name, description, variables, memories }
}
