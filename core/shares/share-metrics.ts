import { Counter, Gauge, type Registry } from 'prom-client'
import type { DatabaseTurns } from '../db/with-turns.ts'
import { type RequestShares, SHARE_CLASSES } from './request-shares.ts'

/** Shows the shares and how far they are used, by class and never by tenant. */
export function measureShares(registry: Registry, requests: RequestShares, turns: DatabaseTurns): void {
  const registers = [registry]
  const limit = new Gauge({
    name: 'mneme_share_limit',
    help: 'What one workspace may have in this process: requests of a class that run or wait, and transactions at once.',
    labelNames: ['class', 'state'],
    registers,
  })
  for (const kind of SHARE_CLASSES) {
    limit.labels(kind, 'running').set(requests.shares[kind].running)
    limit.labels(kind, 'waiting').set(requests.shares[kind].waiting)
  }
  const transactions = { transaction: turns.workspaces, system: turns.system }
  for (const [kind, { options }] of Object.entries(transactions))
    limit.labels(kind, 'running').set(options.perWorkspace)
  new Gauge({
    name: 'mneme_share_used',
    help: 'Requests of a class and transactions of all workspaces that run or wait for their turn.',
    labelNames: ['class', 'state'],
    registers,
    collect() {
      for (const kind of SHARE_CLASSES) {
        this.labels(kind, 'running').set(requests.state(kind).running)
        this.labels(kind, 'waiting').set(requests.state(kind).waiting)
      }
      for (const [kind, { running, waiting }] of Object.entries(transactions)) {
        this.labels(kind, 'running').set(running)
        this.labels(kind, 'waiting').set(waiting)
      }
    },
  })
  new Counter({
    name: 'mneme_share_refused_total',
    help: 'Requests that were refused because too many of their workspace were at work.',
    labelNames: ['class'],
    registers,
    collect() {
      this.reset()
      for (const kind of SHARE_CLASSES) this.labels(kind).inc(requests.state(kind).refused)
    },
  })
}
