import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AnyPlugin } from '../../core/plugin.ts'
import { onEnd } from './closing.ts'

const PAGES = new URL('../../docs/plugins/', import.meta.url)
const MEMORIES = new URL('../../plugins/memories/README.md', import.meta.url)

/** Reads a plugin of docs/plugins, or of the README of memories, as it stands there, by the name of its file. */
export async function documentedPlugin(name: string): Promise<AnyPlugin> {
  return (await import(await documentedFile(name))).default
}

/** Writes it as a file, with the other files that its section shows; removed at the end of the run. */
export async function documentedFile(name: string): Promise<string> {
  // The file lies beside the code, since that is where `mneme/…` leads to the code.
  const tmp = fileURLToPath(new URL('../../tmp/', import.meta.url))
  await mkdir(tmp, { recursive: true })
  const folder = await mkdtemp(join(tmp, 'documented-'))
  onEnd(() => rm(folder, { recursive: true, force: true }))
  await writeDocumented(name, folder)
  return join(folder, name)
}

/** Lists the names of the files of all plugins that docs/plugins has, apart from the tutorial's. */
export async function documentedNames(): Promise<string[]> {
  const text = (await pages()).join('')
  return [...text.matchAll(/^```ts\n\/\/ ([\w-]+\.ts), started with PLUGINS=\.\/\1$/gm)].map(([, name = '']) => name)
}

/** Writes a plugin into a folder, with the SQL and the pages that its section shows. */
export async function writeDocumented(name: string, folder: string): Promise<void> {
  const sections = (await pages()).flatMap(page => page.split('\n## '))
  const section = sections.find(text => text.includes(`\`\`\`ts\n// ${name},`))
  if (!section) throw new Error(`no document has ${name}`)
  for (const [, code = ''] of section.matchAll(/```(?:ts|sql|html)\n([\s\S]*?)```/g)) {
    const sql = /^-- (\w+\.sql):/.exec(code)?.[1]
    const html = /^<!-- (\S+) -->\n/.exec(code)?.[1]
    if (!sql && !html && !code.startsWith(`// ${name},`)) continue
    const path = join(folder, sql ? `sql/${sql}` : (html ?? name))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, code)
  }
}

async function pages(): Promise<string[]> {
  const names = (await readdir(PAGES)).filter(name => name.endsWith('.md')).sort()
  return Promise.all([...names.map(name => new URL(name, PAGES)), MEMORIES].map(page => readFile(page, 'utf8')))
}
