import { Type } from '@sinclair/typebox'
import { tasksOf } from 'mneme/plugin'
import { purgeSearches } from '../log/purge.ts'
import type { SearchScope } from '../scope.ts'

const task = tasksOf<SearchScope>()

/** Runs once a day. */
export const purgeLogTask = task({
  name: 'search:purge-log',
  payload: Type.Object({}, { additionalProperties: true }),
  run: ({ scope }) => purgeSearches(scope.database, scope.tenants, scope.logDaysMax),
})
