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

test('signals of one Ctrl-C, however many, interrupt a command once, and it ends in its own way', async () => {
  const script = `
    import { interruption } from ${JSON.stringify(fileURLToPath(new URL('./process.ts', import.meta.url)))}
    let interrupted = 0
    interruption().addEventListener('abort', () => {
      interrupted++
      process.stdin.once('data', () => process.exit(interrupted + 3))
      process.stdout.write('interrupted')
    })
    process.stdin.resume()
    process.stdout.write('ready')`
  const command = Bun.spawn([process.execPath, '-e', script], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  const output = command.stdout.getReader()
  const said = async () => new TextDecoder().decode((await output.read()).value)
  expect(await said()).toBe('ready')
  command.kill('SIGINT')
  expect(await said()).toBe('interrupted')
  command.kill('SIGINT')
  command.kill('SIGTERM')
  command.stdin.write('go on')
  command.stdin.flush()
  expect(await command.exited).toBe(4)
})
