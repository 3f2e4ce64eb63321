/**
 * This is the worker thread of the embedded database. Postgres blocks its thread while it works (an index build for
 * seconds), which must not be the thread that serves HTTP.
 */

import { parentPort, workerData } from 'node:worker_threads'
import { createCluster, openCluster } from './cluster.ts'
import { messageMaxBytes } from './connection.ts'
import { lacksRoom } from './folder.ts'
import { Multiplexer } from './multiplexer.ts'
import { messageOf } from './outcome.ts'
import { collectMessage, stopMessage, type ThreadReport, type ThreadTask } from './thread-protocol.ts'

const task: ThreadTask = workerData
perform(task).catch(fail)

async function perform(task: ThreadTask): Promise<void> {
  if (task.kind === 'create') {
    await createCluster(task.folder, task.module)
    report({ kind: 'created' })
    return
  }
  const collect = await collectorAt(task.collector)
  const multiplexer = await Multiplexer.start({
    passwords: task.passwords,
    requestRole: task.requestRole,
    idleInTransactionMs: task.idleInTransactionMs,
    open: () => openCluster(task.folder, task.module, messageMaxBytes),
    lacksRoom: () => lacksRoom(task.folder),
    onCrash: error => report({ kind: 'crashed', message: error.message }),
    onFatal: fail,
  })
  parentPort?.on('message', (message: unknown) => {
    if (message === collectMessage) collect()
    else if (message === stopMessage) multiplexer.stop().then(() => report({ kind: 'stopped' }), fail)
  })
  report({ kind: 'listening', port: multiplexer.port })
}

/**
 * The runtime counts the database's own memory as this thread's heap, and would let as much garbage gather before it looks for any.
 */
async function collectorAt(address: string | undefined): Promise<() => void> {
  if (address === undefined) return () => undefined
  const { collectGarbage }: { collectGarbage(all: boolean): void } = await import(address)
  return () => collectGarbage(true)
}

function report(message: ThreadReport): void {
  parentPort?.postMessage(message)
}

function fail(error: unknown): void {
  report({ kind: 'failed', message: messageOf(error) })
}
