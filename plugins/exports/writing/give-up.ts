import type { Tx } from 'mneme/plugin'
import { removeJob } from '../job.ts'
import { failWriting } from '../queries/writing.ts'
import type { ExportsScope } from '../scope.ts'

/** Ends an export as FAILED; what is written of its file is removed afterwards. @param error a sentence for the user */
export async function giveUp(
  tx: Tx,
  { jobs }: Pick<ExportsScope, 'jobs'>,
  workspaceId: string,
  id: string,
  error: string,
): Promise<void> {
  await failWriting(tx, workspaceId, id, error)
  await jobs.enqueue(tx, [removeJob(workspaceId, id)])
}
