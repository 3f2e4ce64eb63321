import type { Fragment, Tx } from './database.ts'

/**
 * Builds a condition that a statement evaluates only while it has time (`statementMs` of its transaction), and fails when that is over. It is
 * for conditions whose cost is up to the caller, such as a path through metadata: a Postgres server ends such a statement itself, but the
 * embedded database hears of nothing while it works, and everybody waits for it.
 */
export function inStatementTime(tx: Tx, condition: Fragment): Fragment {
  // The select has no columns of the statement's own, so it runs once. Looking at the clock takes less than any path.
  return tx`
    case
      when clock_timestamp() < (select core.statement_deadline()) then ${condition}
      else core.end_statement()
    end`
}
