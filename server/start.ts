import { announce, announceFirstStart } from './announce.ts'
import { leaveSignals } from './early-signals.ts'
import { operate } from './operate.ts'
import { exitAfterOutput, exitWithReason } from './process.ts'
import { run } from './run.ts'

try {
  const words = process.argv.slice(2)
  if (words.length > 0) {
    leaveSignals()
    await exitAfterOutput(await operate(words))
  }
  await run({
    role: 'server',
    onFirstStart: announceFirstStart,
    portOf: ({ PORT }) => ({ setting: 'PORT', port: PORT }),
    announce,
  })
} catch (error) {
  exitWithReason(error)
}
