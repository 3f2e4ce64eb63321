import { explainFailure } from '../core/boot/explain.ts'
import { ConfigError } from '../core/config.ts'
import { startKernel } from '../core/kernel.ts'
import { builtInPlugins, loadThirdParty } from '../server/plugins.ts'
import { onStopSignal } from '../server/signals.ts'

try {
  if (!process.env.DATABASE_URL)
    throw new Error('workers need DATABASE_URL: the embedded database belongs to the server alone.')
  const kernel = await startKernel({
    environment: process.env,
    builtIn: builtInPlugins,
    loadThirdParty,
    role: 'worker',
    onFatal(error) {
      console.error(`Mneme stops: ${error.message}`)
      process.exit(1)
    },
  })
  onStopSignal(kernel.log, () => kernel.stop())
  process.stdout.write(`Mneme works on jobs\n${kernel.summary.map(line => `  ${line}\n`).join('')}`)
} catch (error) {
  console.error(
    error instanceof ConfigError
      ? `Some settings are not right:\n${error.message}`
      : explainFailure(error, process.env),
  )
  process.exit(1)
}
