import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AnyPlugin } from '../../core/plugin.ts'
import { onEnd } from './closing.ts'

/** A plugin of docs/plugins.md as it stands there, by the name of its file. */
export async function documentedPlugin(name: string): Promise<AnyPlugin> {
  return (await import(await documentedFile(name))).default
}

/** The same as a file, with the SQL that its section shows; removed at the end of the run. */
export async function documentedFile(name: string): Promise<string> {
  const page = await readFile(new URL('../../docs/plugins.md', import.meta.url), 'utf8')
  const section = page.split('\n## ').find(text => text.includes(`\`\`\`ts\n// ${name},`))
  if (!section) throw new Error(`docs/plugins.md has no ${name}`)
  // Beside the code, since that is where `mneme/…` leads to the code.
  const tmp = fileURLToPath(new URL('../../tmp/', import.meta.url))
  await mkdir(tmp, { recursive: true })
  const folder = await mkdtemp(join(tmp, 'documented-'))
  onEnd(() => rm(folder, { recursive: true, force: true }))
  for (const [, code = ''] of section.matchAll(/```(?:ts|sql)\n([\s\S]*?)```/g)) {
    const sql = /^-- (\w+\.sql):/.exec(code)?.[1]
    if (!sql && !code.startsWith(`// ${name},`)) continue
    const path = join(folder, sql ? `sql/${sql}` : name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, code)
  }
  return join(folder, name)
}
