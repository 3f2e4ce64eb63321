import { expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'

const LINES = 3000

test('a command ends once its reader has taken all that it printed', async () => {
  const script = `
    import { exitAfterOutput } from ${JSON.stringify(fileURLToPath(new URL('./process.ts', import.meta.url)))}
    for (let n = 0; n < ${LINES}; n++) process.stdout.write('x'.repeat(99) + '\\n')
    process.stderr.write('printed')
    await exitAfterOutput(3)`
  const command = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'pipe' })
  // A pipe holds less than that, so the rest waits for a reader.
  await command.stderr.getReader().read()
  const output = await new Response(command.stdout).text()
  expect([output.length, await command.exited]).toEqual([LINES * 100, 3])
})
