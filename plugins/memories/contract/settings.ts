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

/** The number of new memories in a period that the dashboard judges by. */
export const memoriesTarget = defineSetting({
  key: 'targets.memories',
  groupDescription: 'Targets that the dashboard compares figures with.',
  schema: Type.Integer({
    minimum: 0,
    // The maximum is beyond any real target and exact as a JSON number.
    maximum: 1_000_000_000_000,
    description: 'Target for the number of new memories in a period.',
  }),
})
