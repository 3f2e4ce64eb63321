import { describe, expect, test } from 'bun:test'
import type { TObject } from '@sinclair/typebox'
import { coreConfig } from '../../core/config.ts'
import { builtInPlugins } from '../../server/plugins.ts'
import { read } from './source.ts'

/** Every setting there is, with its default as text. */
const settings = new Map<string, string>()
for (const schema of [coreConfig, ...builtInPlugins.map(plugin => plugin.config)]) {
  const { properties = {} }: Partial<TObject> = schema ?? {}
  for (const [name, property] of Object.entries(properties)) settings.set(name, String(property.default ?? ''))
}

describe('every setting', () => {
  test('stands in docs/settings.md with its default, and nothing else does', () => {
    const rows = [...read('docs/settings.md').matchAll(/^\| `([A-Z_]+)` \| (?:`(.*?)`)? *\| .+ \|$/gm)]
    expect(new Map(rows.map(([, name = '', standard = '']) => [name, standard]))).toEqual(settings)
  })

  test('can be given to the containers, but those that the image or the composition decides', () => {
    const given = [...read('compose.yaml').matchAll(/^ {2}([A-Z_]+): .*\$\{/gm)].map(([, name]) => name)
    const decided = ['PORT', 'HOST', 'DATA_DIR', 'WORKERS', 'PLUGINS']
    expect(given.toSorted()).toEqual([...settings.keys()].filter(name => !decided.includes(name)).toSorted())
  })
})

test('the image holds the programs that operators start by name', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
  for (const name of ['server', 'workers', 'command', 'search', 'mneme']) {
    const folder = /\bbun (\w+)\//.exec(scripts[name] ?? '')?.[1]
    expect([name, read('Dockerfile').includes(`COPY ${folder} ${folder}\n`)]).toEqual([name, true])
    expect([name, read('.dockerignore').includes(`!${folder}\n`)]).toEqual([name, true])
  }
})
