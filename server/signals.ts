import type { Logger } from '../core/log.ts'

/** A stop that takes longer ends hard; jobs and requests are safe, since whatever was acknowledged is committed. */
const STOP_MS_MAX = 10_000

/** Stops once on SIGTERM or SIGINT; a second signal ends the process at once. */
export function onStopSignal(log: Logger, stop: () => Promise<void>): void {
  let stopping = false
  const handle = (signal: string): void => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping')
    const deadline = setTimeout(() => {
      log.error('the stop took too long; ending now')
      process.exit(1)
    }, STOP_MS_MAX)
    stop().then(
      () => {
        clearTimeout(deadline)
        process.exit(0)
      },
      error => {
        log.error({ err: error }, 'stop failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', () => handle('SIGTERM'))
  process.on('SIGINT', () => handle('SIGINT'))
}
