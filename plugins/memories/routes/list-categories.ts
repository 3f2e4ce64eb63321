import { ok } from 'mneme/plugin'
import { findCategories, OVERVIEW_MAX } from '../queries/overview.ts'
import { categoryList } from '../reading/responses.ts'
import { READ, route } from '../route.ts'

export const listCategoriesRoute = route({
  method: 'GET',
  path: '/v1/memories/categories',
  operationId: 'listCategories',
  access: READ,
  subject: { handler: 'agent' },
  share: 'heavy',
  summary: 'List categories',
  description: "Every category of the workspace's memories once, sorted; the first 10,000.",
  responses: { 200: categoryList },
  examples: { response: { categories: ['preferences', 'work_context'] } },
  async handle({ tenant }) {
    const { workspaceId, subject } = tenant
    const categories = await tenant.transaction(tx => findCategories(tx, workspaceId, OVERVIEW_MAX, subject))
    return ok({ categories })
  },
})
