import { Type } from '@sinclair/typebox'
import { defineSetting } from 'mneme/plugin'

/** Ten years. */
const DAYS_MAX = 3650
/** Both delete memories that are there, which a key without this must not do by way of a setting. */
const DELETES = { permission: 'memory.delete' }

/** For how many days a workspace keeps memories, and what other plugins keep of them. */
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
