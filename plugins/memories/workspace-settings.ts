import { Type } from '@sinclair/typebox'
import { defineSetting, type WorkspaceSetting } from 'mneme/plugin'
import { retentionDays, taskTtlDays } from './contract.ts'

/** Whether near-duplicates of this workspace are merged. */
export const consolidation = defineSetting({
  key: 'consolidation',
  schema: Type.Boolean({ description: 'Whether near-duplicates are merged.' }),
  default: true,
})

const memoriesTarget = defineSetting({
  key: 'targets.memories',
  groupDescription: 'What the dashboard judges the figures by.',
  schema: Type.Integer({
    minimum: 0,
    // Beyond any use, and exact in JSON.
    maximum: 1_000_000_000_000,
    description: 'New memories to aim at in a period.',
  }),
})

export const memorySettings: readonly WorkspaceSetting[] = [memoriesTarget, consolidation, taskTtlDays, retentionDays]
