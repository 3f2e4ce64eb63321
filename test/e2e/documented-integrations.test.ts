import { beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fakeModels } from '../../integrations/fake-models.test-support.ts'
import { onEnd } from '../support/closing.ts'
import { preparedStore, run, type ServerProcess, startServer } from '../support/process.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PYTHON = process.env.PYTHON ?? '/usr/bin/python3'

/** The programs of each page have to say these. */
const PAGES = {
  'docs/integrations/typescript.md': ['a model that was told', '1 memories of tea.md'],
  'docs/integrations/python.md': ['a model that was told', 'known already'],
  'docs/integrations/python-frameworks.md': ['TypeScript for scripts', 'It was known already.'],
  'docs/integrations/ai-sdk.md': ['Try the market hall.'],
  'docs/integrations/openai-and-anthropic.md': ['Try the market hall.'],
  'docs/integrations/langchain.md': ['lives in Lisbon', 'Which language should I write this in?'],
  'docs/integrations/langgraph.md': ['Ada prefers TypeScript for scripts. (language)', 'ada,facts'],
  'docs/integrations/llamaindex.md': ['lives in Lisbon'],
  'docs/integrations/mastra.md': ['Try the market hall.'],
  'docs/integrations/openai-agents.md': ['Try the market hall.'],
  'clients/typescript/README.md': ['lives in Lisbon', 'No memory of this workspace has this id.'],
  'clients/python/README.md': ['lives in Lisbon'],
}

let server: ServerProcess
let settings: Record<string, string>

beforeAll(async () => {
  server = await startServer(await preparedStore())
  const { environment } = await fakeModels('Try the market hall.')
  settings = { ...environment, MNEME_URL: server.url, MNEME_API_KEY: server.apiKey }
})

function programs(page: string, language: string): string[] {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(
    new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'),
  )
  return [...blocks].map(([, program = '']) => program)
}

/** The names of the packages lead to their sources in this repository, for files that lie in it. */
async function runTypeScript(program: string): Promise<string> {
  mkdirSync(join(ROOT, 'tmp'), { recursive: true })
  const folder = mkdtempSync(join(ROOT, 'tmp/program-'))
  onEnd(async () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'program.ts'), program)
  const started = run(join(folder.slice(ROOT.length), 'program.ts'), settings, 'bun')
  expect([await started.ended, started.stderr()]).toEqual([0, expect.any(String)])
  return started.stdout()
}

function runPython(program: string): string {
  const env = {
    PATH: process.env.PATH,
    PYTHONPATH: join(ROOT, 'clients/python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
    ...settings,
  }
  const { stdout, stderr, status } = spawnSync(PYTHON, ['-c', program], { encoding: 'utf8', env })
  expect([stderr, status]).toEqual(['', 0])
  return stdout
}

for (const [page, wanted] of Object.entries(PAGES)) {
  test(`the programs of ${page} do what they say`, async () => {
    const said = [...programs(page, 'python').map(runPython)]
    for (const program of programs(page, 'ts')) said.push(await runTypeScript(program))
    expect(said.length).toBeGreaterThan(0)
    for (const words of wanted) expect(said.join('\n')).toContain(words)
  })
}
