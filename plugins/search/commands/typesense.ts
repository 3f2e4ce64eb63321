import { type Command, messageOf } from 'mneme/plugin'
import { Misconfigured, Rejected, Unavailable } from '../engine/typesense/messages.ts'
import { rebuild, sendAll } from '../engine/typesense/upkeep.ts'
import { repair, type Verification, verifyIndex } from '../engine/typesense/verify.ts'
import type { SearchScope } from '../scope.ts'

/** Commands about the Typesense index print this if none is configured. */
const NO_TYPESENSE = 'TYPESENSE_URL is not set: searches use Postgres alone, which needs neither.'

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

/** The report lists this many ids of each kind. */
const SHOWN_MAX = 5

export const verifyCommand: Command<SearchScope> = {
  name: 'verify',
  usage: '[--repair]',
  summary: 'Compare the Typesense index with Postgres, workspace by workspace; --repair sends what differs.',
  async run({ scope: { database, typesense }, args, print, signal }) {
    if (!typesense || args.some(arg => arg !== '--repair')) {
      print(typesense ? 'Usage: bun run search verify [--repair]' : NO_TYPESENSE)
      return 2
    }
    const parts = { database, server: typesense.server, index: typesense.alias }
    try {
      let found = await verifyIndex(parts, signal)
      report(found, print)
      if (args.includes('--repair') && drifted(found)) {
        print(`${counted(await repair(database, found), 'memory', 'memories')} queued; sending`)
        await sendAll(typesense.upkeep, { signal })
        found = await verifyIndex(parts, signal)
        report(found, print)
      }
      return drifted(found) ? 1 : 0
    } catch (error) {
      if (![Unavailable, Rejected, Misconfigured].some(expected => error instanceof expected)) throw error
      print(
        error instanceof Rejected && error.status === 404
          ? 'There is no index yet: bun run search rebuild'
          : messageOf(error),
      )
      return 1
    }
  },
}

function drifted({ drifts, orphans, refused, failed }: Verification): boolean {
  return drifts.length + orphans.length + refused.length + failed.length > 0
}

function report(
  { workspaces, memories, waiting, drifts, orphans, refused, failed }: Verification,
  print: (line: string) => void,
): void {
  for (const { workspaceId, missing, stale, surplus } of drifts) {
    print(`workspace ${workspaceId}`)
    for (const [what, ids] of Object.entries({ missing, stale, surplus })) {
      if (ids.length === 0) continue
      const shown = ids.slice(0, SHOWN_MAX).join(' ')
      print(`  ${what} ${ids.length}: ${shown}${ids.length > SHOWN_MAX ? ' …' : ''}`)
    }
  }
  for (const workspaceId of orphans) print(`workspace ${workspaceId} is in the index and not in Postgres`)
  for (const { workspaceId, memoryId, attempts, error } of refused) {
    print(`refused ${counted(attempts, 'time', 'times')}: ${memoryId} of workspace ${workspaceId}: ${error}`)
  }
  for (const { workspaceId, error } of failed) print(`workspace ${workspaceId} could not be compared: ${error}`)
  const differing = drifts.reduce(
    (sum, drift) => sum + drift.missing.length + drift.stale.length + drift.surplus.length,
    0,
  )
  print(
    `${counted(memories, 'memory', 'memories')} of ${counted(workspaces - failed.length, 'workspace', 'workspaces')} compared: ` +
      `${counted(differing, 'differs', 'differ')}, ${counted(waiting, 'is on its way', 'are on their way')}` +
      `${orphans.length > 0 ? `, ${counted(orphans.length, 'workspace', 'workspaces')} too many` : ''}`,
  )
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
