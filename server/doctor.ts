import type { CoreConfig } from '../core/config.ts'
import type { Database } from '../core/db/database.ts'
import type { Storage } from '../core/db/storage.ts'
import { discardTask, examine, type Finding, ownerOf, release } from '../core/doctor.ts'

/** A command's end: its exit code, and what it says to whom. */
export interface Answer {
  readonly code: number
  readonly stdout?: string
  readonly stderr?: string
}

type Opened = Pick<Storage, 'kind'> & { readonly database: Database }

/** Lists what an operator can act on; the code is 1 when there is something. */
export async function diagnose({ database, kind }: Opened, config: CoreConfig): Promise<Answer> {
  const { findings, more } = await database.system(examine)
  const lines = [...findings.flatMap(linesOf), ...(more ? ['There is more; release some and look again.'] : [])]
  if (kind === 'server' && !config.DATABASE_REQUEST_URL) {
    lines.push('Note: requests log in as the owner of the tables. DATABASE_REQUEST_URL gives them a role of their own.')
  }
  if (findings.length === 0) lines.unshift('Nothing is quarantined, given up, failed or waiting for a process.')
  if (findings.some(({ id }) => id)) lines.push('Give one back with: bun run server doctor release ID')
  if (findings.some(({ kind }) => kind !== 'given up' && kind !== 'delayed jobs'))
    lines.push('Where the plugin of one was removed for good: bun run server doctor discard TASK')
  return { code: findings.length === 0 ? 0 : 1, stdout: lines.join('\n') }
}

/** Gives one back to the work that it was taken from. */
export async function giveBack({ database }: Opened, id: string): Promise<Answer> {
  if (await database.system(tx => release(tx, id))) return { code: 0, stdout: `${id} is tried again.` }
  return refused(`There is nothing with the ID ${id}. \`bun run server doctor\` lists what there is.`)
}

/** Deletes the jobs of a task that no plugin here has, and what is in quarantine under its name. */
export async function discard({ database }: Opened, task: string, plugins: ReadonlySet<string>): Promise<Answer> {
  const owner = ownerOf(task)
  if (plugins.has(owner)) {
    return refused(
      `${task} is a task of the plugin ${owner}, which is here: a server or worker that has it runs its jobs.`,
    )
  }
  const { jobs, held } = await database.system(tx => discardTask(tx, task))
  if (jobs + held === 0) return refused(`There are no jobs of the task ${task}, or they are under way.`)
  const others = held === 0 ? '' : `, and ${held} in quarantine`
  return { code: 0, stdout: `Deleted: ${jobs} ${jobs === 1 ? 'job' : 'jobs'} of ${task}${others}` }
}

function refused(stderr: string): Answer {
  return { code: 1, stderr }
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
