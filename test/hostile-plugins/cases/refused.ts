import { refusedManifests } from './manifests.ts'
import { refusedMigrations } from './migrations.ts'
import { refusedNames } from './names.ts'
import type { Refused } from './refusal.ts'
import { refusedSetups } from './setups.ts'

export const refused: readonly Refused[] = [
  ...refusedManifests,
  ...refusedNames,
  ...refusedSetups,
  ...refusedMigrations,
]
