import { Type } from '@sinclair/typebox'
import { defineSetting, type WorkspaceSetting } from 'mneme/plugin'
import { memoriesTarget, retentionDays, taskTtlDays } from '../contract.ts'

/** Switches the merging of near-duplicates for this workspace. */
export const consolidation = defineSetting({
  key: 'consolidation',
  schema: Type.Boolean({ description: 'Merges near-duplicates.' }),
  default: true,
})

export const memorySettings: readonly WorkspaceSetting[] = [memoriesTarget, consolidation, taskTtlDays, retentionDays]
