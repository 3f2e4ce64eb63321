import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** A module that asks for the server's database names this variable. */
const SERVER_VARIABLE = 'TEST_DATABASE_URL'

const transpiler = new Bun.Transpiler({ loader: 'ts' })

/** Returns those of `paths` that can notice a Postgres server: they, or modules that they import, read where it is. */
export function serverFiles(root: string, paths: readonly string[]): string[] {
  const imports = new Map<string, Module>()
  const moduleAt = (path: string) => {
    const known = imports.get(path) ?? readModule(root, path)
    imports.set(path, known)
    return known
  }
  return paths.filter(path => {
    const seen = new Set([path])
    // The set grows while it is walked.
    for (const next of seen) {
      const { readsServer, imported } = moduleAt(next)
      if (readsServer) return true
      for (const found of imported) seen.add(found)
    }
    return false
  })
}

interface Module {
  readonly readsServer: boolean
  /** Paths from the root, of the project's own modules. */
  readonly imported: readonly string[]
}

function readModule(root: string, path: string): Module {
  const text = readFileSync(join(root, path), 'utf8')
  const folder = dirname(join(root, path))
  const imported = transpiler
    .scanImports(text)
    .filter(({ path: name }) => name.startsWith('.') || name.startsWith('mneme/'))
    .map(({ path: name }) => Bun.resolveSync(name, folder))
    .filter(file => file.endsWith('.ts') && existsSync(file))
    .map(file => relative(root, file))
  return { readsServer: text.includes(SERVER_VARIABLE), imported }
}
