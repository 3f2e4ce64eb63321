import { existsSync, readdirSync, readFileSync } from 'node:fs'

export const PACKAGE = new URL('../package.json', import.meta.url)

/**
 * Maps what a third party's plugin imports from Mneme (`mneme/plugin`, `mneme/plugin/memories`) to the module it leads
 * to.
 */
export function publicEntries(): ReadonlyMap<string, URL> {
  const { name, exports } = readPackage()
  const entries = Object.entries(exports).filter(([, target]) => target.endsWith('.ts'))
  return new Map(
    entries.flatMap(([subpath, target]) =>
      targetsOf(subpath, target).map(([path, file]): [string, URL] => [
        `${name}${path.slice(1)}`,
        new URL(file, PACKAGE),
      ]),
    ),
  )
}

/** A star in `exports` stands for the name of a folder, for each that holds the file named behind it. */
function targetsOf(subpath: string, target: string): [string, string][] {
  const [parent = '', file] = target.split('*')
  if (file === undefined) return [[subpath, target]]
  return readdirSync(new URL(parent, PACKAGE))
    .filter(folder => existsSync(new URL(`${parent}${folder}${file}`, PACKAGE)))
    .map(folder => [subpath.replace('*', folder), `${parent}${folder}${file}`])
}

interface PackageJson {
  readonly name: string
  readonly exports: Readonly<Record<string, string>>
}

function readPackage(): PackageJson {
  return JSON.parse(readFileSync(PACKAGE, 'utf8'))
}
