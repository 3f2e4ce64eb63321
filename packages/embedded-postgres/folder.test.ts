import { afterAll, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { FolderInUseError, lockFolder } from './folder.ts'

const parent = mkdtempSync(join(tmpdir(), 'lock-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

const module = fileURLToPath(new URL('./folder.ts', import.meta.url))
const deno = fileURLToPath(new URL('../../node_modules/.bin/deno', import.meta.url))
const locker = `
  const { lockFolder } = await import(${JSON.stringify(module)})
  const say = outcome => console.log(process.pid + ' ' + outcome)
  try { lockFolder(process.env.LOCK_FOLDER); say('locked') } catch (error) { say(error.name) }
  process.stdin.resume()`

let made = 0
function newFolder(): string {
  const folder = join(parent, String(++made))
  mkdirSync(folder)
  return folder
}

/** Starts a process that tries to take the folder and keeps what it got; resolves with its outcome. */
async function tryFrom(runtime: 'bun' | 'deno', folder: string): Promise<{ pid: number; outcome: string }> {
  const command: [string, string[]] =
    runtime === 'bun'
      ? [process.execPath, ['-e', locker]]
      : [deno, ['eval', '--ext=ts', `import process from 'node:process'; ${locker}`]]
  const child = spawn(...command, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, LOCK_FOLDER: folder } })
  if (child.stdout === null) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout })) {
    // Its own word for its id: Deno is started through a wrapper.
    const [pid, outcome = ''] = line.split(' ')
    return { pid: Number(pid), outcome }
  }
  throw new Error('the process said nothing')
}

/** Kills a process and waits until the kernel has taken it down. */
async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  const deadline = Date.now() + 30_000
  while (isAlive(pid) && Date.now() < deadline) await new Promise(resolve => setImmediate(resolve))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a folder is locked once at a time, and again after its release', () => {
  const folder = newFolder()
  const lock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(FolderInUseError)
  expect(() => lockFolder(folder)).toThrow(`process ${process.pid}`)
  lock.release()
  lockFolder(folder).release()
})

test('another path to the folder is the same lock', () => {
  const folder = newFolder()
  const link = join(parent, 'link')
  symlinkSync(folder, link)
  const lock = lockFolder(link)
  expect(() => lockFolder(folder)).toThrow(FolderInUseError)
  lock.release()
})

test('a refused attempt in the same process leaves the lock as strong against others', async () => {
  const folder = newFolder()
  const lock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(FolderInUseError)
  const { pid, outcome } = await tryFrom('bun', folder)
  await kill(pid)
  expect(outcome).toBe('FolderInUseError')
  lock.release()
})

test('a path of any length can be locked', () => {
  const folder = join(newFolder(), 'long'.repeat(30), 'longer'.repeat(20))
  mkdirSync(folder, { recursive: true })
  lockFolder(folder).release()
})

test('of eight processes that try at once exactly one gets the folder', async () => {
  const folder = newFolder()
  const tries = await Promise.all(Array.from({ length: 8 }, () => tryFrom('bun', folder)))
  await Promise.all(tries.map(({ pid }) => kill(pid)))
  expect(tries.map(({ outcome }) => outcome).toSorted()).toEqual([...Array(7).fill('FolderInUseError'), 'locked'])
})

test.each(['bun', 'deno'] as const)(
  'a holder on %s keeps others out, and kill -9 gives the folder back',
  async runtime => {
    const folder = newFolder()
    for (let round = 0; round < 2; round++) {
      const { pid, outcome } = await tryFrom(runtime, folder)
      expect(outcome).toBe('locked')
      expect(() => lockFolder(folder)).toThrow(FolderInUseError)
      await kill(pid)
    }
    lockFolder(folder).release()
  },
)
