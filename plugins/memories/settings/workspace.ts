import { Type } from '@sinclair/typebox'
import { defineSetting, type WorkspaceSetting } from 'mneme/plugin'
import { retentionDays, taskTtlDays } from '../contract.ts'

/** Switches the merging of near-duplicates for this workspace. */
export const consolidation = defineSetting({
  key: 'consolidation',
  schema: Type.Boolean({ description: 'Merges near-duplicates.' }),
  default: true,
})

const memoriesTarget = defineSetting({
  key: 'targets.memories',
  groupDescription: 'Targets that the dashboard compares figures with.',
  schema: Type.Integer({
    minimum: 0,
    // The maximum is beyond any real target and exact as a JSON number.
    maximum: 1_000_000_000_000,
    description: 'Target for the number of new memories in a period.',
  }),
})

export const memorySettings: readonly WorkspaceSetting[] = [memoriesTarget, consolidation, taskTtlDays, retentionDays]
