import { beforeAll, expect, test } from 'bun:test'
import { temporaryFolder } from '../support/database.ts'
import { denoTest, npmInstall, runDocumented, typeCheck, writeTutorial } from '../support/tutorial.ts'

let folder: string

beforeAll(async () => {
  folder = await temporaryFolder()
  await writeTutorial(folder)
  await runDocumented(folder, 'npm install -D')
})

test('the tutorial has the types that it needs, and no others', async () => {
  expect(await typeCheck(folder)).toBe('')
  expect(await runDocumented(folder, 'npx tsc')).toBe('')
})

test('the test of the tutorial passes on Bun', async () => {
  expect(await runDocumented(folder, 'npx bun test')).toMatch(/^ 3 pass\n 0 fail$/m)
})

test('the test of the tutorial passes on Deno, after another npm install as well', async () => {
  await npmInstall(folder)
  expect(await denoTest(folder)).toMatch(/\b3 passed \| 0 failed/)
})

test('where only Node and npm are, the command that starts it from a folder of its own finds Bun', async () => {
  const own = await temporaryFolder()
  await runDocumented(own, 'npm install /path/to/attachments', { plugin: folder })
  const started = runDocumented(own, 'npx bun /path/to/mneme/server/main.ts', { words: '--help' })
  expect(await started).toStartWith('Usage:')
})
