import { expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../support/database.ts'
import { documentedFile } from '../support/documented.ts'
import { preparedStore, runToEnd } from '../support/process.ts'

test('commands of third parties run in a shell, and what there is none of is told with all there are', async () => {
  const settings = { ...(await preparedStore()), PLUGINS: await documentedFile('counter.ts') }
  const command = (...words: string[]) => runToEnd('server/command.ts', settings, words)
  expect(await command('counter', 'pending')).toMatchObject({ code: 0, stdout: '0 texts are pending\n' })
  const unnamed = await command()
  expect([unnamed.code, unnamed.stdout]).toEqual([2, ''])
  expect(unnamed.stderr).toMatch(/^Usage:\n/)
  for (const line of ['bun run command search rebuild', 'bun run command counter pending\n      Count the texts']) {
    expect(unnamed.stderr).toContain(line)
  }
  const misspelt = await command('conter', 'pending')
  expect(misspelt.stderr).toStartWith('No loaded plugin conter has commands.\nUsage:\n')
  const own = await command('counter', 'pendng')
  expect(own.stderr).toBe(
    'Usage:\n  bun run command counter pending\n      Count the texts whose words are not counted yet.\n',
  )
})

test('chores run for no command, except those that write what it buffered, once', async () => {
  const folder = await temporaryFolder()
  const [file, ran] = [join(folder, 'poller.ts'), join(folder, 'ran')]
  await writeFile(
    file,
    `import { appendFileSync } from 'node:fs'
    const note = (word: string) => appendFileSync(${JSON.stringify(ran)}, word + ' ')
    export default {
      id: 'poller', version: '1.0.0', apiVersion: 1,
      commands: [{ name: 'look', summary: 'Look.', run: async () => (note('looked'), 0) }],
      setup: () => ({
        scope: undefined,
        chores: [
          { name: 'poll', everyMs: 60_000, run: async () => note('polled') },
          { name: 'write', everyMs: 60_000, flushes: true, run: async () => note('written') },
        ],
      }),
    }`,
  )
  const settings = { ...(await preparedStore()), PLUGINS: file }
  expect(await runToEnd('server/command.ts', settings, ['poller', 'look'])).toMatchObject({ code: 0, stderr: '' })
  expect(await readFile(ran, 'utf8')).toBe('looked written ')
})

test('help goes to the standard output and is no error, and opens no database', async () => {
  const helps = [
    ['server/main.ts', ['--help'], 'bun run server doctor'],
    ['server/main.ts', ['help'], 'bun run server doctor'],
    ['workers/main.ts', ['--help'], 'bun run workers'],
    ['server/command.ts', ['--help'], 'bun run command search eval'],
    ['server/command.ts', ['search', 'eval', '--help'], 'bun run command search eval'],
  ] as const
  for (const [file, words, shown] of helps) {
    const { code, stdout, stderr } = await runToEnd(file, { DATA_DIR: '/dev/null/none' }, [...words])
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringMatching(new RegExp(`^Usage:\n[^]*${shown}`))])
  }
})

test('workers take no words, and work on nothing where one is given', async () => {
  const { code, stdout, stderr } = await runToEnd('workers/main.ts', await preparedStore(), ['doctor'])
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^Usage:\n {2}bun run workers/)])
})
