import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Names, by the path of a test file, what it needs: an environment variable that says where a service is, or a program, which is written in
 * small letters.
 */
export type Needs = Readonly<Record<string, readonly string[]>>

/** Returns what a file needs and does not have: it is not started then, rather than passing without a test. */
export function unmetNeed(
  path: string,
  needs: Needs,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return needs[path]?.find(name => (/^[a-z]/.test(name) ? !isInstalled(name, environment) : !environment[name]))
}

function isInstalled(program: string, { PATH = '' }: Readonly<Record<string, string | undefined>>): boolean {
  // Debian keeps servers out of the way of ordinary users.
  return [...PATH.split(':'), '/usr/sbin'].some(folder => existsSync(join(folder, program)))
}
