import type { Tx } from 'mneme/plugin'

/**
 * A search counts this many deltas that are not folded yet. A chore folds every two seconds, so only a flood of writes leaves more, and
 * then some of them count late.
 */
const PENDING_MAX = 1000
/** They may also hold this many words together, so that a flood of long texts costs no more. */
const PENDING_WORDS_MAX = 100_000

/**
 * Selects the sign, the length and the words of a workspace's newest deltas, which the document frequencies do not contain yet.
 * @param wordsMax of all deltas together
 */
export function pendingDeltas(tx: Tx, workspaceId: string, wordsMax = PENDING_WORDS_MAX) {
  return tx`
    -- Joined with nothing, the words of a long text are fetched from the TOAST table once, and not again for each term.
    select counted.sign, counted.length, counted.words || ''::tsvector as words
    from (
      select newest.*, sum(newest.length) over (order by newest.written_at desc, newest.id desc) - newest.length as words_before
      from (
        select term_delta.*
        from search.term_delta
        where term_delta.workspace_id = ${workspaceId}
        order by term_delta.written_at desc, term_delta.id desc
        limit ${PENDING_MAX}
      ) as newest
    ) as counted
    where counted.words_before < ${wordsMax}`
}
