import { type ErrorRegistry, failWith } from 'mneme/plugin'

export const templateErrors = {
  TEMPLATE_NOT_FOUND: { status: 404, message: 'The workspace has no template with this id.' },
  TEMPLATE_LIMIT_EXCEEDED: {
    status: 422,
    message: 'The workspace has 1,000 templates, which is the limit; delete one first.',
  },
} as const satisfies ErrorRegistry

/** This plugin's own failures. */
export const failTemplate = failWith(templateErrors)
