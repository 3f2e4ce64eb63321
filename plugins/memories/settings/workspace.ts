import { Type } from '@sinclair/typebox'
import { defineSetting, oneOf, type WorkspaceSetting } from 'mneme/plugin'
import { memoriesTarget, retentionDays, secretsMode, taskTtlDays, workspaceTimezone } from '../contract.ts'

/** Switches the merging of near-duplicates for this workspace. */
export const consolidation = defineSetting({
  key: 'consolidation',
  schema: Type.Boolean({ description: 'Merges near-duplicates.' }),
  default: true,
})

/** Says within what a text can be stored only once. */
export const uniqueness = defineSetting({
  key: 'uniqueness',
  schema: oneOf(['workspace', 'user'], {
    description: 'Whether a text is stored once in the workspace, or once for each user.',
  }),
  default: 'workspace',
})

export const memorySettings: readonly WorkspaceSetting[] = [
  memoriesTarget,
  consolidation,
  uniqueness,
  secretsMode,
  workspaceTimezone,
  taskTtlDays,
  retentionDays,
]
