import { ok } from 'mneme/plugin'
import { memoryReader } from '../../memories/contract.ts'
import { failGraph } from '../errors.ts'
import { entityExample } from '../examples.ts'
import { findEntity, memoriesNaming } from '../reading/entities.ts'
import { entityRow, READ, route } from '../route.ts'
import { entityAnswer, entityParams } from '../schemas.ts'

export const getEntityRoute = route({
  method: 'GET',
  path: '/v1/graph/entities/:id',
  operationId: 'getEntity',
  access: READ,
  subject: { rows: [entityRow] },
  share: 'heavy',
  summary: 'Get one entity',
  description:
    'With the numbers of its relationships that hold and of the visible memories that name it, both counted now.',
  params: entityParams,
  responses: { 200: entityAnswer },
  examples: { response: entityExample },
  errors: ['ENTITY_NOT_FOUND'],
  async handle({ params, scope, tenant }) {
    const { workspaceId } = tenant
    const [entity, memories] = await tenant.transaction(tx =>
      Promise.all([
        findEntity(tx, workspaceId, params.id),
        scope.wiring
          .use(memoryReader)
          .countVisible(tx, (part, id) => memoriesNaming(part, id, part`mention.entity_id = ${params.id}`)),
      ]),
    )
    if (!entity) throw failGraph('ENTITY_NOT_FOUND')
    return ok({
      id: entity.id,
      name: entity.name,
      type: entity.type,
      description: entity.description,
      metadata: entity.metadata,
      user_id: entity.user_id,
      aliases: entity.aliases,
      relationships_count: entity.relationships,
      related_memories_count: memories,
      created_at: entity.created_at.toISOString(),
      updated_at: entity.updated_at.toISOString(),
    })
  },
})
