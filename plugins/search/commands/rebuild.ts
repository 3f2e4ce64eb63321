import type { Command } from 'mneme/plugin'
import { rebuild } from '../engine/typesense/rebuild.ts'
import type { SearchScope } from '../scope.ts'
import { NO_TYPESENSE } from './no-typesense.ts'

export const rebuildCommand: Command<SearchScope> = {
  name: 'rebuild',
  summary: 'Fill a new Typesense collection from Postgres and switch to it; searches and writes go on meanwhile.',
  async run({ scope, args, print, signal }) {
    if (!scope.typesense || args.length > 0) {
      print(scope.typesense ? 'Usage: bun run search rebuild' : NO_TYPESENSE)
      return 2
    }
    const done = await rebuild(scope.typesense.upkeep, { print, signal })
    if (done) print('Done: searches use the new collection.')
    return done ? 0 : 1
  },
}
