import { TransactionTurns } from '../../core/db/turns.ts'
import { failure } from './control-plane.ts'
import { ManualClock } from './manual-clock.ts'

/** Makes what a transaction throws whose workspace takes all its turns. */
export async function noTurn(): Promise<Error> {
  const clock = new ManualClock()
  const turns = new TransactionTurns({ total: 1, perWorkspace: 1, waitMs: 1 }, clock)
  void turns.run('a', false, () => new Promise<void>(() => undefined))
  const late = failure(turns.run('a', false, async () => undefined))
  clock.advance(1)
  const error = await late
  if (!error) throw new Error('the transaction had its turn')
  return error
}
