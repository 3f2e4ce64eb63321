import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Names, by the path of a test file, what it needs: the environment variable that says where a service is, or a program in lower case. */
export type Needs = Readonly<Record<string, string>>

/** Returns what a file needs and does not have: it is not started then, rather than passing without a test. */
export function unmetNeed(
  path: string,
  needs: Needs,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const need = needs[path]
  if (need === undefined) return undefined
  const isProgram = need === need.toLowerCase()
  return (isProgram ? isOnPath(need, environment.PATH) : environment[need]) ? undefined : need
}

function isOnPath(program: string, path = ''): boolean {
  return path.split(delimiter).some(folder => existsSync(join(folder, program)))
}
