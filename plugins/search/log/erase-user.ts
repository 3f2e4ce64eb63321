import type { UserEraser } from '../../memories/contract.ts'
import type { QueryLog } from './query-log.ts'

/**
 * Erases what search keeps of a user beside the rows that name one: what was learned about queries that nobody's feedback is left for, words
 * that no other text has, documents at Typesense, and searches that are still to be logged.
 */
export function createUserEraser(log: QueryLog): UserEraser {
  return {
    id: 'search',
    async begin(tx, workspaceId) {
      await tx`
        delete from search.feedback_query
        where feedback_query.workspace_id = ${workspaceId}
          and not exists (
            select
            from search.feedback
            where feedback.workspace_id = ${workspaceId}
              and feedback.query_hash = feedback_query.query_hash
          )`
    },
    async isDone(tx, workspaceId, _userId, removedAt) {
      const [row] = await tx<{ done: boolean }[]>`
        select
          not exists (
            select
            from search.term_delta
            where term_delta.workspace_id = ${workspaceId}
              and term_delta.written_at <= ${removedAt}
          )
          and not exists (
            select
            from search.typesense_queue
            where typesense_queue.workspace_id = ${workspaceId}
              and not typesense_queue.acknowledged
              and not exists (
                select
                from search.document
                where document.workspace_id = ${workspaceId}
                  and document.memory_id = typesense_queue.memory_id
              )
          ) as done`
      return row?.done ?? true
    },
    end: (tx, workspaceId, userId) => log.forgetUser(tx, workspaceId, userId),
  }
}
