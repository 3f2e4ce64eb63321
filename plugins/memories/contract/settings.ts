import { Type } from '@sinclair/typebox'
import { defineSetting } from 'mneme/plugin'

/** Both settings are limited to ten years. */
const DAYS_MAX = 3650
/** Both settings delete existing memories, so changing them needs the permission to delete. */
const DELETES = { permission: 'memory.delete' }

/** The number of days a workspace keeps memories and the data that other plugins derive from them. */
export const retentionDays = defineSetting({
  key: 'retention_days',
  schema: Type.Integer({
    minimum: 1,
    maximum: DAYS_MAX,
    description: 'Days after which memories are deleted; null: never.',
  }),
  setBy: DELETES,
})

export const taskTtlDays = defineSetting({
  key: 'task_ttl_days',
  schema: Type.Integer({
    minimum: 1,
    maximum: DAYS_MAX,
    description: "Days a TASK memory lives; null: the server's TASK_TTL.",
  }),
  setBy: DELETES,
})
