import { definePlugin, extend, PLUGIN_API_VERSION } from 'mneme/plugin'
import { archiveSections } from '../memories/contract.ts'
import { templatesSection } from './archive/section.ts'
import { templateErrors } from './errors.ts'
import { templateEvents } from './events.ts'
import { applyTemplateRoute } from './routes/apply-template.ts'
import { copyBuiltInTemplateRoute } from './routes/copy-built-in-template.ts'
import { createTemplateRoute } from './routes/create-template.ts'
import { deleteTemplateRoute } from './routes/delete-template.ts'
import { getTemplateRoute } from './routes/get-template.ts'
import { listBuiltInTemplatesRoute } from './routes/list-built-in-templates.ts'
import { listTemplatesRoute } from './routes/list-templates.ts'
import { previewTemplateRoute } from './routes/preview-template.ts'
import { updateTemplateRoute } from './routes/update-template.ts'
import { FEATURE, type TemplatesScope } from './scope.ts'

/** Lists of memories with placeholders, applied to one user after another. */
export const templatesPlugin = definePlugin({
  id: 'templates',
  version: '0.1.0',
  apiVersion: PLUGIN_API_VERSION,
  requires: ['memories'],
  feature: FEATURE,
  features: [{ name: FEATURE, description: 'Templates of memories.', plans: ['pro', 'scale'] }],
  permissions: [
    {
      name: 'Templates',
      permissions: {
        'template.read': 'List, view and preview templates.',
        'template.write': 'Create, edit and apply templates.',
        'template.delete': 'Delete templates.',
      },
    },
  ],
  migrations: new URL('./sql/', import.meta.url),
  errors: templateErrors,
  emits: templateEvents,
  routes: [
    listTemplatesRoute,
    createTemplateRoute,
    listBuiltInTemplatesRoute,
    copyBuiltInTemplateRoute,
    getTemplateRoute,
    updateTemplateRoute,
    deleteTemplateRoute,
    previewTemplateRoute,
    applyTemplateRoute,
  ],
  setup({ events, wiring }) {
    const scope: TemplatesScope = { events, wiring }
    return { scope, extensions: [extend(archiveSections, templatesSection)] }
  },
})
