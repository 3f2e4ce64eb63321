/**
 * Writes the generated parts of both clients from the OpenAPI document of this code's service, which it starts on an empty folder:
 *
 *   bun clients/generate.ts
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeApi, type OpenApi } from './generator/describe.ts'
import { printModels, printVerbs, toSync } from './generator/python.ts'
import { printTypeScript } from './generator/typescript.ts'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const PYTHON = 'python/src/mneme_client'

/** Makes the text of every generated file, by its path in this folder. */
export function generated(document: OpenApi): Map<string, string> {
  const description = describeApi(document)
  const asynchronous = printVerbs(description)
  return new Map([
    ['typescript/src/generated/api.ts', printTypeScript(description)],
    [`${PYTHON}/generated/models.py`, printModels(description)],
    [`${PYTHON}/generated/async_verbs.py`, asynchronous],
    [`${PYTHON}/generated/sync_verbs.py`, toSync(asynchronous)],
    [`${PYTHON}/generated/sync_client.py`, toSync(readFileSync(join(FOLDER, PYTHON, 'async_client.py'), 'utf8'))],
  ])
}

if (import.meta.main) {
  const data = mkdtempSync(join(tmpdir(), 'mneme-generate-'))
  const server = spawn(process.execPath, [join(FOLDER, '../server/main.ts')], {
    env: {
      PORT: '0',
      DATA_DIR: data,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const document: OpenApi = JSON.parse(await (await fetch(`${await addressOf(server)}/openapi.json`)).text())
    for (const [path, text] of generated(document)) {
      mkdirSync(dirname(join(FOLDER, path)), { recursive: true })
      writeFileSync(join(FOLDER, path), text)
      console.log(`clients/${path}`)
    }
  } finally {
    server.kill()
    await once(server, 'exit')
    rmSync(data, { recursive: true, force: true })
  }
}

function addressOf({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    stdout?.on('data', chunk => {
      said += chunk
      const address = /Mneme listens on (\S+)/.exec(said)?.[1]
      if (address) resolve(address)
    })
    stdout?.on('end', () => reject(new Error('the service ended before it listened')))
  })
}
