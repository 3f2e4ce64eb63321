/**
 * Runs every case of the client for outgoing HTTP on whichever runtime runs this, and prints how many there were and those that failed.
 */
import { clientCases } from '../../core/outgoing/cases/all.test-support.ts'
import { runCase } from '../../core/outgoing/cases/case.test-support.ts'
import { clientSubject, hostileCases } from '../../core/outgoing/hostile-addresses.test-support.ts'
import { openInternet } from '../../core/outgoing/internet.test-support.ts'

const failed: string[] = []
let ran = 0

async function attempt(name: string, run: () => Promise<void>): Promise<void> {
  ran++
  await run().catch(error => failed.push(`${name}: ${error instanceof Error ? error.stack : error}`))
}

for (const own of clientCases) await attempt(own.name, () => runCase(own))
for (const redirectsMax of [0, 5]) {
  for (const { name, run } of hostileCases(redirectsMax > 0)) {
    const internet = openInternet()
    await attempt(name, () => run(clientSubject(internet, redirectsMax), internet))
    await internet.reset()
  }
}
console.log(JSON.stringify({ ran, failed }))
process.exit(0)
