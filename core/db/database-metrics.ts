import { Counter, type Registry } from 'prom-client'
import type { OpenDatabase } from './database.ts'

/**
 * Counts the transactions that lost to others. Those that were run again cost time only; those that failed need a look.
 */
export function addDatabaseMetrics(registry: Registry, { losses }: Pick<OpenDatabase, 'losses'>): void {
  new Counter({
    name: 'mneme_database_lost_transactions_total',
    help: 'Transactions that lost to a deadlock or a serialisation failure, by what became of them.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      this.labels('rerun').inc(losses.rerun)
      this.labels('failed').inc(losses.failed)
    },
  })
}
