import { beforeAll, expect, test } from 'bun:test'
import { temporaryFolder } from '../support/database.ts'
import { bunTest, denoTest, npmInstall, ROOT, typeCheck, writeTutorial } from '../support/tutorial.ts'

let folder: string

beforeAll(async () => {
  folder = await temporaryFolder()
  await writeTutorial(folder)
  await npmInstall(folder, '-D', ROOT)
})

test('the tutorial has the types that it needs, and no others', async () => {
  expect(await typeCheck(folder)).toBe('')
})

test('the test of the tutorial passes on Bun', async () => {
  expect(await bunTest(folder)).toMatch(/^ 3 pass\n 0 fail$/m)
})

test('the test of the tutorial passes on Deno, after another npm install as well', async () => {
  await npmInstall(folder)
  expect(await denoTest(folder)).toMatch(/\b3 passed \| 0 failed/)
})
