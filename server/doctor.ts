import type { CoreConfig } from '../core/config.ts'
import type { Storage } from '../core/db/storage.ts'
import { createJobQueue } from '../core/jobs/queue.ts'
import { discardTask, examine, type Finding, ownerOf, release } from '../core/quarantine/doctor.ts'
import { failedByWorkspace, reprocessJob } from '../plugins/memories/index.ts'

/** Lists what an operator can act on. @returns 1 when there is something */
export async function diagnose({ database, kind }: Storage, config: CoreConfig): Promise<number> {
  const { findings, more } = await database.system(examine)
  const failed = failedInWords(await database.system(failedByWorkspace))
  const lines = [...findings.flatMap(linesOf), ...(more ? ['There is more; release some and look again.'] : [])]
  if (kind === 'server' && !config.DATABASE_REQUEST_URL) {
    lines.push('Note: requests log in as the owner of the tables. DATABASE_REQUEST_URL gives them a role of their own.')
  }
  if (findings.length === 0 && !failed) {
    lines.unshift('Nothing is quarantined, given up, failed or waiting for a process.')
  }
  if (findings.some(({ id }) => id)) lines.push('Give one back with: bun run server doctor release ID')
  if (findings.some(({ kind }) => kind !== 'given up' && kind !== 'delayed jobs'))
    lines.push('Where the plugin of one was removed for good: bun run server doctor discard TASK')
  if (failed) lines.push(`failed memories: ${failed}`, 'Process them again with: bun run server doctor reprocess')
  process.stdout.write(`${lines.join('\n')}\n`)
  return findings.length === 0 && !failed ? 0 : 1
}

/** Queues the failed memories of all workspaces; the servers and workers go on with it. */
export async function reprocess({ database }: Storage): Promise<number> {
  const failed = await database.system(async tx => {
    const byWorkspace = await failedByWorkspace(tx)
    const jobs = [...byWorkspace.keys()].map(workspace_id => reprocessJob({ workspace_id }))
    await createJobQueue().enqueue(tx, jobs)
    return byWorkspace
  })
  process.stdout.write(`Processed again by servers and workers: ${failedInWords(failed) || 'no memories'}\n`)
  return 0
}

/** Says how many memories failed, and where; empty where none did. */
function failedInWords(byWorkspace: ReadonlyMap<string, number>): string {
  if (byWorkspace.size === 0) return ''
  const total = [...byWorkspace.values()].reduce((sum, failed) => sum + failed, 0)
  const named = [...byWorkspace].slice(0, NAMED_MAX).map(([id, failed]) => `${failed} of workspace ${id}`)
  return `${total} (${named.join(', ')}${byWorkspace.size > NAMED_MAX ? ', and others' : ''})`
}

const NAMED_MAX = 10

/** Gives one back to the work that it was taken from. */
export async function giveBack({ database }: Storage, id: string): Promise<number> {
  if (await database.system(tx => release(tx, id))) {
    process.stdout.write(`${id} is tried again.\n`)
    return 0
  }
  console.error(`There is nothing with the ID ${id}. \`bun run server doctor\` lists what there is.`)
  return 1
}

/** Deletes the jobs of a task that no plugin here has, and what is in quarantine under its name. */
export async function discard({ database }: Storage, task: string, plugins: ReadonlySet<string>): Promise<number> {
  const owner = ownerOf(task)
  if (plugins.has(owner)) {
    console.error(
      `${task} is a task of the plugin ${owner}, which is here: a server or worker that has it runs its jobs.`,
    )
    return 1
  }
  const { jobs, held } = await database.system(tx => discardTask(tx, task))
  if (jobs + held === 0) {
    console.error(`There are no jobs of the task ${task}, or they are under way.`)
    return 1
  }
  process.stdout.write(
    `Deleted: ${jobs} ${jobs === 1 ? 'job' : 'jobs'} of ${task}${held === 0 ? '' : `, and ${held} in quarantine`}\n`,
  )
  return 0
}

function linesOf({ id, kind, what, workspaceId, error, attempts, since }: Finding): string[] {
  const about = [
    what,
    ...(workspaceId ? [`workspace ${workspaceId}`] : []),
    `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
    ...(since ? [`since ${since.toISOString()}`] : []),
  ]
  return [`${kind}: ${about.join(', ')}`, `  ${error.replace(/\s+/g, ' ')}`, ...(id ? [`  ID ${id}`] : [])]
}
