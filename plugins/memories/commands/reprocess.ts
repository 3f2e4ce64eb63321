import type { Command } from 'mneme/plugin'
import { failedByWorkspace } from '../queries/failed.ts'
import type { MemoriesScope } from '../scope.ts'
import { reprocessJob } from '../tasks/reprocess.ts'

export const reprocessCommand: Command<MemoriesScope> = {
  name: 'reprocess',
  summary: 'Have all memories that are FAILED, of all workspaces, processed again by the servers and workers.',
  async run({ scope: { database, jobs }, args, print }) {
    if (args.length > 0) {
      print('Usage: bun run command memories reprocess')
      return 2
    }
    const failed = await database.system(async tx => {
      const byWorkspace = await failedByWorkspace(tx)
      const queued = [...byWorkspace.keys()].map(workspace_id => reprocessJob({ workspace_id }))
      await jobs.enqueue(tx, queued)
      return byWorkspace
    })
    for (const [workspaceId, count] of failed) print(`workspace ${workspaceId}: ${count}`)
    const total = [...failed.values()].reduce((sum, count) => sum + count, 0)
    print(`Memories that are queued for processing again: ${total}`)
    return 0
  },
}
