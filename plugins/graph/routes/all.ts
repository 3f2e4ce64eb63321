import { askRoute } from './ask.ts'
import { getEntityRoute } from './get-entity.ts'
import { getOverviewRoute } from './get-overview.ts'
import { listEntitiesRoute } from './list-entities.ts'
import { listRelationshipsRoute } from './list-relationships.ts'
import { searchEntitiesRoute } from './search-entities.ts'
import { traverseRoute } from './traverse.ts'

/** All HTTP routes of the plugin. */
export const graphRoutes = [
  listEntitiesRoute,
  getEntityRoute,
  listRelationshipsRoute,
  searchEntitiesRoute,
  traverseRoute,
  getOverviewRoute,
  askRoute,
]
